// Reducers that keep several figures of numbers: `_stats` answers {sum, count, min, max, sumsqr}, so only a reducer with
// exactly these members is equal; one with fewer, or one that divides, is equal after a rewrite of what clients read.

import { ANY_SUM_AND_COUNT, ANY_TOTAL, NUMBER_TOTAL, SUM_AND_COUNT } from './maps.js';

/** @import { ReducerRow } from './maps.js' */

/** @type {ReducerRow['expect']} */
const REWRITE = { verdict: ['equalAfterRewrite', 'custom'], builtin: '_stats' };
/** @type {ReducerRow['expect']} */
const WRONG = { verdict: 'wrong' };

/**
 * A reducer with all five members, and a place for one mistake each.
 * @param {Partial<Record<'min' | 'max' | 'first' | 'secondSum' | 'secondMin' | 'secondCount' | 'square', string>>} parts
 */
const five = (parts) => `function (keys, values, rereduce) {
  if (!rereduce) {
    var out = { sum: 0, count: 0, min: ${parts.min ?? 'values[0]'}, max: ${parts.max ?? 'values[0]'}, sumsqr: 0 };
    for (var i = 0; i < values.length; i++) {
      ${parts.first ?? 'out.sum += values[i];'}
      out.count++;
      if (values[i] < out.min) out.min = values[i];
      if (values[i] > out.max) out.max = values[i];
      out.sumsqr += ${parts.square ?? 'values[i] * values[i]'};
    }
    return out;
  }
  var all = { sum: 0, count: 0, min: values[0].min, max: values[0].max, sumsqr: 0 };
  for (var j = 0; j < values.length; j++) {
    ${parts.secondSum ?? 'all.sum += values[j].sum;'}
    ${parts.secondCount ?? 'all.count += values[j].count;'}
    ${parts.secondMin ?? 'if (values[j].min < all.min) all.min = values[j].min;'}
    if (values[j].max > all.max) all.max = values[j].max;
    all.sumsqr += values[j].sumsqr;
  }
  return all;
}`;

const BY_MATH = `function (keys, values, rereduce) {
  if (rereduce) {
    return {
      sum: values.reduce(function (a, b) { return a + b.sum; }, 0),
      min: values.reduce(function (a, b) { return Math.min(a, b.min); }, Infinity),
      max: values.reduce(function (a, b) { return Math.max(a, b.max); }, -Infinity),
      count: values.reduce(function (a, b) { return a + b.count; }, 0),
      sumsqr: values.reduce(function (a, b) { return a + b.sumsqr; }, 0)
    };
  }
  return {
    sum: sum(values),
    min: Math.min.apply(null, values),
    max: Math.max.apply(null, values),
    count: values.length,
    sumsqr: (function () {
      var squares = 0;
      values.forEach(function (value) { squares += value * value; });
      return squares;
    })()
  };
}`;

