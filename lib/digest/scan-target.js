// Hashes the bytes of a request's path and query: the database, everything that makes the fingerprint, the key. Two targets of equal fingerprint hashes have
// equal fingerprints (`query-fingerprint.js` says which); the reverse need not hold. This runs once for every line of a log, so it makes no strings.

import { PairTable } from './pair-table.js';
import { KEEP, PARAMETERS } from './parameters.js';

/** Multipliers and starts of two hashes that do not go the same way. */
const FIRST_PRIME = 0x01000193;
const SECOND_PRIME = 0x5bd1e995;
const FIRST_START = 0x811c9dc5 | 0;
const SECOND_START = 0x2545f491;
/** Four bytes at a time are multiplied into a hash; the shift brings the upper bits to the lower ones. */
const SHIFT = 15;

const SLASH = 47;
const QUESTION = 63;
const UNDERSCORE = 95;
const PERCENT = 37;
const EQUALS = 61;
const AMPERSAND = 38;
const DIGIT_FIVE = 53;
const LAST_ASCII = 127;
/** Behind `_design`: its name, `_view`, the name of a view, `queries`. */
const DESIGN_SEGMENTS = 4;
/** Behind `_partition`. */
const PARTITION = -1;

/** Stand in a fingerprint's hash for what was left out of it. */
const DOCUMENT = 0x11;
const MORE = 0x12;
const LITERAL = 0x13;
const TRAILING_SLASH = 0x14;
const QUERY = 0x15;
const SERVER = 0x16;

/** Two hashes of the same bytes: so many bits that what differs has different ones. */
class HashPair {
  first = FIRST_START;
  second = SECOND_START;

  /** @param {HashPair} other */
  copy(other) {
    this.first = other.first;
    this.second = other.second;
  }

  /**
   * Makes it the hash of what it was and of what follows, in that order.
   * @param {number} first
   * @param {number} second
   */
  add(first, second) {
    this.first = mix(Math.imul(this.first, FIRST_PRIME) ^ first, FIRST_PRIME);
    this.second = mix(Math.imul(this.second, SECOND_PRIME) ^ second, SECOND_PRIME);
  }
}

/** What a scan found. */
export class TargetScan {
  database = new HashPair();
  databaseStart = 0;
  databaseEnd = 0;
  fingerprint = new HashPair();
  hasKey = false;
  key = new HashPair();
  /** The numbers behind `limit` and `skip`; -1 where there are none. */
  limit = -1;
  skip = -1;
  /** Where the list behind `keys` stands; 0 where there is none. */
  keysStart = 0;
  keysEnd = 0;
  /** Some byte is not ASCII. */
  hasHighBytes = false;
  hasBadEscapes = false;
  /** Of the segment, name or value that was read last. */
  part = new HashPair();

  /** Puts the last part into the fingerprint. */
  keepPart() {
    this.fingerprint.add(this.part.first, this.part.second);
  }

  /** @param {number} mark that stands in the fingerprint for what is left out of it */
  mark(mark) {
    this.fingerprint.add(mark, mark);
  }

