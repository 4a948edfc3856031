// Lengths of packed bytes are those of the snappy 1.1.3 that CouchDB has: each row was asked of its own library.

import { expect, test } from 'vitest';
import { packedLength } from '../../lib/storage-model/snappy.js';
import { mulberry32 } from '../helpers/storage-model.js';

const SENTENCE = 'the kettle is on the stove and the tea is in the pot, sugar';

/** What is packed: one letter; random bytes; four letters; sentences with random bytes between them. @type {((at: number, random: () => number) => number)[]} */
const KINDS = [
  () => 0x61,
  (_, random) => random() & 255,
  (_, random) => 0x61 + (random() % 4),
  (at, random) => (at % 97 < 60 ? SENTENCE.charCodeAt((at % 97) % 59) : random() & 255),
];

/** Kind, length, packed length. @type {[number, number, number][]} */
const ROWS = [
  [0, 1, 3],
  [0, 14, 16],
  [0, 15, 17],
  [0, 16, 18],
  [0, 60, 6],
  [0, 61, 6],
  [0, 64, 6],
  [0, 68, 8],
  [0, 69, 8],
  [0, 130, 12],
  [0, 255, 16],
  [0, 256, 16],
  [0, 257, 16],
  [0, 300, 19],
  [0, 1000, 52],
  [0, 1279, 64],
  [0, 4096, 196],
  [0, 65535, 3077],
  [0, 65536, 3077],
  [0, 65537, 3079],
  [0, 200000, 9386],
  [1, 1, 3],
  [1, 14, 16],
  [1, 15, 17],
  [1, 16, 18],
  [1, 60, 62],
  [1, 61, 64],
  [1, 64, 67],
  [1, 68, 71],
  [1, 69, 72],
  [1, 130, 134],
  [1, 255, 259],
  [1, 256, 260],
  [1, 257, 262],
  [1, 300, 305],
  [1, 1000, 1005],
  [1, 1279, 1284],
  [1, 4096, 4101],
  [1, 65535, 65541],
  [1, 65536, 65542],
  [1, 65537, 65544],
  [1, 200000, 200015],
  [2, 1, 3],
  [2, 14, 16],
  [2, 15, 17],
  [2, 16, 18],
  [2, 60, 60],
  [2, 61, 60],
  [2, 64, 64],
  [2, 68, 67],
  [2, 69, 66],
  [2, 130, 105],
  [2, 255, 209],
  [2, 256, 211],
  [2, 257, 212],
  [2, 300, 245],
  [2, 1000, 649],
  [2, 1279, 795],
  [2, 4096, 2294],
  [2, 65535, 32814],
  [2, 65536, 32875],
  [2, 65537, 32840],
  [2, 200000, 100203],
  [3, 1, 3],
  [3, 14, 16],
  [3, 15, 17],
  [3, 16, 18],
  [3, 60, 56],
  [3, 61, 57],
  [3, 64, 60],
  [3, 68, 64],
  [3, 69, 65],
  [3, 130, 100],
  [3, 255, 145],
  [3, 256, 144],
  [3, 257, 144],
  [3, 300, 190],
  [3, 1000, 468],
  [3, 1279, 591],
  [3, 4096, 1780],
  [3, 65535, 27734],
  [3, 65536, 27736],
  [3, 65537, 27738],
  [3, 200000, 84791],
];

/** @param {number} kind @param {number} length @returns {Uint8Array} */
function make(kind, length) {
  const random = mulberry32(length + kind);
  const byteAt = /** @type {(at: number, random: () => number) => number} */ (KINDS[kind]);
  return Uint8Array.from({ length }, (_, at) => byteAt(at, random));
}

test.each(ROWS)('bytes of kind %i, %i of them, are packed to %i', (kind, length, packed) => {
  expect(packedLength(make(kind, length), 0, length)).toBe(packed);
});

test('what stands before and behind does not matter', () => {
  const bytes = make(3, 5000);
  expect(packedLength(bytes, 100, 4100)).toBe(packedLength(bytes.slice(100, 4100), 0, 4000));
});
