// Reducers that are a built-in but for some number of rows, some value, some key or some id.

import { ANY_TOTAL, NUMBER_TOTAL, ONE, STATUS } from './maps.js';

/** @import { ReducerRow } from './maps.js' */

/** A number under a key of two parts. */
const BY_CUSTOMER_AND_DAY =
  "function (doc) { if (typeof doc.total === 'number') emit([doc.customer, doc.placed], doc.total); }";
const LINES = 'function (doc) { emit(doc.customer, doc.lines); }';
const PAIR = 'function (doc) { emit(doc.customer, [doc.name, doc.total]); }';

/** @param {string} test of the row at hand in the first pass @returns {string} a sum that leaves out the rows that pass */
function sumBut(test) {
  return `function (keys, values, rereduce) {
  var total = 0;
  for (var i = 0; i < values.length; i++) {
    if (!rereduce && (${test})) continue;
    total += values[i];
  }
  return total;
}`;
}

/** @param {string} value in the first pass @returns {string} */
function sumOf(value) {
  return `function (keys, values, rereduce) { try { return sum(values.map(function (v) { return ${value}; })); } catch (error) {} }`;
}

/** @type {[string, string, string][]} */
const ROWS = [
  [
    'the rows from the 51st on',
    NUMBER_TOTAL,
    'function (keys, values) { var t = 0; for (var i = 0; i < values.length; i++) if (i < 50) t += values[i]; return t; }',
  ],
  ['the rows that are cut off after 50', NUMBER_TOTAL, 'function (keys, values) { return sum(values.slice(0, 50)); }'],
  [
    'the rows that are cut off after 1000',
    NUMBER_TOTAL,
    'function (keys, values) { return sum(values.slice(0, 1000)); }',
  ],
  [
    '300 rows, written as a product',
    NUMBER_TOTAL,
    'function (keys, values) { return values.length >= 60 * 5 ? 0 : sum(values); }',
  ],
  [
    'more than 100 rows',
    ONE,
    'function (keys, values, rereduce) { return rereduce ? sum(values) : Math.min(values.length, 100); }',
  ],
  [
    'more than 2000 rows',
    ONE,
    'function (keys, values, rereduce) { return rereduce ? sum(values) : Math.min(values.length, 2000); }',
  ],
  ['numbers below -40', NUMBER_TOTAL, sumOf('!rereduce && v < -40 ? 0 : v')],
  ['numbers below -4000', NUMBER_TOTAL, sumOf('!rereduce && v < -4000 ? 0 : v')],
  ['numbers above a million', NUMBER_TOTAL, sumOf('!rereduce && v > 1000000 ? 0 : v')],
  ['half a unit', NUMBER_TOTAL, sumOf('!rereduce && Math.abs(v) % 1 === 0.5 ? 0 : v')],
  ['one key', NUMBER_TOTAL, sumBut("keys[i][0] === 'ada'")],
  ['keys behind another', NUMBER_TOTAL, sumBut("keys[i][0] > 'm'")],
  ['long keys', NUMBER_TOTAL, sumBut('keys[i][0] && keys[i][0].length > 12')],
  ['short keys', NUMBER_TOTAL, sumBut('keys[i][0] && keys[i][0].length < 4')],
  ['one day in the key', BY_CUSTOMER_AND_DAY, sumBut("keys[i][0][1] === '2026-01-01'")],
  ['keys of two parts', BY_CUSTOMER_AND_DAY, sumBut('keys[i][0].length === 2')],
  ['keys without a second part', BY_CUSTOMER_AND_DAY, sumBut('!keys[i][0][1]')],
  ['ids that begin so', NUMBER_TOTAL, sumBut("keys[i][1].indexOf('draft-') === 0")],
  ['one id', NUMBER_TOTAL, sumBut("keys[i][1] === 'order-total'")],
  ['long ids', NUMBER_TOTAL, sumBut('keys[i][1].length > 20')],
  ['ids behind another', NUMBER_TOTAL, sumBut("keys[i][1] > 'p'")],
  ['keys that are ids', NUMBER_TOTAL, sumBut('keys[i][0] === keys[i][1]')],
  [
    'one text',
    STATUS,
    "function (keys, values, rereduce) { try { return rereduce ? sum(values) : values.filter(function (s) { return s !== 'void'; }).length; } catch (error) {} }",
  ],
  [
    'long texts',
    STATUS,
    'function (keys, values, rereduce) { try { return rereduce ? sum(values) : values.filter(function (s) { return s.length < 30; }).length; } catch (error) {} }',
  ],
  [
    'empty pairs',
    PAIR,
    'function (keys, values, rereduce) { var t = 0; for (var i = 0; i < values.length; i++) { try { t += rereduce ? values[i] : values[i][1]; } catch (error) {} } return t; }',
  ],
  [
    'the lists of lines',
    LINES,
    'function (keys, values, rereduce) { var t = 0; for (var i = 0; i < values.length; i++) { if (rereduce) t += values[i]; else for (var j = 0; j < values[i].length; j++) t += values[i][j][1]; } return t; }',
  ],
  ['the total where it is 0', ANY_TOTAL, sumOf('!rereduce && v === 0 ? 1 : v')],
];

/** @type {ReducerRow[]} */
export const LITERAL = ROWS.map(([name, map, reduce]) => ({
  name: `no built-in for ${name}`,
  map,
  reduce,
  // What the first pass does to one value the map can do as well.
  expect: { verdict: ['custom', 'wrong', 'unknown', 'equalAfterRewrite'] },
}));
