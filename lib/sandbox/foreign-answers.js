// Gives foreign code the answers of SpiderMonkey where QuickJS answers otherwise, written for the engine of the sandbox: its text runs there and nowhere
// else. Which answers differ is in javascript/engine-answers.js.

/**
 * Answers to set, by the names of that table. `isOld`: those of SpiderMonkey 1.8.5. `isProbe`: what they replace throws instead, which shows whether a function reaches it.
 * `hasOwnRealms`: each module runs in a realm of its own, as in QuickJS.
 * @typedef {{names: string[], isOld?: boolean, isProbe?: boolean, hasOwnRealms?: boolean}} ForeignAnswers
 */

/**
 * What each answers was seen on CouchDB 3.4.3 with SpiderMonkey 78, and for 1.8.5 on couchjs and main.js of 2.3.1, in UTC and the locale C. `number
 * without a radix`, `match of undefined` and `invalid date in ISO format` are of 1.8.5 alone.
 * @param {any} realm the global object of the foreign realm
 * @param {ForeignAnswers} answers
 */
function setForeignAnswers(realm, { names, isOld, isProbe }) {
  const { RegExp: Pattern, Date: Real, Function: RealFunction } = realm;
  const { apply, construct } = realm.Reflect;
  const has = (/** @type {string} */ name) => names.includes(name);
  /** @param {any} object @param {string} key @param {(self: any, given: any[], real: any) => unknown} answer */
  const replace = (object, key, answer) => {
    const real = object[key];
    object[key] = function replaced(/** @type {any[]} */ ...given) {
      if (isProbe) throw new realm.Error('reached');
      return answer(this, given, real);
    };
  };
  if (has('last match')) {
    const { exec } = Pattern.prototype;
    /** @type {any} */
    let last = [''];
    Pattern.prototype.exec = function exec_(/** @type {unknown} */ text) {
      const found = apply(exec, this, [text]);
      if (found !== null) last = { ...found, length: found.length };
      return found;
    };
    /** @type {Record<string, () => string>} */
    const members = {
      lastMatch: () => last[0],
      '$&': () => last[0],
      input: () => last.input ?? '',
      $_: () => last.input ?? '',
      lastParen: () => (last.length > 1 ? (last[last.length - 1] ?? '') : ''),
      leftContext: () => (last.input ?? '').slice(0, last.index),
      rightContext: () => (last.input ?? '').slice((last.index ?? 0) + last[0].length),
    };
    for (let at = 1; at <= 9; at++) members[`$${at}`] = () => last[at] ?? '';
    for (const name of realm.Object.keys(members)) {
      realm.Object.defineProperty(Pattern, name, {
        get() {
          if (isProbe) throw new realm.Error('reached');
          return /** @type {() => string} */ (members[name])();
        },
      });
    }
  }
  if (has('date in a locale')) {
    /** `01/02/1970` becomes `1/2/1970`. @type {(self: any, given: any[], real: any) => string} */
    const short = (self, given, real) => `${apply(real, self, given)}`.replace(/^0?(\d+)\/0?(\d+)/, '$1/$2');
    replace(Real.prototype, 'toLocaleDateString', short);
  }
  if (has('date and time in a locale')) {
    replace(Real.prototype, 'toLocaleString', (self, given, real) => {
      // `Thu Jan 01 1970 00:00:00 GMT+0000` becomes `Thu Jan  1 00:00:00 1970`.
      const parts = /^(\w+ \w+) (\d\d) (\d+) ([\d:]+)/.exec(apply(Real.prototype.toString, self, []));
      if (isOld && parts) return `${parts[1]} ${`${+(parts[2] ?? 0)}`.padStart(2)} ${parts[4]} ${parts[3]}`;
      return `${apply(real, self, given)}`.replace(/^0?(\d+)\/0?(\d+\/\d+, )0?/, '$1/$2');
    });
  }
  if (has('time in a locale')) {
    replace(Real.prototype, 'toLocaleTimeString', (self, given, real) => {
      const written = isOld ? apply(Real.prototype.toString, self, []).slice(16, 24) : '';
      return written || `${apply(real, self, given)}`.replace(/^0/, '');
    });
  }
  // Documents and rows come from outside of the realm.
  const lists = [realm.Array.prototype, Array.prototype];
  if (has('sort by a test')) {
    const sort = (/** @type {any} */ self, /** @type {any[]} */ given, /** @type {any} */ real) => {
      const [test] = given;
      if (typeof test !== 'function') return apply(real, self, given);
      return apply(real, self, [
        (/** @type {unknown} */ one, /** @type {unknown} */ other) =>
          test(one, other) > 0 ? 1 : test(other, one) > 0 ? -1 : 0,
      ]);
    };
    for (const list of lists) replace(list, 'sort', sort);
  }
  if (has('sort of an array of the document')) {
    const sort = (/** @type {any} */ self, /** @type {any[]} */ given, /** @type {any} */ real) => {
      if (self.length > 1 && Object.isFrozen(self)) throw new realm.TypeError('0 is read-only');
      return apply(real, self, given);
    };
    for (const list of lists) replace(list, 'sort', sort);
  }
  if (has('number in a locale')) {
    replace(realm.Number.prototype, 'toLocaleString', (self, [locale], real) => {
      const [whole = '', part = ''] = `${self < 0 ? -self : +self}`.split('.');
      if (!/^\d+$/.test(whole + part)) return apply(real, self, []);
      const thousandths = part.length > 3 ? realm.Math.round(`${part.slice(0, 3)}.${part.slice(3)}`) : 0;
      const rounded = part.length > 3 ? `${thousandths}`.padStart(4, '0').slice(-3).replace(/0+$/, '') : part;
      const carried = thousandths === 1000 ? `${+whole + 1}` : whole;
      const grouped = locale === undefined ? carried : carried.replace(/\B(?=(?:\d{3})+$)/g, ',');
      return (self < 0 ? '-' : '') + grouped + (rounded === '' ? '' : `.${rounded}`);
    });
  }
  if (has('code in a string')) {
    const refuse = (/** @type {string} */ name) =>
      function blocked() {
        throw new realm.EvalError(`call to ${name}() blocked by CSP`);
      };
    realm.eval = refuse('eval');
    realm.Function = refuse('Function');
    realm.Function.prototype = RealFunction.prototype;
    RealFunction.prototype.constructor = realm.Function;
  }
  if (has('number without a radix')) {
    replace(realm, 'parseInt', (_, [text, radix], real) =>
      real(text, radix === undefined && /^\s*[-+]?0\d/.test(`${text}`) ? 8 : radix),
    );
  }
  if (has('match of undefined')) {
    replace(realm.String.prototype, 'match', (self, given, real) =>
      apply(real, self, given.length > 0 && given[0] === undefined ? ['undefined'] : given),
    );
  }
  if (has('invalid date in ISO format')) {
    const { getTime } = Real.prototype;
    replace(Real.prototype, 'toISOString', (self, given, real) =>
      realm.isNaN(apply(getTime, self, [])) ? 'Invalid Date' : apply(real, self, given),
    );
  }
  const named = /** @param {string} text */ (text) =>
    text.replace(/GMT[+-]\d{4}$/, (zone) =>
      zone === 'GMT+0000' ? `${zone} (${isOld ? 'UTC' : 'Coordinated Universal Time'})` : zone,
    );
  if (has('date as a string')) {
    replace(Real.prototype, 'toString', (self, given, real) => named(apply(real, self, given)));
    replace(Real.prototype, 'toTimeString', (self, given, real) => named(apply(real, self, given)));
  }
  if (!has('date as a string') && !has('test of a date')) return;

  const keywords = [
    'monday tuesday wednesday thursday friday saturday sunday',
    'january february march april may june july august september october november december',
    'am pm gmt ut utc est edt cst cdt mst mdt pst pdt',
  ].flatMap((line) => line.split(' '));
  // 1.8.5 reads `2019-01-01T00:00:00+01:00`, but not `2019-01-01 00:00:00`, `2019-01-01T00:00:00+0100` or `2019-1-1`.
  const OLD_NO_DATE = /^\d{4}-(?:\d-|\d\d-\d$|\d\d-\d\d .|\d\d-\d\dT.*[+-]\d{4}$)/;
  const isKeyword = (/** @type {string} */ word) => keywords.some((one) => one.startsWith(word.toLowerCase()));
  /** @param {string} text @returns {boolean} whether QuickJS takes it for a date, and SpiderMonkey does not */
  const isNoDate = (text) => {
    if (isOld && OLD_NO_DATE.test(text)) return true;
    const iso = /^\d{4}-(\d\d)-(\d\d)/.exec(text);
    if (iso)
      return (
        +(iso[2] ?? 0) < 1 || new Real(Real.UTC(+text.slice(0, 4), +(iso[1] ?? 0), 0)).getUTCDate() < +(iso[2] ?? 0)
      );
    return /^-?(?:\d{1,3}|\d{5,})$/.test(text) || (text.match(/[a-z]{2,}/gi) ?? []).some((word) => !isKeyword(word));
  };
  const parse = (/** @type {unknown} */ value) => {
    if (isProbe && has('test of a date')) throw new realm.Error('reached');
    return has('test of a date') && isNoDate(`${value}`) ? NaN : Real.parse(value);
  };
  /** @this {unknown} @param {any[]} given */
  function Replaced(...given) {
    if (new.target === undefined) return `${new Real()}`;
    const isText = given.length === 1 && typeof given[0] === 'string';
    return construct(Real, isText ? [parse(given[0])] : given, new.target);
  }
  realm.Object.defineProperty(Replaced, 'name', { value: 'Date' });
  realm.Object.defineProperty(Replaced, 'length', { value: 7 });
  Replaced.prototype = Real.prototype;
  Real.prototype.constructor = Replaced;
  Replaced.parse = parse;
  Replaced.UTC = Real.UTC;
  Replaced.now = Real.now;
  realm.Date = Replaced;
}

/** The function above as a text. */
export const FOREIGN_ANSWERS = `(${setForeignAnswers.toString()})`;
