// Makes a stream of random numbers from a seed, the same wherever it runs. Knows no clock and no Math.random.

/**
 * @typedef {object} RandomSource
 * @property {() => number} next at least 0 and below 1
 * @property {(limit: number) => number} below a whole number at least 0 and below `limit`
 * @property {<T>(list: readonly T[]) => T} pick a member of a list that is not empty
 * @property {<T>(list: readonly T[]) => T[]} shuffle a copy in another order
 */

/**
 * The generator known as mulberry32: 32 bits of state, far more than a few thousand draws need.
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
  /** @param {number} limit */
  const below = (limit) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (list) => /** @type {typeof list[number]} */ (list[below(list.length)]),
    shuffle: (list) => {
      const copy = [...list];
      for (let at = copy.length - 1; at > 0; at--) {
        const other = below(at + 1);
        const held = /** @type {typeof copy[number]} */ (copy[at]);
        copy[at] = /** @type {typeof copy[number]} */ (copy[other]);
        copy[other] = held;
      }
      return copy;
    },
  };
}
