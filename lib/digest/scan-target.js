// The bytes of a request's path and query in, hashes out: of the database, of everything that makes the shape, of the key.
// Two targets of equal shape hashes have equal shapes (`query-shape.js` says which); the reverse need not hold. Touches each
// byte once and makes no object: this runs once for every line of a log.

import { KEEP, PARAMETERS } from './parameters.js';

/** Multipliers and starts of two hashes that do not go the same way. */
const FIRST_PRIME = 0x01000193;
const SECOND_PRIME = 0x5bd1e995;
const FIRST_START = 0x811c9dc5 | 0;
const SECOND_START = 0x2545f491;
/** Each word of four bytes is multiplied into a hash; the shift brings the upper bytes to the lower ones. */
const SHIFT = 15;

/** A byte four times, to compare four bytes at once. */
const EVERY = 0x01010101;
const UPPER_BITS = 0x80808080;
/** Bytes behind the end of a target that are looked at, and not used. */
const MARGIN = 4;

const SLASH = 47;
const QUESTION = 63;
const UNDERSCORE = 95;
const PERCENT = 37;
const EQUALS = 61;
const AMPERSAND = 38;
const DIGIT_FIVE = 53;
/** Behind `_design`: its name, `_view`, the name of a view, `queries`. */
const DESIGN_SEGMENTS = 4;

/** Stand in a shape's hash for what was left out of it. */
const DOCUMENT = 0x11;
const MORE = 0x12;
const LITERAL = 0x13;
const TRAILING_SLASH = 0x14;
const QUERY = 0x15;
const SERVER = 0x16;

/** The names of parameters by their hash: first, second, what is kept, by turns. */
const SLOTS = 256;
const NAMES = new Int32Array(SLOTS * 3);

/** What `hashUntil` found beside the end. */
let hash1 = 0;
let hash2 = 0;
let highBits = 0;
let hasBadEscape = false;

