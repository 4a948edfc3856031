// Keeps the entries of a view's B-tree, `{{Key, DocId}, Value}`, and computes the reduction of each node, for the replay of its index file.

import { cutByBytes, sortActions } from './index-rows.js';
import { RowTerms } from './row-terms.js';
import { integerBytes, TUPLE_BYTES, VERSION_BYTES } from './term-writer.js';
import { compareKeys } from './view-keys.js';
import { externalOfReductions, reductionsBytes, writeReductions } from './view-reductions.js';

/** @import { TermWriter } from './term-writer.js' */
/** @import { TreeNode } from './tree.js' */
/** @import { StoredReduce, Totals } from './view-reductions.js' */

/** `{dups, [Value, …]}` of a key that one document emitted more than once: tuple 2, atom, list. couch_mrview_updater.erl, `insert_results`. */
const DUPS = [104, 2, 100, 0, 4, ...Buffer.from('dups'), 108];
const NIL = 106;

export class ViewRows {
  /** @type {Uint32Array} */
  ranks = new Uint32Array(0);
  entryBytes = new Int32Array(0);
  /** Entries. */
  count = 0;
  #terms = new RowTerms();
  /** Of each entry: where it ends. @type {number[]} */
  #ends = [];
  /** Bytes of `{Key, DocId}`. @type {number[]} */
  #keyBytes = [];
  /** Bytes that count as external: of key and value as terms, for each row. @type {number[]} */
  #external = [];
  /** @type {number[]} */
  #documents = [];
  /** Rows of an entry: more than one where a document emitted a key more than once. @type {number[]} */
  #rows = [];
  /** @type {Totals[]} */
  #totalsOfEntries = [];
  /** The entry that an equal one of a later write leaves as it is. @type {Map<number, number>} */
  #same = new Map();
  /** @type {{key: unknown, id: string}[]} */
  #keys = [];
  /** @type {WeakMap<TreeNode, Totals>} */
  #totals = new WeakMap();
  #hasTotals;

  /** @param {StoredReduce[]} reduces of all views that share the tree */
  constructor(reduces) {
    this.reduces = reduces;
    this.#hasTotals = reduces.includes('_sum') || reduces.includes('_stats');
  }

