// Counters add: parts merge to the whole, and figures are as exact as they are said to be.

import { describe, expect, test } from 'vitest';
import { CounterTable } from '../../lib/digest/counter-table.js';
import { DistinctCount, MAX_EXACT } from '../../lib/digest/distinct-count.js';
import { bucketOf, bucketRange, Histogram } from '../../lib/digest/histogram.js';
import { MAX_STEPS, MinuteCounts } from '../../lib/digest/minute-counts.js';
import { PairTable } from '../../lib/digest/pair-table.js';
import { scanTarget } from '../../lib/digest/scan-target.js';
import { isLong } from '../helpers/long.js';
import fc from '../helpers/property.js';

/**
 * @template {{add: (value: number) => void, merge: (other: any) => void}} T
 * @param {new () => T} Kind
 * @param {number[]} values
 * @returns {T}
 */
function countAll(Kind, values) {
  const made = new Kind();
  for (const value of values) made.add(value);
  return made;
}

const number = fc.oneof(fc.nat(300), fc.nat(), fc.bigInt({ min: 0n, max: 2n ** 51n }).map(Number));

test('a table counts as a Map does', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200)), (keys) => {
      const map = new Map();
      for (const key of keys) map.set(key, (map.get(key) ?? 0) + 1);
      const table = countAll(CounterTable, keys);
      expect(table.entries()).toEqual([...map].sort(([a], [b]) => a - b));
      expect(table.total()).toBe(keys.length);
    }),
  );
});

test('a table of pairs finds what was set, and nothing else', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.integer(), fc.integer()), { selector: String, maxLength: 3000 }),
      (pairs) => {
        const table = new PairTable();
        for (const [at, [first, second]] of pairs.slice(1).entries()) table.set(first, second, at);
        expect(pairs.slice(1).map(([first, second]) => table.find(first, second))).toEqual(
          pairs.slice(1).map((_, at) => at),
        );
        if (pairs[0]) expect(table.find(...pairs[0])).toBe(-1);
      },
    ),
    { numRuns: 30 },
  );
});

describe('a histogram', () => {
  test('puts each number into one bucket, at most 1/64 as wide as the number', () => {
    fc.assert(
      fc.property(number, (value) => {
        const { low, width } = bucketRange(bucketOf(value));
        expect(low).toBeLessThanOrEqual(value);
        expect(value).toBeLessThan(low + width);
        expect(width === 1 || width <= value / 64).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('has buckets in the order of the numbers', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(Math.sign(bucketOf(a) - bucketOf(b)) * Math.sign(a - b)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('gives quantiles that are at most 1.6 % off', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 1 }), (values) => {
        const sorted = [...values].sort((a, b) => a - b);
        const shares = [0.5, 0.95, 0.99, 1];
        const exact = shares.map((share) => Number(sorted[Math.ceil(share * sorted.length) - 1]));
        countAll(Histogram, values)
          .quantiles(shares, 1000)
          .forEach((value, at) => {
            expect(Math.abs(value - Number(exact[at]))).toBeLessThanOrEqual(Number(exact[at]) / 64);
          });
      }),
    );
  });

  test('of whole milliseconds gives whole milliseconds', () => {
    expect(countAll(Histogram, [5000, 5000, 12_000]).quantiles([0.5, 1], 1000)).toEqual([5000, 12_000]);
  });
});

test.each([
  ['histograms', Histogram, fc.array(number)],
  ['tables', CounterTable, fc.array(fc.nat(1000))],
  ['minutes', MinuteCounts, fc.array(fc.integer({ min: 0, max: 5_000_000 }), { maxLength: 4000, size: 'max' })],
])('%s of parts merge to that of the whole, in any order', (_, Kind, values) => {
  fc.assert(
    fc.property(/** @type {fc.Arbitrary<number[]>} */ (values), fc.nat(4000), (all, cut) => {
      const Counter = /** @type {new () => Histogram} */ (Kind);
      const [first, second] = [countAll(Counter, all.slice(0, cut)), countAll(Counter, all.slice(cut))];
      second.merge(first);
      expect(plain(second)).toEqual(plain(countAll(Counter, all.toReversed())));
    }),
    { numRuns: 40 },
  );
});

/** @param {Histogram | CounterTable | MinuteCounts} counted */
function plain(counted) {
  if (counted instanceof CounterTable) return counted.entries();
  if (counted instanceof MinuteCounts) return { width: counted.width, steps: counted.steps.entries() };
  const { sum, min, max, count, buckets } = counted;
  return { sum, min, max, count, buckets: buckets.entries() };
}

test('minutes become wider steps when there are more than a day of them, and the peak stays a rate per minute', () => {
  const minutes = new MinuteCounts();
  for (let minute = 0; minute < MAX_STEPS; minute += 1) minutes.add(minute, 3);
  expect([minutes.width, minutes.peak()]).toEqual([1, 3]);
  minutes.add(MAX_STEPS, 3);
  expect([minutes.width, minutes.peak()]).toEqual([2, 3]);
  expect(minutes.steps.total()).toBe(3 * (MAX_STEPS + 1));
});

describe('a count of different things', () => {
  /** @param {number} index */
  const hashes = (index) =>
    /** @type {const} */ ([Math.imul(index + 1, 0x9e3779b1), Math.imul(index + 7, 0x85ebca6b) ^ index]);
  /** @param {number} from @param {number} to */
  const countRange = (from, to) => {
    const distinct = new DistinctCount();
    for (let index = from; index < to; index += 1) distinct.add(...hashes(index));
    return distinct;
  };

  test.each([0, 1, 17, MAX_EXACT])('is exact for %i', (size) => {
    const distinct = countRange(0, size);
    expect(distinct).toMatchObject({ isExact: true, isEmpty: size === 0 });
    expect(distinct.count()).toBe(size);
    distinct.merge(countRange(0, size));
    expect(distinct.count()).toBe(size);
  });

  test.each([257, 1000, 3000, 10_000, ...(isLong ? [100_000] : [])])(
    'of %i ids of documents is 1.6 %% off as a rule',
    (size) => {
      const sets = 40;
      let squares = 0;
      for (let set = 0; set < sets; set += 1) {
        const distinct = new DistinctCount();
        for (let index = 0; index < size; index += 1) {
          const bytes = Buffer.from(`/shop/order-${set}-${index}`);
          const { key } = scanTarget(bytes, 0, bytes.length);
          distinct.add(key.first, key.second);
        }
        const error = distinct.count() / size - 1;
        expect(Math.abs(error)).toBeLessThan(0.06);
        squares += error ** 2;
      }
      // With 40 sets the standard error is itself a tenth off, as a rule.
      expect(Math.sqrt(squares / sets)).toBeLessThan(0.0163 * 1.25);
    },
  );

  test.each([300, 5000, 20_000, 1_000_000])('is at most 5 %% off for %i', (size) => {
    const distinct = countRange(0, size);
    expect(distinct.isExact).toBe(false);
    expect(Math.abs(distinct.count() - size) / size).toBeLessThan(0.05);
  });

  test.each([
    [0, 100, 200],
    [0, 200, 400],
    [0, 5000, 5100],
    [0, 50, 9000],
  ])('merges to that of the whole: %i to %i to %i', (from, cut, to) => {
    for (const [one, other] of [
      [countRange(from, cut), countRange(cut, to)],
      [countRange(cut, to), countRange(from, cut)],
    ]) {
      one?.merge(/** @type {DistinctCount} */ (other));
      expect(one?.registers).toEqual(countRange(from, to).registers);
      expect(one?.hashes()).toEqual(countRange(from, to).hashes());
    }
  });
});
