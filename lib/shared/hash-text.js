// Hashes a text to a short name: the same for the same text. No protection against somebody who searches for two texts
// of one name.

/** The prime and two starting points of FNV-1a, 32 bit. */
const PRIME = 0x01000193;
const STARTS = [0x811c9dc5, 0x050c5d1f];

/**
 * @param {string} text
 * @returns {string} 16 hexadecimal digits
 */
export function hashText(text) {
  return STARTS.map((start) => {
    let hash = start;
    for (let index = 0; index < text.length; index += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(index), PRIME);
      // FNV-1a takes bytes: the upper half of a character must reach the lower half of the hash.
      hash ^= hash >>> 15;
    }
    return (hash >>> 0).toString(16).padStart(8, '0');
  }).join('');
}

/**
 * A name that no two texts share by accident: MurmurHash3 (x86, 128 bits) over the UTF-16 units of the text. Somebody who searches for two such texts finds
 * them, so it is only for files that no other user can write. `node:crypto` takes longer to load than this takes.
 * @param {string} text
 * @returns {string} 32 hexadecimal digits
 */
export function digestText(text) {
  let [a, b, c, d] = [0, 0, 0, 0];
  // Beyond the end, charCodeAt is NaN, which counts as 0; the length is a part of the digest.
  for (let at = 0; at < text.length; at += 8) {
    a = turn(a ^ mixWord(wordAt(text, at), 0x239b961b, 15, 0xab0e9789), 19);
    a = (Math.imul(a + b, 5) + 0x561ccd1b) | 0;
    b = turn(b ^ mixWord(wordAt(text, at + 2), 0xab0e9789, 16, 0x38b34ae5), 17);
    b = (Math.imul(b + c, 5) + 0x0bcaa747) | 0;
    c = turn(c ^ mixWord(wordAt(text, at + 4), 0x38b34ae5, 17, 0xa1e38b93), 15);
    c = (Math.imul(c + d, 5) + 0x96cd1c35) | 0;
    d = turn(d ^ mixWord(wordAt(text, at + 6), 0xa1e38b93, 18, 0x239b961b), 13);
    d = (Math.imul(d + a, 5) + 0x32ac3b17) | 0;
  }
  return mixEnds(mixEnds([a, b, c, d].map((word) => word ^ text.length)).map(mixBits))
    .map((word) => (word >>> 0).toString(16).padStart(8, '0'))
    .join('');
}

/** @param {string} text @param {number} at @returns {number} two UTF-16 units as one word */
function wordAt(text, at) {
  return text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);
}

/** @param {number} word @param {number} first @param {number} bits @param {number} second @returns {number} */
function mixWord(word, first, bits, second) {
  return Math.imul(turn(Math.imul(word, first), bits), second);
}

/** @param {number} word @param {number} bits @returns {number} */
function turn(word, bits) {
  return (word << bits) | (word >>> (32 - bits));
}

/** @param {number[]} words @returns {number[]} each of which depends on all of them */
function mixEnds([first = 0, ...others]) {
  const sum = others.reduce((total, word) => (total + word) | 0, first);
  return [sum, ...others.map((word) => (word + sum) | 0)];
}

/** @param {number} word @returns {number} in which each bit depends on all of them */
function mixBits(word) {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
