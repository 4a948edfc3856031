// Estimates from a sample of a load's ids and its figures about how long its files will be, and how long with ids that
// count up. For callers without the documents themselves; `predict.js` is exact.

import { LoadTable } from './load-table.js';
import { countedIds, firstDocuments } from './other-ids.js';
import { replay } from './replay.js';

/** @import { LoadColumns } from './load-table.js' */

/** Documents of the sample that represent a request, at least: with fewer the root counts for too much. */
const MIN_TOGETHER = 8;
/** So many documents show what documents, sequence numbers and headers cost each. */
const MAX_IN_ORDER = 20_000;
/** And so many requests, where those are small. */
const MIN_REQUESTS = 5;
/** What stands around the body of a document on the disk. */
const AROUND_BODY = 30;

/**
 * @typedef {object} LoadSample
 * @property {string[]} ids evenly spread over the load, in its order; their bytes, one a character
 * @property {number} documents of the whole load
 * @property {number} batch documents in a request
 * @property {number} documentBytes of a usual document as JSON
 */

/**
 * Scattered ids cost what they do because each batch meets so many nodes of so many there are. A sample with as much smaller batches
 * meets as many of each; so the B-tree by id is replayed with the sample, all the rest with ids in order and the real batches.
 * @param {LoadSample} sample of at least one id
 * @returns {{file: number, counted: number}} bytes
 */
export function estimateLoad({ ids, documents, batch, documentBytes }) {
  const table = new LoadTable();
  for (const id of ids) table.addSizes(id, documentBytes + AROUND_BODY, documentBytes, false);
  const load = table.columns();
  if (batch < MIN_TOGETHER) {
    // Each request ends with a header at the begin of a block: what is left of the block before hides most of the nodes.
    const scale = documents / ids.length;
    const fileOf = (/** @type {LoadColumns} */ columns) => replay(columns, { shards: 2, batch }).loaded.file;
    return { file: Math.round(fileOf(load) * scale), counted: Math.round(fileOf(countedIds(load)) * scale) };
  }
  const ordered = inOrder(load, { documents, batch });
  const together = Math.max(MIN_TOGETHER, Math.round((batch * ids.length) / documents));
  const sampled = replay(load, { shards: 1, batch: together });
  const half = firstDocuments(load, Math.ceil(ids.length / 2));
  const grown = sampled.loaded.idTree - replay(half, { shards: 1, batch: together }).loaded.idTree;
  // What the second half cost each; and each time the load doubles, as much more as between the first half and the second.
  const perId = grown / Math.max(1, ids.length - half.count);
  const before = (sampled.loaded.idTree - grown) / half.count;
  const doublings = Math.log2(Math.max(1, (documents / batch) * (together / ids.length)));
  const scattered = sampled.loaded.idTree / ids.length + doublings * Math.max(0, perId - before);
  const straight = replay(countedIds(load), { shards: 1, batch: together }).loaded.idTree / ids.length;
  // Ids in order cost more in the small batches of a sample than in real ones: only what is above that is due to their order.
  const above = Math.max(0, scattered - straight);
  return { file: Math.round(ordered + above * documents), counted: Math.round(ordered) };
}

/**
 * @param {LoadColumns} load
 * @param {{documents: number, batch: number}} whole
 * @returns {number} bytes of the whole load with ids that count up
 */
function inOrder(load, { documents, batch }) {
  const table = new LoadTable();
  const count = Math.min(documents, Math.max(Math.min(MAX_IN_ORDER, batch * 100), batch * MIN_REQUESTS, 1000), 200_000);
  const idBytes = Math.round(/** @type {number} */ (load.idEnds[load.count - 1]) / load.count);
  const body = /** @type {number} */ (load.bodyBytes[0]);
  const external = /** @type {number} */ (load.externalBytes[0]);
  for (let number = 0; number < count; number += 1)
    table.addSizes(String(number).padStart(idBytes, '0'), body, external, false);
  return (replay(table.columns(), { shards: 2, batch }).loaded.file / count) * documents;
}
