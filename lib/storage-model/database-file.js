// Models the file of a shard from the writes to it: documents, then the nodes of both trees, then a header for each commit; and the file that
// compaction makes of it. couch_db_updater.erl, couch_bt_engine.erl, couch_bt_engine_compactor.erl (3.4.3).

import { AppendOnlyFile } from './append-only-file.js';
import { COMPACTION_BUFFER_BYTES, COMPACTION_CHECKPOINT_BYTES, COMPACTION_IDS_AT_ONCE } from './constants.js';
import { DatabaseTerms, headerBytes, Writes } from './database-terms.js';
import { NodePacker } from './node-packer.js';
import { integerBytes } from './term-writer.js';
import { Tree } from './tree.js';

/** @import { Care } from './node-packer.js' */

/** Properties and the default security object, packed. couch_bt_engine.erl, `init`, `set_default_security_object`. */
const PROPERTIES_BYTES = 5;
const SECURITY_BYTES = 65;
/** `#comp_header{}` has beside the database's header the state of the sort. couch_bt_engine_compactor.erl. */
const COMPACTION_STATE_BYTES = 80;
/** Length of the node's name: `nonode@nohost`, `couchdb@127.0.0.1`. It moves a header by a few bytes. */
const NODE_NAME_BYTES = 17;
/** More than there are writes to a shard; with their ranks it fits into 53 bits. */
const WRITES = 2 ** 26;

/**
 * @typedef {object} FileFigures One file, or several together. Bytes.
 * @property {number} file its length
 * @property {number} bodies documents
 * @property {number} idTree all nodes that were written to the B-tree by id
 * @property {number} seqTree of the tree of sequence numbers
 * @property {number} headers with the blanks in front of them
 * @property {number} active what is in use of it: documents and nodes
 * @property {number} external documents as JSON
 * @property {number} nodes how many were written, of both trees
 * @property {number} replacedNodes how many of them replace an older one
 * @property {number} commits
 */

export class DatabaseFile {
  #file = new AppendOnlyFile();
  #bodies = 0;
  #commits = 0;
  /** @type {number | undefined} */
  #securityPointer;
  /** @type {number | undefined} */
  #propertiesPointer;

  /**
   * @param {Writes} writes
   * @param {boolean} isCompacted
   * @param {Care} [care] with which nodes are packed
   */
  constructor(writes, isCompacted, care) {
    this.writes = writes;
    this.care = care;
    const terms = new DatabaseTerms(writes, isCompacted);
    this.terms = terms;
    this.idTree = new Tree(
      this.#file,
      {
        keys: writes.ranks,
        entryBytes: writes.entryBytes,
        keyBytes: (write) => /** @type {number} */ (writes.keyBytes[write]),
        reduce: (node) => terms.reduceById(node),
      },
      new NodePacker(
        {
          writeItem: (writer, write) => terms.writeById(writer, write),
          writeChild: (writer, node) => terms.writeChildById(writer, node),
        },
        care,
      ),
    );
    this.seqTree = new Tree(
      this.#file,
      {
        keys: writes.sequence,
        entryBytes: writes.entryBytes,
        keyBytes: (write) => integerBytes(write + 1),
        reduce: (node) => terms.reduceBySeq(node),
      },
      new NodePacker(
        {
          writeItem: (writer, write) => terms.writeBySeq(writer, write),
          writeChild: (writer, node) => terms.writeChildBySeq(writer, node),
        },
        care,
      ),
    );
  }

  /** @returns {number} bytes */
  get length() {
    return this.#file.position;
  }

  /** A new shard: properties, a header, the security object, a header. */
  create() {
    this.#addProperties();
    this.#writeHeader();
    this.#addSecurity();
    this.#writeHeader();
  }

  /**
   * One commit: the documents are written in the order of their ids (couch_db.erl, `group_alike_docs`), then both trees.
   * @param {ArrayLike<number>} documents of the load, in the order of their ids, each id once
   * @param {Int32Array} latest the last write of each rank in this shard, -1 where there is none; is kept up to date
   */
  commit(documents, latest) {
    const { writes, terms } = this;
    /** @type {number[]} */
    const added = [];
    /** @type {number[]} */
    const removed = [];
    for (let at = 0; at < documents.length; at += 1) {
      const document = /** @type {number} */ (documents[at]);
      const rank = /** @type {number} */ (writes.load.ranks[document]);
      const previous = /** @type {number} */ (latest[rank]);
      const write = writes.add(document, previous);
      latest[rank] = write;
      if (previous !== -1) removed.push(-1 - previous);
      this.#writeBody(write);
      terms.measure(write);
      added.push(write);
    }
    this.idTree.modify(added);
    // Sequence numbers only grow, so what goes stands before what comes.
    this.seqTree.modify(removed.length === 0 ? added : [...removed.sort((one, other) => other - one), ...added]);
    this.#writeHeader();
    this.#commits += 1;
  }

