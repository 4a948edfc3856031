// Makes a stream of random numbers from a text, the same for the same text, so that data and orders can be reproduced
// from a seed.

/** @typedef {() => number} Random each call gives the next number: at least 0, below 1 */

/**
 * @param {string} seed
 * @returns {Random} sfc32 (Chris Doty-Humphrey, PractRand), seeded by four hashes of the text
 */
export function createRandom(seed) {
  let [a = 0, b = 0, c = 0, counter = 1] = [1, 2, 3, 4].map((start) => mix(seed, start));
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 4294967296;
  };
  // The first numbers still resemble the seed.
  for (let turn = 0; turn < 12; turn += 1) next();
  return next;
}

/**
 * @param {Random} random
 * @param {number} from
 * @param {number} below
 * @returns {number} a whole number
 */
export function randomInteger(random, from, below) {
  return from + Math.floor(random() * (below - from));
}

/**
 * @template T
 * @param {Random} random
 * @param {T[]} list
 * @returns {T[]} the same things in another order
 */
export function shuffle(random, list) {
  const shuffled = [...list];
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = randomInteger(random, 0, at + 1);
    [shuffled[at], shuffled[other]] = [/** @type {T} */ (shuffled[other]), /** @type {T} */ (shuffled[at])];
  }
  return shuffled;
}

/**
 * @param {string} text
 * @param {number} start
 * @returns {number} 32 bits
 */
function mix(text, start) {
  let hash = Math.imul(start, 0x9e3779b1) ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
  }
  return Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) | 0;
}
