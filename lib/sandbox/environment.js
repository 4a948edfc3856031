// Builds the query server as foreign code sees it, written for the engine of the sandbox: its text runs inside QuickJS
// and nowhere else. It must use nothing but its parameters and what QuickJS has.

import { FOREIGN_ANSWERS } from './foreign-answers.js';
import { FOREIGN_CLOCK } from './foreign-clock.js';
import { LOAD_MODULES } from './load-modules.js';
import { WATCH_CALLS } from './watch-calls.js';

/** @import { ForeignAnswers } from './foreign-answers.js' */
/** @import { ClockReads, ForeignClock } from './foreign-clock.js' */
/** @import { Own } from './load-modules.js' */
/** @import { Watch } from './watch-calls.js' */

/**
 * What a job passes to the environment.
 * @typedef {object} Setup
 * @property {'reduce' | 'map' | 'filter' | 'validate'} kind
 * @property {string} source of the function
 * @property {unknown} libraries `views.lib`
 * @property {unknown} [designDoc] the whole document, where the function sees it: a filter and a validation function do
 * @property {unknown} req the request of a filter
 * @property {'clouseau' | 'nouveau'} [search] where the map is the function of a search index, and of which engine
 * @property {ForeignClock} [clock] where the code is to run at another moment, or in another time zone
 * @property {ForeignAnswers} [foreign] where built-in functions are to answer as those of another engine
 * @property {boolean} [traces] whether errors come with their stack
 * @property {number} answerCharacters the longest answer
 * @property {ProfileSetup} [profile] where the calls are to be measured
 */

/**
 * @typedef {object} ProfileSetup
 * @property {string} [prefix] of the names that instrumented code calls; the code has no probes where absent
 * @property {number} [now] the moment at which the foreign code runs, in milliseconds, where the clock of the engine ticks; it then
 *   returns nanoseconds
 */

/**
 * Two texts cross the border: JSON in, and out `=` with JSON behind it or `!` with [kind, message] as JSON behind it. `figures` gives
 * JSON: nanoseconds of each phase (JSON read, a map's document frozen, the function run, its answer written), what the
 * probes noted, and how many rows were emitted; `forget` starts over; `effects` names what the calls did beside
 * answering: `changed` where built-in objects of the server's realm have other members than before, `now` and `zone` where the given clock was read.
 * @typedef {{compile: (setup: string) => string, call: (input: string) => string, figures: () => string, forget: () => void, effects: () => string}} Server
 */

/**
 * Makes the query server. As in CouchDB there are two realms: this function runs in the server's, the foreign code in one of
 * its own, so that `values instanceof Array` is false in a reduce (couch_quickjs/c_src/couchjs.c make_sandbox and
 * share/server/dispatch-quickjs.js create_sandbox, 3.5.0; share/server/loop.js likewise for SpiderMonkey).
 * All that it uses of its realm is taken before the foreign code is read: foreign code can reach the server's realm through
 * `sum.constructor`, as it can in CouchDB, but then changes nothing that counts here, and each job has realms of its own. Lists that it writes to
 * after that inherit nothing, so that no setter sees what is put there and no `toJSON` shapes an answer; an answer is refused where `toJSON` was
 * given to all arrays or objects of this realm, as the query server itself would then write another.
 * @param {Record<string, unknown>} realm the global object of the foreign realm
 * @param {(text: string) => any} evaluate its `eval`
 * @param {(realm: any, prefix: string, clock: (() => number) | undefined, stringify: (value: unknown) => string) => Watch} watchCalls
 * @param {(realm: any, clock: ForeignClock) => ClockReads} setForeignClock
 * @param {(realm: any, answers: ForeignAnswers) => void} setForeignAnswers
 * @param {(designDoc: unknown, sandbox: Record<string, unknown>, evaluateIn: () => (text: string) => any, own: Own) => (path: unknown) => unknown} makeRequire
 * @param {() => any} openRealm gives the global object of another foreign realm
 * @returns {Server}
 */
