// Replaces the strings of rows that come from documents by digits: what a reduce computes with them may be right for those alone.

/** @import { EmittedRow } from './emitted-rows.js' */

/**
 * @param {readonly EmittedRow[]} rows
 * @returns {EmittedRow[] | undefined} with digits instead of each string that comes from a document; undefined where there is none
 */
export function withNumericStrings(rows) {
  /** @type {Map<string, string>} */
  const digits = new Map();
  /** @param {unknown} value @param {Set<string>} own @returns {unknown} */
  const change = (value, own) => {
    if (typeof value === 'string') {
      if (!own.has(value)) return value;
      const known = digits.get(value) ?? String(3 * digits.size + 7);
      digits.set(value, known);
      return known;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => change(item, own));
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item, own)]));
  };
  const changed = rows.map((row) => ({ ...row, value: change(row.value, new Set(stringsIn(row.document))) }));
  return digits.size > 0 ? changed : undefined;
}

/** @param {unknown} value @returns {string[]} */
function stringsIn(value) {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
