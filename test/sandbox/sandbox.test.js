// Foreign code that does what it should not: each costs one clear error or gives a correct value, and the sandbox goes on.

import { afterAll, describe, expect, test } from 'vitest';
import { openSandbox } from '../helpers/internals.js';
import { isLong, sample } from '../helpers/long.js';

/** @import { ReduceAnswer, ReduceTree } from '../../lib/sandbox/sandbox.js' */

const sandbox = openSandbox();
afterAll(() => sandbox.close());

const rows = [3, 1, 2].map((value, at) => ({ id: `order-${at}`, key: at, value }));

/** @param {string} source @param {ReduceTree} [tree] @returns {Promise<ReduceAnswer | undefined>} */
const reduce = async (source, tree = { rows }) => (await sandbox.reduce({ source, trees: [tree] }))[0];

/** @param {string} body of a reduce */
const reduceBody = (body) => reduce(`function (keys, values, rereduce) { ${body} }`);

describe('a reduce', () => {
  test.each([
    [
      'keys with ids, values and false',
      { rows },
      [
        [
          [
            [0, 'order-0'],
            [1, 'order-1'],
            [2, 'order-2'],
          ],
          [3, 1, 2],
          false,
        ],
      ],
    ],
    ['no rows', { rows: [] }, [[[], [], false]]],
  ])('is given %s in a first pass', async (_, tree, value) => {
    expect(await reduce('function () { return [Array.prototype.slice.call(arguments)]; }', tree)).toEqual({ value });
  });

  test('is given null, the answers in order and true in a second pass', async () => {
    const source = 'function (keys, values, again) { return again ? [keys, values, again] : sum(values); }';
    const one = { rows: rows.slice(0, 1) };
    expect(await reduce(source, { parts: [{ rows }, one, { parts: [one] }] })).toEqual({
      value: [null, [6, 3, [null, [3], true]], true],
    });
  });

  test.each([
    ['undefined', 'return undefined', null],
    ['nothing', '', null],
    ['NaN', 'return NaN', null],
    ['Infinity in an array', 'return [1 / 0, undefined]', [null, null]],
    ['a function', 'return function () {}', null],
    ['a symbol', 'return Symbol("order")', null],
    ['a text of brackets', 'return new Array(1000).join("[{")', '[{'.repeat(999)],
    ['an undefined member', 'return { a: undefined, b: 1 }', { b: 1 }],
    ['a date', 'return new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['a boxed number', 'return new Number(3)', 3],
    ['an object with toJSON', 'return { toJSON: function () { return "told"; } }', 'told'],
    ['a Map', 'return new Map([[1, 2]])', {}],
    ['an array with members', 'var list = [1]; list.total = 2; return list', [1]],
    ['half a letter', 'return "\\ud800"', '\ud800'],
    ['the sign that ends texts in C', 'return "a\\u0000b"', 'a\u0000b'],
  ])('that returns %s is stored as CouchDB stores it', async (_, body, value) => {
    expect(await reduceBody(body)).toEqual({ value });
  });

  test.each([
    ['without a name', 'function (k, v) { return v.length; }'],
    ['with a name', 'function count(k, v) { return v.length; }'],
    ['in parentheses', '(function (k, v) { return v.length; })'],
    ['with a semicolon', 'function (k, v) { return v.length; };'],
    ['between comments', '// counts\nfunction (k, v) { return v.length; }; // orders'],
    ['as an arrow', '(k, v) => v.length'],
    ['behind other statements', 'var one = 1; (function (k, v) { return v.length * one; })'],
    ['with a half letter and a NUL in its text', 'function (k, v) { return v.length + "\ud800\u0000".length - 2; }'],
  ])('is read %s', async (_, source) => {
    expect(await reduce(source)).toEqual({ value: 3 });
  });

  test.each([
    ['syntax', 'function (keys, values) {'],
    ['syntax', 'function () { for each (var order in []) {} }'],
    ['notAFunction', ''],
    ['notAFunction', '5'],
    ['notAFunction', 'var total = 1;'],
    ['notAFunction', '({ reduce: function () {} })'],
    ['threw', 'throw new Error("sold out")'],
    ['threw', '(function () { return missing; })()'],
  ])('gives the error %s for %j', async (kind, source) => {
    expect(await reduce(source)).toEqual({ error: { kind, message: expect.any(String) } });
  });

  test('counts its calls when asked to', async () => {
    const trees = [{ parts: [{ rows }, { rows }] }, { rows }];
    expect(await sandbox.reduce({ source: 'function (k, v) { return sum(v); }', trees, countsCalls: true })).toEqual([
      { value: 12, calls: 3 },
      { value: 6, calls: 1 },
    ]);
  });

  test('an error of a part is that of the whole, and other trees still have answers', async () => {
    const source = 'function (k, v, again) { if (!again && v.length > 2) throw new Error("too many"); return 1; }';
    const trees = [{ parts: [{ rows }, { rows: [] }] }, { rows: rows.slice(1) }];
    expect(await sandbox.reduce({ source, trees })).toEqual([
      { error: { kind: 'threw', message: 'Error: too many' } },
      { value: 1 },
    ]);
  });

  test.each([
    [
      'that threw counts as null where it is to go on, as in CouchDB',
      'throw new Error("too many")',
      { value: [null, 1] },
    ],
    ['without a value for another reason ends the whole all the same', 'return 10n', { error: expect.anything() }],
  ])('a part %s', async (_, statement, answer) => {
    const source = `function (k, v, again) { if (again) return v; if (v.length > 2) { ${statement}; } return 1; }`;
    const trees = [{ parts: [{ rows }, { rows: [] }] }];
    expect(await sandbox.reduce({ source, trees, goesOn: true })).toEqual([answer]);
  });

  test('a text that makes no function stays an error where it is to go on', async () => {
    const trees = [{ parts: [{ rows }] }];
    const [answer] = await sandbox.reduce({ source: 'throw new Error("sold out")', trees, goesOn: true });
    expect(answer).toMatchObject({ error: { kind: 'threw' } });
  });

  test('without trees has no answers', async () => {
    expect(await sandbox.reduce({ source: '(', trees: [] })).toEqual([]);
  });
});

describe('what foreign code sees', () => {
  test('is what CouchDB gives a reduce, and nothing else', async () => {
    const listed = await reduceBody(
      'return Object.getOwnPropertyNames(globalThis).filter(/^[a-z]/.test, /^[a-z]/).sort()',
    );
    expect(listed).toEqual({
      value: [
        ...['decodeURI', 'decodeURIComponent', 'emit', 'encodeURI', 'encodeURIComponent', 'escape', 'eval', 'getRow'],
        ...['globalThis', 'isArray', 'isFinite', 'isNaN', 'log', 'parseFloat', 'parseInt', 'provides', 'registerType'],
        ...['send', 'start', 'sum', 'toJSON', 'undefined', 'unescape'],
      ],
    });
  });

  test.each([
    ...['process', 'require', 'console', 'setTimeout', 'fetch', 'std', 'os', 'global', 'WebAssembly', 'performance'],
    ...['Promise', 'Proxy', 'ArrayBuffer', 'SharedArrayBuffer', 'Atomics', 'Worker', 'importScripts'],
  ])('has no %s', async (name) => {
    expect(await reduceBody(`return typeof ${name}`)).toEqual({ value: 'undefined' });
  });

  test('arrays are not those of its own realm, as in CouchDB', async () => {
    expect(
      await reduceBody('return [values instanceof Array, Array.isArray(values), isArray(values), isArray({})]'),
    ).toEqual({
      value: [false, true, true, false],
    });
  });

  test('the clock stands still, chance repeats itself and there is no time zone', async () => {
    const source = 'return [Date.now(), new Date(0).getHours(), new Date().getTimezoneOffset(), Math.random()]';
    const first = await reduceBody(source);
    expect(first).toEqual({ value: [Date.UTC(2025, 0, 1), 0, 0, expect.any(Number)] });
    expect(await reduceBody(source)).toEqual(first);
  });

  test.each([
    ['toJSON({ a: [1] })', '{"a":[1]}'],
    ['sum([1, 2.5])', 3.5],
    ['sum(["1", 2])', '012'],
    ['sum({ a: 1, b: 2 })', 3],
    ['sum([])', 0],
    ['log("sold"), log({ a: 1 }), log(undefined)', null],
    ['JSON.parse("[1]")', [1]],
    ['Object.isFrozen(JSON)', true],
  ])('%s', async (expression, value) => {
    expect(await reduceBody(`return ${expression}`)).toEqual({ value });
  });

  test('log cannot take what is no JSON', async () => {
    expect(await reduceBody('var a = {}; a.a = a; log(a)')).toMatchObject({ error: { kind: 'threw' } });
  });
});

describe('what costs too much', () => {
  /** @type {[string, string, string][]} */
  const costly = [
    ['steps', 'an endless loop', 'while (true) {}'],
    ['steps', 'a loop that catches everything', 'while (true) { try { while (true) {} } catch (e) {} finally {} }'],
    ['steps', 'a loop that waits for the clock', 'var start = Date.now(); while (Date.now() < start + 5) {}'],
    ['steps', 'a regular expression that blows up', 'return /^(a+)+$/.test(new Array(40).join("a") + "!")'],
    ['steps', 'an endless getter', 'return { get total() { while (true) {} } }'],
    ['steps', 'an endless toJSON', 'return { toJSON: function () { while (true) {} } }'],
    ['steps', 'an error that is endless to tell', 'throw { toString: function () { while (true) {} } }'],
    ['steps', 'an endless sort', 'var n = 0; [3, 1, 2].sort(function () { while (true) {} })'],
    ['memory', 'a list that doubles', 'var list = [1]; while (true) list = list.concat(list)'],
    ['memory', 'a text in many places', 'var o = []; while (true) o.push(new Array(1e5).join("x"))'],
    ['memory', 'a regular expression with a great stack', 'return /(?:(a)|b)*$/.test(new Array(4e6).join("ab"))'],
    ['stack', 'recursion without end', 'return (function order() { return order(); })()'],
    [
      'stack',
      'recursion without end in toString',
      'var o = {}; o.toString = function () { return String(o); }; return String(o)',
    ],
    ['stack', 'an answer nested deeply', 'var o = []; for (var i = 0; i < 20000; i++) o = [o]; return o'],
    ['tooLarge', 'an answer nested not quite as deeply', 'var o = []; for (var i = 0; i < 600; i++) o = [o]; return o'],
    ['stack', 'a text of code nested deeply', 'return eval("[".repeat(1e5) + "]".repeat(1e5))'],
    ['tooLarge', 'a great answer', 'return new Array(2e6).join("x")'],
  ];
  test.each(sample(costly, 6))('%s: %s', async (kind, _, body) => {
    const answer = await reduceBody(body);
    // A slow machine may run out of time before it runs out of memory.
    const kinds = kind === 'memory' ? ['memory', 'steps', 'timeout', 'threw'] : [kind];
    expect(answer).toEqual({ error: { kind: expect.toBeOneOf(kinds), message: expect.any(String) } });
    // The end of the thread's own stack depends on how far V8 has optimized the engine, and a process that comes too near to it may crash.
    if (kind === 'stack')
      expect(answer).toMatchObject({ error: { message: expect.stringContaining('stack overflow') } });
    expect(await reduceBody('return sum(values)')).toEqual({ value: 6 });
  });

  test('work that cannot be interrupted ends the thread, and the next job has another', async () => {
    const quick = openSandbox({ functionCpuMs: 500 });
    const source = 'function () { return [].indexOf.call({ length: 9e15 }, 1); }';
    const [stuck, next] = await Promise.all([
      quick.reduce({ source, trees: [{ rows }, { rows }] }),
      quick.reduce({ source: 'function (k, v) { return sum(v); }', trees: [{ rows }] }),
    ]);
    expect(stuck).toEqual([0, 1].map(() => ({ error: { kind: 'timeout', message: expect.any(String) } })));
    expect(next).toEqual([{ value: 6 }]);
    await quick.close();
  });

  test('values larger than the memory allowed are refused', async () => {
    const large = [{ id: 'order', key: null, value: 'x'.repeat(10_000_000) }];
    expect(await reduce('function () {}', { rows: large })).toMatchObject({ error: { kind: 'memory' } });
  });

  test('documents that are too large for a thread end no process, and smaller ones are answered', async () => {
    const large = 'x'.repeat(30_000_000);
    const docs = [...Array.from({ length: 4 }, () => ({ large })), { _id: 'order-1' }];
    const answers = await sandbox.map({ source: 'function (doc) { emit(doc._id, 1); }', docs });
    const refused = { error: { kind: 'memory', message: 'the values exceed the memory limit' } };
    expect(answers).toEqual([...Array(4).fill(refused), { emits: [{ key: 'order-1', value: 1 }] }]);
  });

  test.runIf(isLong)(
    'documents of which each has room are answered until there is none for them together',
    async () => {
      const docs = Array.from({ length: 7 }, (_, at) => ({ _id: `order-${at}`, large: 'x'.repeat(7_000_000) }));
      const answers = await sandbox.map({ source: 'function (doc) { emit(doc._id, 1); }', docs });
      expect(answers.map((answer) => ('error' in answer ? answer.error.kind : answer.emits[0]?.key))).toEqual([
        ...docs.slice(0, 5).map(({ _id }) => _id),
        ...Array(2).fill('memory'),
      ]);
    },
  );

  test.each([
    ['values that cannot be JSON', 1n, 'notJson'],
    ['values nested too deeply', JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)), 'stack'],
  ])('%s are an error of their tree alone', async (_, value, kind) => {
    const trees = [{ rows: [{ id: 'order', key: null, value }] }, { rows }];
    expect(await sandbox.reduce({ source: 'function (k, v) { return v.length; }', trees })).toEqual([
      { error: { kind, message: expect.any(String) } },
      { value: 3 },
    ]);
  });

  test('after a call that was stopped the function starts anew', async () => {
    const source = `(function () { var calls = 0; return function (k, v) { calls += 1; while (v.length > 2) {} return calls; }; })()`;
    const none = { rows: [] };
    const answers = await sandbox.reduce({ source, trees: [none, none, { rows }, none] });
    expect(answers).toEqual([{ value: 1 }, { value: 2 }, { error: expect.anything() }, { value: 1 }]);
  });
});

