// Reducers that add numbers: `_sum` for numbers, and never for what JavaScript adds and CouchDB refuses (null is 0 and
// true is 1 to `+`; both are errors to `_sum`, couch_query_servers.erl sum_values, 3.5.0).

import { ANY_TOTAL, NOTHING, NULL, NUMBER_TOTAL, ONE, TEXT, TRUE } from './maps.js';

/** @import { ReducerRow } from './maps.js' */

/** @type {ReducerRow['expect']} */
const IF = { verdict: 'equal', builtin: '_sum', conditionHolds: 'if' };
/** @type {ReducerRow['expect']} */
const ALWAYS = { verdict: 'equal', builtin: '_sum', conditionHolds: 'always', basis: 'proved' };
/** @type {ReducerRow['expect']} */
const NOT = { verdict: 'equal', builtin: '_sum', conditionHolds: 'not' };

/** @type {ReducerRow[]} */
export const SUMS = [
  { name: 'sum() of any field', map: ANY_TOTAL, reduce: 'function (keys, values) { return sum(values); }', expect: IF },
  {
    name: 'sum() of numbers',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { return sum(values); }',
    expect: ALWAYS,
  },
  {
    name: 'sum() of ones',
    map: ONE,
    reduce: 'function (keys, values, rereduce) {\n  return sum(values);\n}',
    expect: { ...ALWAYS, builtin: ['_sum', '_count'] },
  },
  {
    name: 'sum() of null, which is 0 to JavaScript',
    map: NULL,
    reduce: 'function (k, v) { return sum(v); }',
    expect: NOT,
  },
  { name: 'sum() of no value', map: NOTHING, reduce: 'function (k, v) { return sum(v); }', expect: NOT },
  {
    name: 'sum() of true, which is 1 to JavaScript',
    map: TRUE,
    reduce: 'function (k, v) { return sum(v); }',
    expect: NOT,
  },
  {
    name: 'sum() of texts, which it joins',
    map: TEXT,
    reduce: 'function (k, v) { return sum(v); }',
    expect: { verdict: ['equal', 'wrong', 'grows'], builtin: '_sum', conditionHolds: 'not' },
  },
  {
    name: 'a for loop',
    map: NUMBER_TOTAL,
    reduce: `function (keys, values, rereduce) {
      var total = 0;
      for (var i = 0; i < values.length; i++) {
        total += values[i];
      }
      return total;
    }`,
    expect: ALWAYS,
  },
  {
    name: 'a for loop with a variable nobody declares',
    map: NUMBER_TOTAL,
    reduce:
      'function (keys, values) { total = 0; for (i = 0; i < values.length; i++) { total = total + values[i]; } return total; }',
    expect: { verdict: ['equal', 'custom'], builtin: '_sum' },
  },
  {
    name: 'a for loop backwards',
    map: NUMBER_TOTAL,
    reduce:
      'function (keys, values) { var t = 0; for (var i = values.length - 1; i >= 0; i--) t += values[i]; return t; }',
    expect: { verdict: ['equal', 'custom'], builtin: '_sum' },
  },
  {
    name: 'a for loop with the length kept',
    map: NUMBER_TOTAL,
    reduce:
      'function (keys, values) { var t = 0; for (var i = 0, n = values.length; i < n; ++i) { t += values[i]; } return t; }',
    expect: ALWAYS,
  },
  {
    name: 'a while loop',
    map: NUMBER_TOTAL,
    reduce:
      'function (keys, values) { var t = 0, i = 0; while (i < values.length) { t += values[i]; i++; } return t; }',
    expect: ALWAYS,
  },
  {
    name: 'a while loop that counts down',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { var t = 0, i = values.length; while (i--) { t += values[i]; } return t; }',
    expect: { verdict: ['equal', 'custom'], builtin: '_sum' },
  },
  {
    name: 'a loop that takes the values off',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { var t = 0; while (values.length > 0) { t += values.pop(); } return t; }',
    expect: { verdict: ['equal', 'custom'], builtin: '_sum' },
  },
  {
    name: 'for in',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { var total = 0; for (var v in values) { total += values[v]; } return total; }',
    expect: ALWAYS,
  },
  {
    name: 'for in over the indexes themselves, a mistake',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { var total = 0; for (var v in values) { total += v; } return total; }',
    expect: { verdict: ['wrong', 'grows'] },
  },
  {
    name: 'for of',
    map: NUMBER_TOTAL,
    reduce: '(keys, values) => { let total = 0; for (const value of values) total += value; return total; }',
    expect: ALWAYS,
  },
  {
    name: 'forEach',
    map: NUMBER_TOTAL,
    reduce:
      'function (keys, values) { var total = 0; values.forEach(function (value) { total += value; }); return total; }',
    expect: ALWAYS,
  },
  {
    name: 'forEach with an arrow',
    map: ANY_TOTAL,
    reduce: '(keys, values) => { let total = 0; values.forEach((value) => { total = value + total; }); return total; }',
    expect: IF,
  },
  {
    name: 'reduce from 0',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { return values.reduce(function (a, b) { return a + b; }, 0); }',
    expect: ALWAYS,
  },
  {
    name: 'reduce by arrows',
    map: ANY_TOTAL,
    reduce: '(keys, values) => values.reduce((a, b) => a + b, 0)',
    expect: IF,
  },
  {
    name: 'reduce with no start: there is always a value',
    map: NUMBER_TOTAL,
    reduce: '(keys, values) => values.reduce((a, b) => a + b)',
    expect: { verdict: 'equal', builtin: '_sum', conditionHolds: 'always' },
  },
  {
    name: 'reduceRight from 0',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { return values.reduceRight(function (a, b) { return a + b; }, 0); }',
    expect: { verdict: ['equal', 'custom'], builtin: '_sum' },
  },
  {
    name: 'reduce from 1, a mistake each pass repeats',
    map: NUMBER_TOTAL,
    reduce: '(keys, values) => values.reduce((a, b) => a + b, 1)',
    expect: { verdict: 'wrong' },
  },
  {
    name: "reduce from ''",
    map: NUMBER_TOTAL,
    reduce: "(keys, values) => values.reduce((a, b) => a + b, '')",
    expect: { verdict: ['wrong', 'grows'] },
  },
  {
    name: 'both branches the same',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values, rereduce) { if (rereduce) { return sum(values); } else { return sum(values); } }',
    expect: ALWAYS,
  },
  {
    name: 'a loop in one branch, sum() in the other',
    map: NUMBER_TOTAL,
    reduce: `function (keys, values, rereduce) {
      if (rereduce) return sum(values);
      var result = 0;
      values.forEach(function (amount) { result += amount; });
      return result;
    }`,
    expect: ALWAYS,
  },
  {
    name: 'a sum in an object that is not returned',
    map: NUMBER_TOTAL,
    reduce:
      'function (k, v) { var acc = { total: 0 }; for (var i = 0; i < v.length; i++) { acc.total += v[i]; } return acc.total; }',
    expect: ALWAYS,
  },
  {
    name: '`|| 0` on every value',
    map: ANY_TOTAL,
    reduce: 'function (keys, values) { var t = 0; values.forEach(function (v) { t += v || 0; }); return t; }',
    expect: IF,
  },
  {
    name: 'parseFloat on every value: the same for numbers, not for texts',
    map: ANY_TOTAL,
    reduce: 'function (keys, values) { var t = 0; for (var i in values) { t += parseFloat(values[i]); } return t; }',
    expect: IF,
  },
  {
    name: 'Number on every value: null becomes 0',
    map: ANY_TOTAL,
    reduce: '(keys, values) => values.map(Number).reduce((a, b) => a + b, 0)',
    expect: { verdict: ['equal', 'custom'], builtin: '_sum', conditionHolds: 'if' },
  },
  {
    name: 'parseInt on every value: it cuts fractions',
    map: NUMBER_TOTAL,
    reduce:
      'function (keys, values) { var t = 0; for (var i = 0; i < values.length; i++) t += parseInt(values[i], 10); return t; }',
    expect: { verdict: ['custom', 'wrong'] },
  },
  {
    name: 'a guard on typeof',
    map: ANY_TOTAL,
    reduce:
      "function (keys, values) { var t = 0; values.forEach(function (v) { if (typeof v === 'number') t += v; }); return t; }",
    expect: IF,
  },
  {
    name: 'a guard on typeof with the wrong name of the type',
    map: NUMBER_TOTAL,
    reduce:
      "function (keys, values) { var t = 0; values.forEach(function (v) { if (typeof v === 'Number') t += v; }); return t; }",
    expect: { verdict: ['custom', 'equalAfterRewrite'] },
  },
  {
    name: 'nulls skipped',
    map: ANY_TOTAL,
    reduce:
      'function (keys, values) { var t = 0; values.forEach(function (v) { if (v !== null) { t += v; } }); return t; }',
    expect: IF,
  },
  {
    name: 'falsy values skipped with continue',
    map: ANY_TOTAL,
    reduce:
      'function (k, values) { var t = 0; for (var i = 0; i < values.length; i++) { if (!values[i]) continue; t += values[i]; } return t; }',
    expect: IF,
  },
  {
    name: 'only what is above 0',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { var t = 0; values.forEach(function (v) { if (v > 0) t += v; }); return t; }',
    expect: { verdict: 'custom' },
  },
  {
    name: 'filtered, then sum()',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { return sum(values.filter(function (v) { return v; })); }',
    expect: { verdict: ['equal', 'custom'], builtin: '_sum' },
  },
  {
    name: 'the parameters have other names',
    map: NUMBER_TOTAL,
    reduce:
      'function (ids, amounts, again) { var out = 0; for (var n = 0; n < amounts.length; n += 1) { out += amounts[n]; } return out; }',
    expect: ALWAYS,
  },
  {
    name: 'the only parameter is called values, and is the keys',
    map: NUMBER_TOTAL,
    reduce: 'function (values) { return sum(values); }',
    expect: { verdict: ['wrong', 'grows'] },
  },
  {
    name: 'a harmless line in the log',
    map: NUMBER_TOTAL,
    reduce: "function (keys, values, rereduce) { log('adding ' + values.length + ' totals'); return sum(values); }",
    expect: ALWAYS,
  },
  {
    name: 'console.log, which CouchDB does not have: every answer is null',
    map: NUMBER_TOTAL,
    reduce: "function (keys, values) { console.log('adding'); return sum(values); }",
    expect: { verdict: ['custom', 'unknown', 'equalAfterRewrite'] },
  },
  {
    name: 'an early return for what never comes, no value',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { if (values.length === 0) { return 0; } return sum(values); }',
    expect: { verdict: 'equal', builtin: '_sum', conditionHolds: 'always' },
  },
  {
    name: 'an early return for one value',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { if (values.length === 1) return values[0]; return sum(values); }',
    expect: { verdict: ['equal', 'custom'], builtin: '_sum' },
  },
  {
    name: 'plus 0 behind the sum',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { return sum(values) + 0; }',
    expect: { verdict: ['equal', 'custom'], builtin: '_sum' },
  },
  {
    name: 'rounded to cents in every pass: two rows of 0.125 become 0.26',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { return Math.round(sum(values) * 100) / 100; }',
    expect: { verdict: ['wrong', 'custom', 'equalAfterRewrite'], builtin: '_sum' },
  },
  {
    name: 'toFixed: a text is added in the second pass',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { return sum(values).toFixed(2); }',
    expect: { verdict: 'wrong' },
  },
  {
    name: 'cents become euros in every pass',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { return sum(values) / 100; }',
    expect: { verdict: 'wrong' },
  },
  {
    name: 'cents become euros in the first pass alone',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values, rereduce) { return rereduce ? sum(values) : sum(values) / 100; }',
    expect: { verdict: ['equalAfterRewrite', 'custom'], builtin: '_sum' },
  },
  {
    name: 'the sign changes in every pass',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { var t = 0; values.forEach(function (v) { t -= v; }); return t; }',
    expect: { verdict: 'wrong' },
  },
  {
    name: 'the absolute value of the sum',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { return Math.abs(sum(values)); }',
    expect: { verdict: 'wrong' },
  },
  {
    name: 'the first value is left out',
    map: NUMBER_TOTAL,
    reduce:
      'function (keys, values) { var t = 0; for (var i = 1; i < values.length; i++) { t += values[i]; } return t; }',
    expect: { verdict: 'wrong' },
  },
  {
    name: 'one value too many is read: NaN, so null',
    map: NUMBER_TOTAL,
    reduce:
      'function (keys, values) { var t = 0; for (var i = 0; i <= values.length; i++) { t += values[i]; } return t; }',
    expect: { verdict: ['custom', 'equalAfterRewrite'] },
  },
  {
    name: 'the sum does not start: NaN, so null',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { var t; values.forEach(function (v) { t += v; }); return t; }',
    expect: { verdict: ['custom', 'equalAfterRewrite'] },
  },
  {
    name: 'the first turn of the loop returns',
    map: NUMBER_TOTAL,
    reduce:
      'function (keys, values) { var t = 0; for (var i = 0; i < values.length; i++) { t += values[i]; return t; } }',
    expect: { verdict: 'wrong' },
  },
  {
    name: 'the result stands behind a line break after return',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) {\n  return\n    sum(values);\n}',
    expect: { verdict: ['custom', 'equalAfterRewrite'] },
  },
  {
    name: 'a variable named sum hides the function',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { var sum = sum(values); return sum; }',
    expect: { verdict: ['custom', 'equalAfterRewrite', 'unknown'] },
  },
  {
    name: 'a variable named sum is the sum',
    map: NUMBER_TOTAL,
    reduce:
      'function (keys, values) { var sum = 0; for (var i = 0; i < values.length; i++) { sum += values[i]; } return sum; }',
    expect: ALWAYS,
  },
  {
    name: 'a function of its own named sum counts',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { function sum(list) { return list.length; } return sum(values); }',
    expect: { verdict: 'wrong' },
  },
  {
    name: 'the values are cut before they are added',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { values.shift(); return sum(values); }',
    expect: { verdict: 'wrong' },
  },
  {
    name: 'the values are turned around before they are added',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { values.reverse(); return sum(values); }',
    expect: { verdict: ['equal', 'custom'], builtin: '_sum' },
  },
  {
    name: 'only the first pass answers',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values, rereduce) { if (!rereduce) { return sum(values); } }',
    expect: { verdict: 'wrong' },
  },
  {
    name: 'the product',
    map: NUMBER_TOTAL,
    reduce: 'function (keys, values) { return values.reduce(function (a, b) { return a * b; }, 1); }',
    expect: { verdict: ['custom', 'wrong'] },
  },
  {
    name: 'an exception for what is no number',
    map: ANY_TOTAL,
    reduce: `function (keys, values) {
      var t = 0;
      values.forEach(function (v) { if (typeof v !== 'number') throw new Error('no number'); t += v; });
      return t;
    }`,
    expect: { verdict: ['equal', 'custom'], builtin: '_sum', conditionHolds: 'if' },
  },
];
