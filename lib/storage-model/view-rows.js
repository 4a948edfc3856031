// Rows of a view in, the entries of its tree out: `{{Key, DocId}, Value}`, and a reduction for each node.

import { cutByBytes } from './index-rows.js';
import { RowTerms } from './row-terms.js';
import { binaryBytes, integerBytes, TUPLE_BYTES, VERSION_BYTES } from './term-writer.js';
import { compareKeys } from './view-keys.js';
import { externalOfReductions, reductionsBytes, writeReductions } from './view-reductions.js';

/** @import { ViewSpec } from './index-file.js' */
/** @import { TermWriter } from './term-writer.js' */
/** @import { TreeNode } from './tree.js' */
/** @import { Totals } from './view-reductions.js' */

/** The sizes of an entry but for key and value: two tuples and what is in front of the id. */
const ENTRY_BYTES = 2 * TUPLE_BYTES + binaryBytes(0);

export class ViewRows {
  /** @type {Uint32Array} */
  ranks = new Uint32Array(0);
  entryBytes = new Int32Array(0);
  #terms = new RowTerms();
  /** Of each row: where its entry ends. @type {number[]} */
  #ends = [];
  /** Bytes of `{Key, DocId}`. @type {number[]} */
  #keyBytes = [];
  /** @type {number[]} */
  #idBytes = [];
  /** @type {number[]} */
  #documents = [];
  /** @type {number[]} */
  #numbers = [];
  /** @type {{key: unknown, id: string}[]} */
  #keys = [];
  /** @type {WeakMap<TreeNode, Totals>} */
  #totals = new WeakMap();
  #other;

  /** @param {ViewSpec} spec */
  constructor(spec) {
    this.spec = spec;
    this.#other = Buffer.from(
      spec.reduce === undefined && spec.reductionBytes ? this.#terms.termOf('r'.repeat(spec.reductionBytes)) : [],
    );
  }

  /**
   * @param {number} document its number, rising
   * @param {string} id
   * @param {unknown} key
   * @param {unknown} value
   */
  add(document, id, key, value) {
    const terms = this.#terms;
    const start = terms.length;
    terms.add(Buffer.from([104, 2, 104, 2]));
    terms.add(terms.termOf(key));
    terms.add(terms.termOf(id));
    this.#keyBytes.push(terms.length - start - TUPLE_BYTES);
    terms.add(terms.termOf(value));
    this.#ends.push(terms.length);
    this.#idBytes.push(Buffer.byteLength(id));
    this.#documents.push(document);
    this.#numbers.push(typeof value === 'number' ? value : 0);
    this.#keys.push({ key, id });
  }

  /** All rows are added. */
  finish() {
    const keys = this.#keys;
    const order = Uint32Array.from(keys, (_, row) => row).sort((first, second) => {
      const one = /** @type {{key: unknown, id: string}} */ (keys[first]);
      const other = /** @type {{key: unknown, id: string}} */ (keys[second]);
      return compareKeys(one.key, other.key) || (one.id < other.id ? -1 : one.id > other.id ? 1 : first - second);
    });
    this.ranks = new Uint32Array(order.length);
    for (const [rank, row] of order.entries()) this.ranks[row] = rank;
    this.entryBytes = Int32Array.from(this.#ends, (end, row) => end - (this.#ends[row - 1] ?? 0));
    this.#keys = [];
  }

  /** @param {number} row @returns {number} bytes of `{Key, DocId}` as a term */
  keyLength(row) {
    return /** @type {number} */ (this.#keyBytes[row]);
  }

  /** @param {number} start @param {number} end @returns {number[]} rows of these documents, in the order of their keys */
  between(start, end) {
    const rows = [];
    // Rows come in the order of documents: the first is found by halving.
    let row = 0;
    for (let high = this.#documents.length; row < high; ) {
      const middle = (row + high) >> 1;
      if (/** @type {number} */ (this.#documents[middle]) < start) row = middle + 1;
      else high = middle;
    }
    for (; row < this.#documents.length && /** @type {number} */ (this.#documents[row]) < end; row += 1) rows.push(row);
    return rows.sort((one, other) => (this.ranks[one] ?? 0) - (this.ranks[other] ?? 0));
  }

  /** @returns {Generator<number[]>} all in the order of their keys, as many at once as compaction adds */
  *inParts() {
    yield* cutByBytes(this.between(0, Number.POSITIVE_INFINITY), this.entryBytes);
  }

  /** @param {TermWriter} writer @param {number} row */
  writeItem(writer, row) {
    writer.raw(this.#terms.bytes, this.#ends[row - 1] ?? 0, /** @type {number} */ (this.#ends[row]));
  }

  /** @param {TermWriter} writer @param {TreeNode} node */
  writeChild(writer, node) {
    const start = (this.#ends[node.last - 1] ?? 0) + TUPLE_BYTES;
    writer.tuple(2);
    writer.raw(this.#terms.bytes, start, start + this.keyLength(node.last));
    writer.tuple(3);
    writer.integer(node.pointer);
    writer.tuple(3);
    writer.integer(node.count);
    writeReductions(writer, this.spec.reduce, node, this.#totalsOf(node), this.#other);
    writer.integer(node.external);
    writer.integer(node.subtreeBytes);
  }

  /** @param {TreeNode} node */
  reduce(node) {
    const totals = this.#totalsOf(node);
    const { items, children = [] } = node;
    node.count = items ? items.length : children.reduce((sum, child) => sum + child.count, 0);
    const bytes = reductionsBytes(this.spec.reduce, node.count, totals, this.#other.length);
    if (items) {
      node.external = externalOfReductions(bytes);
      // `term_size` of key and of value: each with its version.
      for (const row of items)
        node.external +=
          /** @type {number} */ (this.entryBytes[row]) -
          ENTRY_BYTES -
          /** @type {number} */ (this.#idBytes[row]) +
          2 * VERSION_BYTES;
    } else for (const child of children) node.external += child.external;
    node.reductionBytes = TUPLE_BYTES + integerBytes(node.count) + bytes + integerBytes(node.external);
  }

  /** @param {TreeNode} node @returns {Totals} */
  #totalsOf(node) {
    const known = this.#totals.get(node);
    if (known || (this.spec.reduce !== '_sum' && this.spec.reduce !== '_stats')) return known ?? [0, 0, 0, 0];
    /** @type {Totals} */
    const totals = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    for (const row of node.items ?? []) {
      const number = /** @type {number} */ (this.#numbers[row]);
      addTotals(totals, [number, number, number, number * number]);
    }
    for (const child of node.children ?? []) addTotals(totals, this.#totalsOf(child));
    this.#totals.set(node, totals);
    return totals;
  }
}

/** @param {Totals} sum @param {Totals} more */
function addTotals(sum, [total, least, most, squares]) {
  sum[0] += total;
  sum[1] = Math.min(sum[1], least);
  sum[2] = Math.max(sum[2], most);
  sum[3] += squares;
}