/** What a scan found; one object is used again and again. */
export class TargetScan {
  database1 = 0;
  database2 = 0;
  databaseStart = 0;
  databaseEnd = 0;
  shape1 = 0;
  shape2 = 0;
  hasKey = false;
  key1 = 0;
  key2 = 0;
  /** The numbers behind `limit` and `skip`; -1 where there are none. */
  limit = -1;
  skip = -1;
  /** Where the list behind `keys` stands; 0 where there is none. */
  keysStart = 0;
  keysEnd = 0;
  /** Some byte is not ASCII. */
  hasHighBytes = false;
  hasBadEscapes = false;
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @param {TargetScan} scan filled
 */
export function scanTarget(bytes, start, end, scan) {
  if (end + MARGIN > bytes.length) scanCopy(bytes, start, end, scan);
  else scanWithin(viewOf(bytes), start, end, scan);
}

/**
 * @param {Buffer} bytes that end too soon behind the target
 * @param {number} start
 * @param {number} end
 * @param {TargetScan} scan filled
 */
function scanCopy(bytes, start, end, scan) {
  const copy = Buffer.alloc(end - start + MARGIN);
  bytes.copy(copy, 0, start, end);
  scanWithin(viewOf(copy), 0, end - start, scan);
  scan.databaseStart += start;
  scan.databaseEnd += start;
  if (scan.keysEnd > 0) {
    scan.keysStart += start;
    scan.keysEnd += start;
  }
}

/** @type {Buffer | undefined} */
let viewed;
/** @type {DataView} */
let view = new DataView(new ArrayBuffer(0));

/**
 * @param {Buffer} bytes
 * @returns {DataView} of them; kept for the next call, which nearly always is for the same bytes
 */
function viewOf(bytes) {
  if (bytes !== viewed) {
    viewed = bytes;
    view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  return view;
}

/**
 * @param {DataView} bytes with MARGIN bytes behind `end`
 * @param {number} start
 * @param {number} end
 * @param {TargetScan} scan filled
 */
function scanWithin(bytes, start, end, scan) {
  let at = start;
  highBits = 0;
  hasBadEscape = false;
  while (at < end && bytes.getUint8(at) === SLASH) at += 1;
  scan.databaseStart = at;
  const opening = at < end ? bytes.getUint8(at) : QUESTION;
  at = hashUntil(bytes, at, end, SLASH * EVERY, QUESTION * EVERY);
  scan.databaseEnd = at;
  scan.database1 = hash1;
  scan.database2 = hash2;
  let key1 = FIRST_START;
  let key2 = SECOND_START;
  let hasKey = false;
  let shape1 = FIRST_START;
  let shape2 = SECOND_START;
  // Addresses of the server begin so: they belong to the shape.
  if (isWholeShape(opening)) {
    shape1 = combine(hash1, SERVER, FIRST_PRIME);
    shape2 = combine(hash2, SERVER, SECOND_PRIME);
  }

  // Segments: `kept` of the next ones are part of the shape, then they are literals.
  let kept = 0;
  let isFirst = true;
  while (at < end && bytes.getUint8(at) !== QUESTION) {
    at += 1;
    if (at >= end || bytes.getUint8(at) === QUESTION) {
      shape1 = combine(shape1, TRAILING_SLASH, FIRST_PRIME);
      shape2 = combine(shape2, TRAILING_SLASH, SECOND_PRIME);
      break;
    }
    const byte = bytes.getUint8(at);
    if (byte === SLASH) continue;
    const begin = at;
    at = hashUntil(bytes, at, end, SLASH * EVERY, QUESTION * EVERY);
    let first = hash1;
    let second = hash2;
    if (isFirst) {
      isFirst = false;
      if (byte === UNDERSCORE || (byte === PERCENT && bytes.getUint8(begin + 1) === DIGIT_FIVE)) {
        kept = keptBehind(bytes, begin, at);
      } else {
        hasKey = true;
        key1 = first;
        key2 = second;
        first = DOCUMENT;
        second = DOCUMENT;
      }
    } else if (kept > 0) kept -= 1;
    else if (kept === -1) {
      // The name of a partition; what follows is read as if it stood behind the database.
      kept = 0;
      isFirst = true;
      first = LITERAL;
      second = LITERAL;
    } else {
      first = MORE;
      second = MORE;
    }
    shape1 = combine(shape1, first, FIRST_PRIME);
    shape2 = combine(shape2, second, SECOND_PRIME);
  }

  scan.limit = -1;
  scan.skip = -1;
  scan.keysStart = 0;
  scan.keysEnd = 0;
  if (at < end) {
    shape1 = combine(shape1, QUERY, FIRST_PRIME);
    shape2 = combine(shape2, QUERY, SECOND_PRIME);
  }
  while (at < end) {
    at = hashUntil(bytes, at + 1, end, EQUALS * EVERY, AMPERSAND * EVERY);
    const keep = keepOf(hash1, hash2);
    if (keep !== KEEP.NOTHING) {
      shape1 = combine(shape1, hash1, FIRST_PRIME);
      shape2 = combine(shape2, hash2, SECOND_PRIME);
    }
    if (at >= end || bytes.getUint8(at) === AMPERSAND) continue;
    const begin = at + 1;
    at = hashUntil(bytes, begin, end, AMPERSAND * EVERY, AMPERSAND * EVERY);
    if (keep === KEEP.VALUE) {
      // A value must not look like a name.
      shape1 = combine(shape1, ~hash1, FIRST_PRIME);
      shape2 = combine(shape2, ~hash2, SECOND_PRIME);
    } else if (keep === KEEP.KEY || keep === KEEP.KEYS) {
      key1 = hasKey ? combine(key1, hash1, FIRST_PRIME) : hash1;
      key2 = hasKey ? combine(key2, hash2, SECOND_PRIME) : hash2;
      hasKey = true;
      if (keep === KEEP.KEYS) {
        scan.keysStart = begin;
        scan.keysEnd = at;
      }
    } else if (keep === KEEP.LIMIT) scan.limit = readNumber(bytes, begin, at);
    else if (keep === KEEP.SKIP) scan.skip = readNumber(bytes, begin, at);
  }
  scan.shape1 = shape1;
  scan.shape2 = shape2;
  scan.hasKey = hasKey;
  scan.key1 = key1;
  scan.key2 = key2;
  scan.hasHighBytes = highBits !== 0;
  scan.hasBadEscapes = hasBadEscape;
}

/**
 * `_design/name/_view/view/queries`, `_partition/name/_all_docs`, `_local/id`, `_all_docs/queries`
 * @param {DataView} bytes
 * @param {number} begin of a segment that begins with an underscore, or with one that is escaped
 * @param {number} end of it
 * @returns {number} how many of the next segments belong to the shape; -1 where the next one is the name of a partition
 */
function keptBehind(bytes, begin, end) {
  for (let at = begin; at < end; at += 1) if (bytes.getUint8(at) === PERCENT) return DESIGN_SEGMENTS;
  const letter = bytes.getUint8(begin + 1);
  const length = end - begin;
  if (letter === 100 && length === 7) return DESIGN_SEGMENTS;
  if (letter === 112 && length === 10) return -1;
  return letter === 108 && length === 6 ? 0 : 1;
}

/**
 * Hashes bytes up to one of two others, four at a time. A byte is found by the borrow that subtracting leaves in its upper bit;
 * the lowest such bit is right, those above it may not be.
 * @param {DataView} bytes
 * @param {number} start
 * @param {number} end
 * @param {number} stop a byte, four times
 * @param {number} otherStop the same
 * @returns {number} where the byte is, `end` where there is none; the hashes are in `hash1` and `hash2`
 */
function hashUntil(bytes, start, end, stop, otherStop) {
  let first = FIRST_START;
  let second = SECOND_START;
  let high = 0;
  for (let at = start; ; at += 4) {
    let word = bytes.getInt32(at, true);
    const one = word ^ stop;
    const other = word ^ otherStop;
    const found = (((one - EVERY) & ~one) | ((other - EVERY) & ~other)) & UPPER_BITS;
    let length = found === 0 ? 4 : (31 - Math.clz32(found & -found)) >> 3;
    if (at + length > end) length = end - at;
    // The length stands where no byte can: `a` is not `a` and a NUL.
    if (length < 4) word = (word & ((1 << (length * 8)) - 1)) | (length << 24);
    high |= word & UPPER_BITS;
    const percent = word ^ (PERCENT * EVERY);
    if (((percent - EVERY) & ~percent & UPPER_BITS) !== 0) checkEscapes(bytes, at, at + length, end);
    first = Math.imul(first ^ word, FIRST_PRIME);
    first ^= first >>> SHIFT;
    second = Math.imul(second ^ word, SECOND_PRIME);
    second ^= second >>> SHIFT;
    if (length < 4) {
      hash1 = first;
      hash2 = second;
      highBits |= high;
      return at + length;
    }
  }
}

/**
 * @param {number} hash
 * @param {number} more
 * @param {number} prime
 * @returns {number} of both, in that order
 */
function combine(hash, more, prime) {
  const mixed = Math.imul(Math.imul(hash, prime) ^ more, prime);
  return mixed ^ (mixed >>> SHIFT);
}

/**
 * @param {number} opening the first byte of the first segment, a question mark where there is none
 * @returns {boolean} whether the first segment is, or may be, no database and so belongs to the shape
 */
export function isWholeShape(opening) {
  return opening === UNDERSCORE || opening === PERCENT || opening === QUESTION;
}

/**
 * @param {number} first
 * @param {number} second
 * @returns {number} of KEEP
 */
function keepOf(first, second) {
  let slot = (first ^ (first >>> 16)) & (SLOTS - 1);
  for (;;) {
    const keep = NAMES[slot * 3 + 2] ?? 0;
    if (keep === 0) return KEEP.NOTHING;
    if (NAMES[slot * 3] === first && NAMES[slot * 3 + 1] === second) return keep;
    slot = (slot + 1) & (SLOTS - 1);
  }
}

/**
 * @param {DataView} bytes
 * @param {number} start
 * @param {number} end
 * @returns {number} -1 where there is anything but digits; at most 10^9
 */
function readNumber(bytes, start, end) {
  if (start >= end) return -1;
  let number = 0;
  for (let at = start; at < end; at += 1) {
    const digit = bytes.getUint8(at) - 48;
    if (digit < 0 || digit > 9) return -1;
    number = number >= 100_000_000 ? 1_000_000_000 : number * 10 + digit;
  }
  return number;
}

/**
 * @param {DataView} bytes
 * @param {number} start
 * @param {number} stop behind the bytes that may be percent signs
 * @param {number} end of the target
 */
function checkEscapes(bytes, start, stop, end) {
  for (let at = start; at < stop; at += 1) {
    if (bytes.getUint8(at) !== PERCENT) continue;
    if (at + 2 >= end || !isHex(bytes.getUint8(at + 1)) || !isHex(bytes.getUint8(at + 2))) hasBadEscape = true;
  }
}

/**
 * @param {number} byte
 * @returns {boolean}
 */
function isHex(byte) {
  return byte < 58 ? byte > 47 : byte < 71 ? byte > 64 : byte > 96 && byte < 103;
}

for (const [name, keep] of PARAMETERS) {
  const bytes = Buffer.from(`${name}    `);
  hashUntil(viewOf(bytes), 0, name.length, EQUALS * EVERY, EQUALS * EVERY);
  let slot = (hash1 ^ (hash1 >>> 16)) & (SLOTS - 1);
  while (NAMES[slot * 3 + 2] !== 0) slot = (slot + 1) & (SLOTS - 1);
  NAMES.set([hash1, hash2, keep], slot * 3);
}