/** @type {[string, string, string, ReducerRow['expect']][]} */
const ROWS = [
  [
    'all five, with Math.min and Math.max',
    NUMBER_TOTAL,
    BY_MATH,
    { verdict: ['equal', 'equalAfterRewrite'], builtin: '_stats', conditionHolds: ['always', 'if'] },
  ],
  [
    'all five of any field, with Math.min and Math.max',
    ANY_TOTAL,
    BY_MATH,
    { verdict: ['equal', 'equalAfterRewrite'], builtin: '_stats', conditionHolds: 'if' },
  ],
  [
    'all five, in loops',
    NUMBER_TOTAL,
    five({}),
    { verdict: ['equal', 'equalAfterRewrite'], builtin: '_stats', conditionHolds: ['always', 'if'] },
  ],
  [
    'all five, in loops, of any field',
    ANY_TOTAL,
    five({}),
    { verdict: ['equal', 'equalAfterRewrite'], builtin: '_stats', conditionHolds: 'if' },
  ],
  [
    'all five from Infinity',
    NUMBER_TOTAL,
    five({ min: 'Infinity', max: '-Infinity' }),
    { verdict: ['equal', 'equalAfterRewrite'], builtin: '_stats' },
  ],
  ['all five, the least starts at 0', NUMBER_TOTAL, five({ min: '0' }), { verdict: 'custom' }],
  ['all five, the greatest starts at 0', NUMBER_TOTAL, five({ max: '0' }), { verdict: 'custom' }],
  [
    'all five, the greatest starts at Number.MIN_VALUE',
    NUMBER_TOTAL,
    five({ max: 'Number.MIN_VALUE' }),
    { verdict: 'custom' },
  ],
  ['all five, the squares are doubled', NUMBER_TOTAL, five({ square: 'values[i] * 2' }), { verdict: 'custom' }],
  [
    'all five, the second pass takes the sum of the last',
    NUMBER_TOTAL,
    five({ secondSum: 'all.sum = values[j].sum;' }),
    WRONG,
  ],
  ['all five, the second pass counts the answers', NUMBER_TOTAL, five({ secondCount: 'all.count++;' }), WRONG],
  ['all five, the second pass forgets the least', NUMBER_TOTAL, five({ secondMin: '' }), WRONG],
  [
    'all five, the second pass compares the least with the greatest',
    NUMBER_TOTAL,
    five({ secondMin: 'if (values[j].max < all.min) all.min = values[j].max;' }),
    WRONG,
  ],
  [
    'all five in one pass alone',
    NUMBER_TOTAL,
    'function (keys, values) { return { sum: sum(values), count: values.length, min: Math.min.apply(null, values), max: Math.max.apply(null, values), sumsqr: sum(values.map(function (v) { return v * v; })) }; }',
    { verdict: ['wrong', 'grows'] },
  ],
  [
    'all five, the maximum by sort()',
    NUMBER_TOTAL,
    'function (keys, values, rereduce) { if (rereduce) { return { sum: sum(values.map(function (v) { return v.sum; })), count: sum(values.map(function (v) { return v.count; })), min: Math.min.apply(null, values.map(function (v) { return v.min; })), max: Math.max.apply(null, values.map(function (v) { return v.max; })), sumsqr: sum(values.map(function (v) { return v.sumsqr; })) }; } var sorted = values.slice().sort(); return { sum: sum(values), count: values.length, min: sorted[0], max: sorted[sorted.length - 1], sumsqr: sum(values.map(function (v) { return v * v; })) }; }',
    { verdict: ['custom', 'wrong'] },
  ],
  [
    'sum and count of numbers',
    NUMBER_TOTAL,
    'function (keys, values, rereduce) { var r = { sum: 0, count: 0 }; for (var i = 0; i < values.length; i++) { if (rereduce) { r.sum += values[i].sum; r.count += values[i].count; } else { r.sum += values[i]; r.count += 1; } } return r; }',
    { verdict: ['equalAfterRewrite', 'custom'], builtin: ['_stats', '_sum'] },
  ],
  [
    'sum and count of any field',
    ANY_TOTAL,
    'function (keys, values, rereduce) { if (rereduce) { return { sum: sum(values.map(function (v) { return v.sum; })), count: sum(values.map(function (v) { return v.count; })) }; } return { sum: sum(values), count: values.length }; }',
    { verdict: ['equalAfterRewrite', 'custom'], builtin: ['_stats', '_sum'] },
  ],
  [
    'sum and count, emitted as such',
    SUM_AND_COUNT,
    'function (keys, values) { var r = { sum: 0, count: 0 }; values.forEach(function (v) { r.sum += v.sum; r.count += v.count; }); return r; }',
    { verdict: ['equal', 'equalAfterRewrite'], builtin: '_sum', conditionHolds: ['always', 'if'] },
  ],
  [
    'sum and count, emitted as such, of any field',
    ANY_SUM_AND_COUNT,
    'function (keys, values) { var r = { sum: 0, count: 0 }; values.forEach(function (v) { r.sum += v.sum; r.count += v.count; }); return r; }',
    { verdict: ['equal', 'equalAfterRewrite'], builtin: '_sum', conditionHolds: 'if' },
  ],
  [
    'the sum alone of what is emitted as sum and count',
    SUM_AND_COUNT,
    'function (keys, values) { var r = { sum: 0 }; values.forEach(function (v) { r.sum += v.sum; }); return r; }',
    { verdict: ['equalAfterRewrite', 'custom'] },
  ],
  [
    'an average kept with its parts',
    NUMBER_TOTAL,
    'function (keys, values, rereduce) { var s = 0, n = 0; values.forEach(function (v) { if (rereduce) { s += v.sum; n += v.count; } else { s += v; n++; } }); return { sum: s, count: n, average: s / n }; }',
    { verdict: ['equalAfterRewrite', 'custom'], builtin: '_stats' },
  ],
  [
    'an average as [sum, count]',
    NUMBER_TOTAL,
    'function (keys, values, rereduce) { if (rereduce) { return values.reduce(function (a, b) { return [a[0] + b[0], a[1] + b[1]]; }, [0, 0]); } return [sum(values), values.length]; }',
    { verdict: ['equalAfterRewrite', 'custom'], builtin: ['_stats', '_sum'] },
  ],
  ['an average of averages', NUMBER_TOTAL, 'function (keys, values) { return sum(values) / values.length; }', WRONG],
  [
    'an average of averages, of any field',
    ANY_TOTAL,
    'function (keys, values, rereduce) { var s = 0; for (var i in values) { s += values[i]; } return s / values.length; }',
    WRONG,
  ],
  [
    'an average of averages, with a branch',
    NUMBER_TOTAL,
    'function (keys, values, rereduce) { if (rereduce) { return sum(values) / values.length; } return sum(values) / keys.length; }',
    WRONG,
  ],
  ['an average by halves', NUMBER_TOTAL, '(keys, values) => values.reduce((a, b) => (a + b) / 2)', WRONG],
  [
    'an average that the second pass adds',
    NUMBER_TOTAL,
    'function (keys, values, rereduce) { return rereduce ? sum(values) : sum(values) / values.length; }',
    WRONG,
  ],
  [
    'an average from parts, lost in the second pass',
    NUMBER_TOTAL,
    'function (keys, values, rereduce) { if (!rereduce) { return { sum: sum(values), count: values.length }; } var s = 0, n = 0; values.forEach(function (v) { s += v.sum; n += v.count; }); return s / n; }',
    { verdict: 'wrong' },
  ],
  [
    'least and greatest',
    NUMBER_TOTAL,
    'function (keys, values, rereduce) { var r = { min: null, max: null }; values.forEach(function (v) { var lo = rereduce ? v.min : v; var hi = rereduce ? v.max : v; if (r.min === null || lo < r.min) r.min = lo; if (r.max === null || hi > r.max) r.max = hi; }); return r; }',
    REWRITE,
  ],
  [
    'sum, count and standard deviation',
    NUMBER_TOTAL,
    'function (keys, values, rereduce) { var s = 0, n = 0, q = 0; for (var i = 0; i < values.length; i++) { if (rereduce) { s += values[i].sum; n += values[i].count; q += values[i].sumsqr; } else { s += values[i]; n += 1; q += values[i] * values[i]; } } return { sum: s, count: n, sumsqr: q, deviation: Math.sqrt(Math.max(0, q / n - (s / n) * (s / n))) }; }',
    { verdict: ['equalAfterRewrite', 'custom', 'wrong'], builtin: '_stats' },
  ],
];

/** @type {ReducerRow[]} */
export const STATS = ROWS.map(([name, map, reduce, expect]) => ({ name: `figures: ${name}`, map, reduce, expect }));
