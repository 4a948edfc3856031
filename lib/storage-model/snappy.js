// Computes how long bytes are once snappy has packed them: to the byte what snappy 1.1.3 gives, the one in CouchDB 2 to
// 3.5 (src/snappy/c_src/snappy). Nothing is packed: only lengths are added up, which takes half the time.

/** What is packed by itself. snappy.h, `kBlockSize`. */
const FRAGMENT = 65_536;
/** snappy.h, `kMaxHashTableSize`. */
const LARGEST_TABLE = 16_384;
/** snappy.cc, `GetHashTable`. */
const MIN_TABLE = 256;
/** So close to the end nothing is looked for. snappy.cc, `kInputMarginBytes`. */
const MARGIN = 15;
/** snappy.cc, `HashBytes`. */
const MULTIPLIER = 0x1e35a7bd;

/** Where four bytes of this hash were seen last. */
const table = new Uint16Array(LARGEST_TABLE);

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end behind the last byte
 * @returns {number} bytes of the packed text, its length in front of it included
 */
export function packedLength(bytes, start, end) {
  let length = lengthOfVarint(end - start);
  for (let at = start; at < end; at += FRAGMENT) length += packedFragment(bytes, at, Math.min(at + FRAGMENT, end));
  return length;
}

/** @param {number} value @returns {number} */
function lengthOfVarint(value) {
  return value < 2 ** 7 ? 1 : value < 2 ** 14 ? 2 : value < 2 ** 21 ? 3 : value < 2 ** 28 ? 4 : 5;
}

/** @param {number} length of bytes that are kept as they are @returns {number} */
function literalLength(length) {
  return length <= 60 ? length + 1 : length <= 256 ? length + 2 : length <= FRAGMENT ? length + 3 : length + 4;
}

/**
 * @param {number} offset how far back the copied text stands
 * @param {number} length
 * @returns {number}
 */
function copyLength(offset, length) {
  let sum = 0;
  let left = length;
  for (; left >= 68; left -= 64) sum += 3;
  if (left > 64) {
    sum += 3;
    left -= 60;
  }
  return sum + (left < 12 && offset < 2048 ? 2 : 3);
}

/**
 * @param {Uint8Array} bytes
 * @param {number} at
 * @returns {number} four bytes as one number
 */
function read(bytes, at) {
  const first = /** @type {number} */ (bytes[at]);
  const second = /** @type {number} */ (bytes[at + 1]);
  const third = /** @type {number} */ (bytes[at + 2]);
  const fourth = /** @type {number} */ (bytes[at + 3]);
  return first | (second << 8) | (third << 16) | (fourth << 24);
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end at most 64 kB behind it
 * @returns {number}
 */
function packedFragment(bytes, start, end) {
  const size = end - start;
  let tableSize = MIN_TABLE;
  let shift = 24;
  for (; tableSize < LARGEST_TABLE && tableSize < size; tableSize *= 2) shift -= 1;
  table.fill(0, 0, tableSize);
  let length = 0;
  let literalStart = start;
  if (size < MARGIN) return literalLength(size);
  const limit = end - MARGIN;
  let at = start + 1;
  let word = read(bytes, at);
  let hash = Math.imul(word, MULTIPLIER) >>> shift;
  for (;;) {
    // Look for four bytes that stood before; the longer there are none, the larger the steps.
    let skip = 32;
    let next = at;
    let nextWord = word;
    let candidate;
    do {
      at = next;
      word = nextWord;
      const slot = hash;
      next = at + (skip >>> 5);
      skip += 1;
      if (next > limit) return length + rest(literalStart, end);
      nextWord = read(bytes, next);
      hash = Math.imul(nextWord, MULTIPLIER) >>> shift;
      candidate = start + /** @type {number} */ (table[slot]);
      table[slot] = at - start;
    } while (word !== read(bytes, candidate));
    length += literalLength(at - literalStart);
    // One copy after the other, as long as they follow each other.
    do {
      let matched = 4;
      while (at + matched < end && bytes[candidate + matched] === bytes[at + matched]) matched += 1;
      length += copyLength(at - candidate, matched);
      at += matched;
      literalStart = at;
      if (at >= limit) return length + rest(literalStart, end);
      table[Math.imul(read(bytes, at - 1), MULTIPLIER) >>> shift] = at - start - 1;
      word = read(bytes, at);
      const slot = Math.imul(word, MULTIPLIER) >>> shift;
      candidate = start + /** @type {number} */ (table[slot]);
      table[slot] = at - start;
    } while (word === read(bytes, candidate));
    at += 1;
    word = read(bytes, at);
    hash = Math.imul(word, MULTIPLIER) >>> shift;
  }
}

/** @param {number} start @param {number} end @returns {number} the literal at the end, if there is one */
function rest(start, end) {
  return start < end ? literalLength(end - start) : 0;
}
