// Computes the entries of a database's two trees as terms: their sizes without writing them, and the bytes where a node is to be packed.
// couch_bt_engine.erl, `id_tree_split`, `seq_tree_split`, `id_tree_reduce`, `seq_tree_reduce` (3.4.3).

import { REVISION_BYTES, REVISIONS_LIMIT } from './constants.js';
import { atomBytes, binaryBytes, integerBytes, LIST_BYTES, TUPLE_BYTES, VERSION_BYTES } from './term-writer.js';

/** @import { LoadColumns } from './load-table.js' */
/** @import { TermWriter } from './term-writer.js' */
/** @import { TreeNode } from './tree.js' */

const NIL_BYTES = 1;
const SIZE_INFO = 'size_info';
const SIZE_INFO_BYTES = TUPLE_BYTES + atomBytes(SIZE_INFO);

/** Of each write to a shard, in the order of sequence numbers: number 0 has the sequence number 1. */
export class Writes {
  count = 0;

  /** @param {LoadColumns} load @param {number} most writes there may be */
  constructor(load, most) {
    this.load = load;
    /** Which document of the load was written. */
    this.documents = new Int32Array(most);
    /** Its id as a term. */
    this.keyBytes = new Int32Array(most);
    this.external = new Int32Array(most);
    this.deleted = new Uint8Array(most);
    this.ranks = new Uint32Array(most);
    /** Where it begins in the file. */
    this.pointers = new Float64Array(most);
    /** Its bytes on the disk. */
    this.active = new Int32Array(most);
    /** The write of the same id before it; -1 where there is none. */
    this.previous = new Int32Array(most);
    /** Writes of this id so far, at most as many as are kept. */
    this.revisions = new Uint16Array(most);
    /** 1 where a later write of the same id came. */
    this.replaced = new Uint8Array(most);
    /** Bytes of all older revisions in its revision tree. */
    this.olderBytes = new Float64Array(most);
    this.entryBytes = new Int32Array(most);
    /** The numbers themselves: keys of the tree of sequence numbers. */
    this.sequence = new Uint32Array(most);
    for (let write = 0; write < most; write += 1) this.sequence[write] = write;
  }

  /**
   * @param {number} document of the load
   * @param {number} previous the last write of its id; -1 where there is none
   * @returns {number} the new write
   */
  add(document, previous) {
    const { load, count: write } = this;
    const start = document === 0 ? 0 : /** @type {number} */ (load.idEnds[document - 1]);
    this.documents[write] = document;
    this.ranks[write] = /** @type {number} */ (load.ranks[document]);
    this.keyBytes[write] = binaryBytes(/** @type {number} */ (load.idEnds[document]) - start);
    this.external[write] = /** @type {number} */ (load.externalBytes[document]);
    this.deleted[write] = /** @type {number} */ (load.deleted[document]);
    this.previous[write] = previous;
    if (previous !== -1) this.replaced[previous] = 1;
    this.count += 1;
    return write;
  }

  /** @returns {Writes} the same writes, with places of their own in another file */
  copy() {
    const copy = new Writes(this.load, 0);
    Object.assign(copy, this);
    copy.pointers = this.pointers.slice();
    copy.active = this.active.slice();
    copy.revisions = this.revisions.slice();
    copy.olderBytes = this.olderBytes.slice();
    copy.entryBytes = this.entryBytes.slice();
    return copy;
  }
}

export class DatabaseTerms {
  #hash = Buffer.alloc(REVISION_BYTES);

  /**
   * @param {Writes} writes
   * @param {boolean} isCompacted whether older revisions have lost what they point to
   */
  constructor(writes, isCompacted) {
    this.writes = writes;
    this.isCompacted = isCompacted;
  }

