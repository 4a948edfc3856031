// Tests whether two counts or two means differ by more than a margin, with the interval that belongs to the test: it lies beyond the margin exactly
// where the test says that they do.

import {
  betaBelow,
  betaQuantile,
  normalQuantile,
  normalTail,
  studentQuantile,
  studentTail,
} from '../../shared/distributions.js';

/** @import { Spread } from './dispersion.js' */

/**
 * @typedef {object} Tested
 * @property {number} chance of so large a difference where there is none beyond the margin; two-sided
 * @property {number} ratio of the new value to the old one; Infinity where there was none before
 * @property {(level: number) => [number, number]} interval of the ratio, of confidence 1 - level
 */

/** A change is a factor of this or more, with its whole interval: traffic and machines differ by a tenth from day to day. */
export const MIN_RATIO = 1.1;
/** From here on logarithms of counts are normal, to three digits of the chance. */
const MANY = 5000;

/**
 * Two counts whose sum is given: the second one is binomial where the rates are equal. Counts are divided by how far they come in bursts (quasi-likelihood:
 * McCullagh and Nelder, Generalized Linear Models, 4.5), which is itself an estimate, hence Student's t. Interval: Clopper and Pearson.
 * @param {[number, number]} counts old and new, not both 0
 * @param {[number, number]} exposures minutes or requests that they are counts in
 * @param {Spread} spread
 * @returns {Tested}
 */
export function testCounts(counts, exposures, { factor, freedom }) {
  const [old, fresh] = [counts[0] / factor, counts[1] / factor];
  const expected = exposures[1] / exposures[0];
  const ratio = counts[0] === 0 ? Number.POSITIVE_INFINITY : counts[1] / counts[0] / expected;
  if (old > MANY && fresh > MANY) return testNormal(Math.log(ratio), Math.sqrt(1 / old + 1 / fresh), freedom);
  // The chances where the rates differ by the margin already.
  const share = (/** @type {number} */ margin) => (expected * margin) / (1 + expected * margin);
  const atLeast = fresh === 0 ? 1 : betaBelow(share(MIN_RATIO), fresh, old + 1);
  const atMost = old === 0 ? 1 : betaBelow(1 - share(1 / MIN_RATIO), old, fresh + 1);
  const chance = Math.min(1, 2 * Math.min(atLeast, atMost));
  return {
    chance: widen(chance, freedom),
    ratio,
    interval: (level) => {
      const side = Math.max(1e-280, normalTail(studentQuantile(level / 2, freedom)));
      const low = fresh === 0 ? 0 : oddsOf(betaQuantile(side, fresh, old + 1));
      const high = old === 0 ? Infinity : 1 / oddsOf(betaQuantile(side, old, fresh + 1));
      return [low / expected, high / expected];
    },
  };
}

/**
 * @param {number} share
 * @returns {number}
 */
function oddsOf(share) {
  return share / (1 - share);
}

/**
 * @param {number} chance two-sided, of a normal deviate
 * @param {number} freedom
 * @returns {number} the same where the standard deviation is estimated
 */
function widen(chance, freedom) {
  if (chance >= 1) return 1;
  return 2 * studentTail(normalQuantile(Math.max(1e-300, chance / 2)), freedom);
}

/**
 * @param {number} difference of logarithms
 * @param {number} error its standard error
 * @param {number} freedom
 * @returns {Tested}
 */
export function testNormal(difference, error, freedom) {
  return {
    chance: Math.min(1, 2 * studentTail((Math.abs(difference) - Math.log(MIN_RATIO)) / error, freedom)),
    ratio: Math.exp(difference),
    interval: (level) => {
      const half = studentQuantile(level / 2, freedom) * error;
      return [Math.exp(difference - half), Math.exp(difference + half)];
    },
  };
}
