// Draws lists of rows that a map emitted, in the order of the view. Draws rows only; makes up none.

import { groupBy } from '../shared/group-by.js';
import { compareBytes, compareTerms, toTerm } from './builtin-terms.js';

/** @import { RandomSource } from '../shared/seeded-random.js' */
/** @import { TrialRow } from './trial-values.js' */

/**
 * @template {TrialRow} T
 * @param {readonly T[]} rows
 * @returns {T[]} as a view keeps them: by key, and by id where keys are equal
 */
export function inViewOrder(rows) {
  const terms = new Map(rows.map((row) => [row, toTerm(row.key)]));
  /** @param {T} row */
  const term = (row) => /** @type {import('./builtin-terms.js').Term} */ (terms.get(row) ?? null);
  return [...rows].sort((one, other) => compareTerms(term(one), term(other)) || compareBytes(one.id, other.id));
}

/**
 * Rows of documents that differ: first a single one, then two with the same value if there are two, then a few, of one kind of
 * values each, of one key each where some have one, and now and then a mixture.
 * @param {readonly TrialRow[]} rows at least one
 * @param {RandomSource} random
 * @param {number} count of lists
 * @param {readonly number[]} [lengths] of further lists; those that are longer than there are rows are left out
 * @returns {TrialRow[][]}
 */
export function drawEmittedLists(rows, random, count, lengths = []) {
  const byKind = [...groupBy(rows, ({ value }) => signatureOf(value)).values()];
  const byKey = [...groupBy(rows, ({ key }) => JSON.stringify(key)).values()].filter(({ length }) => length > 1);
  const twins = [...groupBy(rows, ({ value }) => JSON.stringify(value)).values()].find(({ length }) => length > 1);
  /** @type {TrialRow[][]} */
  const lists = [[random.pick(rows)]];
  if (twins) lists.push(inViewOrder(twins.slice(0, 2)));
  for (let at = lists.length; at < count; at++) {
    const ofKind = /** @type {TrialRow[]} */ (byKind[at % byKind.length]);
    const among = at % 3 === 2 ? rows : at % 3 === 1 && byKey.length > 0 ? random.pick(byKey) : ofKind;
    lists.push(drawSome(among, random, 2 + random.below(at % 7 === 6 ? 30 : 6)));
  }
  for (const length of lengths) if (length <= rows.length) lists.push(drawSome(rows, random, length));
  return lists;
}

/**
 * @param {readonly TrialRow[]} rows
 * @returns {TrialRow[]} one for each value that occurs, in the order of the view
 */
export function variedRows(rows) {
  return inViewOrder([...new Map(rows.map((row) => [JSON.stringify(row.value), row])).values()]);
}

/**
 * @param {readonly TrialRow[]} rows
 * @returns {TrialRow[][]} those that have a key in common with others, by key; all together where none has
 */
export function rowsByKey(rows) {
  const groups = [...groupBy(rows, ({ key }) => JSON.stringify(key)).values()].filter(({ length }) => length > 1);
  return groups.length > 0 ? groups : [[...rows]];
}

/**
 * @param {readonly TrialRow[]} rows
 * @param {RandomSource} random
 * @param {number} length
 * @returns {TrialRow[]} no more than there are
 */
function drawSome(rows, random, length) {
  if (length * 3 >= rows.length) return inViewOrder(random.shuffle(rows).slice(0, length));
  /** @type {Set<TrialRow>} */
  const chosen = new Set();
  while (chosen.size < length) chosen.add(random.pick(rows));
  return inViewOrder([...chosen]);
}

/**
 * @param {unknown} value
 * @returns {string} the types of a JSON value and of all it holds: the same for values of one kind
 */
export function signatureOf(value) {
  if (Array.isArray(value)) return `[${[...new Set(value.map(signatureOf))].sort().join('|')}]`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${signatureOf(member)}`);
  return `{${members.sort().join(',')}}`;
}
