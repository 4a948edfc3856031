// The statistics agree with SciPy (reference/signed-rank.json says how its values were made), and with counting all cases.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  chanceAbove,
  chanceBelow,
  hodgesLehmann,
  median,
  quantile,
  signedRankTail,
} from '../../../lib/measure/experiments/statistics.js';
import { holm } from '../../../lib/shared/distributions.js';

/**
 * @typedef {object} Reference
 * @property {string} name
 * @property {number[]} differences
 * @property {Record<string, number>} greater
 * @property {Record<string, number>} less
 * @property {number} hodgesLehmann
 * @property {[number, number]} interval95
 * @property {[number, number, number]} quartiles
 */

/** @type {{cases: Reference[]}} */
const { cases } = JSON.parse(readFileSync(new URL('reference/signed-rank.json', import.meta.url), 'utf8'));

describe.each(cases)('$name', ({ differences, greater, less, hodgesLehmann: estimate, interval95, quartiles }) => {
  test.each(Object.keys(greater))('chances about a shift of %s are those of SciPy', (shift) => {
    expect(chanceAbove(differences, Number(shift))).toBeCloseTo(greater[shift] ?? -1, 10);
    expect(chanceBelow(differences, Number(shift))).toBeCloseTo(less[shift] ?? -1, 10);
  });

  test('estimate and interval are those of the test turned round', () => {
    const found = hodgesLehmann(differences, 0.95);
    expect(found.estimate).toBeCloseTo(estimate, 10);
    expect(found.low).toBeCloseTo(interval95[0], 10);
    expect(found.high).toBeCloseTo(interval95[1], 10);
    expect(found.confidence).toBeGreaterThanOrEqual(0.95);
  });

  test('quartiles are those of NumPy', () => {
    expect([0.25, 0.5, 0.75].map((share) => quantile(differences, share))).toEqual(
      quartiles.map((value) => expect.closeTo(value, 10)),
    );
  });
});

test.each([1, 2, 5, 9])('the distribution of %i ranks is that of all their subsets', (n) => {
  const sums = Array.from({ length: 2 ** n }, (_, mask) =>
    Array.from({ length: n }, (_rank, at) => (mask & (1 << at) ? at + 1 : 0)).reduce((sum, rank) => sum + rank, 0),
  );
  const tail = signedRankTail(n);
  for (let least = 0; least < tail.length; least += 1) {
    expect(tail[least]).toBeCloseTo(sums.filter((sum) => sum >= least).length / sums.length, 12);
  }
});

test('equal differences and those equal to the shift speak for neither side', () => {
  expect(chanceAbove([0, 0, 0, 0])).toBeGreaterThan(0.5);
  expect(chanceBelow([0, 0, 0, 0])).toBeGreaterThan(0.5);
  expect(chanceAbove([1, 1, 1, 1, 1])).toBe(1 / 32);
});

test('nothing says nothing', () => {
  expect(chanceAbove([])).toBe(1);
  expect(median([])).toBeNaN();
  expect(hodgesLehmann([], 0.95)).toMatchObject({ confidence: 0 });
});

test('an interval of too few differences spans them and says how little it is worth', () => {
  expect(hodgesLehmann([0.1, 0.3, 0.2], 0.95)).toEqual({
    estimate: expect.closeTo(0.2, 12),
    low: 0.1,
    high: 0.3,
    confidence: 0.75,
  });
});

test.each([
  [[0.01], [0.01]],
  [
    [0.01, 0.02, 0.03],
    [0.03, 0.04, 0.04],
  ],
  [
    [0.04, 0.001, 0.9],
    [0.08, 0.003, 0.9],
  ],
  [
    [0.6, 0.5],
    [1, 1],
  ],
])('Holm makes of %j the chances %j', (chances, corrected) => {
  expect(holm(chances)).toEqual(corrected.map((chance) => expect.closeTo(chance, 12)));
});
