// The order of keys of views.

import { describe, expect, test } from 'vitest';
import { compareKeys } from '../../lib/storage-model/view-keys.js';

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
