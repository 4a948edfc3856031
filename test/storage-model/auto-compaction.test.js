// When CouchDB compacts by itself: the borders of smoosh.

import { expect, test } from 'vitest';
import { compactsItself } from '../../lib/storage-model/predict.js';

const MIB = 1_048_576;

test.each([
  ['a file of 1 MiB', { file: MIB, active: 1000 }, 1, false],
  ['a larger one with twice what is in use', { file: 3 * MIB, active: 1.5 * MIB }, 1, false],
  ['one with more than twice that', { file: 3 * MIB, active: 1.49 * MIB }, 1, true],
  ['shards of less than 1 MiB each', { file: 3 * MIB, active: MIB }, 4, false],
  ['512 MiB that are not in use', { file: 2048 * MIB, active: 1536 * MIB }, 1, false],
  ['more than that', { file: 2048 * MIB, active: 1535 * MIB }, 1, true],
  ['more than that in two shards together', { file: 2048 * MIB, active: 1535 * MIB }, 2, false],
])('%s', (_, figures, shards, compacts) => {
  expect(compactsItself(figures, shards)).toBe(compacts);
});
