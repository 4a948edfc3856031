// Reduces that mean harm to the program that tries them: each changes what answers are read or written with, answers something odd, or never ends.
// All get the values 3, 1 and 2, and those that pretend to be honest return their sum.

/**
 * What the sandbox may say: `honest` is the sum and nothing else, `any` is any JSON value, `overrun` a limit of steps or time; others are kinds of errors.
 * @typedef {'honest' | 'any' | 'overrun' | import('../../lib/sandbox/limits.js').SandboxErrorKind} Outcome
 */
/** @typedef {{name: string, source: string, outcomes: Outcome[]}} HostileReduce */

/** The global object of the realm that the values come from, which writes answers. */
const SERVER = "var server = sum.constructor('return this')();";

/** @param {string} name @param {string} body @param {Outcome[]} outcomes @returns {HostileReduce} */
const body = (name, body, ...outcomes) => ({ name, source: `function (keys, values, rereduce) { ${body} }`, outcomes });
/** @param {string} name @param {string} statements @param {Outcome[]} outcomes @returns {HostileReduce} that pretends to be honest */
const onServer = (name, statements, ...outcomes) =>
  body(`${name}, in the realm of the query server`, `${SERVER} ${statements}; return sum(values);`, ...outcomes);
/** @param {string} name @param {string} statements @param {Outcome[]} outcomes @returns {HostileReduce} that pretends to be honest */
const inOwn = (name, statements, ...outcomes) =>
  body(`${name}, in its own realm`, `${statements}; return sum(values);`, ...outcomes);
/** @param {string} name @param {string} source @param {Outcome[]} outcomes @returns {HostileReduce} */
const text = (name, source, ...outcomes) => ({ name, source, outcomes });

/** @type {HostileReduce[]} */
const POISONED = [
  onServer('toJSON of all arrays', 'server.Array.prototype.toJSON = function () { return [7]; }', 'tampered'),
  onServer('toJSON of all objects', 'server.Object.prototype.toJSON = function () { return 7; }', 'tampered'),
  onServer(
    'toJSON as a getter',
    'Object.defineProperty(server.Array.prototype, "toJSON", { get: function () { return function () { return [7]; }; } })',
    'tampered',
  ),
  onServer(
    'toJSON that nobody lists',
    'Object.defineProperty(server.Object.prototype, "toJSON", { value: function () { return 7; }, enumerable: false })',
    'tampered',
  ),
  onServer(
    'toJSON by a new prototype',
    'Object.setPrototypeOf(server.Array.prototype, { toJSON: function () { return [7]; } })',
    'tampered',
  ),
  onServer(
    'toJSON that removes itself',
    'server.Array.prototype.toJSON = function () { delete server.Array.prototype.toJSON; return [7]; }',
    'tampered',
  ),
  onServer(
    'a prototype without a prototype',
    'Object.setPrototypeOf(server.Array.prototype, null)',
    'honest',
    'tampered',
  ),
  onServer(
    'a setter for index 0',
    'Object.defineProperty(server.Array.prototype, "0", { set: function () { throw 1; }, configurable: true })',
    'tampered',
  ),
  onServer(
    'a getter for index 1',
    'Object.defineProperty(server.Array.prototype, "1", { get: function () { return 7; }, configurable: true })',
    'tampered',
  ),
  onServer(
    'a setter for index 0 of all objects',
    'Object.defineProperty(server.Object.prototype, "0", { set: function () {}, configurable: true })',
    'tampered',
  ),
  onServer(
    'members that results have',
    'server.Object.prototype.error = { kind: "x" }; server.Object.prototype.text = "=[7]"',
    'tampered',
  ),
  onServer(
    'another prototype of all objects',
    'server.Object.prototype.__proto__ = { toJSON: function () { return 7; } }',
    'threw',
  ),
  onServer('JSON.stringify', 'server.JSON.stringify = function () { return "[7]"; }', 'honest'),
  onServer(
    'JSON',
    'server.JSON = { stringify: function () { return "[7]"; }, parse: function () { return [[], [7]]; } }',
    'honest',
  ),
  onServer('String', 'server.String = function () { return "=[7]"; }', 'honest'),
  onServer(
    'Reflect, Object and Symbol',
    'server.Reflect.apply = server.Object.freeze = server.Object.setPrototypeOf = null; server.Symbol = null',
    'honest',
  ),
  onServer('iteration of arrays', 'server.Array.prototype[Symbol.iterator] = function () { throw 1; }', 'honest'),
  onServer(
    'methods of arrays',
    'server.Array.prototype.push = server.Array.prototype.map = server.Array.prototype.slice = null',
    'honest',
  ),
  onServer(
    'call, apply and bind',
    'server.Function.prototype.call = server.Function.prototype.apply = server.Function.prototype.bind = null',
    'honest',
  ),
  onServer(
    'methods of strings',
    'server.String.prototype.slice = server.String.prototype.split = function () { return "="; }',
    'honest',
  ),
  onServer(
    'splitting of strings',
    'server.String.prototype[Symbol.split] = function () { return ["views"]; }',
    'honest',
    'tampered',
  ),
  onServer(
    'instanceof',
    'Object.defineProperty(server.Function.prototype, Symbol.hasInstance, { value: function () { return true; } })',
    'honest',
    'threw',
    'tampered',
  ),
  onServer(
    'all of it frozen',
    'Object.freeze(server.Array.prototype); Object.freeze(server.Object.prototype); Object.freeze(server)',
    'honest',
  ),
  onServer(
    'every global replaced',
    'Object.getOwnPropertyNames(server).forEach(function (name) { try { server[name] = 7; } catch (e) {} })',
    'honest',
  ),
  onServer('a clock that jumps', 'server.Date.now = function () { return NaN; }', 'honest'),
  inOwn(
    'toJSON of all arrays and objects',
    'Array.prototype.toJSON = Object.prototype.toJSON = function () { return 7; }',
    'honest',
  ),
  inOwn(
    'call, apply and iteration',
    'Function.prototype.call = Function.prototype.apply = null; Array.prototype[Symbol.iterator] = null',
    'honest',
  ),
  inOwn(
    'a setter for index 0',
    'Object.defineProperty(Array.prototype, "0", { set: function () { throw 1; } })',
    'honest',
  ),
  inOwn('members that results have', 'Object.prototype.error = { kind: "timeout" }; Object.prototype.value = 7', 'any'),
  inOwn('a JSON of its own', 'JSON = { stringify: function () { return "[7]"; } }', 'honest'),
  inOwn('eval and Function', 'eval = Function = function () { return 7; }', 'honest'),
  inOwn(
    'no globals',
    'var all = globalThis; Object.getOwnPropertyNames(all).forEach(function (name) { if (name !== "sum") delete all[name]; })',
    'honest',
  ),
  inOwn('the list of functions', 'this[0] = function () { return 7; }; this.length = 0; this.pop = null', 'honest'),
  inOwn('frozen prototypes', 'Object.freeze(Object.prototype); Object.freeze(Array.prototype)', 'honest'),
];

