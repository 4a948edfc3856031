// The file of an index: what is exact without a server; test/live/index-sizes.live.test.js compares with a real one.

import { describe, expect, test } from 'vitest';
import { scatteredShare } from '../../lib/storage-model/extrapolate-index.js';
import { IndexFile } from '../../lib/storage-model/index-file.js';
import { predictIndex } from '../../lib/storage-model/predict-index.js';
import { sample } from '../helpers/long.js';
import { mulberry32 } from '../helpers/storage-model.js';

/** @import { EmittedRow } from '../../lib/storage-model/index-file.js' */
/** @import { StoredReduce } from '../../lib/storage-model/view-reductions.js' */

/**
 * @param {number} count
 * @param {(at: number, random: () => number) => EmittedRow[]} emit
 * @param {StoredReduce[][]} [views]
 * @returns {IndexFile}
 */
function fileOf(count, emit, views = [[]]) {
  const random = mulberry32(3);
  const file = new IndexFile(views);
  for (let at = 0; at < count; at += 1) file.add({ id: idOf(at), emitted: emit(at, random) });
  file.finish();
  return file;
}

/** @param {number} at @returns {string} */
function idOf(at) {
  return String(at).padStart(8, '0');
}

describe('the file of an index', () => {
  test('is longer where keys come in no order, but not after compaction', () => {
    const rising = fileOf(5000, (at) => [[0, at, null]]);
    const random = fileOf(5000, (_, next) => [[0, next() % 5000, null]]);
    expect(random.build(5000, 404).file).toBeGreaterThan(3 * rising.build(5000, 404).file);
    expect(random.compact(5000).file).toBeLessThan(1.1 * rising.compact(5000).file);
  });

  test('is smaller where more documents are indexed at once', () => {
    const file = fileOf(5000, (_, next) => [[0, next() % 5000, null]]);
    expect(file.build(5000, 4000).file).toBeLessThan(file.build(5000, 101).file / 2);
  });

  test.each(
    /** @type {[string, StoredReduce[]][]} */ ([
      ['_count', ['_count']],
      ['_sum', ['_sum']],
      ['_stats', ['_stats']],
      ['another one of 100 bytes', [new Uint8Array(100)]],
      ['two on one tree', ['_sum', '_count']],
    ]),
  )('is longer with a reduce: %s', (_, reduces) => {
    const emit = (/** @type {number} */ at) => /** @type {EmittedRow[]} */ ([[0, at, at / 2]]);
    const plain = fileOf(3000, emit).compact(3000);
    const reduced = fileOf(3000, emit, [reduces]).compact(3000);
    expect(reduced.active).toBeGreaterThan(plain.active);
    expect(reduced.active).toBeLessThan(plain.active * 1.2);
  });

  test('of documents that emit nothing is two headers', () => {
    const { file, active } = fileOf(500, () => []).build(500, 101);
    expect(active).toBe(0);
    expect(file).toBeLessThan(8192);
  });

  test('counts each of several equal keys of one document, in one entry', () => {
    const once = fileOf(400, (at) => [[0, `a long key ${'k'.repeat(50)} ${at % 7}`, 'x']]);
    const twice = fileOf(400, (at) => [
      [0, `a long key ${'k'.repeat(50)} ${at % 7}`, 'x'],
      [0, `a long key ${'k'.repeat(50)} ${at % 7}`, 'y'],
    ]);
    expect(twice.compact(400).external).toBeGreaterThan(1.7 * once.compact(400).external);
    expect(twice.rowBytes(400)).toBeLessThan(1.3 * once.rowBytes(400));
  });

  test('takes any key and value', () => {
    const odd = [null, undefined, '', '__proto__', { constructor: [] }, [[[]]], -0, 1e300, '\ud800'];
    const file = fileOf(900, (at) => [[0, odd[at % odd.length], odd[(at + 3) % odd.length]]], [['_sum']]);
    expect(file.build(900, 101).file).toBeGreaterThan(0);
    expect(fileOf(0, () => []).compact(0).external).toBe(0);
  });
});

describe('documents written later', () => {
  /** @param {(at: number) => EmittedRow[]} emit of the second version @returns {number} bytes */
  function growthWith(emit) {
    const file = new IndexFile([[]]);
    for (let at = 0; at < 2000; at += 1) file.add({ id: idOf(at), emitted: [[0, at, null]] });
    for (let at = 0; at < 2000; at += 20) file.add({ id: idOf(at), emitted: emit(at) });
    file.finish();
    file.compact(2000);
    return file.write(2000, 2100, 1);
  }

  test('write nothing where they emit the same rows', () => {
    expect(growthWith((at) => [[0, at, null]])).toBe(0);
  });

  test('write the entry of the view alone where only the value changes', () => {
    const value = growthWith((at) => [[0, at, 'new']]);
    const key = growthWith((at) => [[0, 2000 - at, null]]);
    expect(value).toBeGreaterThan(100 * 500);
    expect(key).toBeGreaterThan(1.8 * value);
  });

  test('that emit nothing any more leave both trees', () => {
    const file = new IndexFile([[]]);
    for (let at = 0; at < 50; at += 1) file.add({ id: idOf(at), emitted: [[0, at, null]] });
    for (let at = 0; at < 50; at += 1) file.add({ id: idOf(at), emitted: [] });
    file.finish();
    file.compact(50);
    file.write(50, 100, 10);
    expect(file.trees.map(({ root }) => root)).toEqual([undefined, undefined]);
  });
});

