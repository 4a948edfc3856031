// Summarizes the documents of a load one by one into its record: counts, sizes and a sample of the ids. Keeps no
// document.

import { IdScatter } from './id-scatter.js';
import { SizeHistogram } from './size-histogram.js';

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
