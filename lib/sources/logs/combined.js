// Reads common and combined access logs of nginx, Apache and others, with or without the time of the request at the end:
// `10.0.0.1 - admin [21/Nov/2026:02:45:20 +0000] "GET /shop HTTP/1.1" 200 268 "-" "curl/8" 0.012`. nginx's `$request_time` is in seconds and has a
// point, Apache's `%D` is in microseconds and has none: that distinguishes them.

import { digits, readRequestLine, wordEnd } from './byte-fields.js';
import { LINE } from './log-line.js';
import { readBracketedTime } from './timestamps.js';

/** @import { LogFormatName } from '../../shared/log-formats.js' */
/** @import { LogFormat, LogLine } from './log-line.js' */

const SPACE = 32;
const BRACKET = 91;
const QUOTE = 34;
const BACKSLASH = 92;
/** `CouchDB-Replicator/3.5.0` (couch_replicator_httpc.erl, 3.5.0) */
const REPLICATOR = Buffer.from('CouchDB-Replicator');

/** How the number at the end of a line is read. @typedef {'by-form' | 'seconds' | 'micros'} TimeUnit */

export const combined = makeFormat('combined', 'by-form');
export const combinedSeconds = makeFormat('combined-seconds', 'seconds');
export const combinedMicros = makeFormat('combined-micros', 'micros');

/**
 * @param {LogFormatName} name
 * @param {TimeUnit} unit
 * @returns {LogFormat}
 */
function makeFormat(name, unit) {
  return {
    name,
    // Such a number has no unit: the line is Traefik's, and what stands behind the user agent counts its requests.
    scan: (bytes, start, end, line) =>
      millisAtEnd(bytes, start, end) < 0 ? scanCombined(bytes, start, end, line, unit) : LINE.MALFORMED,
  };
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @returns {number} milliseconds, where the line ends in `12ms`; -1 elsewhere
 */
export function millisAtEnd(bytes, start, end) {
  if (bytes[end - 1] !== 115 || bytes[end - 2] !== 109) return -1;
  return digits(bytes, Math.max(start, bytes.lastIndexOf(SPACE, end - 3) + 1), end - 2);
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @param {LogLine} line
 * @param {TimeUnit} [unit]
 * @returns {number} of LINE
 */
export function scanCombined(bytes, start, end, line, unit = 'by-form') {
  // Names of users may hold anything, so the date is looked for.
  let open = start;
  let time = 0;
  while (open < end) {
    if (bytes[open] === BRACKET) time = readBracketedTime(bytes, open, end, line);
    if (time > 0) break;
    open += 1;
  }
  if (time === 0 || bytes[time] !== QUOTE) return LINE.MALFORMED;
  const behind = readRequestLine(bytes, time + 1, end, line);
  if (behind === 0) return scanNoRequest(bytes, time + 1, end);
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
 * What is logged for the request of a connection that sent none, or no HTTP.
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
  // The first letter decides for nearly all.
  return bytes[start] === 67 && REPLICATOR.every((byte, at) => bytes[start + at] === byte);
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @param {TimeUnit} unit
 * @param {LogLine} line gets the duration, where it is one
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
  if (at === start || at - start > 15 || ((bytes[at] ?? 0) > SPACE && at < end)) return;
  if (unit === 'seconds' || (unit === 'by-form' && scale > 0))
    line.micros = Math.round((number * 1_000_000) / (scale || 1));
  else line.micros = Math.round(number / (scale || 1));
}
