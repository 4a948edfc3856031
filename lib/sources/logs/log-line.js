// Holds what a format finds in one line: offsets and numbers. Holds no text; offsets lead back to the bytes.

/** @import { LogFormatName } from '../../shared/log-formats.js' */

/** What a line is. */
export const LINE = Object.freeze({
  /** It does not fit the format. */
  MALFORMED: 0,
  /** It fits and is no request. */
  OTHER: 1,
  REQUEST: 2,
  /** A mango-stats report about one `_find`. */
  FIND_REPORT: 3,
  INDEX_START: 4,
  INDEX_FINISH: 5,
  QUERY_SERVER: 6,
  /** CouchDB reports something about itself. */
  SERVER_REPORT: 7,
});

export class LogLine {
  /** @param {number} latest milliseconds since 1970, after which no line was written: dates without a year need it */
  constructor(latest) {
    this.latest = latest;
  }

  /** Of LINE. @type {number} */
  kind = LINE.MALFORMED;
  /** Minutes since 1970; -1 where the line has no time. */
  minute = -1;
  millisecond = 0;
  methodStart = 0;
  methodEnd = 0;
  /** Path and query, maybe with scheme and host before it. */
  targetStart = 0;
  targetEnd = 0;
  status = 0;
  /** How long the request took; -1 where the line does not say. */
  micros = -1;
  /** Bytes of the answer; -1 where the line does not say. */
  size = -1;
  /** Rows that were counted in the body of the answer; -1 where there is none. */
  rows = -1;
  /** Keys that the body of the request names; -1 where there is none. */
  keyCount = -1;
  isReplicator = false;
  /** The Erlang process that wrote the line, where it is CouchDB's own. */
  pidStart = 0;
  pidEnd = 0;
  /** CouchDB's name for the request; empty where the line has none. */
  nonceStart = 0;
  nonceEnd = 0;
  peerStart = 0;
  peerEnd = 0;
  userStart = 0;
  userEnd = 0;
  /** For lines that are evidence: what they say. @type {Evidence | undefined} */
  evidence;

  /** @returns {number} milliseconds since 1970, -1 where the line has no time */
  get time() {
    return this.minute < 0 ? -1 : this.minute * 60_000 + this.millisecond;
  }
}

/**
 * @typedef {object} Evidence What a line says that is not a request.
 * @property {string} [nonce] of a report
 * @property {{docsExamined: number, keysExamined: number, quorumDocsExamined: number, results: number, executionMicros: number}} [find]
 * @property {{pid: string, database: string, designDoc: string}} [index]
 * @property {string} [failure] kind of a query server's failure
 * @property {ServerReport[]} [reports]
 */

/**
 * @typedef {object} ServerReport What CouchDB reports about itself; nothing of a document.
 * @property {string} kind `engines-differ`, `features`, `conflicts`, `conflicted-document`, `databases-open`, `file-descriptors`,
 *   `no-shards`, `search-unreachable`, `search-too-old`, `users-missing`
 * @property {string} database empty where none is named
 * @property {string} designDoc id; empty where none is named
 * @property {string} detail the function or feature that it is about
 * @property {number} most how many revisions without a later one are named; 0 for other kinds
 */

/**
 * @callback ScanLine Returns what a line is and fills in what it says.
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end behind the last byte of the line, without its line end
 * @param {LogLine} line
 * @returns {number} of LINE
 */

/** @typedef {{name: LogFormatName, scan: ScanLine}} LogFormat */

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end at the line feed
 * @returns {number} without a carriage return
 */
export function lineEnd(bytes, start, end) {
  return end > start && bytes[end - 1] === 13 ? end - 1 : end;
}
