// The whole prediction of a load, the formula for more documents, and the quick estimate from a sample of ids.

import { describe, expect, test } from 'vitest';
import { estimateLoad } from '../../lib/storage-model/estimate-sample.js';
import { checkpointsFor, extrapolate, fitGrowth, predict } from '../../lib/storage-model/predict.js';
import { isLong } from '../helpers/long.js';
import { columnsOf, measuredRows, scoreDocuments } from '../helpers/storage-model.js';

describe('a prediction', () => {
  test('compares orders and sizes of requests', () => {
    const { given, sorted, counted, batches, growth } = predict(columnsOf(scoreDocuments('random', 5000)), {
      shards: 2,
      batches: [100, 1000, 10],
      count: 50_000,
    });
    expect(given.file).toBeGreaterThan(2 * counted.file);
    expect(sorted.file).toBeLessThan(1.5 * counted.file);
    expect(batches.map(({ batch }) => batch)).toEqual([10, 100, 1000]);
    expect(batches.find(({ batch }) => batch === 100)).toEqual({
      batch: 100,
      given: given.file,
      counted: counted.file,
      isReplayed: true,
    });
    expect(growth?.given).toBeGreaterThan(10 * given.file);
  });

  test('takes the requests of the load, where they are known', () => {
    const load = columnsOf(scoreDocuments('sequential', 1000));
    const own = predict(load, { shards: 1, batches: [100], requestEnds: [100, 1000] });
    expect(own.load.requests).toBe(2);
    expect(own.batches.map(({ batch }) => batch)).toEqual([100]);
  });

  test('says nothing of more documents where the load has too few requests', () => {
    const { growth } = predict(columnsOf(scoreDocuments('random', 1000)), {
      shards: 1,
      batches: [1000],
      count: 1_000_000,
    });
    expect(growth).toEqual({ count: 1_000_000, given: undefined, counted: undefined });
  });
});

describe('the formula', () => {
  test('finds what it is made of', () => {
    const file = (/** @type {number} */ count) => 500 * count + 70 * (count * Math.log(count) - count);
    const curve = checkpointsFor(10_000).map((documents) => ({ documents, file: file(documents) }));
    const growth = fitGrowth(curve);
    expect(growth?.constant).toBeCloseTo(500, 6);
    expect(growth?.slope).toBeCloseTo(70, 6);
    expect(growth && extrapolate(growth, 1e8) / file(1e8)).toBeCloseTo(1, 9);
  });
});

describe('the estimate from a sample', () => {
  const rows = measuredRows.filter(({ q, documents }) => q === 2 && (isLong || documents <= 20_000));

  test.each(rows)('of $ids ids, $documents documents, $batch a request, is within 25 %', (row) => {
    const every = Math.ceil(row.documents / 3000);
    const ids = [...scoreDocuments(row.ids, row.documents)].filter((_, at) => at % every === 0).map(({ id }) => id);
    const { file } = estimateLoad({ ids, documents: row.documents, batch: row.batch, documentBytes: 125 });
    expect(Math.abs(file / row.file - 1)).toBeLessThan(0.25);
  });
});
