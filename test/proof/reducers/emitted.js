// One reducer, sum(values), over maps of all sorts: what is known of the values they emit. Infinity and NaN are null in JSON.

/** @import { ReducerRow } from './maps.js' */

const reduce = 'function (keys, values) { return sum(values); }';

/** @type {[string, string, string | string[]][]} */
const MAPS = [
  [
    'a test of the type with ==',
    "function (doc) { if (typeof doc.total == 'number') { emit(doc._id, doc.total); } }",
    'always',
  ],
  [
    'an early return for other types',
    "function (doc) { if (typeof doc.total !== 'number') return; emit(doc._id, doc.total); }",
    'always',
  ],
  [
    'two tests',
    "function (doc) { if (doc.type === 'order' && typeof doc.total === 'number') emit(doc._id, doc.total); }",
    'always',
  ],
  [
    'a test that something else can take the place of',
    "function (doc) { if (doc.isPaid || typeof doc.total === 'number') emit(doc._id, doc.total); }",
    'if',
  ],
  ['a test of another field', "function (doc) { if (typeof doc.net === 'number') emit(doc._id, doc.total); }", 'if'],
  ['a test of truth alone', 'function (doc) { if (doc.total) emit(doc._id, doc.total); }', 'if'],
  ['a default of 0 alone', 'function (doc) { emit(doc._id, doc.total || 0); }', 'if'],
  [
    "Number() with a default of 0: '1e999' becomes Infinity, so null",
    'function (doc) { emit(doc._id, Number(doc.total) || 0); }',
    ['if', 'always'],
  ],
  ['a product, which may be NaN', 'function (doc) { emit(doc._id, doc.price * doc.quantity); }', 'if'],
  ['a unary plus', 'function (doc) { emit(doc._id, +doc.total); }', 'if'],
  ['1 or 0', 'function (doc) { emit(doc._id, doc.isPaid ? 1 : 0); }', 'always'],
  ['!isNaN, which null and digits pass', 'function (doc) { if (!isNaN(doc.total)) emit(doc._id, doc.total); }', 'if'],
  [
    'the global isFinite, which digits pass',
    'function (doc) { if (isFinite(doc.total)) emit(doc._id, doc.total); }',
    'if',
  ],
  ['Number.isFinite', 'function (doc) { if (Number.isFinite(doc.total)) emit(doc._id, doc.total); }', ['always', 'if']],
  [
    'a tested number made a text',
    "function (doc) { var t = doc.total; if (typeof t === 'number') { t = t + ' EUR'; emit(doc._id, t); } }",
    ['not', 'if'],
  ],
  [
    'two emits, of which one is not tested',
    "function (doc) { if (typeof doc.net === 'number') emit('net', doc.net); emit('tax', doc.tax); }",
    'if',
  ],
  ['two literals', "function (doc) { emit('all', 1); if (doc.isPaid) emit('paid', 2); }", 'always'],
  ['a number and a text', "function (doc) { emit('all', 1); if (doc.note) emit('note', 'x'); }", ['if', 'not']],
  [
    'a date in milliseconds, which may be NaN',
    'function (doc) { emit(doc._id, new Date(doc.placed).getTime()); }',
    'if',
  ],
  [
    'the lines of an order',
    'function (doc) { doc.lines.forEach(function (line) { emit(line.sku, line.quantity); }); }',
    'if',
  ],
  ['a rounded field', 'function (doc) { emit(doc._id, Math.round(doc.total)); }', 'if'],
  ['a field with two decimals, a text', 'function (doc) { emit(doc._id, doc.total.toFixed(2)); }', ['not', 'if']],
  ['a comparison', 'function (doc) { emit(doc._id, doc.total > 100); }', ['not', 'if']],
  ['the document', 'function (doc) { emit(doc._id, doc); }', ['not', 'if']],
  ['-1 and 2.5', 'function (doc) { emit(doc._id, doc.isReturned ? -1 : 2.5); }', 'always'],
];

/** @type {ReducerRow[]} */
export const EMITTED = MAPS.map(([name, map, conditionHolds]) => ({
  name: `sum() of ${name}`,
  map,
  reduce,
  // Texts it joins, another way with each grouping.
  expect: {
    verdict: conditionHolds.includes('not') ? ['equal', 'wrong', 'grows'] : ['equal'],
    builtin: '_sum',
    conditionHolds,
  },
}));
