// Reads HTTP logs of HAProxy (`option httplog`, configuration manual 2.8, section 8.2.3), with or without the head of syslog:
// `10.0.1.2:33317 [06/Feb/2009:12:14:14.655] couch couch/db1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 "GET /shop HTTP/1.1"`. Its dates have no
// zone and are read as UTC.

import { digits, readRequestLine, wordEnd } from './byte-fields.js';
import { LINE } from './log-line.js';
import { readBracketedTime } from './timestamps.js';

/** @import { LogFormat, LogLine } from './log-line.js' */

const SPACE = 32;
const BRACKET = 91;
const SLASH = 47;
const PLUS = 43;

/** @type {LogFormat} */
export const haproxy = { name: 'haproxy', scan };

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @param {LogLine} line
 * @returns {number}
 */
function scan(bytes, start, end, line) {
  let open = start;
  let time = 0;
  while (open < end) {
    if (bytes[open] === BRACKET) time = readBracketedTime(bytes, open, end, line);
    if (time > 0) break;
    open += 1;
  }
  if (time === 0) {
    // HAProxy logs its own start and the state of servers too; the head of syslog is all that they have in common.
    return /haproxy\[\d+\]: (?![\d.:a-f]+ \[)/.test(bytes.toString('latin1', start, Math.min(end, start + 300)))
      ? LINE.OTHER
      : LINE.MALFORMED;
  }
  const frontend = wordEnd(bytes, time, end);
  const server = wordEnd(bytes, frontend + 1, end);
  const timers = wordEnd(bytes, server + 1, end);
  const code = wordEnd(bytes, timers + 1, end);
  const size = wordEnd(bytes, code + 1, end);
  const total = readTimers(bytes, server + 1, timers);
  if (total === undefined || size >= end) return LINE.MALFORMED;
  const status = digits(bytes, timers + 1, code);
  if (status > 999) return LINE.MALFORMED;
  const quote = bytes.indexOf(34, size);
  if (quote === -1 || quote >= end) return LINE.MALFORMED;
  // `<BADREQ>`, and -1 for connections that were closed before an answer.
  if (bytes[quote + 1] === 60 || status < 100) {
    return bytes[end - 1] === 34 && (bytes[timers + 1] === 45 || status >= 100) ? LINE.OTHER : LINE.MALFORMED;
  }
  if (readRequestLine(bytes, quote + 1, end, line) === 0) return LINE.MALFORMED;
  let peer = open - 1;
  while (peer > start && bytes[peer - 1] !== SPACE) peer -= 1;
  line.peerStart = peer;
  line.peerEnd = Math.max(peer, open - 1);
  line.status = status;
  line.size = digits(bytes, code + 1 + (bytes[code + 1] === PLUS ? 1 : 0), size);
  line.micros = total < 0 ? -1 : total * 1000;
  return LINE.REQUEST;
}

/**
 * `10/0/30/69/109`: five times, the last one the whole; a plus stands before it where it was still running.
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @returns {number | undefined} milliseconds, -1 where the total is unknown; undefined where these are no timers
 */
function readTimers(bytes, start, end) {
  let slashes = 0;
  let last = start;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === SLASH) {
      slashes += 1;
      last = at + 1;
    } else if ((byte < 48 || byte > 57) && byte !== 45 && byte !== PLUS) return undefined;
  }
  if (slashes !== 4) return undefined;
  return digits(bytes, last + (bytes[last] === PLUS ? 1 : 0), end);
}
