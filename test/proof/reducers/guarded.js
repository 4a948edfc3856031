// Reducers that are wrong for values which their maps never emit, and right for those they do emit.

/** @import { ReducerRow } from './maps.js' */

const LEAST = `function (keys, values) {
  var least;
  for (var i = 0; i < values.length; i++) if (!least || values[i] < least) least = values[i];
  return least;
}`;
const GREATEST_FROM_NULL =
  'function (keys, values) { var most = null; values.forEach(function (v) { if (v > most) most = v; }); return most; }';
const LATEST =
  "function (keys, values) { var latest = ''; values.forEach(function (v) { if (v > latest) latest = v; }); return latest; }";
const MEAN = 'function (keys, values) { return sum(values) / values.length; }';
const PRODUCT = 'function (keys, values) { return values.reduce(function (a, b) { return a * b; }); }';

/** @type {[string, string, string][]} */
const ROWS = [
  [
    'a number that is not 0',
    "function (doc) { if (typeof doc.total === 'number' && doc.total) emit(doc.customer, doc.total); }",
    LEAST,
  ],
  [
    'what passes an early return',
    'function (doc) { if (!doc.quantity) return; emit(doc.customer, doc.quantity); }',
    LEAST,
  ],
  [
    'a positive number',
    "function (doc) { if (typeof doc.total === 'number' && doc.total > 0) emit(doc.customer, doc.total); }",
    LEAST,
  ],
  ['a field above 0', 'function (doc) { if (doc.quantity > 0) emit(doc.customer, doc.quantity); }', LEAST],
  [
    'a number from 1 to 5',
    "function (doc) { if (typeof doc.stars === 'number' && doc.stars >= 1 && doc.stars <= 5) emit(doc.article, doc.stars); }",
    LEAST,
  ],
  [
    'the length of a list that is not empty',
    'function (doc) { if (doc.lines && doc.lines.length) emit(doc.customer, doc.lines.length); }',
    LEAST,
  ],
  ['the length of a text and more', 'function (doc) { emit(doc.customer, doc.name.length + 1); }', LEAST],
  ['a number without its sign and more', 'function (doc) { emit(doc.customer, Math.abs(doc.total) + 1); }', LEAST],
  [
    'a text that is not empty',
    "function (doc) { if (typeof doc.name === 'string' && doc.name.length) emit(doc.customer, doc.name); }",
    LEAST,
  ],
  [
    'a date in milliseconds',
    'function (doc) { if (doc.placed) emit(doc.customer, new Date(doc.placed).getTime()); }',
    LEAST,
  ],
  ['a date as a text', 'function (doc) { emit(doc.customer, new Date(doc.placed).toISOString()); }', LEAST],
  ['dates of the documents', 'function (doc) { emit(doc.customer, doc.placed); }', LATEST],
  ['one constant', 'function (doc) { emit(doc.customer, 7); }', LEAST],
  ['one of two constants', 'function (doc) { emit(doc.customer, doc.isPaid ? 2 : 1); }', LEAST],
  ['1, whose mean is 1', 'function (doc) { emit(doc.customer, 1); }', MEAN],
  ['1, whose product is 1', 'function (doc) { emit(doc.customer, 1); }', PRODUCT],
  [
    '1 either way',
    'function (doc) { emit(doc.customer, doc.isPaid ? 1 : 1); }',
    'function (keys, values) { return Math.pow(values[0], values.length); }',
  ],
  [
    'a number that is not negative',
    "function (doc) { if (typeof doc.total === 'number' && doc.total >= 0) emit(doc.customer, doc.total); }",
    GREATEST_FROM_NULL,
  ],
  [
    'a whole number',
    "function (doc) { if (typeof doc.total === 'number' && Math.floor(doc.total) === doc.total) emit(doc.customer, doc.total); }",
    'function (keys, values) { return Math.floor(Math.max.apply(null, values)); }',
  ],
  ['the key', 'function (doc) { emit(doc.status, doc.status); }', 'function (keys, values) { return values[0]; }'],
  [
    'the key and a count',
    'function (doc) { emit(doc.status, { status: doc.status, orders: 1 }); }',
    'function (keys, values) { var all = { status: null, orders: 0 }; values.forEach(function (v) { all.status = v.status; all.orders += v.orders; }); return all; }',
  ],
];

/** @type {ReducerRow[]} */
export const GUARDED = ROWS.map(([name, map, reduce]) => ({
  name: `right for what is emitted: ${name}`,
  map,
  reduce,
  expect: { verdict: ['custom', 'equalAfterRewrite'] },
}));
