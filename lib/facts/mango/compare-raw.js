// Compares JSON values in the order of Erlang's terms, as Mango compares `_id` and as `_all_docs` is sorted
// (mango_json:cmp_raw/2, 3.5.0): strings by their bytes, and above all other values.

import { compareBytes, compareTerms } from '../index-groups/erlang-term.js';

/** @import { Term } from '../index-groups/erlang-term.js' */

/**
 * @param {unknown} first JSON
 * @param {unknown} second JSON
 * @returns {number} below 0, 0 or above 0
 */
export function compareRaw(first, second) {
  if (typeof first === 'string' && typeof second === 'string') return compareBytes(first, second);
  return compareTerms(ejson(first), ejson(second));
}

/** One of two values is of a selector, which has fewer levels (selector.js): below these nothing is compared. */
const MAX_LEVELS = 300;

/** @param {unknown} value JSON @param {number} [level] @returns {Term} as jiffy decodes it */
function ejson(value, level = 0) {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value !== 'object' || value === null || level > MAX_LEVELS)
    return { atom: typeof value === 'object' ? 'null' : String(value) };
  if (Array.isArray(value)) return value.map((item) => ejson(item, level + 1));
  return { tuple: [Object.entries(value).map(([name, member]) => ({ tuple: [name, ejson(member, level + 1)] }))] };
}

/**
 * @param {unknown} first JSON
 * @param {unknown} second JSON
 * @returns {boolean} whether Erlang finds them equal: members of objects in the same order
 */
export function isSameTerm(first, second) {
  if (first === second) return true;
  if (typeof first !== 'object' || typeof second !== 'object' || first === null || second === null) return false;
  if (Array.isArray(first) !== Array.isArray(second)) return false;
  const [left, right] = [Object.entries(first), Object.entries(second)];
  return (
    left.length === right.length &&
    left.every(([name, member], at) => name === right[at]?.[0] && isSameTerm(member, right[at]?.[1]))
  );
}
