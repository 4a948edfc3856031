// Reducers that count rows: `_count` looks at no value, so an equal one is equal whatever the map emits.

import { ANY_TOTAL, NOTHING, NULL, NUMBER_TOTAL, ONE, STATUS } from './maps.js';

/** @import { ReducerRow } from './maps.js' */

/** @type {ReducerRow['expect']} */
const COUNT = { verdict: 'equal', builtin: '_count', conditionHolds: 'always', basis: 'proved' };
/** @type {ReducerRow['expect']} */
const WRONG = { verdict: 'wrong' };

/** @type {[string, string, string, ReducerRow['expect']][]} */
const ROWS = [
  [
    'the length, then sum()',
    NULL,
    'function (keys, values, rereduce) { if (rereduce) { return sum(values); } else { return values.length; } }',
    COUNT,
  ],
  [
    'the length, then sum(), of anything',
    ANY_TOTAL,
    'function (keys, values, rereduce) { return rereduce ? sum(values) : values.length; }',
    COUNT,
  ],
  [
    'the length of the keys, then sum()',
    NOTHING,
    'function (keys, values, rereduce) { if (!rereduce) return keys.length; return sum(values); }',
    COUNT,
  ],
  ['`rereduce === true`', NULL, 'function (k, v, r) { if (r === true) { return sum(v); } return v.length; }', COUNT],
  [
    '`rereduce == false`',
    NULL,
    'function (k, v, r) { if (r == false) { return v.length; } else { return sum(v); } }',
    COUNT,
  ],
  ['an arrow', ANY_TOTAL, '(keys, values, rereduce) => rereduce ? sum(values) : values.length', COUNT],
  [
    'an arrow with a reduce',
    ANY_TOTAL,
    '(keys, values, rereduce) => (rereduce ? values.reduce((a, b) => a + b, 0) : values.length)',
    COUNT,
  ],
  [
    'a loop that adds counts or ones',
    STATUS,
    'function (keys, values, rereduce) { var n = 0; for (var i = 0; i < values.length; i++) { n += rereduce ? values[i] : 1; } return n; }',
    COUNT,
  ],
  [
    'a loop with an if inside',
    STATUS,
    'function (keys, values, rereduce) { var n = 0; values.forEach(function (v) { if (rereduce) { n += v; } else { n++; } }); return n; }',
    COUNT,
  ],
  [
    'a counting loop, then sum()',
    NULL,
    'function (keys, values, rereduce) { if (rereduce) return sum(values); var n = 0; for (var i in values) { n++; } return n; }',
    COUNT,
  ],
  [
    'keys tell the pass',
    NULL,
    'function (keys, values) { if (keys === null) { return sum(values); } return values.length; }',
    { verdict: ['equal', 'custom'], builtin: '_count', conditionHolds: 'always' },
  ],
  [
    'keys tell the pass by their truth',
    NULL,
    'function (keys, values) { return keys ? keys.length : sum(values); }',
    { verdict: ['equal', 'custom'], builtin: '_count', conditionHolds: 'always' },
  ],
  [
    'the length if there is any',
    NULL,
    'function (keys, values, rereduce) { if (rereduce) { return sum(values); } else { if (values.length > 0) { return values.length; } } }',
    { verdict: ['equal', 'custom'], builtin: '_count', conditionHolds: 'always' },
  ],
  [
    'ones by map',
    ANY_TOTAL,
    'function (keys, values, rereduce) { return rereduce ? sum(values) : sum(values.map(function () { return 1; })); }',
    { verdict: ['equal', 'custom'], builtin: '_count' },
  ],
  [
    'the count is kept in an object',
    NULL,
    'function (keys, values, rereduce) { var c = { n: 0 }; if (rereduce) { values.forEach(function (v) { c.n += v; }); } else { c.n = values.length; } return c.n; }',
    { verdict: ['equal', 'custom'], builtin: '_count' },
  ],
  ['the length alone', NULL, 'function (keys, values) { return values.length; }', WRONG],
  ['the length alone, of ones', ONE, 'function (keys, values, rereduce) { return values.length; }', WRONG],
  ['the length of the keys alone', NULL, 'function (keys) { return keys.length; }', WRONG],
  [
    'the passes are mixed up',
    ONE,
    'function (keys, values, rereduce) { return rereduce ? values.length : sum(values); }',
    WRONG,
  ],
  [
    'the keys are counted in the second pass',
    NULL,
    'function (keys, values, rereduce) { if (rereduce) { return keys.length; } return values.length; }',
    WRONG,
  ],
  [
    'a counting loop alone',
    NULL,
    'function (keys, values) { var n = 0; for (var i = 0; i < values.length; i++) { n++; } return n; }',
    WRONG,
  ],
  [
    'counting what is true, in both passes',
    STATUS,
    'function (keys, values) { var n = 0; values.forEach(function (v) { if (v) { n += 1; } }); return n; }',
    WRONG,
  ],
  [
    'counting open orders, then sum()',
    STATUS,
    "function (keys, values, rereduce) { if (rereduce) return sum(values); return values.filter(function (v) { return v === 'open'; }).length; }",
    { verdict: ['custom', 'equalAfterRewrite'] },
  ],
  [
    'counting values that are not null, then sum()',
    ANY_TOTAL,
    'function (keys, values, rereduce) { if (rereduce) return sum(values); var n = 0; values.forEach(function (v) { if (v != null) n++; }); return n; }',
    { verdict: ['custom', 'equalAfterRewrite'] },
  ],
  [
    'two for each row',
    NULL,
    'function (keys, values, rereduce) { return rereduce ? sum(values) : values.length * 2; }',
    { verdict: ['custom', 'equalAfterRewrite'] },
  ],
  [
    'one more than there are, in the first pass',
    NULL,
    'function (keys, values, rereduce) { return rereduce ? sum(values) : values.length + 1; }',
    WRONG,
  ],
  [
    'an assignment in place of a comparison makes it a sum',
    NUMBER_TOTAL,
    'function (keys, values, rereduce) { if (rereduce = true) { return sum(values); } return values.length; }',
    { verdict: ['equal', 'custom'], builtin: '_sum' },
  ],
  [
    'the count as a text',
    NULL,
    "function (keys, values, rereduce) { return rereduce ? sum(values) : '' + values.length; }",
    WRONG,
  ],
  [
    'an object with the count, not read by the second pass',
    NULL,
    'function (keys, values, rereduce) { return rereduce ? sum(values) : { count: values.length }; }',
    { verdict: ['wrong', 'grows'] },
  ],
  [
    'an object with the count, read by the second pass',
    NULL,
    'function (keys, values, rereduce) { var n = 0; if (rereduce) { for (var i in values) n += values[i].count; } else { n = values.length; } return { count: n }; }',
    { verdict: ['equalAfterRewrite', 'custom'] },
  ],
  [
    'distinct values in the first pass, then sum()',
    STATUS,
    'function (keys, values, rereduce) { if (rereduce) return sum(values); var seen = {}; values.forEach(function (v) { seen[v] = 1; }); return Object.keys(seen).length; }',
    WRONG,
  ],
  [
    'the length capped in every pass',
    NULL,
    'function (keys, values, rereduce) { return Math.min(rereduce ? sum(values) : values.length, 100); }',
    { verdict: ['custom', 'unknown'] },
  ],
  [
    'the greatest of the counts of nodes',
    NULL,
    'function (keys, values, rereduce) { return rereduce ? Math.max.apply(null, values) : values.length; }',
    WRONG,
  ],
];

/** @type {ReducerRow[]} */
export const COUNTS = ROWS.map(([name, map, reduce, expect]) => ({ name: `counting: ${name}`, map, reduce, expect }));