  /** @param {number} write @returns {number} of `{Deleted, Pointer, Seq, {Active, External}, Atts}` */
  #leafBytes(write) {
    const { pointers, active } = this.writes;
    return (
      2 * TUPLE_BYTES +
      2 +
      integerBytes(/** @type {number} */ (pointers[write])) +
      integerBytes(write + 1) +
      integerBytes(/** @type {number} */ (active[write])) +
      integerBytes(/** @type {number} */ (this.writes.external[write])) +
      NIL_BYTES
    );
  }

  /** Computes `entryBytes` of a write: of `{Id, {Seq, Deleted, Sizes, Revisions}}`, and by seq it is the same. @param {number} write */
  measure(write) {
    const { writes } = this;
    const sizes =
      TUPLE_BYTES +
      integerBytes(/** @type {number} */ (writes.active[write])) +
      integerBytes(/** @type {number} */ (this.writes.external[write]));
    const previous = /** @type {number} */ (writes.previous[write]);
    // A revision has the list of those that follow it: of one, or none.
    let older = 0;
    if (previous !== -1) {
      const value = this.isCompacted ? NIL_BYTES : this.#leafBytes(previous);
      older =
        /** @type {number} */ (writes.olderBytes[previous]) +
        TUPLE_BYTES +
        binaryBytes(REVISION_BYTES) +
        value +
        LIST_BYTES;
      const before = /** @type {number} */ (writes.revisions[previous]);
      if (before === REVISIONS_LIMIT) older *= (REVISIONS_LIMIT - 1) / REVISIONS_LIMIT;
      writes.revisions[write] = Math.min(before + 1, REVISIONS_LIMIT);
    } else writes.revisions[write] = 1;
    writes.olderBytes[write] = older;
    const revisionTree =
      LIST_BYTES + 2 * TUPLE_BYTES + 2 + older + binaryBytes(REVISION_BYTES) + this.#leafBytes(write) + NIL_BYTES;
    writes.entryBytes[write] =
      2 * TUPLE_BYTES +
      /** @type {number} */ (writes.keyBytes[write]) +
      integerBytes(write + 1) +
      2 +
      sizes +
      Math.round(revisionTree);
  }

  /**
   * `term_size` of a document info as compaction counts it (couch_bt_engine_compactor.erl, `copy_compact`).
   * @param {number} write
   * @returns {number}
   */
  infoBytes(write) {
    // `full_doc_info`, two times `size_info`, `false`; the leaf is a record, too.
    return (
      VERSION_BYTES -
      TUPLE_BYTES +
      /** @type {number} */ (this.writes.entryBytes[write]) +
      atomBytes('full_doc_info') +
      atomBytes('leaf') +
      2 * atomBytes(SIZE_INFO) +
      2 * (atomBytes('false') - 2)
    );
  }

  /** @param {TermWriter} writer @param {number} write */
  #writeId(writer, write) {
    const { load, documents } = this.writes;
    const document = /** @type {number} */ (documents[write]);
    const start = document === 0 ? 0 : /** @type {number} */ (load.idEnds[document - 1]);
    writer.binary(load.ids, start, /** @type {number} */ (load.idEnds[document]));
  }

  /** @param {TermWriter} writer @param {number} write */
  writeById(writer, write) {
    writer.tuple(2);
    this.#writeId(writer, write);
    writer.tuple(4);
    writer.integer(write + 1);
    this.#writeState(writer, write);
  }

  /** @param {TermWriter} writer @param {number} write */
  writeBySeq(writer, write) {
    writer.tuple(2);
    writer.integer(write + 1);
    writer.tuple(4);
    this.#writeId(writer, write);
    this.#writeState(writer, write);
  }

  /** @param {TermWriter} writer @param {number} write */
  #writeState(writer, write) {
    const { writes } = this;
    writer.integer(/** @type {number} */ (this.writes.deleted[write]));
    writer.tuple(2);
    writer.integer(/** @type {number} */ (writes.active[write]));
    writer.integer(/** @type {number} */ (this.writes.external[write]));
    const chain = [write];
    for (let older = /** @type {number} */ (writes.previous[write]); older !== -1 && chain.length < REVISIONS_LIMIT; ) {
      chain.push(older);
      older = /** @type {number} */ (writes.previous[older]);
    }
    writer.list(1);
    writer.tuple(2);
    writer.integer(1);
    for (let at = chain.length - 1; at >= 0; at -= 1) {
      const revision = /** @type {number} */ (chain[at]);
      writer.tuple(3);
      writer.binary(this.#hashOf(revision), 0, REVISION_BYTES);
      if (at > 0 && this.isCompacted) writer.nil();
      else this.#writeLeaf(writer, revision);
      if (at > 0) writer.list(1);
    }
    for (let at = 0; at <= chain.length; at += 1) writer.nil();
  }

  /** @param {TermWriter} writer @param {number} write */
  #writeLeaf(writer, write) {
    const { writes } = this;
    writer.tuple(5);
    writer.integer(/** @type {number} */ (this.writes.deleted[write]));
    writer.integer(/** @type {number} */ (writes.pointers[write]));
    writer.integer(write + 1);
    writer.tuple(2);
    writer.integer(/** @type {number} */ (writes.active[write]));
    writer.integer(/** @type {number} */ (this.writes.external[write]));
    writer.nil();
  }

  /** @param {number} write @returns {Buffer} bytes that pack as badly as a hash does */
  #hashOf(write) {
    let state = Math.imul(write + 1, 0x9e3779b1);
    for (let at = 0; at < REVISION_BYTES; at += 4) {
      state = Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x6d2b79f5;
      this.#hash.writeInt32LE(Math.imul(state ^ (state >>> 13), 0xc2b2ae35) | 0, at);
    }
    return this.#hash;
  }

  /** @param {TreeNode} node */
  reduceById(node) {
    if (node.items) {
      const { active, external, deleted } = this.writes;
      for (const write of node.items) {
        node.deleted += /** @type {number} */ (deleted[write]);
        node.active += /** @type {number} */ (active[write]);
        node.external += /** @type {number} */ (external[write]);
      }
      node.count = node.items.length - node.deleted;
    } else {
      for (const child of node.children ?? []) {
        node.count += child.count;
        node.deleted += child.deleted;
        node.active += child.active;
        node.external += child.external;
      }
    }
    node.reductionBytes =
      TUPLE_BYTES +
      integerBytes(node.count) +
      integerBytes(node.deleted) +
      SIZE_INFO_BYTES +
      integerBytes(node.active) +
      integerBytes(node.external);
  }

  /** @param {TreeNode} node */
  reduceBySeq(node) {
    if (node.items) node.count = node.items.length;
    else for (const child of node.children ?? []) node.count += child.count;
    node.reductionBytes = integerBytes(node.count);
  }

  /** @param {TermWriter} writer @param {TreeNode} node */
  writeChildById(writer, node) {
    writer.tuple(2);
    this.#writeId(writer, node.last);
    writer.tuple(3);
    writer.integer(node.pointer);
    writer.tuple(3);
    writer.integer(node.count);
    writer.integer(node.deleted);
    writer.tuple(3);
    writer.atom(SIZE_INFO);
    writer.integer(node.active);
    writer.integer(node.external);
    writer.integer(node.subtreeBytes);
  }

  /** @param {TermWriter} writer @param {TreeNode} node */
  writeChildBySeq(writer, node) {
    writer.tuple(2);
    writer.integer(node.last + 1);
    writer.tuple(3);
    writer.integer(node.pointer);
    writer.integer(node.count);
    writer.integer(node.subtreeBytes);
  }
}

