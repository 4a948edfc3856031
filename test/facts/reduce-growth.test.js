import { expect, test } from 'vitest';
import { reduceStructure } from '../../lib/facts/javascript/reduce-structure.js';
import { MappedText } from '../../lib/shared/mapped-text.js';
import { SourceFile } from '../../lib/shared/source-file.js';

/**
 * @param {string} reduce
 * @returns {string[]}
 */
function growthOf(reduce) {
  const structure = reduceStructure(MappedText.raw(new SourceFile('reduce.js', reduce)));
  if ('unknown' in structure) throw new Error(structure.unknown);
  return structure.growth.map(({ value }) => value);
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
    'a list that is cut',
    `${head} if (rereduce) list = list.concat(values[i]); else list.push(values[i]); } return list.slice(0, 9); }`,
  ],
])('a list is not said to grow: %s', (_, reduce) => {
  expect(growthOf(reduce)).toEqual([]);
});

test('a reduce that is nested too deeply is not told of', () => {
  const reduce = `function (keys, values) { return ${'!'.repeat(20_000)}values; }`;
  const structure = reduceStructure(MappedText.raw(new SourceFile('reduce.js', reduce)));
  expect(structure).toHaveProperty('unknown');
});
