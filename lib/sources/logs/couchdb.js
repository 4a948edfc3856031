// Reads lines of CouchDB 2 and 3 as couch_log_writer_file and couch_log_writer_stderr write them (3.5.0):
// `[notice] 2026-11-21T02:45:19.111722Z couchdb@host <0.169.3> 28f101ecdf host:5984 10.0.0.1 admin GET /shop 200 ok 12`.

import { wordEnd } from './byte-fields.js';
import { scanMessage } from './couchdb-message.js';
import { LINE } from './log-line.js';
import { readIsoTime } from './timestamps.js';

/** @import { LogFormat, LogLine } from './log-line.js' */

const SPACE = 32;

/** @type {LogFormat} */
export const couchdb = { name: 'couchdb', scan };

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @param {LogLine} line
 * @returns {number}
 */
export function scan(bytes, start, end, line) {
  const first = bytes[start];
  // Reports of failures go on over several lines, which are set in.
  if (first === SPACE || first === 9) return LINE.OTHER;
  if (first !== 91) return LINE.MALFORMED;
  let at = start + 1;
  while (at < end && (bytes[at] ?? 0) > 96 && (bytes[at] ?? 0) < 123) at += 1;
  if (at === start + 1 || bytes[at] !== 93 || bytes[at + 1] !== SPACE) return LINE.MALFORMED;
  const time = readIsoTime(bytes, at + 2, end, line);
  if (time === 0 || bytes[time] !== SPACE) return LINE.MALFORMED;
  return scanNode(bytes, time + 1, end, line);
}

/**
 * `couchdb@host <0.169.3> 28f101ecdf` and the message.
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @param {LogLine} line
 * @returns {number} of LINE
 */
export function scanNode(bytes, start, end, line) {
  const node = wordEnd(bytes, start, end);
  if (bytes[node] !== SPACE || node === start) return LINE.MALFORMED;
  const pid = wordEnd(bytes, node + 1, end);
  if (bytes[node + 1] !== 60 || bytes[pid - 1] !== 62) return LINE.MALFORMED;
  const nonce = wordEnd(bytes, pid + 1, end);
  if (nonce === pid + 1 || (nonce < end && bytes[nonce] !== SPACE)) return LINE.MALFORMED;
  line.pidStart = node + 1;
  line.pidEnd = pid;
  line.nonceStart = pid + 1;
  line.nonceEnd = nonce;
  return scanMessage(bytes, Math.min(nonce + 1, end), end, line);
}
