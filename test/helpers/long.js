// Chooses between the two sets of tests: the short one of `npm test`, and the long one of `npm run test:long`, which
// has all that a short test takes a sample of.

import process from 'node:process';

/** Whether this is a run of the long set. */
export const isLong = process.env['TEST_SET'] === 'long';

/**
 * @template T
 * @param {readonly T[]} rows of a table
 * @param {number} count how many the short set tests
 * @returns {T[]} all of them in the long set; in the short one as many as that, spread evenly, and the same ones in each run
 */
export function sample(rows, count) {
  if (isLong || rows.length <= count) return [...rows];
  return Array.from({ length: count }, (_, at) => /** @type {T} */ (rows[Math.floor((at * rows.length) / count)]));
}

/**
 * @param {{short: number, long: number}} counts
 * @returns {number} runs of a property, or turns of a loop
 */
export function turns({ short, long }) {
  return isLong ? long : short;
}