  /**
   * @param {number} document its number, rising
   * @param {string} id
   * @param {unknown} key
   * @param {unknown[]} values at least one; several where the document emitted the key more than once
   */
  add(document, id, key, values) {
    const terms = this.#terms;
    const start = terms.length;
    terms.add(Buffer.from([104, 2, 104, 2]));
    const keyTerm = terms.termOf(key);
    const externalKey = keyTerm.length + VERSION_BYTES;
    terms.add(keyTerm);
    terms.add(terms.termOf(id));
    this.#keyBytes.push(terms.length - start - TUPLE_BYTES);
    let external = values.length * externalKey;
    if (values.length > 1) {
      const list = Buffer.from([...DUPS, 0, 0, 0, 0]);
      list.writeUInt32BE(values.length, DUPS.length);
      terms.add(list);
    }
    for (const value of values) {
      const term = terms.termOf(value);
      external += term.length + VERSION_BYTES;
      terms.add(term);
    }
    if (values.length > 1) terms.add(Buffer.from([NIL]));
    this.#ends.push(terms.length);
    this.#external.push(external);
    this.#documents.push(document);
    this.#rows.push(values.length);
    if (this.#hasTotals) this.#totalsOfEntries.push(totalsOf(values));
    this.#keys.push({ key, id });
    this.count += 1;
  }

  /** All rows are added. */
  finish() {
    const keys = this.#keys;
    this.entryBytes = Int32Array.from(this.#ends, (end, row) => end - (this.#ends[row - 1] ?? 0));
    const compare = (/** @type {number} */ first, /** @type {number} */ second) => {
      const one = /** @type {{key: unknown, id: string}} */ (keys[first]);
      const other = /** @type {{key: unknown, id: string}} */ (keys[second]);
      return compareKeys(one.key, other.key) || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
    };
    const order = Uint32Array.from(keys, (_, row) => row).sort(
      (first, second) => compare(first, second) || first - second,
    );
    this.ranks = new Uint32Array(order.length);
    let rank = 0;
    for (const [at, row] of order.entries()) {
      const before = /** @type {number} */ (order[at - 1] ?? -1);
      if (before !== -1 && compare(before, row) === 0) {
        if (this.#hasEqualTerm(before, row)) this.#same.set(row, this.#same.get(before) ?? before);
      } else rank += 1;
      this.ranks[row] = rank;
    }
    this.#keys = [];
  }

  /** @param {number} row @returns {number} bytes of `{Key, DocId}` as a term */
  keyLength(row) {
    return /** @type {number} */ (this.#keyBytes[row]);
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {ArrayLike<number>} previous of each document: its number before it was written again, or -1
   * @returns {number[]} what these documents change, in the order of their keys
   */
  between(start, end, previous) {
    const actions = [];
    for (let row = this.#firstOf(start); row < this.count && this.#documentOf(row) < end; row += 1)
      actions.push(this.#same.get(row) ?? row);
    for (let document = start; document < end; document += 1) {
      const before = previous[document] ?? -1;
      if (before === -1) continue;
      for (let row = this.#firstOf(before); row < this.count && this.#documentOf(row) === before; row += 1)
        actions.push(-1 - (this.#same.get(row) ?? row));
    }
    return sortActions(actions, this.ranks);
  }

  /**
   * @param {number} count of documents, none of which was written again
   * @returns {Generator<number[]>} all in the order of their keys, as many at once as compaction adds
   */
  *inParts(count) {
    yield* cutByBytes(this.between(0, count, []), this.entryBytes);
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
    writeReductions(writer, this.reduces, node, this.#totalsBelow(node));
    writer.integer(node.external);
    writer.integer(node.subtreeBytes);
  }

  /** @param {TreeNode} node */
  reduce(node) {
    const totals = this.#totalsBelow(node);
    const { items, children = [] } = node;
    if (items) for (const item of items) node.count += /** @type {number} */ (this.#rows[item]);
    else for (const child of children) node.count += child.count;
    const bytes = reductionsBytes(this.reduces, node.count, totals);
    if (items) {
      node.external = externalOfReductions(bytes);
      for (const row of items) node.external += /** @type {number} */ (this.#external[row]);
    } else for (const child of children) node.external += child.external;
    node.reductionBytes = TUPLE_BYTES + integerBytes(node.count) + bytes + integerBytes(node.external);
  }

  /** @param {number} row @returns {number} */
  #documentOf(row) {
    return /** @type {number} */ (this.#documents[row]);
  }

  /** Rows come in the order of documents: the first one is found by bisection. @param {number} document @returns {number} */
  #firstOf(document) {
    let row = 0;
    for (let high = this.count; row < high; ) {
      const middle = (row + high) >> 1;
      if (this.#documentOf(middle) < document) row = middle + 1;
      else high = middle;
    }
    return row;
  }

  /** @param {number} one @param {number} other @returns {boolean} */
  #hasEqualTerm(one, other) {
    const { bytes } = this.#terms;
    const [first, second] = [one, other].map((row) => bytes.subarray(this.#ends[row - 1] ?? 0, this.#ends[row]));
    return first !== undefined && second !== undefined && first.equals(second);
  }

  /** @param {TreeNode} node @returns {Totals} */
  #totalsBelow(node) {
    const known = this.#totals.get(node);
    if (known || !this.#hasTotals) return known ?? [0, 0, 0, 0];
    const totals = noTotals();
    for (const row of node.items ?? []) addTotals(totals, /** @type {Totals} */ (this.#totalsOfEntries[row]));
    for (const child of node.children ?? []) addTotals(totals, this.#totalsBelow(child));
    this.#totals.set(node, totals);
    return totals;
  }
}

/** @returns {Totals} */
function noTotals() {
  return [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
}

/** @param {unknown[]} values @returns {Totals} */
function totalsOf(values) {
  const totals = noTotals();
  for (const value of values) {
    const number = typeof value === 'number' ? value : 0;
    addTotals(totals, [number, number, number, number * number]);
  }
  return totals;
}

/** @param {Totals} sum @param {Totals} more */
function addTotals(sum, [total, minimum, maximum, squares]) {
  sum[0] += total;
  sum[1] = Math.min(sum[1], minimum);
  sum[2] = Math.max(sum[2], maximum);
  sum[3] += squares;
}
