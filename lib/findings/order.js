// The order findings are shown in.

/** @import { Cost, Finding } from './finding.js' */

/**
 * @param {Finding} first
 * @param {Finding} second
 * @returns {number} by file, line and column, then by key, so that the order is the same in every run
 */
export function byPlace(first, second) {
  if (first.place.file !== second.place.file) return first.place.file < second.place.file ? -1 : 1;
  const distance = first.place.line - second.place.line || first.place.column - second.place.column;
  if (distance !== 0) return distance;
  return first.key < second.key ? -1 : Number(first.key > second.key);
}

/**
 * @param {Finding[]} findings
 * @returns {(Finding & {cost: Cost})[]} those of which logs tell the cost, the costliest first; of equal ones in the order of places
 */
export function byCost(findings) {
  const known = /** @type {(Finding & {cost: Cost})[]} */ (findings.filter(({ cost }) => cost !== undefined));
  return known.sort((first, second) => second.cost.share - first.cost.share || byPlace(first, second));
}
