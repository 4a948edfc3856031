// Texts that are no reducer, that fail on the server, or that hang on something outside: nothing may be claimed of them.

import { NULL, NUMBER_TOTAL, ONE } from './maps.js';

/** @import { ReducerRow } from './maps.js' */

/** @type {ReducerRow['expect']} */
const UNKNOWN = { verdict: 'unknown' };
/** @type {ReducerRow['expect']} An exception makes the answer null (share/server/views.js runReduce, 3.5.0). */
const NULL_ALWAYS = { verdict: ['custom', 'unknown', 'equalAfterRewrite'], builtin: '_count' };
/** @type {ReducerRow['expect']} */
const NEVER_EQUAL = { verdict: ['custom', 'unknown', 'wrong', 'equalAfterRewrite', 'grows'] };

/** @type {[string, string, string, ReducerRow['expect']][]} */
const ROWS = [
  ['a syntax error', NUMBER_TOTAL, 'function (keys, values) { return sum(values; }', UNKNOWN],
  ['half a function', NUMBER_TOTAL, 'function (keys, values) {', UNKNOWN],
  ['a number', NUMBER_TOTAL, '42', UNKNOWN],
  ['a text', NUMBER_TOTAL, "'sum'", UNKNOWN],
  ['an object', NUMBER_TOTAL, '({ reduce: function (keys, values) { return sum(values); } })', UNKNOWN],
  ['a call', NUMBER_TOTAL, 'sum(values)', UNKNOWN],
  ['Erlang', NUMBER_TOTAL, 'fun(Keys, Values, ReReduce) -> lists:sum(Values) end.', UNKNOWN],
  ['Python', NUMBER_TOTAL, 'def fun(keys, values, rereduce):\n    return sum(values)', UNKNOWN],
  ['a generator', NUMBER_TOTAL, 'function* (keys, values) { return sum(values); }', NEVER_EQUAL],
  ['an async function', NUMBER_TOTAL, 'async (keys, values) => sum(values)', NEVER_EQUAL],
  [
    'a library, which no reduce can load',
    NUMBER_TOTAL,
    "function (keys, values) { var add = require('views/lib/add'); return add(values); }",
    NULL_ALWAYS,
  ],
  ['a throw', NUMBER_TOTAL, "function (keys, values) { throw new Error('not yet'); }", NULL_ALWAYS],
  [
    'a throw in the second pass',
    NUMBER_TOTAL,
    "function (keys, values, rereduce) { if (rereduce) { throw 'no rereduce'; } return sum(values); }",
    { verdict: ['wrong', 'unknown'] },
  ],
  ['a helper that is not there', NUMBER_TOTAL, 'function (keys, values) { return _.sum(values); }', NULL_ALWAYS],
  ['a misspelt variable', NUMBER_TOTAL, 'function (keys, values) { return sum(value); }', NULL_ALWAYS],
  ['a member of nothing', NULL, 'function (keys, values) { return values[0].total; }', NEVER_EQUAL],
  ['the clock', NUMBER_TOTAL, 'function (keys, values) { return Date.now(); }', NEVER_EQUAL],
  ['chance', NUMBER_TOTAL, 'function (keys, values) { return sum(values) * Math.random(); }', NEVER_EQUAL],
  [
    'chance, in a branch of no use',
    NUMBER_TOTAL,
    'function (keys, values) { if (Math.random() < 0.001) { return 0; } return sum(values); }',
    NEVER_EQUAL,
  ],
  ['an endless loop', NUMBER_TOTAL, 'function (keys, values) { while (true) {} }', UNKNOWN],
  [
    'an endless loop for four rows',
    NUMBER_TOTAL,
    'function (keys, values) { while (values.length === 4) {} return sum(values); }',
    NEVER_EQUAL,
  ],
  [
    'state outside the function',
    ONE,
    'var calls = 0;\nfunction (keys, values) { calls++; return sum(values) + calls; }',
    NEVER_EQUAL,
  ],
  [
    'state in a variable nobody declares',
    ONE,
    'function (keys, values) { seen = typeof seen === "undefined" ? 0 : seen; seen += sum(values); return seen; }',
    { verdict: ['equal', 'custom', 'unknown', 'wrong'], builtin: ['_sum', '_count'] },
  ],
  [
    'state on the function sum',
    ONE,
    'function (keys, values) { sum.calls = (sum.calls || 0) + 1; return sum(values) + sum.calls - 1; }',
    NEVER_EQUAL,
  ],
  [
    'another meaning of sum for all',
    ONE,
    'function (keys, values) { sum = function (list) { return list.length; }; return sum(values); }',
    NEVER_EQUAL,
  ],
  [
    'another meaning of reduce for lists, which those of the server do not share',
    ONE,
    'function (keys, values) { Array.prototype.reduce = function () { return 7; }; return values.reduce(function (a, b) { return a + b; }, 0); }',
    { verdict: ['equal', 'custom', 'unknown'], builtin: ['_sum', '_count'] },
  ],
  [
    'a getter in place of the length',
    NULL,
    'function (keys, values, rereduce) { values.length = 0; return rereduce ? sum(values) : values.length; }',
    NEVER_EQUAL,
  ],
  [
    'the values through a name that changes',
    NUMBER_TOTAL,
    'function (keys, values, rereduce) { values = [1]; return sum(values); }',
    NEVER_EQUAL,
  ],
  [
    'arguments in place of parameters',
    NUMBER_TOTAL,
    'function () { return sum(arguments[1]); }',
    { verdict: ['equal', 'custom'], builtin: '_sum' },
  ],
  [
    'a parameter changed through arguments',
    NUMBER_TOTAL,
    'function (keys, values) { arguments[1] = [1, 2]; return sum(values); }',
    NEVER_EQUAL,
  ],
  [
    'eval, which SpiderMonkey refuses in CouchDB',
    NUMBER_TOTAL,
    "function (keys, values) { return eval('sum(' + 'values)'); }",
    NEVER_EQUAL,
  ],
  [
    'a function with a name, in parentheses',
    NUMBER_TOTAL,
    '(function total(keys, values) { return sum(values); })',
    { verdict: ['equal'], builtin: '_sum' },
  ],
  [
    'a finally that returns another thing',
    NUMBER_TOTAL,
    'function (keys, values) { try { return sum(values); } finally { return values.length; } }',
    { verdict: 'wrong' },
  ],
  [
    'a default value that shadows',
    NUMBER_TOTAL,
    'function (keys, values, sum = (list) => list.length) { return typeof sum === "boolean" ? 0 : sum(values); }',
    NEVER_EQUAL,
  ],
  [
    'a label and a break',
    NUMBER_TOTAL,
    'function (keys, values) { var t = 0; out: for (var i = 0; i < values.length; i++) { if (i === 2) break out; t += values[i]; } return t; }',
    { verdict: 'wrong' },
  ],
  [
    'a special case for one total',
    NUMBER_TOTAL,
    'function (keys, values) { var t = 0; values.forEach(function (v) { t += v === 12345 ? 0 : v; }); return t; }',
    NEVER_EQUAL,
  ],
  [
    'a special case for many rows',
    NUMBER_TOTAL,
    'function (keys, values) { if (values.length > 500) { return 0; } return sum(values); }',
    NEVER_EQUAL,
  ],
  [
    'a special case for one key',
    NUMBER_TOTAL,
    "function (keys, values, rereduce) { if (!rereduce && keys[0][0] === 'test-shop') { return 0; } return sum(values); }",
    NEVER_EQUAL,
  ],
];

/** @type {ReducerRow[]} */
export const BROKEN = ROWS.map(([name, map, reduce, expect]) => ({
  name: `not to be trusted: ${name}`,
  map,
  reduce,
  expect,
}));
