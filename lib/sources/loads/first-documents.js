// Reads the first documents of a file in their order, and where its requests end: what an experiment about a load
// writes.

import { parseJson } from '../../shared/parse-json.js';
import { readLoad } from './read-load.js';

/** @import { LoadDocument } from './document-reader.js' */
/** @import { DocumentTaker } from './read-load.js' */

/**
 * @typedef {object} FirstDocuments
 * @property {Record<string, unknown>[]} documents without design documents and `_local` ones; of CouchDB's own members only `_id` and `_deleted`
 * @property {number[] | undefined} requestEnds how many documents there were when each request ended; undefined where the file has none
 * @property {{revisions: number, attachments: number, repeated: number, withoutId: number}} counts documents that lost something;
 *   `repeated`: left out, as their id came before
 */

/**
 * @param {string} file absolute
 * @param {{documents: number, bytes: number}} most how many, and of how many bytes of JSON together
 * @returns {Promise<FirstDocuments>} never rejects for what it reads
 */
export async function readFirstDocuments(file, most) {
  const collector = new Collector(most);
  await readLoad(file, file, { taker: collector });
  const { documents, requestEnds, counts, hasRequests } = collector;
  // Of the last request a part may be all that is wanted.
  if (documents.length > (requestEnds.at(-1) ?? 0)) requestEnds.push(documents.length);
  return { documents, requestEnds: hasRequests ? requestEnds : undefined, counts };
}

/** @implements {DocumentTaker} */
class Collector {
  /** @type {Record<string, unknown>[]} */
  documents = [];
  /** @type {number[]} */
  requestEnds = [];
  counts = { revisions: 0, attachments: 0, repeated: 0, withoutId: 0 };
  isDone = false;
  hasRequests = false;
  #bytes = 0;
  #ids = new Set();

  /** @param {{documents: number, bytes: number}} most */
  constructor(most) {
    this.most = most;
  }

  /**
   * @param {LoadDocument} document
   * @param {Buffer} bytes
   * @param {number} offset
   */
  onDocument({ bytes: size, start, end, hasAttachments, isInRequest }, bytes, offset) {
    if (size === undefined || this.isDone) return;
    if (isInRequest) this.hasRequests = true;
    const document = parseJson(bytes.toString('utf8', start - offset, end - offset));
    if (document === undefined) return;
    const { _id, _rev, _deleted, ...whole } = /** @type {Record<string, unknown>} */ (document);
    if (typeof _id === 'string' && (/^_(?:design|local)\//.test(_id) || this.#isRepeated(_id))) return;
    if (_rev !== undefined) this.counts.revisions += 1;
    if (hasAttachments) this.counts.attachments += 1;
    if (_id === undefined) this.counts.withoutId += 1;
    const own = Object.entries(whole).filter(([name]) => !name.startsWith('_'));
    this.documents.push({
      ...(_id === undefined ? {} : { _id }),
      ...(_deleted === true ? { _deleted } : {}),
      ...Object.fromEntries(own),
    });
    this.#bytes += size;
    this.isDone = this.documents.length >= this.most.documents || this.#bytes >= this.most.bytes;
  }

  onRequestEnd() {
    if (!this.isDone && this.documents.length > (this.requestEnds.at(-1) ?? 0))
      this.requestEnds.push(this.documents.length);
  }

  /** @param {string} id */
  #isRepeated(id) {
    if (!this.#ids.has(id)) {
      this.#ids.add(id);
      return false;
    }
    this.counts.repeated += 1;
    return true;
  }
}
