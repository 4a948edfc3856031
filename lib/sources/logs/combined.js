// Common and combined access logs of nginx, Apache and others, with or without the time of the request at the end:
// `10.0.0.1 - admin [21/Nov/2026:02:45:20 +0000] "GET /shop HTTP/1.1" 200 268 "-" "curl/8" 0.012`. nginx's `$request_time` is
// in seconds and has a point, Apache's `%D` is in microseconds and has none: that tells them apart.

import {
  digits,
  isMethod,
  plainTextEnd,
  plainWordEnd,
  readRequestLine,
  SCAN_MARGIN,
  viewOf,
  wordEnd,
} from './byte-fields.js';
import { LINE } from './log-line.js';
import { readClfTime, readPlainClfTime } from './timestamps.js';

/** @import { LogFormat, LogLine } from './log-line.js' */

const SPACE = 32;
const QUOTE = 34;
const BACKSLASH = 92;
/** `21/Nov/2026:02:45:20 +0000` */
const CLF_TIME_LENGTH = 26;
/** What ends a word in quotes, and what ends the whole: lower bytes than these, four times. */
const ABOVE_SPACE = 0x21212121;
const FROM_SPACE = 0x20202020;
/** `CouchDB-Replicator/3.5.0` (couch_replicator_httpc.erl, 3.5.0) */
const REPLICATOR = Buffer.from('CouchDB-Replicator');

/** How the number at the end of a line is read. @typedef {'by-form' | 'seconds' | 'micros'} TimeUnit */

export const combined = makeFormat('combined', 'by-form');
export const combinedSeconds = makeFormat('combined-seconds', 'seconds');
export const combinedMicros = makeFormat('combined-micros', 'micros');

/**
 * @param {string} name
 * @param {TimeUnit} unit
 * @returns {LogFormat}
 */
