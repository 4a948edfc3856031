// Reduces that take all the memory they can get, each in another way. `values` are the rows that the program tries them with.

/** @type {readonly (readonly [name: string, body: string])[]} */
export const MEMORY_HOGS = [
  [
    'parts of one long string',
    'var s = new Array(1 << 18).join("x"), all = []; for (var i = 0; i < 9000; i++) all.push(s.substring(i)); return all.length;',
  ],
  [
    'parts of a longer string, caught',
    'var s = new Array(1 << 20).join("x"), all = []; while (true) { try { all.push(s.substring(all.length)); } catch (e) { return all.length; } }',
  ],
  ['short strings', 'var all = []; for (var i = 0; i < 1e6; i++) all.push("order " + i); return all.length;'],
  [
    'small objects',
    'var all = []; for (var i = 0; i < 1e6; i++) all.push({ order: i, customer: { name: i } }); return all.length;',
  ],
  ['small arrays', 'var all = []; for (var i = 0; i < 1e6; i++) all.push([i]); return all.length;'],
  ['functions', 'var all = []; for (var i = 0; i < 1e6; i++) all.push(function () { return i; }); return all.length;'],
  ['errors', 'var all = []; for (var i = 0; i < 1e5; i++) all.push(new Error("sold out")); return all.length;'],
  ['a string that doubles', 'for (var s = "x"; ; s += s) {}'],
  ['an array that doubles', 'for (var all = [1]; ; all = all.concat(all)) {}'],
  ['a string of wide letters', 'var s = new Array(1 << 22).join("\\u6ce8"); return [s, s + s, s + s + s].length;'],
  ['a great BigInt', 'return String(2n ** 200000000n).length;'],
  ['a map of keys', 'var all = new Map(); for (var i = 0; i < 1e6; i++) all.set("order " + i, [i]); return all.size;'],
  [
    'members of one object',
    'var all = {}; for (var i = 0; i < 1e6; i++) all["order " + i] = i; return Object.keys(all).length;',
  ],
  [
    'globals that stay',
    'all = typeof all === "undefined" ? [] : all; for (var i = 0; i < 20; i++) all.push(new Array(1 << 18).join("x") + all.length); return all.length;',
  ],
  ['a long answer for each call', 'return new Array(900000).join("x");'],
  ['an answer of small arrays', 'return Array.from({ length: 250000 }, function () { return []; });'],
  ['an answer of small objects', 'return Array.from({ length: 200000 }, function () { return {}; });'],
  ['an answer that grows when it is written', 'return new Array(170000).join("\\u0001");'],
  ['an answer without end', 'var all = []; all.length = 4294967295; return all;'],
  [
    'closures over great arrays',
    'var all = []; while (true) (function () { var own = new Array(1e5).join("x"); all.push(function () { return own; }); })();',
  ],
  [
    'a JSON text',
    'var s = JSON.stringify(Array.from({ length: 2e5 }, String)); for (var all = []; ; ) all.push(JSON.parse(s));',
  ],
  ['a regular expression', 'return new RegExp("(" + new Array(2e6).join("a|") + ")").source.length;'],
  ['code', 'return Function("return [" + new Array(1e6).join("[1],") + "]")().length;'],
  ['names of symbols', 'var all = []; while (true) all.push(Symbol.for("order " + all.length));'],
];

/** @param {string} body @returns {string} */
export function hogOf(body) {
  return `function (keys, values, rereduce) { ${body} }`;
}
