// Lines of CouchDB 2 and 3 as couch_log_writer_file and couch_log_writer_stderr write them (3.5.0):
// `[notice] 2026-11-21T02:45:19.111722Z couchdb@host <0.169.3> 28f101ecdf host:5984 10.0.0.1 admin GET /shop 200 ok 12`.

import { digits, isMethod, plainWordEnd, SCAN_MARGIN, viewOf, wordEnd } from './byte-fields.js';
import { scanMessage } from './couchdb-message.js';
import { LINE } from './log-line.js';
import { readIsoTime, readPlainIsoTime } from './timestamps.js';

/** @import { LogFormat, LogLine } from './log-line.js' */

const SPACE = 32;
/** `[notice] ` */
const NOTICE_LENGTH = 9;
const TIME_LENGTH = 27;
const DASH = 45;

/** @type {LogFormat} */
export const couchdb = { name: 'couchdb', scan, scanPlain };

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
  return scanProcess(bytes, node + 1, end, line);
}

/**
 * `<0.169.3> 28f101ecdf` and the message.
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @param {LogLine} line
 * @returns {number} of LINE
 */
function scanProcess(bytes, start, end, line) {
  const behind = wordEnd(bytes, start, end);
  if (bytes[start] !== 60 || bytes[behind - 1] !== 62) return LINE.MALFORMED;
  const nonce = wordEnd(bytes, behind + 1, end);
  if (nonce === behind + 1 || (nonce < end && bytes[nonce] !== SPACE)) return LINE.MALFORMED;
  line.nonceStart = behind + 1;
  line.nonceEnd = nonce;
  return scanMessage(bytes, Math.min(nonce + 1, end), end, bytes.toString('latin1', start, behind), line);
}

/**
 * A request at level notice, in one pass from left to right.
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} limit
 * @param {LogLine} line
 * @returns {number}
 */
function scanPlain(bytes, start, limit, line) {
  // `[n` … `] `, a time of full length, and at least a few characters behind it.
  if (limit - start < 60 || bytes[start + 1] !== 110 || bytes[start + 8] !== SPACE || bytes[start + 7] !== 93) return 0;
  if (bytes.length - limit < SCAN_MARGIN) return 0;
  const view = viewOf(bytes);
  let at = start + NOTICE_LENGTH + TIME_LENGTH;
  if (bytes[start] !== 91 || bytes[at] !== SPACE || bytes[at - 1] !== 90) return 0;
  if (!readPlainIsoTime(bytes, view, start + NOTICE_LENGTH, line)) return 0;
  at += 1;
  // Every line ends with a line feed, which stops these loops.
  at = plainWordEnd(view, at);
  at += 1;
  if (bytes[at - 1] !== SPACE || bytes[at] !== 60) return 0;
  at = plainWordEnd(view, at);
  at += 1;
  // `<0.169.3> `, and no line without a nonce.
  if (bytes[at - 2] !== 62 || bytes[at - 1] !== SPACE || bytes[at] === DASH) return 0;
  line.nonceStart = at;
  at = plainWordEnd(view, at);
  line.nonceEnd = at;
  at += 1;
  if (bytes[at - 1] !== SPACE) return 0;
  at = plainWordEnd(view, at);
  at += 1;
  if (bytes[at - 1] !== SPACE) return 0;
  line.peerStart = at;
  at = plainWordEnd(view, at);
  line.peerEnd = at;
  at += 1;
  if (bytes[at - 1] !== SPACE) return 0;
  line.userStart = at;
  at = plainWordEnd(view, at);
  line.userEnd = at;
  at += 1;
  if (bytes[at - 1] !== SPACE) return 0;
  line.methodStart = at;
  at = plainWordEnd(view, at);
  line.methodEnd = at;
  at += 1;
  if (bytes[at - 1] !== SPACE || bytes[at] !== 47 || !isMethod(bytes, line.methodStart, at - 1)) return 0;
  line.targetStart = at;
  at = plainWordEnd(view, at);
  line.targetEnd = at;
  // ` 200 `
  if (bytes[at] !== SPACE || bytes[at + 4] !== SPACE) return 0;
  const status = digits(bytes, at + 1, at + 4);
  if (status < 100) return 0;
  line.status = status;
  at += 5;
  at = plainWordEnd(view, at);
  if (bytes[at] !== SPACE) return 0;
  at += 1;
  let ms = 0;
  const begin = at;
  for (; at < limit; at += 1) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) break;
    ms = ms * 10 + digit;
  }
  if (bytes[at] !== 10 || at === begin || at - begin > 15) return 0;
  line.micros = ms * 1000;
  return at + 1;
}
