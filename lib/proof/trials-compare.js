// Decides whether two answers are the same. Pure.

/** @import { BuiltinError } from './builtins.js' */

/**
 * What became of a tree: its value, which may be an estimate; the error of a built-in that refuses the values; or unknown,
 * which agrees with everything.
 * @typedef {{value: unknown, isApproximate?: true} | {error: BuiltinError} | {unknown: string}} TrialAnswer
 */

/**
 * Sums of floats differ in their last digits with the order of the rows, in CouchDB as in JavaScript, and Erlang counts
 * whole numbers above 2^53 exactly where JavaScript does not; so numbers count as the same up to this share of the greater.
 */
const TOLERANCE = 1e-9;

/** `_approx_count_distinct` is off by some 2 %; what is off by more than this is another number. */
const ESTIMATE = 0.05;

/** Small numbers alone cancel each other out in trials: a greater scale would hide a count that is wrong by one. */
const GREATEST_SCALE = 1000;

/** What JSON with a depth beyond this holds is not looked at: such answers count as the same. */
const DEPTH = 200;

/**
 * @param {TrialAnswer} one
 * @param {TrialAnswer} other
 * @param {number} [scale] the greatest number that went in: of a sum near 0 the error is a share of that
 * @returns {boolean}
 */
export function isSameAnswer(one, other, scale = 0) {
  if ('unknown' in one || 'unknown' in other) return true;
  if ('error' in one || 'error' in other) return 'error' in one && 'error' in other;
  if ((one.isApproximate || other.isApproximate) && typeof one.value === 'number' && typeof other.value === 'number') {
    return Math.abs(one.value - other.value) <= ESTIMATE * Math.max(one.value, other.value);
  }
  return isSameValue(one.value, other.value, scale);
}

/**
 * Equality of JSON values: numbers with the tolerance, members of objects in any order.
 * @param {unknown} one
 * @param {unknown} other
 * @param {number} [scale] see isSameAnswer
 * @param {number} [depth]
 * @returns {boolean}
 */
export function isSameValue(one, other, scale = 0, depth = 0) {
  if (one === other || depth > DEPTH) return true;
  if (typeof one === 'number' && typeof other === 'number') {
    return (
      Math.abs(one - other) <= TOLERANCE * Math.max(Math.abs(one), Math.abs(other), Math.min(scale, GREATEST_SCALE))
    );
  }
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((member, at) => isSameValue(member, other[at], scale, depth + 1));
  }
  const members = new Map(Object.entries(other));
  const entries = Object.entries(one);
  if (entries.length !== members.size) return false;
  return entries.every(([name, value]) => members.has(name) && isSameValue(value, members.get(name), scale, depth + 1));
}

/**
 * @param {unknown} value JSON
 * @param {number} [depth]
 * @returns {unknown} the same with the members of each list in the order of their JSON
 */
export function withSortedLists(value, depth = 0) {
  if (typeof value !== 'object' || value === null || depth > DEPTH) return value;
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withSortedLists(item, depth + 1)]));
  }
  const items = value
    .map((item) => withSortedLists(item, depth + 1))
    .map((item) => ({ item, text: JSON.stringify(item) }));
  items.sort((one, other) => (one.text < other.text ? -1 : Number(one.text > other.text)));
  return items.map(({ item }) => item);
}

/**
 * @param {unknown} value
 * @param {number} [depth]
 * @returns {number} the greatest of the absolute values of its numbers, 0 where it has none
 */
export function greatestNumber(value, depth = 0) {
  if (typeof value === 'number') return Math.abs(value);
  if (typeof value !== 'object' || value === null || depth > DEPTH) return 0;
  let greatest = 0;
  for (const member of Object.values(value)) greatest = Math.max(greatest, greatestNumber(member, depth + 1));
  return greatest;
}
