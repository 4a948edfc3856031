// Replays CouchDB's append-only B+tree step by step and computes the nodes that are written for entries added and
// removed (couch_btree.erl, 3.4.3; the same from 3.0.0 to 3.5.2). Knows sizes, keeps no keys and no values.

import { CHUNK_SIZE, FILL_RATIO } from './constants.js';
import { integerBytes, LIST_BYTES, TUPLE_BYTES, VERSION_BYTES } from './term-writer.js';

/** @import { AppendOnlyFile } from './append-only-file.js' */
/** @import { NodePacker } from './node-packer.js' */

/** `{kv_node, List}` and `{kp_node, List}` without what is in the list: tuple, atom, list, version. */
const NODE_BYTES = VERSION_BYTES + TUPLE_BYTES + 10 + LIST_BYTES;

/** What `term_size` counts for a list beside its members. */
const LIST_TERM_BYTES = VERSION_BYTES + LIST_BYTES;

/** A node as its parent sees it: `{LastKey, {Pointer, Reduction, Size}}`. */
export class TreeNode {
  /** Where it begins in the file. */
  pointer = 0;
  /** Bytes on the disk of it and all below. */
  subtreeBytes = 0;
  /** Bytes as an entry of its parent. */
  entryBytes = 0;
  /** Bytes of its reduction as a term. */
  reductionBytes = 0;
  count = 0;
  deleted = 0;
  active = 0;
  external = 0;

  /**
   * @param {number[] | undefined} items of a leaf
   * @param {TreeNode[] | undefined} children of a node that is none
   * @param {number} last item below it
   * @param {number} lastKey its key
   */
  constructor(items, children, last, lastKey) {
    this.items = items;
    this.children = children;
    this.last = last;
    this.lastKey = lastKey;
  }
}

/**
 * @typedef {object} TreeColumns Of each item of a tree, by its number.
 * @property {ArrayLike<number>} keys in the order of the tree: a number represents a key
 * @property {ArrayLike<number>} entryBytes of `{Key, Value}` as a term
 * @property {(item: number) => number} keyBytes of the key as a term
 * @property {(node: TreeNode) => void} reduce sets `reductionBytes`, and what of count, deleted, active and external it has
 */

export class Tree {
  /** @type {TreeNode | undefined} */
  root;
  nodes = 0;
  leaves = 0;
  /** Nodes that were written to replace an older one. */
  replaced = 0;
  /** Bytes on the disk of all nodes that were ever written. */
  bytes = 0;
  /** Of them: roots. */
  rootBytes = 0;
  /** Entries that were added or removed. */
  actions = 0;
  #keys;

  /**
   * @param {AppendOnlyFile} file
   * @param {TreeColumns} columns
   * @param {NodePacker} packer
   */
  constructor(file, columns, packer) {
    this.file = file;
    this.columns = columns;
    this.packer = packer;
    this.#keys = columns.keys;
  }

  /** @returns {number} bytes on the disk of the nodes that are in use */
  get liveBytes() {
    return this.root?.subtreeBytes ?? 0;
  }

  /**
   * `query_modify`, then `complete_root`.
   * @param {ArrayLike<number>} actions items to be added, and to be removed as `-1 - item`; in the order of their keys
   */
  modify(actions) {
    if (actions.length === 0) return;
    this.actions += actions.length;
    const before = this.root;
    let nodes = this.#modifyNode(before, actions, 0, actions.length);
    while (nodes.length > 1) nodes = this.#writeChildren(nodes);
    this.root = nodes[0];
    if (this.root && this.root !== before) this.rootBytes += ownBytes(this.root);
  }