function serveQueries(realm, evaluate, watchCalls, setForeignClock, setForeignAnswers, makeRequire, openRealm) {
  const { parse, stringify } = JSON;
  const { apply, ownKeys } = Reflect;
  const { assign, freeze, isFrozen, setPrototypeOf } = Object;
  const text = String;
  const ForeignSyntaxError = evaluate('SyntaxError');
  const ForeignTypeError = evaluate('TypeError');
  const call = Function.prototype.call;
  /** @type {Own} */
  const own = {
    cut: call.bind(String.prototype.slice),
    split: call.bind(String.prototype.split),
    lastIndexOf: call.bind(String.prototype.lastIndexOf),
    stringify,
  };
  const { cut } = own;
  /** What foreign code is given. @type {Record<string, unknown>} */
  const sandbox = {};
  /** @type {(value: unknown) => string} */
  const nameOfClass = call.bind(Object.prototype.toString);
  /** @type {(type: any, value: unknown) => boolean} */
  const hasInstance = call.bind(Function.prototype[Symbol.hasInstance]);

  const arrays = Array.prototype;
  /** Objects that values and functions of this realm inherit from, each with the names of its members. */
  const builtIns = [Object, Array, Function, String, Number, Boolean].map(({ prototype }) => ({
    object: prototype,
    names: ownKeys(prototype),
  }));

  const clock = Date.now;
  /** Nanoseconds of each phase. */ let phases = bare([0, 0, 0, 0]);
  let phaseBegan = 0;
  /** @type {Watch | undefined} */ let watch;
  /** Of each foreign realm. @type {ClockReads[]} */
  const clockReads = bare([]);
  let rows = 0;
  /** Whether the clock ticks. */ let isTimed = false;
  /** @type {Setup} */
  let setup;
  /** What functions see of it. @type {unknown} */
  let designDoc;
  /** @type {any} */
  let main;
  /** @type {unknown[][]} */
  let emitted = bare([]);

  /** A list that inherits nothing. @template T @param {T[]} list @returns {T[]} */
  function bare(list) {
    return setPrototypeOf(list, null);
  }

  /** @param {unknown} value */
  function sealAll(value) {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function') || isFrozen(value)) return;
    freeze(value);
    const names = ownKeys(value);
    for (let at = 0; at < names.length; at++) {
      const member = /** @type {any} */ (value)[/** @type {PropertyKey} */ (names[at])];
      const type = typeof member;
      // Most members are strings and numbers: a call for each would take a tenth of all trials of maps.
      if (type === 'object' || type === 'function') sealAll(member);
    }
  }

  /** Errors would be written as {} (share/server/util.js error_to_json, 3.5.0). @param {any} value */
  function writableError(value) {
    if (typeof value !== 'object' || value === null) return value;
    if (!('stack' in value && 'name' in value && 'message' in value)) return value;
    return { error: value.name, message: value.message };
  }

  /** @param {string} kind @param {unknown} message @param {unknown} [stack] */
  function fail(kind, message, stack = '') {
    return `!${stringify(bare([kind, cut(text(message), 0, 300), cut(text(stack), 0, 2000)]))}`;
  }

  /** What was thrown, in words; what it holds may throw again. @param {string} kind @param {any} error */
  function failBy(kind, error) {
    let shown = 'something that cannot be shown';
    let actualKind = kind;
    let stack = '';
    try {
      shown = text(error);
      if (setup.traces && error !== null && typeof error === 'object') stack = error.stack;
      if (error !== null && typeof error === 'object') {
        const { name, message } = error;
        if (name === 'InternalError' && message === 'out of memory') actualKind = 'memory';
        // The parser of the engine calls its own overflow a SyntaxError.
        if ((name === 'InternalError' || name === 'SyntaxError') && message === 'stack overflow') actualKind = 'stack';
      }
    } catch {
      // Said above.
    }
    return fail(actualKind, shown, stack);
  }

  /** Answers as the query server prints them: what is no JSON value becomes null in a list. @param {unknown[]} list */
  function answer(list) {
    let written;
    try {
      written = stringify(list);
    } catch (error) {
      return failBy('notJson', error);
    }
    if (typeof written !== 'string') return fail('notJson', 'the result cannot be serialized as JSON');
    if ('toJSON' in arrays) return fail('tampered', 'it changes how the query server serializes results');
    if (written.length > setup.answerCharacters) {
      return fail('tooLarge', `the result is ${written.length} characters long`);
    }
    return `=${written}`;
  }

  /** @param {unknown} key @param {unknown} value */
  function emit(key, value) {
    emitted[emitted.length] = bare([key, writableError(value)]);
  }

  /** @param {string} what */
  function refuse(what) {
    const error = new ForeignTypeError(`index refuses ${what}`);
    error.name = '';
    throw error;
  }

  /**
   * `index` of a search index: of Clouseau (name, value, options), of Nouveau (type, name, value, options). What it refuses throws
   * (share/server/dreyfus.js and nouveau.js, 3.5.2).
   * @param {unknown} first @param {unknown} second @param {unknown} third
   */
  function index(first, second, third) {
    const isNouveau = setup.search === 'nouveau';
    const name = isNouveau ? second : first;
    const value = isNouveau ? third : second;
    if (typeof name !== 'string' || cut(name, 0, 1) === '_') refuse('a name that is no string or starts with `_`');
    const type = typeof value;
    const isText = type === 'string';
    const isNumber = type === 'number';
    const isTaken = !isNouveau
      ? isText || isNumber || type === 'boolean'
      : first === 'double'
        ? isNumber
        : (isText && (first === 'string' || first === 'text')) || (first === 'stored' && (isText || isNumber));
    if (!isTaken) refuse(`\`${name}\`: ${type}`);
    if (!isNouveau && third && typeof third !== 'object') refuse('options that are no object');
    emitted[emitted.length] = bare([name, value]);
  }

  /** @param {any} values */
  function sum(values) {
    let total = 0;
    for (const name in values) total += values[name];
    return total;
  }

  /** The log is not kept; what cannot be written raises an error as in CouchDB. @param {unknown} message */
  function log(message) {
    text(typeof message === 'string' ? message : stringify(writableError(message)));
  }

  const isArray = (/** @type {unknown} */ value) => nameOfClass(value) === '[object Array]';
  /** For list functions and full-text indexes. */
  function ignore() {}

  /**
   * QuickJS runs each module in a realm of its own, which gets what the sandbox holds by then (couchjs.c js_evalcx, 3.5.2); SpiderMonkey in that of the
   * function that loads it first.
   * @returns {(text: string) => any} its `eval`
   */
  function ownRealm() {
    if (setup.foreign?.isProbe) throw new ForeignTypeError('reached');
    const own = openRealm();
    furnish(own);
    for (const key of ownKeys(sandbox)) {
      const name = /** @type {string} */ (key);
      const value = /** @type {any} */ (sandbox[name]);
      // What stands for the query server's functions is set for each call, where the function runs.
      own[name] =
        typeof value !== 'function'
          ? value
          : (/** @type {any[]} */ ...given) => apply(realm[name] ?? value, undefined, given);
    }
    return own.eval;
  }

  /** @param {any} one of the foreign realms */
  function furnish(one) {
    const { clock: given, profile, foreign } = setup;
    const foreignClock = profile?.now === undefined ? given : { now: profile.now, zoneMinutes: 0 };
    if (foreignClock) clockReads[clockReads.length] = setForeignClock(one, foreignClock);
    if (foreign) setForeignAnswers(one, foreign);
  }

  /** @param {string} source */
  function compileText(source) {
    /** @type {unknown} */
    let fault;
    try {
      const made = evaluate(source);
      if (typeof made === 'function') return { made };
    } catch (error) {
      if (!hasInstance(ForeignSyntaxError, error)) return { failure: failBy('threw', error) };
      fault = error;
    }
    // A function without a name is no statement: CouchDB's engines are made to take it as an expression.
    try {
      const made = evaluate(`0,${source}`);
      return typeof made === 'function'
        ? { made }
        : { failure: fail('notAFunction', 'the source text is not a function') };
    } catch (error) {
      if (!hasInstance(ForeignSyntaxError, error)) return { failure: failBy('threw', error) };
      if (fault === undefined) return { failure: fail('notAFunction', 'the source text is not a function') };
      return { failure: failBy('syntax', error) };
    }
  }

  /**
   * What is thrown is the answer, unless it is an error (share/server/validate.js, 3.5.0).
   * @param {unknown[]} given
   * @returns {unknown[]}
   */
  function validate(given) {
    try {
      apply(main, designDoc, given);
      return bare([1]);
    } catch (/** @type {any} */ error) {
      if (error.name && error.stack) throw error;
      return bare([error]);
    }
  }

  /** @param {any} input */
  function run(input) {
    // As in CouchDB `this` is the list of functions.
    const functions = [main];
    if (setup.kind === 'reduce') return bare([functions[0](input[0], input[1], input[2])]);
    if (setup.kind === 'filter') {
      return bare([!!apply(main, designDoc, [input, setup.req])]);
    }
    if (setup.kind === 'validate') return validate(input);
    emitted = bare([]);
    sealAll(input);
    endPhase(1);
    functions[0](input);
    rows += emitted.length;
    return emitted;
  }

  /** @param {number} phase */
  function endPhase(phase) {
    if (!isTimed) return;
    phases[phase] = (phases[phase] || 0) + clock() - phaseBegan;
    phaseBegan = clock();
  }

  return {
    compile(given) {
      setup = parse(given);
      const { profile } = setup;
      designDoc = setup.designDoc ?? { views: { lib: setup.libraries } };
      isTimed = profile?.now !== undefined;
      furnish(realm);
      if (profile?.prefix !== undefined)
        watch = watchCalls(realm, profile.prefix, isTimed ? clock : undefined, stringify);
      sealAll(JSON);
      const names = { emit, sum, log, toJSON: stringify, isArray };
      sealAll(names);
      assign(sandbox, names, { JSON });
      for (const name of ['provides', 'registerType', 'start', 'send', 'getRow']) sandbox[name] = ignore;
      if (setup.kind === 'map') sandbox['index'] = setup.search ? index : ignore;
      if (setup.kind !== 'reduce' && !setup.search) {
        const isOwn = setup.foreign?.hasOwnRealms;
        sandbox['require'] = makeRequire(designDoc, isOwn ? sandbox : realm, isOwn ? ownRealm : () => evaluate, own);
      }
      assign(realm, sandbox);
      const { made, failure } = compileText(setup.source);
      main = made;
      return failure ?? '=';
    },
    call(input) {
      let list;
      if (watch) watch.begin();
      if (isTimed) phaseBegan = clock();
      try {
        const given = parse(input);
        endPhase(0);
        list = run(given);
        endPhase(2);
      } catch (error) {
        endPhase(2);
        return failBy('threw', error);
      }
      const reply = answer(list);
      endPhase(3);
      return reply;
    },
    figures() {
      return `=${stringify(bare([phases, watch ? watch.read() : null, rows]))}`;
    },
    forget() {
      phases = bare([0, 0, 0, 0]);
      rows = 0;
      if (watch) watch.reset();
    },
    effects() {
      let said = '';
      for (let at = 0; at < clockReads.length; at++) {
        const { now, zone } = /** @type {ClockReads} */ (clockReads[at]);
        said += (now ? ' now' : '') + (zone ? ' zone' : '');
      }
      for (let at = 0; at < builtIns.length; at++) {
        const { object, names } = /** @type {{object: object, names: PropertyKey[]}} */ (builtIns[at]);
        const now = ownKeys(object);
        if (now.length !== names.length) return `${said} changed`;
        for (let one = 0; one < now.length; one++) if (now[one] !== names[one]) return `${said} changed`;
      }
      return said;
    },
  };
}

/** The environment as a text that gives the function above, less the parameters that are texts. */
export const ENVIRONMENT = `(function (realm, evaluate, openRealm) {
  return (${serveQueries.toString()})(realm, evaluate, ${WATCH_CALLS}, ${FOREIGN_CLOCK}, ${FOREIGN_ANSWERS}, ${LOAD_MODULES}, openRealm);
})`;
