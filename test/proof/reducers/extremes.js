// Reducers that keep the least, the greatest or the best few: `_stats` has the least and the greatest number; `_top_N` and
// `_bottom_N` (3.5.0 and later) list distinct values.

import { ANY_TOTAL, DATE_TEXT, NUMBER_TOTAL, STATUS } from './maps.js';

/** @import { ReducerRow } from './maps.js' */

/** @type {ReducerRow['expect']} */
const REWRITE = { verdict: 'equalAfterRewrite', builtin: ['_stats', '_top_1', '_bottom_1'] };
/** @type {ReducerRow['expect']} */
const MAYBE = { verdict: ['equalAfterRewrite', 'custom'], builtin: ['_stats', '_top_1', '_bottom_1'] };
/** @type {ReducerRow['expect']} */
const CUSTOM = { verdict: 'custom' };

const TOP_THREE = (/** @type {string} */ distinct) => `function (keys, values, rereduce) {
  var all = rereduce ? [].concat.apply([], values) : values.slice();
  all.sort(function (a, b) { return b - a; });
  ${distinct}
  return all.slice(0, 3);
}`;
const DISTINCT = 'all = all.filter(function (v, i) { return i === 0 || v !== all[i - 1]; });';

/** @type {[string, string, string, ReducerRow['expect'], string?][]} */
const ROWS = [
  ['Math.max.apply', NUMBER_TOTAL, 'function (keys, values) { return Math.max.apply(null, values); }', REWRITE],
  [
    'Math.max.apply of any field',
    ANY_TOTAL,
    'function (keys, values, rereduce) { return Math.max.apply(Math, values); }',
    MAYBE,
  ],
  ['Math.min with spread', NUMBER_TOTAL, '(keys, values) => Math.min(...values)', REWRITE],
  ['Math.max in a reduce', NUMBER_TOTAL, '(keys, values) => values.reduce((a, b) => Math.max(a, b))', MAYBE],
  [
    'Math.max in a reduce from -Infinity',
    NUMBER_TOTAL,
    'function (k, v) { return v.reduce(function (a, b) { return Math.max(a, b); }, -Infinity); }',
    MAYBE,
  ],
  [
    'a loop from the first',
    NUMBER_TOTAL,
    'function (keys, values) { var max = values[0]; for (var i = 1; i < values.length; i++) { if (values[i] > max) { max = values[i]; } } return max; }',
    MAYBE,
  ],
  [
    'a loop from -Infinity',
    NUMBER_TOTAL,
    'function (keys, values) { var max = -Infinity; values.forEach(function (v) { if (v > max) max = v; }); return max; }',
    MAYBE,
  ],
  [
    'a loop from null',
    NUMBER_TOTAL,
    'function (keys, values) { var max = null; values.forEach(function (v) { if (max === null || v > max) max = v; }); return max; }',
    MAYBE,
  ],
  [
    'a loop from 0: the greatest of 0 and all',
    NUMBER_TOTAL,
    'function (keys, values) { var max = 0; for (var i = 0; i < values.length; i++) { if (values[i] > max) { max = values[i]; } } return max; }',
    CUSTOM,
  ],
  [
    'the least from 0',
    NUMBER_TOTAL,
    'function (keys, values) { var min = 0; values.forEach(function (v) { if (v < min) min = v; }); return min; }',
    CUSTOM,
  ],
  [
    'the least from 9999999',
    NUMBER_TOTAL,
    'function (keys, values) { var min = 9999999; values.forEach(function (v) { if (v < min) min = v; }); return min; }',
    CUSTOM,
  ],
  [
    'Math.max of the list itself: NaN but for one value',
    NUMBER_TOTAL,
    'function (keys, values) { return Math.max(values); }',
    { verdict: 'wrong' },
  ],
  [
    'the greatest in the first pass, the sum of them in the second',
    NUMBER_TOTAL,
    'function (keys, values, rereduce) { return rereduce ? sum(values) : Math.max.apply(null, values); }',
    { verdict: 'wrong' },
  ],
  [
    'sorted by number, the first',
    NUMBER_TOTAL,
    'function (keys, values) { return values.sort(function (a, b) { return a - b; })[0]; }',
    MAYBE,
  ],
  ['sorted as texts, the first', NUMBER_TOTAL, 'function (keys, values) { return values.sort()[0]; }', CUSTOM],
  [
    'the latest of dates',
    DATE_TEXT,
    "function (keys, values) { var last = ''; values.forEach(function (v) { if (v > last) last = v; }); return last; }",
    CUSTOM,
    '3.4.3',
  ],
  [
    'the latest of dates, for 3.5',
    DATE_TEXT,
    'function (keys, values) { return values.reduce(function (a, b) { return a > b ? a : b; }); }',
    { verdict: ['custom', 'equalAfterRewrite'], builtin: '_top_1' },
    '3.5.0',
  ],
  [
    'the greatest alone, for 3.5',
    NUMBER_TOTAL,
    'function (keys, values) { return Math.max.apply(null, values); }',
    { verdict: 'equalAfterRewrite', builtin: '_top_1', conditionHolds: 'always' },
    '3.5.0',
  ],
  [
    'the least alone, for 3.5',
    NUMBER_TOTAL,
    'function (keys, values) { return Math.min.apply(null, values); }',
    { verdict: 'equalAfterRewrite', builtin: '_bottom_1', conditionHolds: 'always' },
    '3.5.0',
  ],
  [
    'the greatest as a list of one, for 3.5',
    NUMBER_TOTAL,
    'function (keys, values, rereduce) { var all = rereduce ? values.map(function (v) { return v[0]; }) : values; return [Math.max.apply(null, all)]; }',
    { verdict: ['equal', 'equalAfterRewrite', 'custom'], builtin: ['_top_1', '_stats'] },
    '3.5.0',
  ],
  ['the best three with repeats, for 3.5', NUMBER_TOTAL, TOP_THREE(''), { verdict: ['custom'] }, '3.5.0'],
  [
    'the best three, distinct, for 3.5',
    NUMBER_TOTAL,
    TOP_THREE(DISTINCT),
    { verdict: ['equal', 'custom'], builtin: '_top_3' },
    '3.5.0',
  ],
  ['the best three, distinct, for 3.4', NUMBER_TOTAL, TOP_THREE(DISTINCT), CUSTOM, '3.4.3'],
  [
    'the best three, of which the second pass takes the first list',
    NUMBER_TOTAL,
    'function (keys, values, rereduce) { if (rereduce) return values[0]; return values.sort(function (a, b) { return b - a; }).slice(0, 3); }',
    { verdict: 'wrong' },
  ],
  [
    'the best three, lists in lists',
    NUMBER_TOTAL,
    'function (keys, values) { return values.sort(function (a, b) { return b - a; }).slice(0, 3); }',
    { verdict: ['wrong', 'grows'] },
  ],
  [
    'the median of what is there',
    NUMBER_TOTAL,
    'function (keys, values) { values.sort(function (a, b) { return a - b; }); return values[Math.floor(values.length / 2)]; }',
    { verdict: 'wrong' },
  ],
  ['the first by position', NUMBER_TOTAL, 'function (keys, values) { return values[0]; }', { verdict: 'wrong' }],
  [
    'the last by position',
    STATUS,
    'function (keys, values) { return values[values.length - 1]; }',
    { verdict: 'wrong' },
  ],
  [
    'the last by position, for 3.5',
    STATUS,
    'function (keys, values) { return values.pop(); }',
    { verdict: 'wrong' },
    '3.5.0',
  ],
  [
    'the last that is not empty, by position',
    STATUS,
    "function (keys, values) { var last = ''; for (var i in values) { if (values[i]) last = values[i]; } return last; }",
    { verdict: 'wrong' },
  ],
];

/** @type {ReducerRow[]} */
export const EXTREMES = ROWS.map(([name, map, reduce, expect, target]) => ({
  name: `extremes: ${name}`,
  map,
  reduce,
  ...(target ? { target } : {}),
  expect,
}));
