// Answers small questions about values whose type is not known.

/** @param {unknown} value @returns {value is Record<string, unknown>} whether it is an object of JSON: no array, and not null */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {unknown} value @returns {Record<string, unknown> | undefined} undefined where it is no object of JSON */
export function asObject(value) {
  return isObject(value) ? value : undefined;
}

/** @param {unknown} value @returns {number | undefined} undefined where it is no number that counts something */
export function asCount(value) {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** @param {unknown} value @returns {string} its type in JSON: `null` and `array` beside those of `typeof` */
export function jsonTypeOf(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {(item: T) => number} [value]
 * @returns {number}
 */
export function sumOf(list, value = Number) {
  return list.reduce((sum, item) => sum + value(item), 0);
}