describe('attempts to get out', () => {
  test.each([
    ['the constructor of a function', '(function () {}).constructor("return typeof process + typeof require")()'],
    ['the constructor of what CouchDB gives', 'sum.constructor("return typeof process + typeof require")()'],
    [
      'the constructor of a constructor of a value',
      'values.constructor.constructor("return typeof process + typeof require")()',
    ],
    ['an indirect eval', '(0, eval)("typeof process + typeof require")'],
    ['a generator', '(function* () {}).constructor("return typeof process + typeof require")().next().value'],
  ])('%s leads nowhere', async (_, expression) => {
    expect(await reduceBody(`return ${expression}`)).toEqual({ value: 'undefinedundefined' });
  });

  test('import() finds nothing', async () => {
    expect(await reduceBody('return import("node:fs")')).toMatchObject({ error: { kind: 'threw' } });
  });

  test.each([
    ['arguments.callee.caller', 'return typeof arguments.callee.caller'],
    ['the caller of a function', 'return typeof (function order() { return order.caller; })()'],
  ])('%s shows no function of ours', async (_, body) => {
    const answer = await reduceBody(body);
    if (answer && 'value' in answer) expect(['undefined', 'object']).toContain(answer.value);
    else expect(answer).toMatchObject({ error: { kind: 'threw' } });
  });

  test.each([
    ['null', 'throw null', 'null'],
    ['undefined', 'throw undefined', 'undefined'],
    ['a symbol', 'throw Symbol("sold")', 'Symbol(sold)'],
    ['a text', 'throw "sold out"', 'sold out'],
    ['an error', 'throw new TypeError("sold out")', 'TypeError: sold out'],
    ['an array', 'throw ["error", "sold", "out"]', 'error,sold,out'],
    ['an object that cannot be told', 'throw { toString: function () { throw 1; } }', 'something that cannot be shown'],
    ['an object without prototype', 'throw Object.create(null)', 'something that cannot be shown'],
    ['a great text', 'throw new Array(1e6).join("x")', 'x'.repeat(300)],
    [
      'an object whose name throws',
      'throw { get name() { throw 1; }, toString: function () { return "odd"; } }',
      'odd',
    ],
  ])('throwing %s is told', async (_, body, message) => {
    expect(await reduceBody(body)).toEqual({ error: { kind: 'threw', message } });
  });

  test.each([
    ['a getter that throws', 'return { get total() { throw new Error("sold out"); } }'],
    ['a toJSON that throws', 'return { toJSON: function () { throw new Error("sold out"); } }'],
    ['a circle', 'var order = {}; order.order = order; return order'],
    ['a BigInt', 'return 10n'],
  ])('%s is no JSON', async (_, body) => {
    expect(await reduceBody(body)).toMatchObject({ error: { kind: 'notJson' } });
  });

  test.each([
    ['an async function', 'async function (keys, values) { return values.length; }'],
    ['a generator that is not called', 'function () { return new Proxy({}, {}); }'],
    ['a promise', 'function () { return Promise.resolve(1); }'],
  ])('%s is an error: the engine of CouchDB has none', async (_, source) => {
    expect(await reduce(source)).toMatchObject({ error: { kind: expect.toBeOneOf(['threw', 'notAFunction']) } });
  });

  test('members called __proto__ come back as members only', async () => {
    const answer = await reduceBody(`return JSON.parse('{"__proto__": {"sold": true}, "constructor": 1}')`);
    expect(JSON.stringify(answer)).toBe('{"value":{"__proto__":{"sold":true},"constructor":1}}');
    const { value } = /** @type {{value: any}} */ (answer);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('sold' in {}).toBe(false);
    expect(value.sold).toBe(undefined);
  });

  test.each([
    ['Object.prototype.toJSON', 'Object.prototype.toJSON = function () { return "mine"; }'],
    ['Array.prototype', 'Array.prototype.map = Array.prototype.push = function () { return "mine"; }'],
    [
      'setters of Array.prototype',
      'Object.defineProperty(Array.prototype, 0, { set: function () { throw 1; }, configurable: true })',
    ],
    ['the globals', 'JSON = { stringify: 1 }; sum = emit = isArray = undefined; String = Reflect = Object = null'],
    ['members of JSON', 'JSON.stringify = JSON.parse = function () { return "mine"; }'],
    ['sum', 'sum.call = sum.apply = sum.sold = 1'],
    ['Function.prototype.call', 'Function.prototype.call = Function.prototype.apply = null'],
    ['iterators', 'Array.prototype[Symbol.iterator] = null'],
    [
      'all of the realm of the query server',
      `sum.constructor("String.prototype.slice = String.prototype.split = null; Array.prototype.push = null; " +
        "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = null; " +
        "Object.freeze = Object.entries = null; JSON = String = Reflect = Object = null;")()`,
    ],
  ])('changing %s changes neither this answer nor the next job', async (_, statement) => {
    const source = `function (k, v, again) { if (!again) { ${statement} } var n = 0; for (var i = 0; i < v.length; i++) n += v[i]; return { n: [n] }.n[0]; }`;
    expect(await reduce(source, { parts: [{ rows }] })).toEqual({ value: 6 });
    const plain =
      'return [sum(values), toJSON([1]), isArray(values), [2].map(String), ({}).toJSON, JSON.stringify("a")]';
    expect(await reduceBody(plain)).toEqual({ value: [6, '[1]', true, ['2'], null, '"a"'] });
  });

  test('what is kept lasts as long as the job, or with isFresh as long as the call', async () => {
    const source = 'function () { total = typeof total === "number" ? total + 1 : 1; return total; }';
    const trees = [{ rows }, { rows }];
    expect(await sandbox.reduce({ source, trees })).toEqual([{ value: 1 }, { value: 2 }]);
    expect(await sandbox.reduce({ source, trees })).toEqual([{ value: 1 }, { value: 2 }]);
    expect(await sandbox.reduce({ source, trees, isFresh: true })).toEqual([{ value: 1 }, { value: 1 }]);
  });
});
