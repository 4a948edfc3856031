// Turns ratios and figures into points of pictures, with their intervals. Pure.

/** @import { Ratio } from './compare.js' */
/** @import { PicturePoint } from './scenario.js' */

/**
 * @param {number | string} x
 * @param {Ratio | null} found
 * @returns {PicturePoint[]} none where nothing was measured
 */
export function pointOf(x, found) {
  if (!found) return [];
  const [low, high] = found.interval;
  return [{ x, y: found.ratio, low, high }];
}

/**
 * @param {number | string} x
 * @param {readonly number[]} values of rounds
 * @returns {PicturePoint[]} the middle one, from the least to the greatest
 */
export function pointOfRounds(x, values) {
  const sorted = values.toSorted((first, second) => first - second);
  const [low] = sorted;
  const high = sorted.at(-1);
  const half = sorted.length / 2;
  const y = ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
  return low === undefined || high === undefined ? [] : [{ x, y, low, high }];
}
