// Reads small fields from bytes that all formats share: the end of a word, a number, a request line. Nothing here knows
// a format.

/** @import { LogLine } from './log-line.js' */

/**
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} end
 * @returns {number} where the next space or control character is, `end` where there is none
 */
export function wordEnd(bytes, at, end) {
  let behind = at;
  while (behind < end && (bytes[behind] ?? 0) > 32) behind += 1;
  return behind;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @returns {number} of the digits there, at most 15 of them; -1 where there is anything else or nothing
 */
export function digits(bytes, start, end) {
  if (start >= end || end - start > 15) return -1;
  let number = 0;
  for (let at = start; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @returns {boolean} whether a method of HTTP stands there: capital letters
 */
export function isMethod(bytes, start, end) {
  if (end - start < 3 || end - start > 12) return false;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 65 || byte > 90) return false;
  }
  return true;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @returns {boolean} whether a path, an address with its scheme or a star stands there
 */
export function isTarget(bytes, start, end) {
  const first = bytes[start];
  return start < end && (first === 47 || first === 104 || (first === 42 && end === start + 1));
}

/**
 * Reads `GET /shop HTTP/1.1` up to the quote that closes it.
 * @param {Buffer} bytes
 * @param {number} start behind the quote that opens it
 * @param {number} end
 * @param {LogLine} line gets method and target
 * @returns {number} the offset behind the closing quote; 0 where no request stands there
 */
export function readRequestLine(bytes, start, end, line) {
  const method = wordEnd(bytes, start, end);
  if (bytes[method] !== 32 || !isMethod(bytes, start, method)) return 0;
  let at = method + 1;
  while (at < end && bytes[at] !== 32 && bytes[at] !== 34) at += bytes[at] === 92 ? 2 : 1;
  const target = Math.min(at, end);
  while (at < end && bytes[at] !== 34) at += bytes[at] === 92 ? 2 : 1;
  if (at >= end || !isTarget(bytes, method + 1, target)) return 0;
  line.methodStart = start;
  line.methodEnd = method;
  line.targetStart = method + 1;
  line.targetEnd = target;
  return at + 1;
}
