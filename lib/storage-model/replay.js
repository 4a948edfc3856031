// Replays a load to compute the files of its database: documents are put into requests, requests are split over shards,
// and each shard commits its part of a request once (fabric_doc_update.erl, couch_db_updater.erl, 3.4.3).

import { DatabaseFile } from './database-file.js';
import { Writes } from './database-terms.js';
import { shardOf } from './load-table.js';

/** @import { FileFigures } from './database-file.js' */
/** @import { LoadColumns } from './load-table.js' */
/** @import { Care } from './node-packer.js' */

/**
 * @typedef {object} ReplayOptions
 * @property {number} shards
 * @property {number | ArrayLike<number>} batch documents in a request, or where each request ends
 * @property {Uint32Array} [order] the documents in the order in which they are written; that of the load where absent
 * @property {boolean} [compact] whether the files after compaction are wanted, too
 * @property {Care} [care] with which nodes are packed
 * @property {number[]} [checkpoints] after so many documents the length of the files is noted, rising
 */

/** More than there are documents in a request; with the ranks of a load it fits into 53 bits. */
const PLACES = 2 ** 26;

/** @typedef {{documents: number, file: number}} Checkpoint */

/**
 * @typedef {object} Replayed
 * @property {FileFigures} loaded right after the load, all shards together
 * @property {FileFigures | undefined} compacted
 * @property {Checkpoint[]} curve how the files grew: at the end of the request that the checkpoint falls into
 * @property {number} requests
 * @property {number} written documents that were written
 * @property {number} updates of them, to ids that were there already
 * @property {number} conflicts documents that CouchDB answers with a conflict: their id came twice in one request
 */

/**
 * @param {LoadColumns} load
 * @param {ReplayOptions} options
 * @returns {Replayed}
 */
export function replay(load, { shards, batch, order, care, compact = false, checkpoints = [] }) {
  const ends = typeof batch === 'number' ? evenEnds(load.count, batch) : batch;
  const places = new Uint16Array(load.count);
  const counts = new Uint32Array(shards);
  for (let document = 0; document < load.count; document += 1) {
    const shard = shardOf(/** @type {number} */ (load.hashes[document]), shards);
    places[document] = shard;
    counts[shard] = /** @type {number} */ (counts[shard]) + 1;
  }
  /** @type {Replayed} */
  const result = {
    loaded: noFigures(),
    compacted: compact ? noFigures() : undefined,
    curve: checkpoints.map(() => ({ documents: 0, file: 0 })),
    requests: ends.length,
    written: 0,
    updates: 0,
    conflicts: 0,
  };
  const latest = new Int32Array(load.distinct);
  for (let shard = 0; shard < shards; shard += 1) {
    latest.fill(-1);
    const writes = new Writes(load, /** @type {number} */ (counts[shard]));
    const file = new DatabaseFile(writes, false, care);
    file.create();
    let start = 0;
    let next = 0;
    for (let request = 0; request < ends.length; request += 1) {
      const end = /** @type {number} */ (ends[request]);
      const documents = select({ load, places, order }, shard, start, end);
      start = end;
      if (documents.length > 0) {
        const distinct = dropRepeated(documents, load.ranks);
        result.conflicts += documents.length - distinct.length;
        file.commit(distinct, latest);
      }
      for (; next < checkpoints.length && end >= /** @type {number} */ (checkpoints[next]); next += 1) {
        const point = /** @type {Checkpoint} */ (result.curve[next]);
        point.documents = end;
        point.file += file.length;
      }
    }
    for (let write = 0; write < writes.count; write += 1)
      if (/** @type {number} */ (writes.previous[write]) !== -1) result.updates += 1;
    result.written += writes.count;
    addFigures(result.loaded, file.figures());
    if (result.compacted) addFigures(result.compacted, file.compact().figures());
  }
  return result;
}

/**
 * @param {number} count
 * @param {number} batch documents, on average where it is no whole number
 * @returns {number[]} where requests of one size end
 */
export function evenEnds(count, batch) {
  const ends = [];
  for (let end = batch; end < count; end += batch) ends.push(Math.round(end));
  if (count > 0) ends.push(count);
  return ends;
}

/**
 * @param {{load: LoadColumns, places: Uint16Array, order: Uint32Array | undefined}} source
 * @param {number} shard
 * @param {number} start
 * @param {number} end
 * @returns {number[]} documents of a request that belong to a shard, in the order of their ids; equal ids in that of the load
 */
function select({ load: { ranks }, places, order }, shard, start, end) {
  /** @type {number[]} */
  const documents = [];
  let isSorted = true;
  let last = -1;
  for (let at = start; at < end; at += 1) {
    const document = order ? /** @type {number} */ (order[at]) : at;
    if (places[document] !== shard) continue;
    const rank = /** @type {number} */ (ranks[document]);
    if (rank < last) isSorted = false;
    last = rank;
    documents.push(document);
  }
  if (isSorted) return documents;
  // One number for rank and place: numbers are sorted ten times faster than by a function.
  const keys = Float64Array.from(documents, (document, at) => (ranks[document] ?? 0) * PLACES + at).sort();
  return Array.from(keys, (key) => /** @type {number} */ (documents[key % PLACES]));
}

/**
 * @param {number[]} documents in the order of their ids
 * @param {Uint32Array} ranks
 * @returns {number[]} the first of each id: CouchDB writes it and answers a conflict for the others
 */
function dropRepeated(documents, ranks) {
  let isDistinct = true;
  for (let at = 1; at < documents.length && isDistinct; at += 1)
    isDistinct = ranks[documents[at - 1] ?? 0] !== ranks[documents[at] ?? 0];
  return isDistinct
    ? documents
    : documents.filter((document, at) => at === 0 || ranks[document] !== ranks[documents[at - 1] ?? 0]);
}

/** @returns {FileFigures} */
function noFigures() {
  return {
    file: 0,
    bodies: 0,
    idTree: 0,
    seqTree: 0,
    headers: 0,
    active: 0,
    external: 0,
    nodes: 0,
    replacedNodes: 0,
    commits: 0,
  };
}

/** @param {FileFigures} sum @param {FileFigures} more */
function addFigures(sum, more) {
  for (const name of /** @type {(keyof FileFigures)[]} */ (Object.keys(sum))) sum[name] += more[name];
}
