// Reads lines of CouchDB 2 and 3 that went through syslog (couch_log_writer_syslog, 3.5.0, RFC 5424):
// `<149>1 2026-11-21T02:45:19.111722Z host couchdb <0.169.3> 28f101ecdf - host:5984 10.0.0.1 admin GET /shop 200 ok 12`.

import { wordEnd } from './byte-fields.js';
import { scanMessage } from './couchdb-message.js';
import { LINE } from './log-line.js';
import { readIsoTime } from './timestamps.js';

/** @import { LogFormat, LogLine } from './log-line.js' */

const SPACE = 32;

/** @type {LogFormat} */
export const couchdbSyslog = { name: 'couchdb-syslog', scan };

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @param {LogLine} line
 * @returns {number}
 */
function scan(bytes, start, end, line) {
  if (bytes[start] === SPACE || bytes[start] === 9) return LINE.OTHER;
  if (bytes[start] !== 60) return LINE.MALFORMED;
  const priority = wordEnd(bytes, start, end);
  if (bytes[priority - 2] !== 62 || bytes[priority - 1] !== 49) return LINE.MALFORMED;
  const time = readIsoTime(bytes, priority + 1, end, line);
  if (time === 0 || bytes[time] !== SPACE) return LINE.MALFORMED;
  const host = wordEnd(bytes, time + 1, end);
  const program = wordEnd(bytes, host + 1, end);
  const pid = wordEnd(bytes, program + 1, end);
  const nonce = wordEnd(bytes, pid + 1, end);
  if (nonce >= end || nonce === pid + 1) return LINE.MALFORMED;
  if (bytes[program + 1] !== 60 || bytes[pid - 1] !== 62) return LINE.OTHER;
  if (bytes[nonce + 1] !== 45 || bytes[nonce + 2] !== SPACE) return LINE.MALFORMED;
  line.pidStart = program + 1;
  line.pidEnd = pid;
  line.nonceStart = pid + 1;
  line.nonceEnd = nonce;
  return scanMessage(bytes, nonce + 3, end, line);
}
