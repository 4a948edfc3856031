// Computes `_first`, `_last`, `_top_N` and `_bottom_N` as CouchDB does (src/couch/src/couch_query_servers.erl, 3.5.0).
// Pure.

import { BuiltinFailure, compareBytes, compareTerms } from './builtin-terms.js';

/** @import { Term } from './builtin-terms.js' */
/** @import { Row } from './builtins.js' */

/**
 * builtin_first_last, the same in both passes: the row with the lowest or highest key, then id. Of rows that are equal in both
 * the first pass and the second keep the foremost for `_first` and the hindmost for `_last`.
 * @param {Row[]} rows
 * @param {boolean} isLast
 * @returns {Row | undefined} undefined where there are no rows
 */
export function pickRow(rows, isLast) {
  return rows.reduce((/** @type {Row | undefined} */ picked, row) => {
    if (!picked) return row;
    const isLess = (compareTerms(row.key, picked.key) || compareBytes(row.id, picked.id)) < 0;
    return isLess !== isLast ? row : picked;
  }, undefined);
}

/**
 * The second pass of the same.
 * @param {(Row | undefined)[]} parts
 * @param {boolean} isLast
 * @returns {Row | undefined}
 * @throws {BuiltinFailure} where a part had no rows
 */
export function joinPicked(parts, isLast) {
  return pickRow(
    parts.map((part) => {
      if (!part) throw new BuiltinFailure('functionClause', 'a part without rows');
      return part;
    }),
    isLast,
  );
}

/**
 * builtin_rank_n over values: the greatest or least, each once.
 * @param {Term[]} values
 * @param {number} count
 * @param {boolean} isTop
 * @returns {Term[]}
 */
export function rankValues(values, count, isTop) {
  return joinRanked(
    values.map((value) => [value]),
    count,
    isTop,
  );
}

/**
 * The second pass of the same: of values that count as equal the one met first stays (lists:umerge/3).
 * @param {Term[][]} parts
 * @param {number} count
 * @param {boolean} isTop
 * @returns {Term[]}
 */
export function joinRanked(parts, count, isTop) {
  const sign = isTop ? -1 : 1;
  /** @type {Term[]} */
  let ranked = [];
  for (const part of parts) {
    ranked = merge(ranked, part, (one, other) => sign * compareTerms(one, other)).slice(0, count);
  }
  return ranked;
}

/**
 * @param {Term[]} one in order, nothing twice
 * @param {Term[]} other likewise
 * @param {(one: Term, other: Term) => number} compare
 * @returns {Term[]} both in order, nothing twice
 */
function merge(one, other, compare) {
  const merged = [];
  let left = 0;
  let right = 0;
  while (left < one.length && right < other.length) {
    const first = /** @type {Term} */ (one[left]);
    const second = /** @type {Term} */ (other[right]);
    const order = compare(first, second);
    merged.push(order <= 0 ? first : second);
    if (order <= 0) left += 1;
    if (order >= 0) right += 1;
  }
  return [...merged, ...one.slice(left), ...other.slice(right)];
}
