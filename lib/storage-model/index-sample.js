// Replays the index of one shard of a sample in several ways: compacted, built, and with documents written later.

import { readRun } from './extrapolate-index.js';
import { IndexFile } from './index-file.js';

/** @import { TreeRun } from './extrapolate-index.js' */
/** @import { IndexedDocument, IndexFigures } from './index-file.js' */
/** @import { Care } from './node-packer.js' */
/** @import { StoredReduce } from './view-reductions.js' */

/** What is written: a first build, new documents, or existing ones. @typedef {'build' | 'inserted' | 'updated'} Kind */

/**
 * @typedef {object} SampleOptions
 * @property {StoredReduce[][]} reduces of each view
 * @property {boolean} skipsGrowth whether no documents are written after the build
 * @property {Care} care with which nodes are packed
 */

/** Documents of the sample that are written to learn the growth, at most, and the share of it. */
const MAX_WRITTEN = 1000;
const WRITTEN_SHARE = 1 / 8;

export class IndexSample {
  #file;

  /** @param {IndexedDocument[]} documents @param {SampleOptions} options */
  constructor(documents, { reduces, skipsGrowth, care }) {
    this.documents = documents;
    this.count = documents.length;
    /** Documents that are written to learn the growth. */
    this.written = skipsGrowth ? 0 : Math.min(MAX_WRITTEN, Math.floor(this.count * WRITTEN_SHARE));
    const file = new IndexFile(reduces, care);
    for (const document of documents) file.add(document);
    for (const document of rewritten(documents, this.written)) file.add(document);
    file.finish();
    this.#file = file;
    this.rowBytes = file.rowBytes(this.count);
    const compacted = file.compact(this.count);
    /** Its `file` is without headers. */
    this.compacted = { ...compacted, file: compacted.file - compacted.headers };
  }

  /** @param {number} batch documents in an update @returns {IndexFigures} right after the build */
  build(batch) {
    return this.#file.build(this.count, batch);
  }

  /** @param {Kind} kind @returns {number} documents that such a run writes */
  documentsOf(kind) {
    return kind === 'build' ? this.count : this.written;
  }

  /**
   * @param {Kind} kind
   * @param {number} batch documents in an update, on average
   * @returns {TreeRun[]} of the by-id B-tree and of those of the views
   */
  run(kind, batch) {
    const file = this.#file;
    if (kind === 'build') {
      file.build(this.count, batch);
      return file.trees.map((tree) => readRun(tree));
    }
    const start = kind === 'inserted' ? this.count - this.written : this.count;
    file.compact(start);
    const before = file.trees.map(({ bytes, rootBytes, actions }) => ({ bytes, rootBytes, actions }));
    file.write(start, start + this.written, batch);
    return file.trees.map((tree, at) => readRun(tree, before[at]));
  }
}

/**
 * @param {IndexedDocument[]} documents
 * @param {number} count
 * @returns {IndexedDocument[]} documents from all over the sample, in no order, each with the rows of another one
 */
function rewritten(documents, count) {
  const { length } = documents;
  // By steps of the golden ratio, which spread any number of documents evenly; each place is taken once.
  const places = new Set();
  for (let at = 0; places.size < count; at += 1) places.add(Math.floor(((at * GOLDEN) % 1) * length));
  const taken = [...places];
  return taken.map((place, at) => {
    const other = documents[(place + Math.floor(length / 2) + at) % length];
    return { id: documents[place]?.id ?? '', emitted: other?.emitted ?? [] };
  });
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;
