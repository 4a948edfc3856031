// Combines parts of Mango selectors into the shortest form.

/** @typedef {Record<string, unknown>} Selector */

/**
 * @param {(Selector | boolean)[]} parts
 * @returns {Selector | boolean} what all of them let through
 */
export function all(parts) {
  if (parts.includes(false)) return false;
  /** @type {Selector[]} */
  const joined = [];
  for (const part of parts.flatMap((item) => (typeof item === 'boolean' ? [] : partsOf(item, '$and')))) {
    const index = joined.findIndex((other) => merged(other, part));
    const other = joined[index];
    if (other) joined[index] = merged(other, part) ?? other;
    else joined.push(part);
  }
  const [only, ...others] = joined;
  if (!only) return true;
  return others.length === 0 ? only : { $and: joined };
}

/**
 * @param {(Selector | boolean)[]} parts
 * @returns {Selector | boolean} what any of them lets through
 */
export function any(parts) {
  if (parts.includes(true)) return true;
  const selectors = parts.flatMap((item) => (typeof item === 'boolean' ? [] : partsOf(item, '$or')));
  const [only, ...others] = selectors;
  if (!only) return false;
  return others.length === 0 ? only : { $or: selectors };
}

/**
 * @param {Selector} selector
 * @param {'$and' | '$or'} operator
 * @returns {Selector[]} the parts of one that is nothing but a list of them
 */
function partsOf(selector, operator) {
  const parts = selector[operator];
  return Array.isArray(parts) && Object.keys(selector).length === 1 ? parts : [selector];
}

/**
 * @param {Selector} first
 * @param {Selector} second
 * @returns {Selector | undefined} one object for both; undefined where they test the same in two ways
 */
function merged(first, second) {
  const result = { ...first };
  for (const [key, condition] of Object.entries(second)) {
    const both = Object.hasOwn(first, key) ? mergedConditions(first[key], condition) : condition;
    if (both === undefined) return undefined;
    result[key] = both;
  }
  return result;
}

/**
 * @param {unknown} first
 * @param {unknown} second
 * @returns {unknown} undefined where they are not two sets of comparisons that fit together
 */
function mergedConditions(first, second) {
  if (!isComparison(first) || !isComparison(second)) return undefined;
  const isUnequal = Object.keys(first).some((key) => Object.hasOwn(second, key) && first[key] !== second[key]);
  if (isUnequal) return undefined;
  const { $type, ...rest } = { ...first, ...second };
  return $type === undefined ? rest : { ...rest, $type };
}

/**
 * @param {unknown} condition
 * @returns {condition is Selector} whether it is made of comparisons and types
 */
function isComparison(condition) {
  if (condition === null || typeof condition !== 'object' || Array.isArray(condition)) return false;
  return Object.keys(condition).every((key) => /^\$(?:[gl]te?|type)$/.test(key));
}