  /**
   * @param {TreeNode | undefined} node
   * @param {ArrayLike<number>} actions
   * @param {number} from
   * @param {number} to
   * @returns {TreeNode[]} what replaces the node from now on
   */
  #modifyNode(node, actions, from, to) {
    if (node?.children) {
      const { children: old } = node;
      const children = this.#modifyChildren(old, actions, from, to);
      if (children.length === 0 || isSame(children, old)) return children.length === 0 ? [] : [node];
      const bytesOf = (/** @type {TreeNode} */ { entryBytes }) => entryBytes;
      return this.#rewrite(node, old, children, bytesOf, (some) => this.#writeChildren(some));
    }
    const old = node?.items ?? [];
    const items = this.#mergeItems(old, actions, from, to);
    if (items.length === 0) return [];
    if (node === undefined) return this.#writeItems(items);
    if (isSame(items, old)) return [node];
    const bytesOf = (/** @type {number} */ item) => /** @type {number} */ (this.columns.entryBytes[item]);
    return this.#rewrite(node, old, items, bytesOf, (some) => this.#writeItems(some));
  }

  /**
   * `modify_kvnode`
   * @param {number[]} old
   * @param {ArrayLike<number>} actions
   * @param {number} from
   * @param {number} to
   * @returns {number[]}
   */
  #mergeItems(old, actions, from, to) {
    const keys = this.#keys;
    /** @type {number[]} */
    const items = [];
    let at = 0;
    for (let index = from; index < to; index += 1) {
      const action = /** @type {number} */ (actions[index]);
      const item = action < 0 ? -1 - action : action;
      const key = /** @type {number} */ (keys[item]);
      while (at < old.length && /** @type {number} */ (keys[/** @type {number} */ (old[at])]) < key) {
        items.push(/** @type {number} */ (old[at]));
        at += 1;
      }
      if (at < old.length && keys[/** @type {number} */ (old[at])] === key) at += 1;
      if (action >= 0) items.push(item);
    }
    for (; at < old.length; at += 1) items.push(/** @type {number} */ (old[at]));
    return items;
  }

  /**
   * `modify_kpnode`: each action goes to the first child whose last key is not less, or to the last one.
   * @param {TreeNode[]} children
   * @param {ArrayLike<number>} actions
   * @param {number} from
   * @param {number} to
   * @returns {TreeNode[]}
   */
  #modifyChildren(children, actions, from, to) {
    const keys = this.#keys;
    /** @type {TreeNode[]} */
    const result = [];
    const lastChild = children.length - 1;
    let copied = 0;
    for (let next = from; next < to; ) {
      const key = keyOf(keys, /** @type {number} */ (actions[next]));
      let at = copied;
      for (let high = lastChild; at < high; ) {
        const middle = (at + high) >> 1;
        if (/** @type {TreeNode} */ (children[middle]).lastKey < key) at = middle + 1;
        else high = middle;
      }
      for (; copied < at; copied += 1) result.push(/** @type {TreeNode} */ (children[copied]));
      const child = /** @type {TreeNode} */ (children[at]);
      let end = to;
      if (at < lastChild) {
        end = next + 1;
        while (end < to && keyOf(keys, /** @type {number} */ (actions[end])) <= child.lastKey) end += 1;
      }
      for (const node of this.#modifyNode(child, actions, next, end)) result.push(node);
      copied = at + 1;
      next = end;
    }
    for (; copied <= lastChild; copied += 1) result.push(/** @type {TreeNode} */ (children[copied]));
    return result;
  }

  /**
   * `write_node/5`: if all old entries are there still, side by side, and fill half a node, the old node stays and only what is
   * before and behind it is written.
   * @template T
   * @param {TreeNode} node
   * @param {T[]} old
   * @param {T[]} entries
   * @param {(entry: T) => number} bytesOf
   * @param {(entries: T[]) => TreeNode[]} write
   * @returns {TreeNode[]}
   */
  #rewrite(node, old, entries, bytesOf, write) {
    const first = old.length > 1 ? entries.indexOf(/** @type {T} */ (old[0])) : -1;
    if (first !== -1) {
      let size = 0;
      let at = 0;
      while (at < old.length && entries[first + at] === old[at]) {
        size += bytesOf(/** @type {T} */ (old[at])) + VERSION_BYTES;
        at += 1;
      }
      if (at === old.length && size >= CHUNK_SIZE * FILL_RATIO) {
        const before = first > 0 ? write(entries.slice(0, first)) : [];
        const behind = first + at < entries.length ? write(entries.slice(first + at)) : [];
        return [...before, node, ...behind];
      }
    }
    this.replaced += 1;
    return write(entries);
  }

  /** @param {number[]} items @returns {TreeNode[]} */
  #writeItems(items) {
    const { entryBytes } = this.columns;
    const written = [];
    let total = LIST_TERM_BYTES;
    for (const item of items) total += /** @type {number} */ (entryBytes[item]);
    let start = 0;
    for (const end of chunkEnds(items.length, total, (at) => /** @type {number} */ (entryBytes[items[at] ?? 0]))) {
      const chunk = end - start === items.length ? items : items.slice(start, end);
      let bytes = NODE_BYTES;
      for (const item of chunk) bytes += /** @type {number} */ (entryBytes[item]);
      const last = /** @type {number} */ (chunk[chunk.length - 1]);
      const node = new TreeNode(chunk, undefined, last, /** @type {number} */ (this.#keys[last]));
      this.#place(node, this.packer.leafLength(chunk, bytes));
      written.push(node);
      start = end;
    }
    this.leaves += written.length;
    return written;
  }

  /** @param {TreeNode[]} children @returns {TreeNode[]} */
  #writeChildren(children) {
    const written = [];
    let total = LIST_TERM_BYTES;
    for (const child of children) total += child.entryBytes;
    let start = 0;
    for (const end of chunkEnds(children.length, total, (at) => /** @type {TreeNode} */ (children[at]).entryBytes)) {
      const chunk = end - start === children.length ? children : children.slice(start, end);
      let bytes = NODE_BYTES;
      let below = 0;
      for (const child of chunk) {
        bytes += child.entryBytes;
        below += child.subtreeBytes;
      }
      const { last, lastKey } = /** @type {TreeNode} */ (chunk[chunk.length - 1]);
      const node = new TreeNode(undefined, chunk, last, lastKey);
      node.subtreeBytes = below;
      this.#place(node, this.packer.innerLength(chunk, bytes));
      written.push(node);
      start = end;
    }
    return written;
  }

  /** @param {TreeNode} node @param {number} packedBytes */
  #place(node, packedBytes) {
    node.pointer = this.file.position;
    const stored = this.file.append(packedBytes);
    node.subtreeBytes += stored;
    this.nodes += 1;
    this.bytes += stored;
    const { columns } = this;
    columns.reduce(node);
    node.entryBytes =
      2 * TUPLE_BYTES +
      columns.keyBytes(node.last) +
      integerBytes(node.pointer) +
      node.reductionBytes +
      integerBytes(node.subtreeBytes);
  }
}

