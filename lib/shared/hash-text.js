// Hashes a text to a short name: the same for the same text. No protection against somebody who searches for two texts
// of one name.

/** The prime and two starting points of FNV-1a, 32 bit. */
const PRIME = 0x01000193;
const FIRST_START = 0x811c9dc5;
const SECOND_START = 0x050c5d1f;

/**
 * @param {string} text
 * @returns {string} 16 hexadecimal digits
 */
export function hashText(text) {
  let first = FIRST_START;
  let second = SECOND_START;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    first = Math.imul(first ^ code, PRIME);
    second = Math.imul(second ^ code, PRIME);
    // FNV-1a takes bytes: the upper half of a character must reach the lower half of the hash.
    first ^= first >>> 15;
    second ^= second >>> 15;
  }
  return [first, second].map((hash) => (hash >>> 0).toString(16).padStart(8, '0')).join('');
}
