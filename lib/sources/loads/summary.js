// Summarizes the documents of a load one by one into its record: counts, sizes and a sample of the ids. Keeps no
// document.

import { IdScatter } from './id-scatter.js';

/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { LoadRecord } from '../record.js' */
/** @import { LoadDocument } from './document-reader.js' */

/** So many ids at the head are kept, to see by what steps they grow. */
const FIRST_IDS = 512;

export class LoadSummary {
  #documents = 0;
  #designDocuments = 0;
  #withoutId = 0;
  #withRevision = 0;
  #isRestore = false;
  #batchSizes = new SizeHistogram();
  #singleDocuments = 0;
  #mostBatchBytes = 0;
  #documentBytes = new SizeHistogram();
  /** @type {string[]} */
  #first = [];
  #scatter = new IdScatter();

  /** @param {LoadDocument} document */
  addDocument({ id, bytes, hasRevision, isInRequest }) {
    // Neither kind has a place that its maker could choose otherwise; `_local` ids are in a tree of their own.
    if (id?.startsWith('_design/') || id?.startsWith('_local/')) {
      this.#designDocuments += 1;
      return;
    }
    this.#documents += 1;
    if (hasRevision) this.#withRevision += 1;
    if (bytes !== undefined) this.#documentBytes.add(bytes);
    if (id === undefined) {
      this.#withoutId += 1;
      return;
    }
    if (this.#first.length < FIRST_IDS) this.#first.push(id);
    this.#scatter.add(id, isInRequest);
  }

  /** @param {{documents: number, bytes: number}} batch the documents of a request, which were all added */
  addBatch({ documents, bytes }) {
    this.#batchSizes.add(documents);
    if (documents === 1) this.#singleDocuments += 1;
    if (bytes > this.#mostBatchBytes) this.#mostBatchBytes = bytes;
    this.#scatter.endRequest();
  }

  /** The documents come with their revisions, as they are in another database. */
  markRestore() {
    this.#isRestore = true;
  }

  /**
   * @param {SourceFile} file
   * @returns {LoadRecord | undefined} undefined where there was no document
   */
  finish(file) {
    if (this.#documents + this.#designDocuments === 0) return undefined;
    this.#scatter.finish();
    const sizes = this.#batchSizes;
    return {
      kind: 'load',
      file,
      documents: this.#documents,
      designDocuments: this.#designDocuments,
      withoutId: this.#withoutId,
      withRevision: this.#withRevision,
      isRestore: this.#isRestore,
      batches:
        sizes.count === 0
          ? undefined
          : {
              count: sizes.count,
              single: this.#singleDocuments,
              median: sizes.quantile(0.5),
              most: sizes.max,
              mostBytes: this.#mostBatchBytes,
            },
      documentBytes: { median: this.#documentBytes.quantile(0.5), most: this.#documentBytes.max },
      ids: {
        count: this.#documents - this.#withoutId,
        first: this.#first,
        sample: this.#scatter.sample,
        placed: this.#scatter.documents,
        scattered: this.#scatter.scattered,
      },
    };
  }
}

// Counts the distribution of sizes in constant memory: exact to 256, then to within half a percent.

/** Sizes are distinguished by so many leading bits. */
const BITS = 8;

export class SizeHistogram {
  /** How many sizes by the least size of their step. @type {Map<number, number>} */
  #counts = new Map();
  count = 0;
  max = 0;

  /** @param {number} size a whole number, at least 0 */
  add(size) {
    const width = size < 2 ** BITS ? 1 : 2 ** (Math.floor(Math.log2(size)) - BITS + 1);
    const least = Math.floor(size / width) * width;
    this.#counts.set(least, (this.#counts.get(least) ?? 0) + 1);
    this.count += 1;
    if (size > this.max) this.max = size;
  }

  /**
   * @param {number} share 0 to 1
   * @returns {number | undefined} the size that this share of all sizes does not exceed; undefined where there are none
   */
  quantile(share) {
    let left = Math.max(1, Math.ceil(share * this.count));
    for (const [least, count] of [...this.#counts].sort(([first], [second]) => first - second)) {
      left -= count;
      if (left <= 0) return least;
    }
    return undefined;
  }
}