  /** @returns {DatabaseFile} the file after compaction */
  compact() {
    const target = new DatabaseFile(this.writes.copy(), true, this.care);
    target.#compactFrom(this);
    return target;
  }

  /** @param {DatabaseFile} source */
  #compactFrom(source) {
    const { writes } = this;
    this.#writeHeader();
    this.#addSecurity();
    this.#writeHeader();
    /** @type {number[]} */
    let group = [];
    let groupBytes = 0;
    let copiedBytes = 0;
    for (let write = 0; write < writes.count; write += 1) {
      if (writes.replaced[write] === 1) continue;
      group.push(write);
      groupBytes += source.terms.infoBytes(write);
      if (groupBytes < COMPACTION_BUFFER_BYTES) continue;
      this.#copy(group);
      copiedBytes += groupBytes;
      group = [];
      groupBytes = 0;
      if (copiedBytes < COMPACTION_CHECKPOINT_BYTES) continue;
      this.#writeHeader(COMPACTION_STATE_BYTES);
      copiedBytes = 0;
    }
    this.#copy(group);
    this.#addSecurity();
    this.#addProperties();
    // One header when all is copied, one when the ids are sorted (in a file of their own).
    this.#writeHeader(COMPACTION_STATE_BYTES);
    this.#writeHeader(COMPACTION_STATE_BYTES);
    this.#copyIds();
    this.#writeHeader();
  }

  /** `copy_docs` @param {number[]} group writes in the order of their sequence numbers */
  #copy(group) {
    const { ranks } = this.writes;
    // Numbers that hold both are sorted ten times faster than by a function.
    const byId = Float64Array.from(group, (write) => (ranks[write] ?? 0) * WRITES + write).sort();
    for (const key of byId) {
      const write = key % WRITES;
      this.#writeBody(write);
      this.#measureAll(write);
    }
    this.seqTree.modify(group);
  }

  /** Older revisions come first: their bytes are part of those of the later ones. @param {number} write */
  #measureAll(write) {
    const { previous } = this.writes;
    if (previous[write] === -1) return this.terms.measure(write);
    const chain = [write];
    for (let older = /** @type {number} */ (previous[write]); older !== -1; ) {
      chain.push(older);
      older = /** @type {number} */ (previous[older]);
    }
    for (let at = chain.length - 1; at >= 0; at -= 1) this.terms.measure(/** @type {number} */ (chain[at]));
  }

  /** `copy_meta_data` */
  #copyIds() {
    const { writes } = this;
    const live = new Float64Array(writes.count);
    let count = 0;
    for (let write = 0; write < writes.count; write += 1) {
      if (writes.replaced[write] === 1) continue;
      live[count] = /** @type {number} */ (writes.ranks[write]) * WRITES + write;
      count += 1;
    }
    const sorted = live.subarray(0, count).sort();
    for (let at = 0; at < count; at += COMPACTION_IDS_AT_ONCE) {
      const part = Array.from(sorted.subarray(at, Math.min(at + COMPACTION_IDS_AT_ONCE, count)), (key) => key % WRITES);
      this.idTree.modify(part);
    }
  }

  /** @param {number} write */
  #writeBody(write) {
    const { writes } = this;
    writes.pointers[write] = this.#file.position;
    const bytes = /** @type {number} */ (writes.load.bodyBytes[/** @type {number} */ (writes.documents[write])]);
    const stored = this.#file.append(bytes, true);
    writes.active[write] = stored;
    this.#bodies += stored;
  }

  #addSecurity() {
    this.#securityPointer = this.#file.position;
    this.#file.append(SECURITY_BYTES);
  }

  #addProperties() {
    this.#propertiesPointer = this.#file.position;
    this.#file.append(PROPERTIES_BYTES);
  }

  /** @param {number} [more] bytes beside those of a database */
  #writeHeader(more = 0) {
    const state = {
      idRoot: this.idTree.root,
      seqRoot: this.seqTree.root,
      sequence: this.writes.count,
      securityPointer: this.#securityPointer,
      propertiesPointer: this.#propertiesPointer,
    };
    this.#file.writeHeader(headerBytes(state, NODE_NAME_BYTES) + more);
  }

  /** @returns {FileFigures} */
  figures() {
    const { idTree, seqTree } = this;
    return {
      file: this.#file.position,
      bodies: this.#bodies,
      idTree: idTree.bytes,
      seqTree: seqTree.bytes,
      headers: this.#file.headerBytes,
      active: (idTree.root?.active ?? 0) + idTree.liveBytes + seqTree.liveBytes,
      external: idTree.root?.external ?? 0,
      nodes: idTree.nodes + seqTree.nodes,
      replacedNodes: idTree.replaced + seqTree.replaced,
      commits: this.#commits,
    };
  }
}
