// Computes the length of a tree's nodes on disk. Small loads have every node packed; of large ones only every so many,
// and the others are assumed to pack as well as the last ones with as many entries.

import { SNAPPY_PREFIX_BYTES } from './constants.js';
import { packedLength } from './snappy.js';
import { TermWriter } from './term-writer.js';

/** @import { TreeNode } from './tree.js' */

/**
 * @typedef {object} Care How many nodes are packed.
 * @property {number} all so many of a kind are all packed
 * @property {number} stride of those that come then, one in so many
 */

/** @type {Care} */
export const CAREFUL = { all: 10_000, stride: 32 };
/** Off by some 0.5 %, in half the time: for what is compared with another. @type {Care} */
export const QUICK = { all: 1500, stride: 48 };
/** Nodes of more entries count as one kind. */
const MAX_ENTRIES = 64;
/** How much a node that is packed changes what is expected of the next ones, at least. */
const MIN_WEIGHT = 1 / 64;

/**
 * @typedef {object} NodeTerms How entries are written as terms.
 * @property {(writer: TermWriter, item: number) => void} writeItem
 * @property {(writer: TermWriter, node: TreeNode) => void} writeChild
 */

/** How well nodes of one kind pack, by the number of their entries. */
class Ratios {
  seen = 0;
  #ratios = new Float64Array(MAX_ENTRIES + 1);
  #weights = new Float64Array(MAX_ENTRIES + 1);

  /** @param {Care} care */
  constructor(care) {
    this.care = care;
  }

  /** @param {number} entries @returns {number} 0 where it has to be computed */
  get(entries) {
    this.seen += 1;
    if (this.seen <= this.care.all || this.seen % this.care.stride === 0) return 0;
    return /** @type {number} */ (this.#ratios[Math.min(entries, MAX_ENTRIES)]);
  }

  /** @param {number} entries @param {number} ratio */
  add(entries, ratio) {
    const at = Math.min(entries, MAX_ENTRIES);
    const count = /** @type {number} */ (this.#weights[at]) + 1;
    this.#weights[at] = count;
    const known = /** @type {number} */ (this.#ratios[at]);
    this.#ratios[at] = known + (ratio - known) * Math.max(1 / count, MIN_WEIGHT);
  }
}

export class NodePacker {
  #leaves;
  /** Of nodes above leaves, and of all that are higher. */
  #lowest;
  #higher;
  #writer = new TermWriter();

  /**
   * @param {NodeTerms} terms
   * @param {Care} [care]
   */
  constructor(terms, care = CAREFUL) {
    this.terms = terms;
    this.#leaves = new Ratios(care);
    this.#lowest = new Ratios(care);
    this.#higher = new Ratios(care);
  }

  /**
   * @param {number[]} items
   * @param {number} bytes of the node as a term
   * @returns {number}
   */
  leafLength(items, bytes) {
    const ratio = this.#leaves.get(items.length);
    if (ratio > 0) return Math.round(bytes * ratio);
    const writer = this.#begin('kv_node', items.length);
    for (const item of items) this.terms.writeItem(writer, item);
    return this.#end(this.#leaves, items.length);
  }

  /**
   * @param {TreeNode[]} children
   * @param {number} bytes
   * @returns {number}
   */
  innerLength(children, bytes) {
    const ratios = children[0]?.items ? this.#lowest : this.#higher;
    const ratio = ratios.get(children.length);
    if (ratio > 0) return Math.round(bytes * ratio);
    const writer = this.#begin('kp_node', children.length);
    for (const child of children) this.terms.writeChild(writer, child);
    return this.#end(ratios, children.length);
  }

  /** @param {string} kind @param {number} entries @returns {TermWriter} */
  #begin(kind, entries) {
    const writer = this.#writer;
    writer.reset();
    writer.version();
    writer.tuple(2);
    writer.atom(kind);
    writer.list(entries);
    return writer;
  }

  /** @param {Ratios} ratios @param {number} entries @returns {number} */
  #end(ratios, entries) {
    const writer = this.#writer;
    writer.nil();
    const length = SNAPPY_PREFIX_BYTES + packedLength(writer.bytes, 0, writer.length);
    ratios.add(entries, length / writer.length);
    return length;
  }
}
