// Writes random reduce functions that loop, branch, leave and add in ways that people do not write, to find readings of the
// code that trials contradict.

/** @import { RandomSource } from '../../lib/shared/seeded-random.js' */

const ATOMS = ['v', 'v', 't', 'n', '1', '0', '2', 'o.a', 'r', 'v || 0', 'values.length', 'null', 'x', 'i'];
const TESTS = [
  'r',
  '!r',
  'v',
  "typeof v === 'number'",
  'keys',
  'v != null',
  'n === 0',
  't === null',
  't === undefined',
  'values.length === 1',
  'values.length > 1',
  'v > 2',
  'true',
  'i === 0',
];
const STARTS = ['0', '0', '0', 'null', 'undefined', 'values[0]', '1', "''", '-Infinity'];
const RETURNS = [
  't',
  't',
  'n',
  'o',
  '[t, n]',
  '{ t: t, n: n }',
  'o.a',
  't / n',
  'x',
  'n ? t : 0',
  '{ sum: t, count: n }',
  'r ? sum(values) : n',
  'r ? sum(values) : t',
  '+t',
  't || 0',
  't * 1',
  'values.length == 1 ? values[0] : t',
];
/** Whole bodies, or parts of them, that people write for a sum, a count or an extreme: what is drawn stands around them. */
const SUMS = [
  'sum(values)',
  '+sum(values)',
  'sum(values) || 0',
  'sum(values) * 1',
  '-(-sum(values))',
  'sum(values.concat())',
  'sum([].concat(values))',
  'sum([...values])',
  'sum(values.slice(0))',
  'sum(values.filter(Boolean))',
  'sum(Array.from(values))',
  'sum(values.map(Number))',
  'values.length == 1 ? values[0] : sum(values)',
  'values.length < 2 ? values[0] : sum(values)',
  'sum(arguments[1])',
  'arguments.length === 3 ? sum(values) : 0',
  'values[0] + sum(values.slice(1))',
  'values.reduce((a, b) => a + b)',
  'values.filter((v) => v).reduce((a, b) => a + b, 0)',
  '[Math.max(...values)]',
  '[Math.min(Infinity, ...values)]',
  'r ? [Math.min(...values.map((v) => v[0]))] : [Math.min(...values)]',
  'r ? sum(values) : values.length',
  'sum(values.slice(1))',
  'sum(values) - values[0]',
  'values.filter(Boolean).length',
];
/** Statements that add a row, what spoils it, or nothing. */
const ADDED = ['', '', '', 't += v;', 't += v;', 'n++;', 't += 1;', 't = 0;'];
const COUNTED = [
  ['var i = 0', 'i < values.length', 'i++', 'values[i]'],
  ['var i = 0', 'i !== values.length', '++i', 'values[i]'],
  ['var i = 1', 'i <= values.length', 'i++', 'values[i - 1]'],
  ['var i = 1', 'i < values.length', 'i += 1', 'values[i]'],
  ['var i = values.length', 'i > 0', 'i--', 'values[i - 1]'],
  ['var i = values.length', 'i--', '', 'values[i]'],
  ['var i = values.length', '--i >= 0', '', 'values[i]'],
  ['var i = values.length', '--i', '', 'values[i]'],
  ['let i = values.length - 1', 'i >= 0', 'i--', 'values[i]'],
  ['let i = values.length - 1', 'i > 0', 'i--', 'values[i]'],
  ['let i = values.length - 1', 'i + 1', 'i -= 1', 'values[i]'],
  ['var i = 0, n = values.length', 'n > i', 'i++', 'values[i]'],
  ['var i = -1', '++i < values.length', '', 'values[i]'],
];

/**
 * @param {RandomSource} random
 * @returns {string}
 */
export function randomReducer(random) {
  return new ReducerWriter(random).reducer();
}

class ReducerWriter {
  /** Labels of the statements around, and whether `continue` can name them. @type {{name: string, isLoop: boolean}[]} */
  #labels = [];
  #count = 0;
  /** Whether an unlabelled `break`, and `continue`, may stand here. */
  #canBreak = false;
  #canContinue = false;