  /** Makes the last part one of those that name what is requested. */
  addKey() {
    if (this.hasKey) this.key.add(this.part.first, this.part.second);
    else this.key.copy(this.part);
    this.hasKey = true;
  }
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @returns {TargetScan}
 */
export function scanTarget(bytes, start, end) {
  const scan = new TargetScan();
  let at = start;
  while (at < end && bytes[at] === SLASH) at += 1;
  scan.databaseStart = at;
  at = hashUntil(bytes, at, end, SLASH, QUESTION, scan);
  scan.databaseEnd = at;
  scan.database.copy(scan.part);
  if (isWholeTarget(bytes, scan.databaseStart, end)) {
    scan.fingerprint.copy(scan.part);
    scan.mark(SERVER);
  }
  at = scanSegments(bytes, at, end, scan);
  if (at < end) scanQuery(bytes, at, end, scan);
  return scan;
}

/**
 * @param {Buffer} bytes
 * @param {number} start behind the database
 * @param {number} end
 * @param {TargetScan} scan gets fingerprint and key
 * @returns {number} where the question mark is, `end` where there is none
 */
function scanSegments(bytes, start, end, scan) {
  // So many of the next segments are part of the fingerprint, then they are literals.
  let kept = 0;
  let isFirst = true;
  let at = start;
  while (at < end && bytes[at] !== QUESTION) {
    at += 1;
    if (at >= end || bytes[at] === QUESTION) scan.mark(TRAILING_SLASH);
    else if (bytes[at] !== SLASH) {
      const begin = at;
      at = hashUntil(bytes, begin, end, SLASH, QUESTION, scan);
      if (isFirst && !beginsWithUnderscore(bytes, begin)) {
        scan.addKey();
        scan.mark(DOCUMENT);
      } else if (isFirst) {
        kept = keptBehind(bytes, begin, at);
        scan.keepPart();
      } else if (kept > 0) {
        kept -= 1;
        scan.keepPart();
      } else scan.mark(kept === PARTITION ? LITERAL : MORE);
      // What follows the name of a partition is read as if it stood behind the database.
      isFirst = !isFirst && kept === PARTITION;
      if (isFirst) kept = 0;
    }
  }
  return at;
}

/**
 * @param {Buffer} bytes
 * @param {number} start of the question mark
 * @param {number} end
 * @param {TargetScan} scan gets fingerprint, key and numbers
 */
function scanQuery(bytes, start, end, scan) {
  const { part } = scan;
  scan.mark(QUERY);
  for (let at = start; at < end; ) {
    at = hashUntil(bytes, at + 1, end, EQUALS, AMPERSAND, scan);
    const keep = KEPT.find(part.first, part.second);
    if (keep !== KEEP.NOTHING) scan.keepPart();
    if (at >= end || bytes[at] === AMPERSAND) continue;
    const begin = at + 1;
    at = hashUntil(bytes, begin, end, AMPERSAND, AMPERSAND, scan);
    // A value must not look like a name.
    if (keep === KEEP.VALUE) scan.fingerprint.add(~part.first, ~part.second);
    else if (keep === KEEP.LIMIT) scan.limit = readNumber(bytes, begin, at);
    else if (keep === KEEP.SKIP) scan.skip = readNumber(bytes, begin, at);
    else if (keep === KEEP.KEY || keep === KEEP.KEYS) scan.addKey();
    if (keep === KEEP.KEYS) {
      scan.keysStart = begin;
      scan.keysEnd = at;
    }
  }
}

/**
 * @param {Buffer} bytes
 * @param {number} begin of a segment
 * @returns {boolean} whether it begins with an underscore, or with one that is escaped, or may be so
 */
function beginsWithUnderscore(bytes, begin) {
  return bytes[begin] === UNDERSCORE || (bytes[begin] === PERCENT && bytes[begin + 1] === DIGIT_FIVE);
}

/**
 * `_design/name/_view/view/queries`, `_partition/name/_all_docs`, `_local/id`, `_all_docs/queries`: no other name of CouchDB has the length and the
 * first letter of one of these.
 * @param {Buffer} bytes
 * @param {number} begin of a segment that begins with an underscore, or with one that is escaped
 * @param {number} end of it
 * @returns {number} how many of the next segments belong to the fingerprint; PARTITION where the next one is the name of one
 */
function keptBehind(bytes, begin, end) {
  for (let at = begin; at < end; at += 1) if (bytes[at] === PERCENT) return DESIGN_SEGMENTS;
  const isNamed = (/** @type {string} */ name) =>
    end - begin === name.length && bytes[begin + 1] === name.charCodeAt(1);
  if (isNamed('_design')) return DESIGN_SEGMENTS;
  if (isNamed('_partition')) return PARTITION;
  return isNamed('_local') ? 0 : 1;
}

/**
 * Hashes bytes up to one of two others.
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @param {number} stop
 * @param {number} otherStop
 * @param {TargetScan} scan gets the hashes
 * @returns {number} where one of the two bytes is, `end` where there is none
 */
function hashUntil(bytes, start, end, stop, otherStop, scan) {
  let first = FIRST_START;
  let second = SECOND_START;
  // The next bytes, up to four, the first one lowest; and how many bits they have.
  let word = 0;
  let bits = 0;
  let at = start;
  for (; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === stop || byte === otherStop) break;
    if (byte > LAST_ASCII) scan.hasHighBytes = true;
    else if (byte === PERCENT && !isEscape(bytes, at, end)) scan.hasBadEscapes = true;
    word |= byte << bits;
    bits += 8;
    if (bits === 32) {
      first = mix(first ^ word, FIRST_PRIME);
      second = mix(second ^ word, SECOND_PRIME);
      word = 0;
      bits = 0;
    }
  }
  // The number of bytes that are left stands where no byte can: `a` is not `a` and a NUL.
  word |= (bits / 8) << 24;
  scan.part.first = mix(first ^ word, FIRST_PRIME);
  scan.part.second = mix(second ^ word, SECOND_PRIME);
  return at;
}

/**
 * @param {number} hash
 * @param {number} prime
 * @returns {number}
 */
function mix(hash, prime) {
  const mixed = Math.imul(hash, prime);
  return mixed ^ (mixed >>> SHIFT);
}

/**
 * @param {Buffer} bytes
 * @param {number} start of the first segment of a target
 * @param {number} end of the target
 * @returns {boolean} whether that segment is, or may be, no database and so belongs to the fingerprint
 */
export function isWholeTarget(bytes, start, end) {
  return start === end || bytes[start] === UNDERSCORE || bytes[start] === PERCENT || bytes[start] === QUESTION;
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @returns {number} -1 where there is anything but digits; at most 10^9
 */
function readNumber(bytes, start, end) {
  if (start >= end) return -1;
  let number = 0;
  for (let at = start; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) return -1;
    number = number >= 100_000_000 ? 1_000_000_000 : number * 10 + digit;
  }
  return number;
}

/**
 * @param {Buffer} bytes
 * @param {number} at a percent sign
 * @param {number} end of the target
 * @returns {boolean}
 */
function isEscape(bytes, at, end) {
  return at + 2 < end && isHex(bytes[at + 1] ?? 0) && isHex(bytes[at + 2] ?? 0);
}

/**
 * @param {number} byte
 * @returns {boolean}
 */
function isHex(byte) {
  return byte < 58 ? byte > 47 : byte < 71 ? byte > 64 : byte > 96 && byte < 103;
}

/** What is kept of parameters, by the hashes of their names. */
const KEPT = new PairTable();
for (const [name, keep] of PARAMETERS) {
  const scan = new TargetScan();
  hashUntil(Buffer.from(name), 0, name.length, EQUALS, EQUALS, scan);
  KEPT.set(scan.part.first, scan.part.second, keep);
}
