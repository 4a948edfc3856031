// Documents with what they emitted in, the entries of an index's tree of ids out: `{DocId, [{View, Key}, …]}` (couch_mrview_updater.erl,
// `insert_results`). Documents that emit nothing have none in a first build.

import { INDEX_COMPACTION_BUFFER_BYTES } from './constants.js';
import { rankTexts } from './rank-texts.js';
import { RowTerms } from './row-terms.js';
import { TermWriter, VERSION_BYTES } from './term-writer.js';

/** @import { IndexedDocument } from './index-file.js' */
/** @import { TreeNode } from './tree.js' */

export class IndexRows {
  /** Documents, also those that emitted nothing. */
  count = 0;
  /** @type {Uint32Array} */
  ranks = new Uint32Array(0);
  entryBytes = new Int32Array(0);
  #terms = new RowTerms();
  #writer = new TermWriter();
  /** Of each document: where its entry ends. @type {number[]} */
  #ends = [];
  /** @type {boolean[]} */
  #hasRows = [];
  #ids = new RowTerms();
  /** @type {number[]} */
  #idEnds = [];

  /** @param {IndexedDocument} document */
  add({ id, emitted }) {
    const writer = this.#writer;
    writer.reset();
    const text = Buffer.from(id);
    writer.tuple(2);
    writer.binary(text, 0, text.length);
    writer.list(emitted.length);
    for (const [view, key] of emitted) {
      writer.tuple(2);
      writer.integer(view);
      const term = this.#terms.termOf(key);
      writer.raw(term, 0, term.length);
    }
    writer.nil();
    this.#terms.add(writer.bytes.subarray(0, writer.length));
    this.#ends.push(this.#terms.length);
    this.#ids.add(text);
    this.#idEnds.push(this.#ids.length);
    this.#hasRows.push(emitted.length > 0);
    this.count += 1;
  }

  /** All documents are added. */
  finish() {
    this.ranks = rankTexts(this.#ids.bytes, Float64Array.from(this.#idEnds)).ranks;
    this.entryBytes = Int32Array.from(this.#ends, (end, row) => end - (this.#ends[row - 1] ?? 0));
  }

  /** @param {number} row @returns {number} */
  idLength(row) {
    return /** @type {number} */ (this.#idEnds[row]) - (this.#idEnds[row - 1] ?? 0);
  }

  /** @param {number} start @param {number} end @returns {number[]} documents in the order of their ids */
  between(start, end) {
    const rows = [];
    for (let row = start; row < end; row += 1) if (this.#hasRows[row]) rows.push(row);
    return rows.sort((one, other) => (this.ranks[one] ?? 0) - (this.ranks[other] ?? 0));
  }

  /** @returns {Generator<number[]>} all in the order of their ids, as many at once as compaction adds */
  *inParts() {
    yield* cutByBytes(this.between(0, this.count), this.entryBytes);
  }

  /** @param {TermWriter} writer @param {number} row */
  writeItem(writer, row) {
    writer.raw(this.#terms.bytes, this.#ends[row - 1] ?? 0, /** @type {number} */ (this.#ends[row]));
  }

  /** @param {TermWriter} writer @param {TreeNode} node */
  writeChild(writer, node) {
    writer.tuple(2);
    writer.binary(this.#ids.bytes, this.#idEnds[node.last - 1] ?? 0, /** @type {number} */ (this.#idEnds[node.last]));
    writer.tuple(3);
    writer.integer(node.pointer);
    writer.nil();
    writer.integer(node.subtreeBytes);
  }

  /** There is no reduce: an empty list. @param {TreeNode} node */
  reduce(node) {
    node.reductionBytes = 1;
  }
}

/**
 * couch_mrview_compactor.erl, `compact_view_btree`: what does not fit is added with what is in the buffer.
 * @param {number[]} rows
 * @param {Int32Array} entryBytes
 * @returns {Generator<number[]>}
 */
export function* cutByBytes(rows, entryBytes) {
  let start = 0;
  let bytes = 0;
  for (const [at, row] of rows.entries()) {
    bytes += VERSION_BYTES + /** @type {number} */ (entryBytes[row]);
    if (bytes < INDEX_COMPACTION_BUFFER_BYTES) continue;
    yield rows.slice(start, at + 1);
    start = at + 1;
    bytes = 0;
  }
  if (start < rows.length) yield rows.slice(start);
}
