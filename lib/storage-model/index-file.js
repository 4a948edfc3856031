// What the map functions of a design document emit in, the length of its index file out, for the first build: a tree of ids with the keys
// that each document emitted, and a tree for each view (couch_mrview_updater.erl, couch_mrview_util.erl, 3.4.3).

import { AppendOnlyFile } from './append-only-file.js';
import { INDEX_PIECE_DOCUMENTS, INDEX_QUEUE_BYTES } from './constants.js';
import { IndexRows } from './index-rows.js';
import { NodePacker } from './node-packer.js';
import { binaryBytes, integerBytes } from './term-writer.js';
import { Tree } from './tree.js';
import { ViewRows } from './view-rows.js';

/** @import { ComputedReduce } from './view-reductions.js' */

/**
 * @typedef {object} ViewSpec
 * @property {ComputedReduce} [reduce] of numbers
 * @property {number} [reductionBytes] of any other reduce: about how long a reduction is as JSON
 */

/**
 * @typedef {object} IndexedDocument
 * @property {string} id
 * @property {number} bytes about how long it is as it is stored: it decides how many documents are written at once
 * @property {[view: number, key: unknown, value: unknown][]} emitted
 */

/**
 * @typedef {object} IndexFigures Bytes.
 * @property {number} file
 * @property {number} idTree all nodes that were written to it
 * @property {number} viewTrees
 * @property {number} active nodes of all trees that are in use
 * @property {number} external keys, values and reductions as terms
 * @property {number} compacted the length of the file after compaction
 * @property {number} writes how often all trees were changed
 */

/** What stands around a packed document in the queue: `#doc{}` with its revision. couch_db.hrl. */
const RECORD_BYTES = 110;
/** `{Signature, Header}` with a tree for each view. couch_mrview_index.erl, `commit`. */
const HEADER_BYTES = 95;
const HEADER_VIEW_BYTES = 40;

/**
 * One shard; an index has a file for each.
 * @param {Iterable<IndexedDocument>} documents in the order of their sequence numbers
 * @param {ViewSpec[]} views
 * @param {{queueBytes?: number}} [options] `queueBytes`: `[view_updater] queue_memory_cap`, 100,000 to 3.5.0 and 10 MB from 3.5.1
 * @returns {IndexFigures}
 */
export function replayIndex(documents, views, { queueBytes = INDEX_QUEUE_BYTES } = {}) {
  const ids = new IndexRows();
  const rows = views.map((view) => new ViewRows(view));
  /** Where each write ends, in documents. @type {number[]} */
  const ends = [];
  let waitingBytes = 0;
  let pieceDocuments = 0;
  let isFull = false;
  for (const document of documents) {
    ids.add(document);
    for (const [view, key, value] of document.emitted) rows[view]?.add(ids.count - 1, document.id, key, value);
    waitingBytes += document.bytes + RECORD_BYTES;
    pieceDocuments += 1;
    // Documents come in pieces; the reader waits when those in the queue are too many, and all of them are taken.
    if (pieceDocuments < INDEX_PIECE_DOCUMENTS) continue;
    pieceDocuments = 0;
    // Meanwhile one piece more is done: so it was on 3.5.0, in nine builds of three views.
    if (isFull) {
      ends.push(ids.count);
      waitingBytes = 0;
    }
    isFull = !isFull && waitingBytes >= queueBytes;
  }
  if (ids.count > (ends.at(-1) ?? 0)) ends.push(ids.count);
  for (const view of rows) view.finish();
  ids.finish();
  const built = build(ids, rows, ends);
  const compacted = build(ids, rows, undefined);
  return { ...built, compacted: compacted.file };
}

/**
 * @param {IndexRows} ids
 * @param {ViewRows[]} views
 * @param {number[] | undefined} ends of writes; undefined for compaction, which adds rows in the order of their keys
 * @returns {Omit<IndexFigures, 'compacted'>}
 */
function build(ids, views, ends) {
  const file = new AppendOnlyFile();
  const headerBytes = HEADER_BYTES + HEADER_VIEW_BYTES * views.length;
  file.writeHeader(HEADER_BYTES);
  const idTree = new Tree(
    file,
    {
      keys: ids.ranks,
      entryBytes: ids.entryBytes,
      keyBytes: (row) => binaryBytes(ids.idLength(row)),
      reduce: (node) => ids.reduce(node),
    },
    new NodePacker(ids),
  );
  const trees = views.map(
    (view) =>
      new Tree(
        file,
        {
          keys: view.ranks,
          entryBytes: view.entryBytes,
          keyBytes: (row) => view.keyLength(row),
          reduce: (node) => view.reduce(node),
        },
        new NodePacker(view),
      ),
  );
  if (ends) {
    let start = 0;
    for (const end of ends) {
      idTree.modify(ids.between(start, end));
      for (const [at, tree] of trees.entries()) tree.modify(/** @type {ViewRows} */ (views[at]).between(start, end));
      start = end;
    }
  } else {
    for (const part of ids.inParts()) idTree.modify(part);
    for (const [at, tree] of trees.entries())
      for (const part of /** @type {ViewRows} */ (views[at]).inParts()) tree.modify(part);
  }
  file.writeHeader(headerBytes + integerBytes(ids.count));
  return {
    file: file.position,
    idTree: idTree.bytes,
    viewTrees: trees.reduce((sum, tree) => sum + tree.bytes, 0),
    active: trees.reduce((sum, tree) => sum + tree.liveBytes, idTree.liveBytes),
    external: trees.reduce((sum, tree) => sum + (tree.root?.external ?? 0), 0),
    writes: ends?.length ?? 0,
  };
}