  /** @param {RandomSource} random */
  constructor(random) {
    this.random = random;
  }

  /** @returns {string} */
  reducer() {
    const { pick, below } = this.random;
    const start = `var t = ${pick(STARTS)}, n = 0, x = 0, o = { a: 0 }, i = 0, v; function inc(a) { n++; return a + 1; }`;
    const kind = below(5);
    if (kind === 0) return this.#aroundSum(start);
    if (kind === 1) return this.#aroundJump();
    const end = `return ${pick(RETURNS)};`;
    const again = below(3) === 0 ? `if (r) { ${pick(['return sum(values);', `${this.#loop()} ${end}`])} } ` : '';
    const more = below(3) === 0 ? this.#loop() : '';
    const odd = below(3) === 0 ? this.#outer(2) : '';
    return `function (keys, values, r) { ${start} ${again}${this.#loop()} ${more} ${odd} ${end} }`;
  }

  /** @param {string} start @returns {string} a plain result, with what may keep it from being returned before it */
  #aroundSum(start) {
    const { pick, below } = this.random;
    const body = Array.from({ length: 1 + below(2) }, () => this.#outer(3)).join(' ');
    const head = pick(['keys, values, r', 'keys, values, r', 'keys, values, r = false', 'keys, values, ...[r]']);
    return `function (${head}) { ${start} ${body} return ${pick(SUMS)}; }`;
  }

  /** @returns {string} a plain loop that adds up, with one statement that may leave before, behind or around what is added */
  #aroundJump() {
    const { pick } = this.random;
    const jump = () =>
      pick([
        () => `if (${pick(TESTS)}) ${this.#leave()}`,
        () => `if (${pick(TESTS)}) { ${pick(ADDED)} ${this.#leave()} } else { ${pick(ADDED)} }`,
        () => `try { if (${pick(TESTS)}) throw 1; ${pick(ADDED)} } catch (e) { ${pick(ADDED)} }`,
        () => `try { ${pick(ADDED)} if (${pick(TESTS)}) ${this.#leave()} } finally { ${pick(ADDED)} }`,
        () => this.#labelled(false, () => `{ ${pick(ADDED)} if (${pick(TESTS)}) ${this.#leave()} ${pick(ADDED)} }`),
      ])();
    const body = () => `${pick(ADDED)} ${jump()} ${pick(ADDED)}`;
    const loop = pick([
      () => this.#loopOf(() => `for (var i = 0; i < values.length; i++) { var v = values[i]; ${body()} }`),
      () => this.#loopOf(() => `for (const v of values) { let i = 0; ${body()} }`),
      () => `values.forEach(function (v, i) { ${this.#within({ isFunction: true }, body)} });`,
      () => `values.forEach(function (v) { t += v; }); var v = 3; ${body()}`,
    ])();
    return `function (keys, values, r) { var t = 0, n = 0; ${loop} return ${pick(['t', 't', 'r ? sum(values) : n'])}; }`;
  }

  /** @param {number} depth @returns {string} */
  #expression(depth) {
    const { pick, below } = this.random;
    if (depth <= 0 || below(5) < 2) return pick(ATOMS);
    const [one, other] = [this.#expression(depth - 1), this.#expression(depth - 1)];
    return pick([
      `${one} + ${other}`,
      `${one} - ${other}`,
      `(${one}) * (${other})`,
      `(${this.#test()} ? ${one} : ${other})`,
      `Math.max(${one}, ${other})`,
      'Number(v)',
      `-(${one})`,
      `(${one} || ${other})`,
      `(${one} && ${other})`,
      `(x = ${one}, ${other})`,
      `(function () { ${pick(['n++', 't += 1', 'x = 2'])}; return ${one}; })()`,
      `((a, b = ${other}) => a + b)(${one})`,
      `((...all) => all[0])(${one})`,
      `inc(${one})`,
    ]);
  }