describe('predictIndex', () => {
  /** @param {number} count @param {number} [step] one of so many */
  function rowsOf(count, step = 1) {
    const random = mulberry32(5);
    const rows = Array.from({ length: count }, (_, at) => ({
      id: random().toString(16).padStart(8, '0') + idOf(at),
      key: random() % 5000,
      value: at % 30,
    }));
    return rows.filter((_, at) => at % step === 0);
  }

  /** @type {[string | undefined, number][]} */
  const reduces = [
    ['_sum', 4],
    ['_count', 8],
    [undefined, 4],
  ];
  test.each(sample(reduces, 1))('of a part of the documents with the reduce %s is near that of all', (reduce, step) => {
    const whole = predictIndex({ views: [{ rows: rowsOf(8000), reduce }], documents: 8000, shards: 1 });
    const part = predictIndex({
      views: [{ rows: rowsOf(8000, step), reduce }],
      documents: 8000,
      sampled: 8000 / step,
      shards: 1,
    });
    expect(whole.isExtrapolated).toBe(false);
    expect(part.isExtrapolated).toBe(true);
    expect(part.rows).toBe(whole.rows);
    expectNear(part.fileBytes, whole.fileBytes, 0.07);
    expectNear(part.activeBytes, whole.activeBytes, 0.07);
    expectNear(part.buildBytes.high, whole.buildBytes.high, 0.15);
    expectNear(part.bytesPer1000Writes.updated.single, whole.bytesPer1000Writes.updated.single, 0.25);
    expectNear(part.bytesPer1000Writes.updated.hundred, whole.bytesPer1000Writes.updated.hundred, 0.25);
  });

  test('splits documents over shards, each with a file of its own', () => {
    const one = predictIndex({ views: [{ rows: rowsOf(4000) }], documents: 4000, shards: 1 });
    const eight = predictIndex({ views: [{ rows: rowsOf(4000) }], documents: 4000, shards: 8 });
    expect(eight.rows).toBe(one.rows);
    expect(eight.fileBytes - one.fileBytes).toBeGreaterThan(7 * 4096);
    expectNear(eight.activeBytes, one.activeBytes, 0.05);
  });

  test('counts documents that emit nothing as documents, and not as entries', () => {
    const all = predictIndex({ views: [{ rows: rowsOf(2000) }], documents: 2000, shards: 1 });
    const few = predictIndex({ views: [{ rows: rowsOf(2000) }], documents: 20_000, sampled: 20_000, shards: 1 });
    expect(few.fileBytes).toBe(all.fileBytes);
    expect(few.bytesPer1000Writes.updated.single).toBeLessThan(all.bytesPer1000Writes.updated.single / 5);
  });

  test('of nothing is nothing but headers', () => {
    const empty = predictIndex({ views: [{ rows: [] }], documents: 0 });
    expect(empty).toMatchObject({ activeBytes: 0, rows: 0, rowBytes: 0, isExtrapolated: false });
    expect(predictIndex({ views: [{ rows: [] }], documents: 1000, sampled: 10 })).toMatchObject({
      activeBytes: 0,
      rows: 0,
    });
    expect(predictIndex({ views: [], documents: 1000 })).toMatchObject({ activeBytes: 0, rows: 0 });
  });

  test.each([
    ['_count', false],
    ['_sum', false],
    ['_stats', false],
    ['_approx_count_distinct', true],
    ['function (keys, values) { return values.length; }', true],
  ])('says whether the results of %s were guessed', (reduce, isGuessed) => {
    const { isReduceGuessed } = predictIndex({ views: [{ rows: rowsOf(300), reduce }], documents: 300 });
    expect(isReduceGuessed).toBe(isGuessed);
  });

  test('leaves out the growth where it is not wanted', () => {
    const { bytesPer1000Writes } = predictIndex({ views: [{ rows: rowsOf(900) }], documents: 900, skipsGrowth: true });
    expect(bytesPer1000Writes.updated).toEqual({ single: 0, hundred: 0 });
  });
});

test.each([
  [{ whole: 400, part: 100, scaled: 400 }, 1],
  [{ whole: 100, part: 100, scaled: 400 }, 0],
  [{ whole: 250, part: 100, scaled: 400 }, 0.5],
  [{ whole: 900, part: 100, scaled: 400 }, 1],
  [{ whole: 100, part: 100, scaled: 100 }, 0],
])('the scattered share of costs %j is %d', (costs, share) => {
  expect(scatteredShare(costs)).toBe(share);
});

/** @param {number} value @param {number} expected @param {number} share */
function expectNear(value, expected, share) {
  expect(Math.abs(value / expected - 1), `${value} for ${expected}`).toBeLessThan(share);
}
