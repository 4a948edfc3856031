import { describe, expect, test } from 'vitest';
import {
  byCoordinator,
  haveSameOrder,
  inOneGo,
  inReverse,
  keepRows,
  makeSplits,
  rowsIn,
} from '../../lib/proof/splits.js';
import { rowsOf } from '../../lib/proof/trial-values.js';
import { randomFrom } from '../helpers/internals.js';

/** @import { ReduceTree } from '../../lib/proof/splits.js' */

/** @param {ReduceTree} tree @returns {number} second passes above its deepest rows */
function depthOf(tree) {
  return 'rows' in tree ? 0 : 1 + Math.max(...tree.parts.map(depthOf));
}

/** @param {ReduceTree} tree @returns {ReduceTree[]} */
function passesOf(tree) {
  return 'rows' in tree ? [tree] : [tree, ...tree.parts.flatMap(passesOf)];
}

describe.each([1, 2, 3, 7, 40])('splits of %i rows', (count) => {
  const rows = rowsOf(Array.from({ length: count }, (_, at) => at));
  const splits = makeSplits(rows, randomFrom(count), 30);

  test('hold every row exactly once', () => {
    const ids = rows.map(({ id }) => id);
    for (const split of splits) {
      expect(
        rowsIn(split)
          .map(({ id }) => id)
          .sort(),
      ).toEqual(ids);
    }
  });

  test('never ask for a pass over nothing', () => {
    for (const pass of splits.flatMap(passesOf)) {
      expect('rows' in pass ? pass.rows.length : pass.parts.length).toBeGreaterThan(0);
    }
  });

  test('hold all rows in one go, and that answer reduced again alone, as a coordinator does', () => {
    expect(splits[0]).toEqual({ rows });
    expect(splits).toContainEqual({ parts: [{ rows }] });
  });

  test('hold the rows in reverse order of their keys', () => {
    expect(splits).toContainEqual({ rows: [...rows].reverse() });
  });
});

test('splits of several rows go to several depths', () => {
  const depths = new Set(makeSplits(rowsOf(Array(9).fill(1)), randomFrom(3), 40).map(depthOf));
  expect([...depths].sort()).toEqual(expect.arrayContaining([0, 1, 2, 3, 4, 8]));
});

test('splits hold parts of rows that do not stand side by side, as shards do', () => {
  const rows = rowsOf([1, 2, 3, 4]);
  const [one, two, three, four] = rows;
  expect(makeSplits(rows, randomFrom(1), 0)).toContainEqual({ parts: [{ rows: [two, four] }, { rows: [one, three] }] });
});

test('the same seed makes the same splits, another seed others', () => {
  const rows = rowsOf([1, 2, 3, 4, 5, 6]);
  expect(makeSplits(rows, randomFrom(5), 12)).toEqual(makeSplits(rows, randomFrom(5), 12));
  expect(makeSplits(rows, randomFrom(5), 12)).not.toEqual(makeSplits(rows, randomFrom(6), 12));
});

test('two splits have the same order when only the grouping differs', () => {
  const rows = rowsOf([1, 2, 3]);
  expect(haveSameOrder(inOneGo(rows), byCoordinator(rows))).toBe(true);
  expect(haveSameOrder(inOneGo(rows), inOneGo(inReverse(rows)))).toBe(false);
});

test('rows are taken out of a split together with the passes they leave empty', () => {
  const [one, two, three] = /** @type {[any, any, any]} */ (rowsOf([1, 2, 3]));
  const tree = { parts: [{ parts: [{ rows: [one] }, { rows: [two] }] }, { rows: [three] }] };
  expect(keepRows(tree, new Set([one.id]))).toEqual({ parts: [{ parts: [{ rows: [one] }] }] });
  expect(keepRows(tree, new Set([three.id]))).toEqual({ parts: [{ rows: [three] }] });
  expect(keepRows(tree, new Set())).toBeUndefined();
});