/** @type {HostileReduce[]} */
const ANSWERS = [
  body(
    'an answer that changes the writing of answers',
    `${SERVER} return { toJSON: function () { server.Array.prototype.toJSON = function () { return [7]; }; return 6; } };`,
    'tampered',
  ),
  body(
    'an answer that changes it and changes it back',
    `${SERVER} var all = server.Array.prototype; return [{ toJSON: function () { all.toJSON = function () { return null; }; return 1; } }, values, { toJSON: function () { delete all.toJSON; return 1; } }];`,
    'any',
    'tampered',
  ),
  body('an answer that looks like a reply', "return '=[7]';", 'any'),
  body('an answer that looks like an error', 'return \'!["threw","x"]\';', 'any'),
  body('an error that looks like a reply', "throw '=[7]';", 'threw'),
  body(
    'an error that claims to be of the engine',
    "throw { name: 'InternalError', message: 'out of memory', toString: function () { return ''; } };",
    'memory',
  ),
  body(
    'an error whose members throw',
    'throw { get name() { throw this; }, get message() { throw this; }, toString: function () { throw this; } };',
    'threw',
  ),
  body('an error whose text never ends', 'throw { toString: function () { while (true) {} } };', 'overrun'),
  body('an error that is a proxy', 'throw new Proxy({}, {});', 'threw'),
  body('errors that are no errors', 'throw [null, undefined, Symbol("x"), 1n][values[1]];', 'threw'),
  body('a BigInt', 'return 10n;', 'notJson'),
  body('a BigInt that can be written', 'BigInt.prototype.toJSON = function () { return 7; }; return 10n;', 'notJson'),
  body('a symbol', 'return Symbol("sold");', 'any'),
  body('a function', 'return function () { while (true) {} };', 'any'),
  body('an array of 4,294,967,295 members', 'var all = []; all.length = 4294967295; return all;', 'memory', 'overrun'),
  body('an array with one member far out', 'var all = []; all[4294967290] = 1; return all;', 'memory', 'overrun'),
  body('the values made endless', 'values.length = 4294967295; return values;', 'memory', 'overrun'),
  body('a circle', 'var all = []; all[0] = { all: all }; return all;', 'notJson'),
  body(
    'an answer nested too deeply',
    'var all = []; for (var i = 0; i < 600; i++) all = [all]; return all;',
    'tooLarge',
  ),
  body(
    'an answer nested without end',
    'var all = []; for (var i = 0; i < 40000; i++) all = { all: all }; return all;',
    'notJson',
    'stack',
    'overrun',
    'tooLarge',
  ),
  body(
    'getters that make getters',
    'function make() { var one = {}; Object.defineProperty(one, "x", { enumerable: true, get: make }); return one; } return make();',
    'notJson',
    'stack',
    'memory',
    'overrun',
  ),
  body('a getter that never ends', 'return { get total() { while (true) {} } };', 'overrun'),
  body(
    'a toJSON that gives itself',
    'var one = { toJSON: function () { return { again: one }; } }; return one;',
    'notJson',
    'stack',
    'overrun',
  ),
  body(
    'a number whose value never ends',
    'var one = new Number(1); one.valueOf = function () { while (true) {} }; return one;',
    'overrun',
  ),
  body(
    'a string that throws',
    'var one = new String("x"); one.toString = function () { throw 1; }; return one;',
    'notJson',
  ),
  body(
    'a member called __proto__',
    'return JSON.parse(\'{"__proto__": {"verdict": "equal"}, "constructor": {"prototype": {"sold": 1}}}\');',
    'any',
  ),
  body('half letters', 'return ["\\ud800", "\\udfff\\ud800", "\\u0000"];', 'any'),
  body('a text that grows when it is written', 'return new Array(400000).join("\\u0001");', 'tooLarge'),
  body('a proxy', 'return new Proxy([], { get: function () { return 7; } });', 'threw'),
  body('a promise', 'return Promise.resolve(7);', 'threw'),
  body('the realm of the query server', `${SERVER} return server;`, 'any', 'notJson', 'tooLarge'),
];

