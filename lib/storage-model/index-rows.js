// Keeps the entries of an index's by-id B-tree, `{DocId, [{View, Key}, …]}`, for the replay of its file (couch_mrview_updater.erl,
// `insert_results`). Documents that emit nothing have no entry.

import { INDEX_COMPACTION_BUFFER_BYTES } from './constants.js';
import { rankTexts } from './rank-texts.js';
import { RowTerms } from './row-terms.js';
import { TermWriter, VERSION_BYTES } from './term-writer.js';

/** @import { EmittedRow } from './index-file.js' */
/** @import { TreeNode } from './tree.js' */

export class IndexRows {
  /** Documents in the order of their sequence numbers; one that was written again counts again. */
  count = 0;
  /** @type {Uint32Array} */
  ranks = new Uint32Array(0);
  entryBytes = new Int32Array(0);
  /** Of each document: its number before it was written again; -1 where there is none. @type {number[]} */
  previous = [];
  #terms = new RowTerms();
  #writer = new TermWriter();
  /** Of each document: where its entry ends. @type {number[]} */
  #ends = [];
  /** @type {boolean[]} */
  #hasRows = [];
  #ids = new RowTerms();
  /** @type {number[]} */
  #idEnds = [];
  /** @type {Map<string, number>} */
  #latest = new Map();
  /** The entry that an equal one of a later write leaves as it is. @type {Map<number, number>} */
  #same = new Map();

  /**
   * @param {string} id
   * @param {EmittedRow[]} rows distinct keys of each view
   */
  add(id, rows) {
    const writer = this.#writer;
    writer.reset();
    const text = Buffer.from(id);
    writer.tuple(2);
    writer.binary(text, 0, text.length);
    writer.list(rows.length);
    // `insert_results` puts each key in front of those before it.
    for (let at = rows.length - 1; at >= 0; at -= 1) {
      const [view, key] = /** @type {EmittedRow} */ (rows[at]);
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
    this.#hasRows.push(rows.length > 0);
    const before = this.#latest.get(id) ?? -1;
    if (before !== -1 && this.#entry(before).equals(this.#entry(this.count)))
      this.#same.set(this.count, this.#same.get(before) ?? before);
    this.previous.push(before);
    this.#latest.set(id, this.count);
    this.count += 1;
  }

  /** All documents are added. */
  finish() {
    this.ranks = rankTexts(this.#ids.bytes, Float64Array.from(this.#idEnds)).ranks;
    this.entryBytes = Int32Array.from(this.#ends, (end, row) => end - (this.#ends[row - 1] ?? 0));
    this.#latest.clear();
  }

  /** @param {number} row @returns {number} */
  idLength(row) {
    return /** @type {number} */ (this.#idEnds[row]) - (this.#idEnds[row - 1] ?? 0);
  }

  /** @param {number} start @param {number} end @returns {number[]} what these documents change, in the order of their ids */
  between(start, end) {
    const actions = [];
    for (let row = start; row < end; row += 1) {
      const before = /** @type {number} */ (this.previous[row]);
      if (this.#hasRows[row]) actions.push(this.#same.get(row) ?? row);
      else if (before !== -1 && this.#hasRows[before]) actions.push(-1 - before);
    }
    return sortActions(actions, this.ranks);
  }

  /** @param {number} count of documents @returns {Generator<number[]>} all in the order of their ids, as many at once as compaction adds */
  *inParts(count) {
    yield* cutByBytes(this.between(0, count), this.entryBytes);
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

  /** @param {number} row @returns {Buffer} */
  #entry(row) {
    return this.#terms.bytes.subarray(this.#ends[row - 1] ?? 0, this.#ends[row]);
  }

  /** There is no reduce: an empty list. @param {TreeNode} node */
  reduce(node) {
    node.reductionBytes = 1;
  }
}

/**
 * `op_order` of couch_btree.erl: of equal keys the removal comes first.
 * @param {number[]} actions
 * @param {Uint32Array} ranks
 * @returns {number[]} the same, in the order of their keys
 */
export function sortActions(actions, ranks) {
  const rankOf = (/** @type {number} */ action) => ranks[action < 0 ? -1 - action : action] ?? 0;
  return actions.sort((one, other) => rankOf(one) - rankOf(other) || one - other);
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
