// Derives from a shape what is known before any request of it is counted: how many rows an answer can have. Judges
// nothing.

/** @import { QueryShape } from './query-shape.js' */
/** @import { TargetScan } from './scan-target.js' */

/**
 * The fewest bytes of a row in an answer: `{"id":"a","key":1,"value":1},\r\n` and so on. An answer has at most its size divided
 * by it rows (couch_mrview_http:row_to_json/2 and fabric_view_changes, 3.5.0).
 */
const BYTES_OF_ROW = new Map([
  ['_view', 22],
  ['_all_docs', 70],
  ['_design_docs', 70],
  ['_local_docs', 40],
  ['_changes', 40],
]);
/** What `include_docs` adds at least: `,"doc":null`. */
const BYTES_OF_DOC = 11;

export class KnownShape {
  /**
   * @param {QueryShape} shape
   * @param {boolean} isWhole whether it is an address of the server and needs no database
   */
  constructor(shape, isWhole) {
    this.shape = shape;
    this.isWhole = isWhole;
    const { endpoint, parameters } = shape;
    this.isFind = endpoint === '_find';
    this.isOneDocument = endpoint === 'document' || endpoint === '_design' || endpoint === '_local';
    const bytes = BYTES_OF_ROW.get(endpoint) ?? 0;
    this.rowBytes = bytes === 0 ? 0 : bytes + (parameters.includes('include_docs=true') ? BYTES_OF_DOC : 0);
    this.isOneKey = parameters.includes('key') && endpoint === '_all_docs';
  }

  /**
   * @param {TargetScan} scan
   * @param {number} size of the answer in bytes, -1 where it is unknown
   * @param {number} keys how many keys were requested, -1 where it is unknown
   * @returns {number} the most rows the answer can have, -1 where it is unknown
   */
  rowsAtMost(scan, size, keys) {
    if (this.isOneDocument) return 1;
    if (this.rowBytes === 0) return -1;
    let most = size < 0 ? -1 : Math.floor(size / this.rowBytes);
    if (scan.limit >= 0 && (most < 0 || scan.limit < most)) most = scan.limit;
    if (this.isOneKey && most !== 0) most = 1;
    // Views may have many rows of one key; `_all_docs` has one.
    if (keys >= 0 && this.shape.endpoint === '_all_docs' && (most < 0 || keys < most)) most = keys;
    return most;
  }
}