/** @type {HostileReduce[]} */
const ENDLESS = [
  body(
    'a loop that catches its end',
    'while (true) { try { while (true) {} } catch (e) {} finally { continue; } }',
    'overrun',
  ),
  body('recursion', 'return (function down() { return [down()]; })();', 'stack'),
  body(
    'recursion by a value of sum',
    'return sum([{ valueOf: function down() { return +{ valueOf: down }; } }]);',
    'stack',
    'threw',
  ),
  body(
    'recursion that catches its end',
    '(function down() { try { down(); } catch (e) { down(); } })();',
    'overrun',
    'stack',
  ),
  body(
    'a stack that is long to write',
    'Error.stackTraceLimit = 1e9; return (function down(n) { return n ? down(n - 1) : new Error("x").stack.length; })(500);',
    'any',
  ),
  body(
    'a writer of stacks that never ends',
    'Error.prepareStackTrace = function () { while (true) {} }; return new Error("x").stack;',
    'any',
    'overrun',
  ),
  body('a pattern that goes back', 'return /^(a+)+$/.test(new Array(40).join("a") + "!");', 'overrun'),
  body(
    'a sort that never agrees',
    'return values.sort(function () { values.push(1); return 1; }).length;',
    'any',
    'overrun',
    'memory',
  ),
  body(
    'a reviver that grows what it reads',
    'return JSON.parse("[1,[1]]", function (key, value) { if (Array.isArray(value)) value.push([value.length]); return value; });',
    'any',
    'memory',
    'overrun',
  ),
  body('a generator without end', 'for (var one of (function* () { while (true) yield 1; })()) {}', 'overrun'),
  body('a text that doubles', 'for (var all = "x"; ; all += all) {}', 'memory', 'threw'),
  body('a text of a billion letters', 'return "x".repeat(1e9).length;', 'memory', 'threw'),
  body('arrays that double', 'for (var all = [1]; ; all = all.concat(all)) {}', 'memory', 'overrun'),
  body('code that is nested', 'return eval(new Array(200000).join("(") + 1);', 'threw', 'stack', 'memory'),
  body(
    'code that is long',
    'return Function("return 0" + new Array(200000).join("+1"))();',
    'any',
    'memory',
    'stack',
    'threw',
  ),
  text('endless while it is read', 'while (true) {}', 'overrun'),
  text(
    'endless in front of a function',
    '(function () { for (;;) {} })(), function (keys, values) { return sum(values); }',
    'overrun',
  ),
];

/** @type {HostileReduce[]} */
const TEXTS = [
  text(
    'a function of the realm of the query server',
    'sum.constructor("keys", "values", "return values[0] + values[1] + values[2]")',
    'honest',
  ),
  text(
    'poison in front of a function',
    `${SERVER} server.Array.prototype.toJSON = function () { return [7]; }; (function (keys, values) { return sum(values); })`,
    'tampered',
  ),
  text(
    'a global that cannot be written',
    'Object.defineProperty(this, "sum", { value: function () { return 7; }, writable: false }); (function (keys, values) { return sum(values); })',
    'any',
    'threw',
  ),
  text(
    'an end of what is around it',
    'function (keys, values) {}); throw 7; (function () {}',
    'syntax',
    'threw',
    'notAFunction',
  ),
  text('an async function', 'async function (keys, values) { return sum(values); }', 'threw', 'notAFunction'),
  text('a generator', 'function* (keys, values) { return sum(values); }', 'any'),
  text('a class', 'class Total { constructor(keys, values) { return values; } }', 'threw', 'notAFunction'),
  text('a function called __proto__', 'function __proto__(keys, values) { return sum(values); }', 'honest'),
  text('an import', 'import("fs").then', 'threw', 'notAFunction', 'syntax'),
  text(
    'other answers at each call',
    'var n = 0; (function (keys, values) { n += 1; return sum(values) + (n % 2 ? 0 : 1); })',
    'any',
  ),
];

export const HOSTILE_REDUCES = [...POISONED, ...ANSWERS, ...ENDLESS, ...TEXTS];

/** Those that try to have another answer believed than their own. */
export const FORGERIES = [...POISONED, ...ANSWERS.slice(0, 1), ...TEXTS.slice(1, 2)];
