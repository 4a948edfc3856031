import { expect, test } from 'vitest';
import { isDeeperThan } from '../../lib/shared/nesting.js';

/** @param {number} levels of lists, one within the other */
function nest(levels) {
  return JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
}

test.each([
  ['null', null, 0, false],
  ['a string', '[[', 0, false],
  ['an empty list', [], 0, true],
  ['an empty list', [], 1, false],
  ['an object in a list', [1, { a: 1 }], 1, true],
  ['an object in a list', [1, { a: 1 }], 2, false],
  ['the deepest of many members', { a: [], b: { c: [[]] }, d: 1 }, 3, true],
  ['the deepest of many members', { a: [], b: { c: [[]] }, d: 1 }, 4, false],
  ['a hundred thousand levels', nest(100_000), 99_999, true],
  ['a hundred thousand levels', nest(100_000), 100_000, false],
])('%s', (_, value, levels, expected) => {
  expect(isDeeperThan(value, levels)).toBe(expected);
});
