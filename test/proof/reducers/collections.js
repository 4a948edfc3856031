// Reducers that answer the same for every row (to list distinct keys), that collect what they are given, and that depend
// on keys or order.

import { ANY_TOTAL, DATE_TEXT, NULL, NUMBER_TOTAL, ORDER, STATUS } from './maps.js';

/** @import { ReducerRow } from './maps.js' */

/** @type {ReducerRow['expect']} */
const DISTINCT = { verdict: 'equalAfterRewrite', builtin: '_count' };
/** @type {ReducerRow['expect']} */
const LIKE_DISTINCT = { verdict: ['equalAfterRewrite', 'custom'], builtin: '_count' };
/** @type {ReducerRow['expect']} */
const GROWS = { verdict: ['grows', 'wrong'] };
/** @type {ReducerRow['expect']} */
const WRONG = { verdict: 'wrong' };

/** @type {[string, string, string, ReducerRow['expect']][]} */
const ROWS = [
  ['null', NULL, 'function (keys, values, rereduce) { return null; }', DISTINCT],
  ['true', NULL, 'function (keys, values) { return true; }', DISTINCT],
  ['nothing: an empty body', NULL, 'function (keys, values) { }', DISTINCT],
  ['nothing: no parameters', ANY_TOTAL, 'function() {}', DISTINCT],
  ['nothing: a bare return', NULL, 'function (keys, values) { return; }', DISTINCT],
  ['nothing: a comment', NULL, 'function (keys, values) { /* only the keys count */ }', DISTINCT],
  ['null, by an arrow', NULL, '() => null', DISTINCT],
  ['0', NULL, 'function (keys, values) { return 0; }', LIKE_DISTINCT],
  ['an empty object', NULL, 'function (keys, values) { return {}; }', LIKE_DISTINCT],
  ['an arrow whose braces are a body', NULL, '(keys, values) => {}', LIKE_DISTINCT],
  ['an arrow that forgets to return', NUMBER_TOTAL, '(keys, values) => { sum(values); }', LIKE_DISTINCT],
  ['whether there are rows', NULL, 'function (keys, values) { return values.length > 0; }', LIKE_DISTINCT],
  ['all values', STATUS, 'function (keys, values) { return values; }', GROWS],
  [
    'all values, joined lists',
    STATUS,
    'function (keys, values, rereduce) { return rereduce ? [].concat.apply([], values) : values; }',
    GROWS,
  ],
  [
    'all values, pushed',
    STATUS,
    'function (keys, values, rereduce) { var all = []; values.forEach(function (v) { if (rereduce) { all = all.concat(v); } else { all.push(v); } }); return all; }',
    GROWS,
  ],
  [
    'all ids from the keys',
    NULL,
    'function (keys, values, rereduce) { if (rereduce) { return values.reduce(function (a, b) { return a.concat(b); }, []); } return keys.map(function (k) { return k[1]; }); }',
    GROWS,
  ],
  ['a text of all values', STATUS, "function (keys, values) { return values.join(', '); }", GROWS],
  [
    'a text built up',
    STATUS,
    "function (keys, values) { var text = ''; for (var i = 0; i < values.length; i++) { text += values[i] + ' '; } return text; }",
    GROWS,
  ],
  [
    'the distinct values as a list',
    STATUS,
    'function (keys, values, rereduce) { var seen = []; var all = rereduce ? [].concat.apply([], values) : values; all.forEach(function (v) { if (seen.indexOf(v) < 0) seen.push(v); }); return seen.sort(); }',
    { verdict: ['grows', 'custom', 'wrong'] },
  ],
  [
    'the distinct values as members',
    STATUS,
    'function (keys, values, rereduce) { var seen = {}; values.forEach(function (v) { if (rereduce) { for (var k in v) { seen[k] = true; } } else { seen[v] = true; } }); return seen; }',
    { verdict: ['grows', 'custom', 'wrong'] },
  ],
  [
    'the distinct values as members, in both passes',
    STATUS,
    'function (keys, values) { var seen = {}; values.forEach(function (label) { if (!seen[label]) { seen[label] = true; } }); return seen; }',
    { verdict: ['wrong', 'grows'] },
  ],
  [
    'the number of distinct keys of the first pass, added',
    NULL,
    'function (keys, values, rereduce) { if (rereduce) { return sum(values); } var seen = {}; keys.forEach(function (k) { seen[JSON.stringify(k[0])] = true; }); return Object.keys(seen).length; }',
    WRONG,
  ],
  [
    'orders merged into one object',
    ORDER,
    'function (keys, values) { var all = {}; values.forEach(function (v) { for (var k in v) { all[k] = v[k]; } }); return all; }',
    WRONG,
  ],
  [
    'the first ten of all values',
    STATUS,
    'function (keys, values, rereduce) { return (rereduce ? [].concat.apply([], values) : values).slice(0, 10); }',
    { verdict: ['wrong', 'custom'] },
  ],
  ['the first key', NULL, 'function (keys, values) { return keys[0][0]; }', WRONG],
  [
    'the first key, in the first pass alone',
    NULL,
    'function (keys, values, rereduce) { if (rereduce) { return values[0]; } return keys[0][0]; }',
    // Rows come in the order of their keys: only the order of shards could show, which no trial has.
    { verdict: ['custom', 'wrong'] },
  ],
  [
    'the least key',
    NULL,
    'function (keys, values, rereduce) { var all = rereduce ? values : keys.map(function (k) { return k[0]; }); return all.sort()[0]; }',
    { verdict: ['custom', 'wrong'] },
  ],
  [
    'the number of values beside a text',
    NULL,
    "function (keys, values) { return values.length + ' orders'; }",
    { verdict: ['wrong', 'grows'] },
  ],
  [
    'whether any is true',
    STATUS,
    'function (keys, values) { return values.some(function (v) { return v; }); }',
    { verdict: ['custom', 'equalAfterRewrite'] },
  ],
  [
    'whether all are true',
    ANY_TOTAL,
    'function (keys, values) { return values.every(function (element, index, array) { return element; }); }',
    { verdict: 'custom' },
  ],
  [
    'whether any is true, in a loop',
    ANY_TOTAL,
    'function (keys, values) { for (var i in values) { if (values[i]) { return true; } } return false; }',
    { verdict: 'custom' },
  ],
  [
    'flags put together',
    "function (doc) { if (typeof doc.flags === 'number') emit(doc._id, doc.flags); }",
    'function (keys, values) { var f = 0; values.forEach(function (v) { f = f | v; }); return f; }',
    { verdict: 'custom' },
  ],
  [
    'days between the first and the last date',
    DATE_TEXT,
    'function (keys, values) { values.sort(); return (new Date(values[values.length - 1]) - new Date(values[0])) / 86400000; }',
    WRONG,
  ],
];

/** @type {ReducerRow[]} */
export const COLLECTIONS = ROWS.map(([name, map, reduce, expect]) => ({
  name: `answers ${name}`,
  map,
  reduce,
  expect,
}));
