// The answers that a row of the table allows.

/** @import { ExpectedAnswer, ReducerRow } from './maps.js' */

/**
 * @param {ReducerRow} row
 * @param {keyof ExpectedAnswer} part
 * @returns {unknown[] | undefined} undefined where the row says nothing of this part
 */
export function allowed(row, part) {
  const expected = row.expect[part];
  return expected === undefined ? undefined : [expected].flat();
}

/**
 * @param {ReducerRow} row
 * @param {string} verdict
 * @returns {boolean} whether this verdict alone is right
 */
export function isOnly(row, verdict) {
  const verdicts = allowed(row, 'verdict') ?? [];
  return verdicts.length === 1 && verdicts[0] === verdict;
}
