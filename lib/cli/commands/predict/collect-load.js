// Collects the documents of files into the columns that the storage model replays, and notes what was left out or made up.

import { openLoads } from '../../../sources/loads/open-loads.js';
import { LoadTable } from '../../../storage-model/load-table.js';
import { ServerIds } from '../../../storage-model/server-ids.js';

/** @import { ReadError } from '../../../sources/record.js' */
/** @import { LoadDocument } from '../../../sources/loads/document-reader.js' */
/** @import { DocumentTaker } from '../../../sources/loads/read-load.js' */

/**
 * @typedef {object} LoadCounts What is reported beside the prediction.
 * @property {number} withoutId documents whose id the server makes
 * @property {number} withoutDocument rows of a dump that come without their document
 * @property {number} local documents that are in a tree of their own
 * @property {number} withAttachments documents whose attachments are left out
 * @property {number} largest bytes of the largest document
 * @property {number} beyond documents behind those that are replayed
 */

/** So many documents are kept: two million take about 800 MB to replay. */
const MAX_DOCUMENTS = 2_000_000;

/** @implements {DocumentTaker} */
export class LoadCollector {
  table = new LoadTable();
  /** @type {number[]} */
  requestEnds = [];
  /** @type {LoadCounts} */
  counts = { withoutId: 0, withoutDocument: 0, local: 0, withAttachments: 0, largest: 0, beyond: 0 };
  #serverIds = new ServerIds();
  #inRequests = 0;

  /**
   * @param {LoadDocument} document
   * @param {Buffer} bytes
   * @param {number} offset
   */
  onDocument(document, bytes, offset) {
    const { table, counts } = this;
    if (document.bytes === undefined) {
      counts.withoutDocument += 1;
      return;
    }
    if (document.id?.startsWith('_local/')) {
      counts.local += 1;
      return;
    }
    if (table.count === MAX_DOCUMENTS) {
      counts.beyond += 1;
      return;
    }
    let { id } = document;
    if (id === undefined) {
      counts.withoutId += 1;
      id = this.#serverIds.next();
    }
    if (!table.add(id, bytes, document.start - offset, document.end - offset, document.isDeleted)) return;
    if (document.hasAttachments) counts.withAttachments += 1;
    if (document.bytes > counts.largest) counts.largest = document.bytes;
    if (document.isInRequest) this.#inRequests += 1;
  }

  onRequestEnd() {
    const { count } = this.table;
    if (count > (this.requestEnds.at(-1) ?? 0)) this.requestEnds.push(count);
  }

  /** @returns {number[] | undefined} where the requests of the file end; undefined where it is not made of them alone */
  get ownRequests() {
    return this.#inRequests === this.table.count && this.requestEnds.length > 0 ? this.requestEnds : undefined;
  }
}

/**
 * @param {string[]} patterns
 * @param {string} cwd
 * @returns {Promise<{collector: LoadCollector, errors: ReadError[], files: string[]}>}
 */
export async function collectLoad(patterns, cwd) {
  const collector = new LoadCollector();
  const { errors, files } = await openLoads(patterns, cwd, { isNamed: true, taker: collector });
  return { collector, errors, files };
}
