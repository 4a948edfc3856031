import { expect, test } from 'vitest';
import { readFiles, UNKNOWN } from '../../helpers/facts-of.js';

/**
 * @param {string} reduce
 * @returns {unknown} what grows; `UNKNOWN`
 */
function growthOf(reduce) {
  const views = { all: { map: 'function (doc) { emit(doc.type, doc.total); }', reduce } };
  return readFiles({ 'a.json': { _id: '_design/a', views } }).shortFact('view', 'reduce.growth');
}

const head = 'function (keys, values, rereduce) { var list = []; for (var i = 0; i < values.length; i++) {';
const tail = '} return list; }';
const grows = ['adds to `list` for every value'];

test.each([
  [
    'both branches of a test of rereduce',
    `${head} if (rereduce) list = list.concat(values[i]); else list.push(values[i]); ${tail}`,
  ],
  [
    'both branches in blocks',
    `${head} if (!rereduce) { list.push(values[i]); } else { list = list.concat(values[i]); } ${tail}`,
  ],
  [
    'both branches of a comparison',
    `${head} if (rereduce === true) { list = list.concat(values[i]); } else { list.push(values[i]); } ${tail}`,
  ],
  [
    'a loop in each branch',
    'function (keys, values, rereduce) { var list = []; if (rereduce) { for (var i in values) list = list.concat(values[i]); } else { values.forEach(function (v) { list.push(v); }); } return list; }',
  ],
  ['no test', `${head} list.push(values[i]); ${tail}`],
  [
    'a loop to a constant within one over the rows',
    `${head} for (var n = 0; n < 3; n++) list.push(values[i][n]); ${tail}`,
  ],
  [
    'a length that is kept',
    'function (keys, values) { var list = [], n = values.length; for (var i = 0; i < n; i++) list.push(values[i]); return list; }',
  ],
  [
    'a loop from the end',
    'function (keys, values) { var list = []; for (var i = values.length - 1; i >= 0; i--) list.push(values[i]); return list; }',
  ],
  [
    'a while loop',
    'function (keys, values) { var list = [], i = 0; while (i < values.length) { list.push(values[i]); i++; } return list; }',
  ],
  ['for-of', 'function (keys, values) { const list = []; for (const v of values) list.push(v); return list; }'],
  [
    'lists of the rows joined',
    'function (keys, values) { var list = []; values.forEach(function (v) { v.forEach(function (x) { list.push(x); }); }); return list; }',
  ],
])('a list grows: %s', (_, reduce) => {
  expect(growthOf(reduce)).toEqual(grows);
});

test.each([
  ['one branch only', `${head} if (rereduce) { log(values[i]); } else { list.push(values[i]); } ${tail}`],
  [
    'another list in the other branch',
    `${head} if (rereduce) { other.push(values[i]); } else { list.push(values[i]); } ${tail}`,
  ],
  [
    'a test of the data',
    `${head} if (values[i] > 5) list.push(values[i]); else list = list.concat(values[i]); ${tail}`,
  ],
  [
    'a test of the data as well',
    `${head} if (rereduce) { if (values[i]) list.push(values[i]); } else { list.push(values[i]); } ${tail}`,
  ],
  [
    'a test of rereduce and the data',
    `${head} if (rereduce && values[i]) list.push(values[i]); else list.push(0); ${tail}`,
  ],
  ['two tests of rereduce', `${head} if (rereduce) { if (!rereduce) list.push(1); } else { list.push(2); } ${tail}`],
  [
    'no loop',
    'function (keys, values, rereduce) { var list = []; if (rereduce) list.push(1); else list.push(2); return list; }',
  ],
  [
    'a loop to a constant',
    'function (keys, values) { var list = []; for (var i = 0; i < 10; i++) list.push(values[i] || 0); return list; }',
  ],
  [
    'a loop from a constant',
    'function (keys, values) { var list = []; for (var i = 9; i >= 0; i--) list.push(values[i]); return list; }',
  ],
  [
    'a loop to a named constant',
    'function (keys, values) { var list = [], most = 24; for (var i = 0; i < most; i++) list.push(0); return list; }',
  ],
  [
    'a loop to the lesser of two',
    'function (keys, values) { var list = []; for (var i = 0; i < Math.min(10, values.length); i++) list.push(values[i]); return list; }',
  ],
  [
    'a loop with two bounds',
    'function (keys, values) { var list = []; for (var i = 0; i < values.length && i < 10; i++) list.push(values[i]); return list; }',
  ],
  [
    'a while loop to a length',
    `function (k, v) { var list = []; while (list.length < 10) list.push(0); return list; }`,
  ],
  [
    'a loop over a list of constants',
    "function (k, v) { var list = []; ['open', 'paid'].forEach(function (s) { list.push(s + v.length); }); return list; }",
  ],
  ['padding', "function (k, v) { var text = ''; for (var i = 0; i < 8; i++) text += '0'; return text; }"],
  ['a loop that is left', `${head} list.push(values[i]); if (list.length === 10) break; ${tail}`],
  ['rows passed over', `${head} if (seen[values[i]]) continue; seen[values[i]] = 1; list.push(values[i]); ${tail}`],
  [
    'rows passed over in a callback',
    'function (k, v) { var list = [], seen = {}; v.forEach(function (x) { if (seen[x]) return; seen[x] = 1; list.push(x); }); return list; }',
  ],
  ['a length that is set', `${head} list.push(values[i]); } list.sort(); list.length = 3; return list; }`],
  ['values returned where they are few', 'function (k, v, r) { if (v.length < 10) return v; return v.sort()[0]; }'],
  [
    'a list that is cut',
    `${head} if (rereduce) list = list.concat(values[i]); else list.push(values[i]); } return list.slice(0, 9); }`,
  ],
])('a list is not said to grow: %s', (_, reduce) => {
  expect(growthOf(reduce)).toEqual([]);
});

test('a reduce that is nested too deeply is not told of', () => {
  const reduce = `function (keys, values) { return ${'!'.repeat(20_000)}values; }`;
  expect(growthOf(reduce)).toBe(UNKNOWN);
});
