// Documents are counted where several copies have to agree.

import { expect, test } from 'vitest';
import { countDocuments } from '../../../lib/measure/scenarios/run/rounds.js';

/** @import { Workbench } from '../../../lib/measure/scenarios/run/workbench.js' */

/** @param {number[]} counts one after the other, the last again and again */
function benchOf(counts) {
  let looks = 0;
  const bench = {
    options: { pause: async () => {} },
    check: () => {},
    read: async () => ({ doc_count: counts[Math.min(looks++, counts.length - 1)], sizes: { file: 5 } }),
  };
  return { bench: /** @type {Workbench} */ (/** @type {unknown} */ (bench)), looks: () => looks };
}

test('a copy that is late is waited for', async () => {
  const { bench, looks } = benchOf([1000, 1000, 2000]);
  expect(await countDocuments(bench, 'shop', 2000)).toEqual({ doc_count: 2000, sizes: { file: 5 } });
  expect(looks()).toBe(3);
});

test('documents that never arrive end the run', async () => {
  const { bench } = benchOf([1999]);
  await expect(countDocuments(bench, 'shop', 2000)).rejects.toMatchObject({
    code: 'wrong-answer',
    message: 'only 1,999 of 2,000 documents were stored',
  });
});
