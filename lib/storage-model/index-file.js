// Replays the file of an index: the first build, documents written later, and compaction. An index has a by-id B-tree with the keys
// that each document emitted, and a B-tree for each view (couch_mrview_updater.erl, couch_mrview_compactor.erl, 3.5.0).

import { AppendOnlyFile } from './append-only-file.js';
import { IndexRows } from './index-rows.js';
import { CAREFUL, NodePacker } from './node-packer.js';
import { evenEnds } from './replay.js';
import { binaryBytes, integerBytes } from './term-writer.js';
import { Tree } from './tree.js';
import { ViewRows } from './view-rows.js';

/** @import { Care } from './node-packer.js' */
/** @import { StoredReduce } from './view-reductions.js' */

/** @typedef {[view: number, key: unknown, value: unknown]} EmittedRow */

/**
 * @typedef {object} IndexedDocument
 * @property {string} id
 * @property {EmittedRow[]} emitted
 */

/**
 * @typedef {object} IndexFigures Bytes, as `_info` of a design document reports them.
 * @property {number} file
 * @property {number} active nodes of all B-trees that are in use
 * @property {number} external keys, values and reductions as terms
 * @property {number} headers of the file, with the blanks in front of them
 */

/** `{Signature, Header}` with a tree for each view. couch_mrview_index.erl, `commit`. */
const HEADER_BYTES = 95;
const HEADER_VIEW_BYTES = 40;

/** One shard of an index; each has a file of its own. */
export class IndexFile {
  #ids = new IndexRows();
  /** @type {ViewRows[]} */
  #views;
  /** @type {AppendOnlyFile | undefined} */
  #file;
  /** @type {Tree | undefined} */
  #idTree;
  /** @type {Tree[]} */
  #trees = [];

  /**
   * They keep what they learned from one replay to the next. Nodes of a compacted file are denser: they have their own.
   * @type {Record<'built' | 'compacted', NodePacker[]>}
   */
  #packers;

  /**
   * @param {StoredReduce[][]} views the reduces of each; none where a view has only a map
   * @param {Care} [care] with which nodes are packed
   */
  constructor(views, care = CAREFUL) {
    this.#views = views.map((reduces) => new ViewRows(reduces));
    const packers = () => [this.#ids, ...this.#views].map((rows) => new NodePacker(rows, care));
    this.#packers = { built: packers(), compacted: packers() };
  }

  /**
   * Documents in the order of their sequence numbers: first those of the build, then those written later, new or again.
   * @param {IndexedDocument} document
   */
  add({ id, emitted }) {
    const number = this.#ids.count;
    /** @type {EmittedRow[]} */
    const rows = [];
    /** @type {Map<string, {row: EmittedRow, values: unknown[]}>} */
    const known = new Map();
    for (const row of emitted) {
      const name = `${row[0]} ${JSON.stringify(row[1])}`;
      const earlier = known.get(name);
      if (earlier) {
        earlier.values.push(row[2]);
        continue;
      }
      known.set(name, { row, values: [row[2]] });
      rows.push(row);
    }
    this.#ids.add(id, rows);
    for (const { row, values } of known.values()) this.#views[row[0]]?.add(number, id, row[1], values);
  }

  /** All documents are added. */
  finish() {
    for (const view of this.#views) view.finish();
    this.#ids.finish();
  }

  /**
   * The first build.
   * @param {number} count of documents, from the first; none of them was written again
   * @param {number} atOnce documents that each update takes
   * @returns {IndexFigures}
   */
  build(count, atOnce) {
    this.#create('built');
    let start = 0;
    for (const end of evenEnds(count, atOnce)) {
      this.#update(start, end);
      start = end;
    }
    this.#writeHeader(count);
    return this.#figures();
  }

  /**
   * The file that compaction writes.
   * @param {number} count of documents, from the first; none of them was written again
   * @returns {IndexFigures}
   */
  compact(count) {
    this.#create('compacted');
    for (const part of this.#ids.inParts(count)) this.#idTree?.modify(part);
    for (const [at, tree] of this.#trees.entries())
      for (const part of /** @type {ViewRows} */ (this.#views[at]).inParts(count)) tree.modify(part);
    // One when the files are swapped, one at the next commit: so it was on 3.4.3 and 3.5.0.
    this.#writeHeader(count);
    this.#writeHeader(count);
    return this.#figures();
  }

  /**
   * Writes documents that were added after the build into the file as it is, without the headers of commits.
   * @param {number} start number of the first one
   * @param {number} end
   * @param {number} batch how many are indexed at once
   * @returns {number} bytes by which the file grows
   */
  write(start, end, batch) {
    const before = this.#position;
    let from = start;
    for (const next of evenEnds(end - start, batch)) {
      this.#update(from, start + next);
      from = start + next;
    }
    return this.#position - before;
  }

  /** @returns {Tree[]} the by-id B-tree and those of the views, as the last replay left them */
  get trees() {
    return this.#idTree ? [this.#idTree, ...this.#trees] : [];
  }

  /** @param {number} count of documents @returns {number} bytes of the rows of all views as terms: key, id and value */
  rowBytes(count) {
    let bytes = 0;
    for (const view of this.#views)
      for (const row of view.between(0, count, [])) bytes += /** @type {number} */ (view.entryBytes[row]);
    return bytes;
  }

  /** @param {'built' | 'compacted'} kind */
  #create(kind) {
    const packers = this.#packers[kind];
    const file = new AppendOnlyFile();
    const ids = this.#ids;
    file.writeHeader(HEADER_BYTES);
    this.#file = file;
    this.#idTree = new Tree(
      file,
      {
        keys: ids.ranks,
        entryBytes: ids.entryBytes,
        keyBytes: (row) => binaryBytes(ids.idLength(row)),
        reduce: (node) => ids.reduce(node),
      },
      /** @type {NodePacker} */ (packers[0]),
    );
    this.#trees = this.#views.map(
      (view, at) =>
        new Tree(
          file,
          {
            keys: view.ranks,
            entryBytes: view.entryBytes,
            keyBytes: (row) => view.keyLength(row),
            reduce: (node) => view.reduce(node),
          },
          /** @type {NodePacker} */ (packers[at + 1]),
        ),
    );
  }

  /** @param {number} start @param {number} end documents that are indexed at once */
  #update(start, end) {
    this.#idTree?.modify(this.#ids.between(start, end));
    for (const [at, tree] of this.#trees.entries())
      tree.modify(/** @type {ViewRows} */ (this.#views[at]).between(start, end, this.#ids.previous));
  }

  /** @param {number} sequence */
  #writeHeader(sequence) {
    this.#file?.writeHeader(HEADER_BYTES + HEADER_VIEW_BYTES * this.#views.length + integerBytes(sequence));
  }

  /** @returns {number} */
  get #position() {
    return this.#file?.position ?? 0;
  }

  /** @returns {IndexFigures} */
  #figures() {
    return {
      file: this.#position,
      active: this.#trees.reduce((sum, tree) => sum + tree.liveBytes, this.#idTree?.liveBytes ?? 0),
      external: this.#trees.reduce((sum, tree) => sum + (tree.root?.external ?? 0), 0),
      headers: this.#file?.headerBytes ?? 0,
    };
  }
}
