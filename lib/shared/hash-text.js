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