function makeFormat(name, unit) {
  return {
    name,
    scan: (bytes, start, end, line) => scan(bytes, start, end, line, unit),
    scanPlain: (bytes, start, limit, line) => scanPlain(bytes, start, limit, line, unit),
  };
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @param {LogLine} line
 * @param {TimeUnit} unit
 * @returns {number}
 */
function scan(bytes, start, end, line, unit) {
  // Names of users may hold anything, so the date is looked for.
  let open = bytes.indexOf(91, start);
  let time = 0;
  while (open !== -1 && open < end) {
    time = readClfTime(bytes, open + 1, end, line);
    if (time > 0) break;
    open = bytes.indexOf(91, open + 1);
  }
  if (time === 0 || bytes[time] !== 93 || bytes[time + 1] !== SPACE || bytes[time + 2] !== QUOTE) return LINE.MALFORMED;
  const behind = readRequestLine(bytes, time + 3, end, line);
  if (behind === 0) return scanNoRequest(bytes, time + 3, end);
  line.peerStart = start;
  line.peerEnd = wordEnd(bytes, start, open);
  const ident = wordEnd(bytes, line.peerEnd + 1, open);
  line.userStart = Math.min(ident + 1, open);
  line.userEnd = Math.max(line.userStart, open - 1);
  const code = wordEnd(bytes, behind + 1, end);
  const status = digits(bytes, behind + 1, code);
  if (bytes[behind] !== SPACE || code - behind !== 4 || status < 100) return LINE.MALFORMED;
  line.status = status;
  const size = wordEnd(bytes, code + 1, end);
  line.size = digits(bytes, code + 1, size);
  if (line.size < 0 && (size !== code + 2 || bytes[code + 1] !== 45)) return LINE.MALFORMED;
  let at = size;
  if (bytes[at + 1] === QUOTE && at + 1 < end) {
    const referer = quotedEnd(bytes, at + 2, end);
    if (referer === 0) return LINE.MALFORMED;
    at = referer;
    if (bytes[at + 1] === QUOTE && at + 1 < end) {
      line.isReplicator = isReplicator(bytes, at + 2);
      at = quotedEnd(bytes, at + 2, end);
      if (at === 0) return LINE.MALFORMED;
    }
  }
  if (at + 1 < end) readDuration(bytes, at + 1, end, unit, line);
  return LINE.REQUEST;
}

/**
 * What stands for the request of a connection that sent none, or no HTTP.
 * @param {Buffer} bytes
 * @param {number} start behind the quote
 * @param {number} end
 * @returns {number} of LINE
 */
function scanNoRequest(bytes, start, end) {
  const behind = quotedEnd(bytes, start, end);
  return behind > 0 && /^ \d{3} (?:\d+|-)(?: |$)/.test(bytes.toString('latin1', behind, Math.min(end, behind + 30)))
    ? LINE.OTHER
    : LINE.MALFORMED;
}

/**
 * @param {Buffer} bytes
 * @param {number} start behind the opening quote
 * @param {number} end
 * @returns {number} behind the closing quote; 0 where there is none
 */
function quotedEnd(bytes, start, end) {
  let at = start;
  while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at < end ? at + 1 : 0;
}

/**
 * @param {Buffer} bytes
 * @param {number} start of the user agent
 * @returns {boolean}
 */
function isReplicator(bytes, start) {
  // The first letter tells for nearly all.
  return bytes[start] === 67 && REPLICATOR.every((byte, at) => bytes[start + at] === byte);
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @param {TimeUnit} unit
 * @param {LogLine} line gets the duration, where it is one
 * @returns {number} the offset behind it
 */
function readDuration(bytes, start, end, unit, line) {
  let number = 0;
  let scale = 0;
  let at = start;
  for (; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === 46 && scale === 0) {
      scale = 1;
      continue;
    }
    if (byte < 48 || byte > 57) break;
    number = number * 10 + byte - 48;
    if (scale > 0) scale *= 10;
  }
  if (at === start || at - start > 15 || ((bytes[at] ?? 0) > SPACE && at < end)) return at;
  if (unit === 'seconds' || (unit === 'by-form' && scale > 0))
    line.micros = Math.round((number * 1_000_000) / (scale || 1));
  else line.micros = Math.round(number / (scale || 1));
  return at;
}

/**
 * The usual line, in one pass from left to right.
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} limit
 * @param {LogLine} line
 * @param {TimeUnit} unit
 * @returns {number}
 */
function scanPlain(bytes, start, limit, line, unit) {
  if (bytes.length - limit < SCAN_MARGIN) return 0;
  const view = viewOf(bytes);
  let at = start;
  // Every line ends with a line feed, which stops these loops.
  at = plainWordEnd(view, at);
  line.peerStart = start;
  line.peerEnd = at;
  if (bytes[at] !== SPACE) return 0;
  at += 1;
  at = plainWordEnd(view, at);
  if (bytes[at] !== SPACE) return 0;
  at += 1;
  line.userStart = at;
  at = plainWordEnd(view, at);
  line.userEnd = at;
  if (bytes[at] !== SPACE || bytes[at + 1] !== 91 || limit - at < 50) return 0;
  if (!readPlainClfTime(bytes, view, at + 2, line)) return 0;
  at += 2 + CLF_TIME_LENGTH;
  if (bytes[at] !== 93 || bytes[at + 1] !== SPACE || bytes[at + 2] !== QUOTE) return 0;
  at += 3;
  line.methodStart = at;
  at = plainWordEnd(view, at);
  line.methodEnd = at;
  if (bytes[at] !== SPACE || bytes[at + 1] !== 47 || !isMethod(bytes, line.methodStart, at)) return 0;
  at += 1;
  line.targetStart = at;
  at = plainTextEnd(view, at, ABOVE_SPACE);
  line.targetEnd = at;
  // ` HTTP/1.1" 200 `
  if (bytes[at] !== SPACE || bytes[at + 9] !== QUOTE || bytes[at + 10] !== SPACE || bytes[at + 14] !== SPACE) return 0;
  const status = digits(bytes, at + 11, at + 14);
  if (bytes[at + 1] !== 72 || status < 100) return 0;
  line.status = status;
  at += 15;
  let size = 0;
  const begin = at;
  for (; at < limit; at += 1) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) break;
    size = size * 10 + digit;
  }
  if (at === begin || at - begin > 15 || bytes[at] !== SPACE || bytes[at + 1] !== QUOTE) return 0;
  line.size = size;
  at = plainTextEnd(view, at + 2, FROM_SPACE) + 1;
  if (bytes[at - 1] !== QUOTE || bytes[at] !== SPACE || bytes[at + 1] !== QUOTE) return 0;
  line.isReplicator = isReplicator(bytes, at + 2);
  at = plainTextEnd(view, at + 2, FROM_SPACE) + 1;
  if (bytes[at - 1] !== QUOTE) return 0;
  line.micros = -1;
  if (bytes[at] === SPACE) at = readDuration(bytes, at + 1, limit, unit, line);
  return bytes[at] === 10 ? at + 1 : 0;
}
