// Makes streams of random numbers from a text or a number, the same for the same seed, so that data, orders and trials
// can be reproduced. Knows no clock and no Math.random.

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
 * @param {readonly T[]} list
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

/**
 * @typedef {object} RandomSource
 * @property {() => number} next at least 0 and below 1
 * @property {(limit: number) => number} below a whole number at least 0 and below `limit`
 * @property {<T>(list: readonly T[]) => T} pick a member of a list that is not empty
 * @property {<T>(list: readonly T[]) => T[]} shuffle a copy in another order
 */

/**
 * The generator known as mulberry32: 32 bits of state, far more than the few thousand draws of a trial need.
 * @param {number} seed of it the lower 32 bits count
 * @returns {RandomSource}
 */
export function randomFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (/** @type {number} */ limit) => randomInteger(next, 0, limit);
  return {
    next,
    below,
    pick: (list) => /** @type {typeof list[number]} */ (list[below(list.length)]),
    shuffle: (list) => shuffle(next, list),
  };
}
