// Draws from the normal distribution, for simulated noise.

/** @import { Random } from '../../lib/shared/seeded-random.js' */

/** @param {Random} random @returns {number} of mean 0 and variance 1 (Box and Muller) */
export function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
