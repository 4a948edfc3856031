// Limits the errors of one file to as many as a person reads.

/** @import { ReadError } from './record.js' */

/** More than this of one file are counted and not reported each. */
export const MAX_ERRORS = 20;

/**
 * @param {ReadError[]} errors in the order in which they are reported; of more than `MAX_ERRORS` some may be left out
 * @param {number} [count] how many there are
 * @returns {ReadError[]} the same, or the first of them and one that counts the others and has the place of the first
 *   of those
 */
export function limitErrors(errors, count = errors.length) {
  const first = errors[MAX_ERRORS];
  if (!first) return errors;
  const message = `${count - MAX_ERRORS} more errors, the first of them here: ${first.message}`;
  return [...errors.slice(0, MAX_ERRORS), { code: 'more-errors', message, place: first.place }];
}
