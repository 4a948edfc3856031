// The file of an index: what is exact without a server; test/live/storage-model.live.test.js asks a real one.

import { describe, expect, test } from 'vitest';
import { replayIndex } from '../../lib/storage-model/index-file.js';
import { compareKeys } from '../../lib/storage-model/view-keys.js';
import { mulberry32 } from '../helpers/storage-model.js';

/** @import { IndexedDocument, ViewSpec } from '../../lib/storage-model/index-file.js' */

/**
 * @param {number} count
 * @param {(at: number, random: () => number) => IndexedDocument['emitted']} emit
 * @returns {IndexedDocument[]}
 */
function documents(count, emit) {
  const random = mulberry32(3);
  return Array.from({ length: count }, (_, at) => ({
    id: String(at).padStart(8, '0'),
    bytes: 150,
    emitted: emit(at, random),
  }));
}

describe('the file of an index', () => {
  test('is longer where keys come in no order, and not after compaction', () => {
    const rising = replayIndex(
      documents(5000, (at) => [[0, at, null]]),
      [{}],
    );
    const random = replayIndex(
      documents(5000, (_, next) => [[0, next() % 5000, null]]),
      [{}],
    );
    expect(random.viewTrees).toBeGreaterThan(3 * rising.viewTrees);
    expect(random.compacted).toBeLessThan(1.1 * rising.compacted);
    expect(random.writes).toBe(rising.writes);
  });

  test('is smaller where more is written at once', () => {
    const rows = documents(5000, (_, next) => [[0, next() % 5000, null]]);
    expect(replayIndex(rows, [{}], { queueBytes: 10_485_760 }).file).toBeLessThan(replayIndex(rows, [{}]).file / 2);
  });

  test.each(
    /** @type {ViewSpec[]} */ ([
      { reduce: '_count' },
      { reduce: '_sum' },
      { reduce: '_stats' },
      { reductionBytes: 100 },
    ]),
  )('is longer with a reduce: %j', (spec) => {
    const rows = documents(3000, (at) => [[0, at, at / 2]]);
    const plain = replayIndex(rows, [{}]);
    const reduced = replayIndex(rows, [spec]);
    expect(reduced.active).toBeGreaterThan(plain.active);
    expect(reduced.active).toBeLessThan(plain.active * 1.2);
  });

  test('of documents that emit nothing is two headers', () => {
    const { file, active } = replayIndex(
      documents(500, () => []),
      [{}],
    );
    expect(active).toBe(0);
    expect(file).toBeLessThan(8192);
  });

  test('takes any key and value', () => {
    const odd = [null, undefined, '', '__proto__', { constructor: [] }, [[[]]], -0, 1e300, '\ud800'];
    const rows = documents(900, (at) => [[0, odd[at % odd.length], odd[(at + 3) % odd.length]]]);
    expect(replayIndex(rows, [{ reduce: '_sum' }]).file).toBeGreaterThan(0);
    expect(replayIndex([], [{}]).external).toBe(0);
  });
});

describe('keys of views', () => {
  test('are in the order of CouchDB', () => {
    const keys = [
      null,
      false,
      true,
      -1,
      0,
      1.5,
      2,
      'a',
      'A',
      'aa',
      'b',
      'B',
      'ä',
      [],
      [1],
      [1, 2],
      ['b'],
      {},
      { a: 1 },
      { a: 2 },
      { b: 1 },
    ];
    const sorted = keys.toReversed().sort(compareKeys);
    expect(sorted.indexOf('a')).toBeLessThan(sorted.indexOf('A'));
    expect(sorted.slice(0, 7)).toEqual([null, false, true, -1, 0, 1.5, 2]);
    expect(sorted.slice(-8)).toEqual([[], [1], [1, 2], ['b'], {}, { a: 1 }, { a: 2 }, { b: 1 }]);
    expect(compareKeys({ a: [1] }, { a: [1] })).toBe(0);
  });

  test('may be nested deep', () => {
    /** @param {number} depth */
    const nest = (depth) => {
      /** @type {unknown} */
      let key = 1;
      for (let at = 0; at < depth; at += 1) key = [key];
      return key;
    };
    expect(compareKeys(nest(20_000), nest(20_000))).toBe(0);
  });
});
