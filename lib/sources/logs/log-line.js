// What a format finds in one line: offsets and numbers, in one object that is used for every line, so that reading makes no
// garbage. Holds no text; offsets lead back to the bytes.

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
});

export class LogLine {
  /** Minutes since 1970; -1 where the line tells no time. */
  minute = -1;
  millisecond = 0;
  methodStart = 0;
  methodEnd = 0;
  /** Path and query, maybe with scheme and host before it. */
  targetStart = 0;
  targetEnd = 0;
  status = 0;
  /** How long the request took; -1 where the line does not tell. */
  micros = -1;
  /** Bytes of the answer; -1 where the line does not tell. */
  size = -1;
  /** Rows that were counted in the body of the answer; -1 where there is none. */
  rows = -1;
  /** Keys that the body of the request asks for; -1 where there is none. */
  keyCount = -1;
  isReplicator = false;
  /** CouchDB's name for the request; empty where the line has none. */
  nonceStart = 0;
  nonceEnd = 0;
  peerStart = 0;
  peerEnd = 0;
  userStart = 0;
  userEnd = 0;
  /** For lines that are evidence: what they say. @type {Evidence | undefined} */
  evidence;

  /** @returns {number} milliseconds since 1970, -1 where the line tells no time */
  get time() {
    return this.minute < 0 ? -1 : this.minute * 60_000 + this.millisecond;
  }

  /** Forgets what only some lines tell. */
  reset() {
    this.minute = -1;
    this.millisecond = 0;
    this.micros = -1;
    this.size = -1;
    this.rows = -1;
    this.keyCount = -1;
    this.isReplicator = false;
    this.nonceStart = 0;
    this.nonceEnd = 0;
    this.peerStart = 0;
    this.peerEnd = 0;
    this.userStart = 0;
    this.userEnd = 0;
    this.evidence = undefined;
  }
}

/**
 * @typedef {object} Evidence What a line that is no request tells.
 * @property {string} [nonce] of a report
 * @property {{docsExamined: number, keysExamined: number, quorumDocsExamined: number, results: number, executionMicros: number}} [find]
 * @property {{pid: string, database: string, designDoc: string}} [index]
 * @property {string} [failure] kind of a query server's failure
 */

/**
 * @callback ScanLine Tells what a line is and fills in what it says.
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end behind the last byte of the line, without its line end
 * @param {LogLine} line
 * @returns {number} of LINE
 */

/**
 * @callback ScanPlainRequest Reads a request of the most usual form, and nothing else.
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} limit behind the last byte that is there; the byte before it is a line feed
 * @param {LogLine} line
 * @returns {number} where the next line starts; 0 where the line has another form
 */

/**
 * @typedef {object} LogFormat
 * @property {string} name as `--log-format` takes it
 * @property {ScanLine} scan
 * @property {ScanPlainRequest} [scanPlain]
 */