/** @param {TreeNode} node @returns {number} its bytes on the disk, without what is below it */
export function ownBytes({ subtreeBytes, children = [] }) {
  return children.reduce((bytes, child) => bytes - child.subtreeBytes, subtreeBytes);
}

/** @param {ArrayLike<number>} keys @param {number} action @returns {number} */
function keyOf(keys, action) {
  return /** @type {number} */ (keys[action < 0 ? -1 - action : action]);
}

/**
 * @template T
 * @param {T[]} list
 * @param {T[]} other
 * @returns {boolean}
 */
function isSame(list, other) {
  if (list.length !== other.length) return false;
  for (let at = 0; at < list.length; at += 1) if (list[at] !== other[at]) return false;
  return true;
}

/**
 * `chunkify`: a list that is too long is cut in parts of about one size; each part takes the entry that makes it too long, and
 * a last entry that would be alone goes to the part before.
 * @param {number} length of the list
 * @param {number} total its size as a term
 * @param {(at: number) => number} bytesAt of its entries, without the version that `term_size` counts
 * @returns {number[]} where the parts end
 */
export function chunkEnds(length, total, bytesAt) {
  if (total <= CHUNK_SIZE) return [length];
  const threshold = Math.floor(total / (Math.floor(total / CHUNK_SIZE) + 1));
  /** @type {number[]} */
  const ends = [];
  let size = 0;
  let start = 0;
  for (let at = 0; at < length; at += 1) {
    const bytes = bytesAt(at) + VERSION_BYTES;
    if (size + bytes > threshold && at > start) {
      ends.push(at + 1);
      start = at + 1;
      size = 0;
    } else size += bytes;
  }
  if (start === length) return ends;
  if (length - start === 1 && ends.length > 0) ends[ends.length - 1] = length;
  else ends.push(length);
  return ends;
}