  /** @returns {string} */
  #test() {
    const { pick } = this.random;
    return pick([...TESTS, `${pick(ATOMS)} > ${pick(ATOMS)}`, `${pick(ATOMS)} === ${pick(ATOMS)}`]);
  }

  /** @param {string} skip @param {number} depth @returns {string} */
  #statement(skip, depth) {
    const { pick, below } = this.random;
    if (depth > 0 && below(4) === 0) return this.#holder(depth, (inner) => this.#statement(skip, inner));
    const more = depth > 0 ? this.#statement(skip, depth - 1) : '';
    return pick([
      `t += ${this.#expression(1)};`,
      't += v;',
      't -= -v;',
      'n++;',
      `n += ${this.#expression(1)};`,
      `o.a += ${this.#expression(1)};`,
      `t = ${this.#expression(1)};`,
      `if (${this.#test()}) { ${more} } else { n++; }`,
      `if (${this.#test()}) t += v;`,
      `x = ${this.#expression(1)};`,
      'if (v > t) t = v;',
      `var w = ${this.#expression(1)}; t += w;`,
      `if (${this.#test()}) ${skip};`,
      `if (${this.#test()}) ${this.#leave()}`,
      `o = { a: ${this.#expression(1)} };`,
      `t = Math.max(t, ${pick(ATOMS)});`,
      `var { a: y } = o; t += y;`,
      `[t, n] = [t + v, n + 1];`,
      `[x = 1] = [undefined];`,
    ]);
  }

  /** @returns {string} a statement that completes in another way than normally */
  #leave() {
    const { pick, below } = this.random;
    const ways = ['throw v;', `return ${pick(['t', 'n', 'sum(values)'])};`];
    if (this.#canBreak) ways.push('break;');
    if (this.#canContinue) ways.push('continue;', 'continue;');
    const label = this.#labels[below(Math.max(1, this.#labels.length))];
    if (label) ways.push(`break ${label.name};`, `break ${label.name};`);
    if (label?.isLoop) ways.push(`continue ${label.name};`);
    return pick(ways);
  }

  /**
   * A statement that holds others: a label before it, `if`, `switch` with cases that fall through, `try` with all its parts, a block.
   * @param {number} depth
   * @param {(depth: number) => string} inner
   * @returns {string}
   */
  #holder(depth, inner) {
    const { pick, below } = this.random;
    const part = () => (below(4) === 0 ? `if (${this.#test()}) ${this.#leave()}` : inner(depth - 1));
    const own = () => this.#within({ canBreak: true }, () => `${part()} ${below(2) ? 'break;' : ''}`);
    const shapes = [
      () => `{ ${part()} ${part()} }`,
      () => `{ let t = 1; const k = 2; ${part()} }`,
      () => `if (${this.#test()}) { ${part()} } else { ${part()} }`,
      () => `try { ${part()} ${pick(['', 'throw 1;', this.#leave()])} } catch (e) { ${part()} }`,
      () => `try { ${part()} } finally { ${part()} ${below(4) ? '' : this.#leave()} }`,
      () => `try { ${part()} ${this.#leave()} } catch { ${part()} } finally { ${pick(['n++;', part()])} }`,
      () =>
        `switch (${pick(['r', 'n', 'v', '1', 'values.length'])}) { case 1: ${own()} case true: ${own()} default: ${own()} case 0: ${own()} }`,
      () => `switch (${this.#test()}) { default: ${own()} case true: ${own()} }`,
      () => `do { ${this.#within({ canBreak: true, canContinue: true }, part)} } while (false);`,
      () => `for (var z of [1, 2]) { ${this.#within({ canBreak: true, canContinue: true }, part)} }`,
      () => `x = (class { static { n++; } }).length; ${part()}`,
      () => 'x = ((s) => s.length)`a${n++}b`;',
      () => 'x = typeof delete o.a;',
      () => `(function () { ${pick(['t += 1;', 'n = 2;', 'try { return 1; } finally { x++; }'])} })(); ${part()}`,
    ];
    const write = pick(shapes);
    if (below(3) > 0) return write();
    return this.#labelled(false, write);
  }

  /**
   * @param {boolean} isLoop
   * @param {() => string} write
   * @returns {string}
   */
  #labelled(isLoop, write) {
    this.#count += 1;
    const name = `l${this.#count}`;
    this.#labels.push({ name, isLoop });
    const written = write();
    this.#labels.pop();
    // A label stands before one statement.
    const isOne = isLoop || /^(\{|if|try|switch|do|for)/.test(written);
    return isOne && !/^(class|x|\()/.test(written) ? `${name}: ${written}` : `${name}: { ${written} }`;
  }

  /**
   * @param {{canBreak?: boolean, canContinue?: boolean, isFunction?: boolean}} place
   * @param {() => string} write
   * @returns {string}
   */
  #within({ canBreak, canContinue, isFunction }, write) {
    const held = /** @type {const} */ ([this.#canBreak, this.#canContinue, this.#labels]);
    this.#canBreak = isFunction ? false : (canBreak ?? this.#canBreak);
    this.#canContinue = isFunction ? false : (canContinue ?? this.#canContinue);
    if (isFunction) this.#labels = [];
    const written = write();
    [this.#canBreak, this.#canContinue, this.#labels] = held;
    return written;
  }

  /** @param {number} depth @returns {string} a statement outside of loops */
  #outer(depth) {
    const { pick, below } = this.random;
    if (depth > 0 && below(3) > 0) return this.#holder(depth, (inner) => this.#outer(inner));
    return pick([
      `t = ${pick(['0', '1', 'sum(values)'])};`,
      'n++;',
      `return ${pick(SUMS)};`,
      `if (${pick(['r', 'keys', 'values.length > 2', 'values[0]', 'true', 'false'])}) ${this.#leave()}`,
      `var [a, ...b] = values; t = a + sum(b);`,
      `values = values.concat();`,
      this.#leave(),
    ]);
  }

  /** @param {string} skip @returns {string} */
  #body(skip) {
    return Array.from({ length: 1 + this.random.below(3) }, () => this.#statement(skip, 2)).join(' ');
  }

  /** @param {() => string} write @returns {string} a loop, perhaps with a label */
  #loopOf(write) {
    const inner = () => this.#within({ canBreak: true, canContinue: true }, write);
    return this.random.below(4) === 0 ? this.#labelled(true, inner) : inner();
  }

  /** @returns {string} */
  #loop() {
    const { pick } = this.random;
    const callback = (/** @type {string} */ skip) => this.#within({ isFunction: true }, () => this.#body(skip));
    const [start = '', test = '', step = '', row = ''] = pick(COUNTED);
    return pick([
      () => `values.forEach(function (v, i) { ${callback('return')} });`,
      () => `values.filter(Boolean).forEach((v) => { ${callback('return')} });`,
      () => this.#loopOf(() => `for (${start}; ${test}; ${step}) { var v = ${row}; ${this.#body('continue')} }`),
      () => this.#loopOf(() => `for (${start}; ${test}; ${step}) { var v = ${row}; ${this.#body('continue')} }`),
      () =>
        `${start.replace('let', 'var')}; ${this.#loopOf(() => `while (${test}) { var v = ${row}; ${this.#body(';')} ${step}; }`)}`,
      () =>
        `${start.replace('let', 'var')}; ${this.#loopOf(() => `do { var v = ${row}; ${this.#body(';')} ${step}; } while (${test});`)}`,
      () => this.#loopOf(() => `for (var i in values) { var v = values[i]; ${this.#body('continue')} }`),
      () => this.#loopOf(() => `for (const v of values) { let i = 0; ${this.#body('continue')} }`),
      () => this.#loopOf(() => `for (v of [...values]) { ${this.#body('continue')} }`),
      () => `t = values.reduce(function (t, v, i) { ${callback('return t')} return t; }, 0);`,
      () => `o = values.reduce(function (o, v, i) { ${callback('return o')} return o; }, o);`,
      () =>
        `t = values.map(function (v, i) { return ${this.#expression(1)}; }).reduce(function (a, b) { return a + b; });`,
      () => `x = sum(values.filter(function (v, i) { return ${this.#test()}; }));`,
    ])();
  }
}
