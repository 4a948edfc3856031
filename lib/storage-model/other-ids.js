// Computes what else the ids of a load could have been: the same ids in order, or numbers that count up.

import { crc32 } from './crc32.js';

/** @import { LoadColumns } from './load-table.js' */

/**
 * @param {LoadColumns} load
 * @returns {Uint32Array} its documents in the order of their ids; documents of one id in that of the load
 */
export function orderById({ count, ranks, distinct }) {
  const starts = new Uint32Array(distinct + 1);
  for (const rank of ranks) starts[rank + 1] = /** @type {number} */ (starts[rank + 1]) + 1;
  for (let rank = 0; rank < distinct; rank += 1)
    starts[rank + 1] = /** @type {number} */ (starts[rank + 1]) + /** @type {number} */ (starts[rank]);
  const order = new Uint32Array(count);
  for (let document = 0; document < count; document += 1) {
    const rank = /** @type {number} */ (ranks[document]);
    order[/** @type {number} */ (starts[rank])] = document;
    starts[rank] = /** @type {number} */ (starts[rank]) + 1;
  }
  return order;
}

/**
 * @param {LoadColumns} load
 * @returns {LoadColumns} with ids that are decimal numbers in the order of the load, each as long as the one it replaces, or as
 *   long as the largest number where that is longer; documents of one id keep one id
 */
export function countedIds(load) {
  const { count, ranks } = load;
  const numbers = new Int32Array(load.distinct).fill(-1);
  const digits = String(count).length;
  let length = 0;
  for (let document = 0; document < count; document += 1) length += Math.max(digits, idLength(load, document));
  const ids = Buffer.alloc(length, '0');
  const idEnds = new Float64Array(count);
  const hashes = new Uint32Array(count);
  const newRanks = new Uint32Array(count);
  let next = 0;
  let end = 0;
  for (let document = 0; document < count; document += 1) {
    const rank = /** @type {number} */ (ranks[document]);
    let number = /** @type {number} */ (numbers[rank]);
    if (number === -1) {
      number = next;
      numbers[rank] = number;
      next += 1;
    }
    const start = end;
    end += Math.max(digits, idLength(load, document));
    const text = String(number);
    ids.write(text, end - text.length, 'latin1');
    idEnds[document] = end;
    hashes[document] = crc32(ids, start, end);
    newRanks[document] = number;
  }
  return { ...load, ids, idEnds, hashes, ranks: newRanks };
}

/**
 * @param {LoadColumns} load
 * @param {number} count
 * @returns {LoadColumns} its first documents
 */
export function firstDocuments(load, count) {
  return {
    ...load,
    count,
    idEnds: load.idEnds.subarray(0, count),
    ranks: load.ranks.subarray(0, count),
    hashes: load.hashes.subarray(0, count),
    bodyBytes: load.bodyBytes.subarray(0, count),
    externalBytes: load.externalBytes.subarray(0, count),
    deleted: load.deleted.subarray(0, count),
  };
}

/** @param {LoadColumns} load @param {number} document @returns {number} */
function idLength({ idEnds }, document) {
  return /** @type {number} */ (idEnds[document]) - (document === 0 ? 0 : /** @type {number} */ (idEnds[document - 1]));
}
