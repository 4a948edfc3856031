// Reads lines of CouchDB 1.x, from its file or its console (couch_log.erl and couch_httpd.erl:log_request/2, 1.7.1):
// `[Sat, 03 Nov 2012 17:38:02 GMT] [info] [<0.7543.0>] 127.0.0.1 - - GET /shop 200`. They hold no duration.

import { digits, isMethod, isTarget, wordEnd } from './byte-fields.js';
import { scanMessage } from './couchdb-message.js';
import { LINE } from './log-line.js';
import { readHttpTime } from './timestamps.js';

/** @import { LogFormat, LogLine } from './log-line.js' */

const SPACE = 32;

/** @type {LogFormat} */
export const couchdb1x = { name: 'couchdb-1x', scan };

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @param {LogLine} line
 * @returns {number}
 */
function scan(bytes, start, end, line) {
  if (bytes[start] === SPACE || bytes[start] === 9) return LINE.OTHER;
  if (bytes[start] !== 91) return LINE.MALFORMED;
  let at = start;
  const time = readHttpTime(bytes, start + 1, end, line);
  if (time > 0) {
    if (bytes[time] !== 93 || bytes[time + 1] !== SPACE) return LINE.MALFORMED;
    at = time + 2;
  }
  // `[info] [<0.7543.0>] `
  const level = wordEnd(bytes, at, end);
  const pid = wordEnd(bytes, level + 1, end);
  if (bytes[at] !== 91 || bytes[level - 1] !== 93 || bytes[level + 1] !== 91 || bytes[level + 2] !== 60)
    return LINE.MALFORMED;
  if (bytes[pid - 1] !== 93 || bytes[pid] !== SPACE) return pid >= end ? LINE.MALFORMED : LINE.OTHER;
  line.pidStart = level + 2;
  line.pidEnd = pid - 1;
  return scanAccess(bytes, pid + 1, end, line);
}

/**
 * @param {Buffer} bytes
 * @param {number} start of the message
 * @param {number} end
 * @param {LogLine} line
 * @returns {number}
 */
function scanAccess(bytes, start, end, line) {
  const peer = wordEnd(bytes, start, end);
  if (bytes.toString('latin1', peer, peer + 5) !== ' - - ') return scanMessage(bytes, start, end, line);
  const method = wordEnd(bytes, peer + 5, end);
  const target = wordEnd(bytes, method + 1, end);
  const status = digits(bytes, target + 1, end);
  if (!isMethod(bytes, peer + 5, method) || !isTarget(bytes, method + 1, target)) return LINE.MALFORMED;
  if (end - target !== 4 || status < 100) return LINE.MALFORMED;
  line.peerStart = start;
  line.peerEnd = peer;
  line.methodStart = peer + 5;
  line.methodEnd = method;
  line.targetStart = method + 1;
  line.targetEnd = target;
  line.status = status;
  return LINE.REQUEST;
}
