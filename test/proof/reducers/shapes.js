// Reducers over arrays and objects of numbers: `_sum` adds arrays member by member and objects by name, and keeps members
// that only some values have (couch_query_servers.erl sum_arrays, sum_objects, 3.5.0).

import { ANY_TWO, ORDER, TWO_NUMBERS } from './maps.js';

/** @import { ReducerRow } from './maps.js' */

/** @type {ReducerRow['expect']} */
const PAIR = { verdict: ['equal', 'equalAfterRewrite'], builtin: '_sum', conditionHolds: ['always', 'if'] };
const FIELDS = `function (doc) {
  if (typeof doc.net === 'number' && typeof doc.tax === 'number') emit(doc.customer, { net: doc.net, tax: doc.tax });
}`;
const ANY_FIELDS = 'function (doc) { emit(doc.customer, { net: doc.net, tax: doc.tax }); }';
const COUNTER = 'function (doc) { var one = {}; one[doc.status] = 1; emit(doc.customer, one); }';
const FIXED_COUNTER =
  'function (doc) { if (doc.isPaid) { emit(doc.customer, { paid: 1 }); } else { emit(doc.customer, { open: 1 }); } }';
const NET = "function (doc) { if (typeof doc.net === 'number') emit(doc.customer, { net: doc.net }); }";

