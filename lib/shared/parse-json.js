// Reads JSON that may be none.

import { attempt } from './attempt.js';
import { findExcess } from './bounded-json.js';

/** As many as an answer of the sandbox may have: 4 million characters. */
export const MAX_VALUES = 2_100_000;

/**
 * @param {string} text
 * @returns {unknown} undefined where it is not JSON, as the last line of a run that was killed, or would become many times larger as objects
 */
export function parseJson(text) {
  if (findExcess(text, MAX_VALUES) !== undefined) return undefined;
  return attempt(() => JSON.parse(text));
}

/** @param {string} text @returns {boolean} whether it is JSON, however large */
export function isJson(text) {
  return attempt(() => JSON.parse(text) !== undefined, false);
}