/**
 * `#db_header{}` of couch_bt_engine_header.erl as a term.
 * @param {{idRoot: TreeNode | undefined, seqRoot: TreeNode | undefined, sequence: number,
 *   securityPointer: number | undefined, propertiesPointer: number | undefined}} state
 * @param {number} nodeNameBytes of the server's name, `couchdb@127.0.0.1`
 * @returns {number}
 */
export function headerBytes({ idRoot, seqRoot, sequence, securityPointer, propertiesPointer }, nodeNameBytes) {
  const nil = atomBytes('nil');
  /** @param {TreeNode | undefined} root */
  const rootBytes = (root) =>
    root ? TUPLE_BYTES + integerBytes(root.pointer) + root.reductionBytes + integerBytes(root.subtreeBytes) : nil;
  const epochs = LIST_BYTES + TUPLE_BYTES + 3 + nodeNameBytes + 2;
  const security = securityPointer === undefined ? nil : integerBytes(securityPointer);
  const properties = propertiesPointer === undefined ? atomBytes('undefined') : integerBytes(propertiesPointer);
  // Version of the format, an unused number, three empty trees, limits of revisions and purges, UUID, number of the last compaction.
  const fixed = VERSION_BYTES + TUPLE_BYTES + atomBytes('db_header') + 2 + 2 + 3 * nil + 5 + 5 + binaryBytes(32) + 2;
  return fixed + epochs + integerBytes(sequence) + security + properties + rootBytes(idRoot) + rootBytes(seqRoot);
}