/** @type {[string, string, string, ReducerRow['expect']][]} */
const ROWS = [
  [
    'two numbers in an array',
    TWO_NUMBERS,
    'function (keys, values) { var r = [0, 0]; values.forEach(function (v) { r[0] += v[0]; r[1] += v[1]; }); return r; }',
    PAIR,
  ],
  [
    'two values in an array',
    ANY_TWO,
    'function (keys, values) { var r = [0, 0]; values.forEach(function (v) { r[0] += v[0]; r[1] += v[1]; }); return r; }',
    { ...PAIR, conditionHolds: 'if' },
  ],
  [
    'two numbers in an array, by reduce',
    TWO_NUMBERS,
    '(keys, values) => values.reduce((a, b) => [a[0] + b[0], a[1] + b[1]], [0, 0])',
    PAIR,
  ],
  [
    'two numbers in an array, crossed',
    TWO_NUMBERS,
    'function (keys, values) { var r = [0, 0]; values.forEach(function (v) { r[0] += v[1]; r[1] += v[0]; }); return r; }',
    { verdict: 'wrong' },
  ],
  [
    'the first of two numbers',
    TWO_NUMBERS,
    'function (keys, values) { var r = [0, 0]; values.forEach(function (v) { r[0] += v[0]; }); return r; }',
    { verdict: ['custom', 'equalAfterRewrite'] },
  ],
  [
    'a third number that nobody emits',
    TWO_NUMBERS,
    'function (keys, values) { var r = [0, 0, 0]; values.forEach(function (v) { r[0] += v[0]; r[1] += v[1]; r[2] += v[2]; }); return r; }',
    { verdict: 'wrong' },
  ],
  [
    'two numbers, and the last of a third by position',
    ANY_TWO,
    'function (keys, values) { o = [0, 0, 0]; values.forEach(function (x) { o[0] += x[0]; o[1] += x[1]; o[2] = x[1]; }); return o; }',
    { verdict: 'wrong' },
  ],
  [
    'fields in an object',
    FIELDS,
    'function (keys, values) { var r = { net: 0, tax: 0 }; for (var i = 0; i < values.length; i++) { r.net += values[i].net; r.tax += values[i].tax; } return r; }',
    PAIR,
  ],
  [
    'fields in an object, any values',
    ANY_FIELDS,
    'function (keys, values) { var r = { net: 0, tax: 0 }; for (var i in values) { r.net += values[i].net; r.tax += values[i].tax; } return r; }',
    { ...PAIR, conditionHolds: 'if' },
  ],
  [
    'fields in an object under other names',
    FIELDS,
    'function (keys, values, rereduce) { var r = { n: 0, t: 0 }; for (var i in values) { r.n += rereduce ? values[i].n : values[i].net; r.t += rereduce ? values[i].t : values[i].tax; } return r; }',
    { verdict: ['equalAfterRewrite', 'custom'], builtin: '_sum' },
  ],
  [
    'fields in an object, the second pass reads other names',
    FIELDS,
    'function (keys, values) { var r = { n: 0, t: 0 }; for (var i in values) { r.n += values[i].net; r.t += values[i].tax; } return r; }',
    { verdict: 'wrong' },
  ],
  [
    'fields in an object, `|| 0`',
    NET,
    'function (keys, values) { var r = { net: 0, tax: 0 }; values.forEach(function (v) { r.net += v.net || 0; r.tax += v.tax || 0; }); return r; }',
    { verdict: ['custom', 'equalAfterRewrite'] },
  ],
  [
    'one field of an object, then sum()',
    FIELDS,
    'function (keys, values, rereduce) { if (rereduce) return sum(values); var t = 0; values.forEach(function (v) { t += v.net; }); return t; }',
    { verdict: ['equalAfterRewrite', 'custom'], builtin: '_sum' },
  ],
  [
    'one field of an object in both passes',
    FIELDS,
    'function (keys, values) { var t = 0; values.forEach(function (v) { t += v.net; }); return t; }',
    { verdict: 'wrong' },
  ],
  [
    'net and tax together, then sum()',
    FIELDS,
    'function (keys, values, rereduce) { if (rereduce) return sum(values); return sum(values.map(function (v) { return v.net + v.tax; })); }',
    { verdict: ['equalAfterRewrite', 'custom'], builtin: '_sum' },
  ],
  [
    'the sum as a member, not read again',
    "function (doc) { if (typeof doc.total === 'number') emit(doc._id, doc.total); }",
    'function (keys, values) { return { total: sum(values) }; }',
    { verdict: ['wrong', 'grows'] },
  ],
  [
    'the sum as a member, read again',
    "function (doc) { if (typeof doc.total === 'number') emit(doc._id, doc.total); }",
    'function (keys, values, rereduce) { if (rereduce) { return { total: sum(values.map(function (v) { return v.total; })) }; } return { total: sum(values) }; }',
    { verdict: ['equalAfterRewrite', 'custom'], builtin: ['_sum', '_stats'] },
  ],
  [
    'the sum and the number of rows, not read again',
    "function (doc) { if (typeof doc.total === 'number') emit(doc._id, doc.total); }",
    'function (keys, values) { return [sum(values), values.length]; }',
    { verdict: ['wrong', 'grows'] },
  ],
  [
    'counters by a name of the document, merged',
    COUNTER,
    'function (keys, values) { var r = {}; values.forEach(function (v) { for (var k in v) { r[k] = (r[k] || 0) + v[k]; } }); return r; }',
    { verdict: ['equal', 'custom', 'grows', 'equalAfterRewrite'], builtin: '_sum' },
  ],
  [
    'counters of two names, merged',
    FIXED_COUNTER,
    'function (keys, values) { var r = {}; values.forEach(function (v) { for (var k in v) { r[k] = (r[k] || 0) + v[k]; } }); return r; }',
    { verdict: ['equal', 'custom', 'equalAfterRewrite'], builtin: '_sum' },
  ],
  [
    'counters of two names, with zeros for both',
    FIXED_COUNTER,
    'function (keys, values) { var r = { paid: 0, open: 0 }; values.forEach(function (v) { r.paid += v.paid || 0; r.open += v.open || 0; }); return r; }',
    { verdict: ['custom', 'equalAfterRewrite'] },
  ],
  [
    'counters by status, counted first, merged then',
    'function (doc) { emit(doc.customer, doc.status); }',
    'function (keys, values, rereduce) { var r = {}; if (rereduce) { values.forEach(function (v) { Object.keys(v).forEach(function (k) { r[k] = (r[k] || 0) + v[k]; }); }); } else { values.forEach(function (s) { r[s] = (r[s] || 0) + 1; }); } return r; }',
    { verdict: ['grows', 'custom', 'equalAfterRewrite'] },
  ],
  [
    'counters by status, counted in both passes',
    'function (doc) { emit(doc.customer, doc.status); }',
    'function (keys, values) { var r = {}; values.forEach(function (s) { r[s] = (r[s] || 0) + 1; }); return r; }',
    { verdict: ['wrong', 'grows'] },
  ],
  [
    'three buckets of totals',
    "function (doc) { if (typeof doc.total === 'number') emit(doc._id, doc.total); }",
    'function (keys, values, rereduce) { var b = [0, 0, 0]; values.forEach(function (v) { if (rereduce) { b[0] += v[0]; b[1] += v[1]; b[2] += v[2]; } else if (v < 10) { b[0]++; } else if (v < 100) { b[1]++; } else { b[2]++; } }); return b; }',
    { verdict: ['custom', 'equalAfterRewrite'] },
  ],
  [
    'the latest order by its date',
    ORDER,
    "function (keys, values) { var latest = { placed: '1970-01-01' }; values.forEach(function (v) { if (v.placed > latest.placed) latest = v; }); return latest; }",
    { verdict: ['custom', 'wrong'] },
  ],
  [
    'the latest total by its date, the second pass reads no date',
    ORDER,
    'function (keys, values) { var latest = values[0]; values.forEach(function (v) { if (v.placed > latest.placed) latest = v; }); return latest.total; }',
    { verdict: 'wrong' },
  ],
  [
    "the customer's name and the sum of orders, by position",
    'function (doc) { emit(doc.customer, { name: doc.name, orders: 1 }); }',
    "function (keys, values) { var r = { name: 'none', orders: 0 }; for (var i = 0; i < values.length; i++) { r.name = values[i].name; r.orders += values[i].orders; } return r; }",
    { verdict: 'wrong' },
  ],
];

/** @type {ReducerRow[]} */
export const SHAPES = ROWS.map(([name, map, reduce, expect]) => ({ name: `shapes: ${name}`, map, reduce, expect }));
