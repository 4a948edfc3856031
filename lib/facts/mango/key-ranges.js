// Finds the ranges of keys that a normalized selector gives the columns of a Mango index (mango_idx_view:field_ranges/1,
// 3.4.3 and 3.5.0).

import { compareVersions } from '../../shared/version.js';
import { compareKeys } from '../../storage-model/view-keys.js';
import { compareBytes } from '../index-groups/erlang-term.js';
import { onlyMember, QueryError } from './selector.js';

/** @import { Selector } from './selector.js' */

/** Below and above all JSON. */
export const MIN = Symbol('below all');
export const MAX = Symbol('above all');

/** `lowOperator` is `$gt`, `$gte` or `$eq`, `highOperator` `$lt`, `$lte` or `$eq`. @typedef {{lowOperator: string, low: unknown, highOperator: string, high: unknown}} KeyRange */
/** @typedef {{field: string, range: KeyRange | 'empty'}} FieldRange */

const COMPARED = new Set(['$lt', '$lte', '$eq', '$gt', '$gte']);
/** The first version in which `$exists` and `$beginsWith` make a field one of an index (indexable/1). */
const INDEXABLE_EXISTS = '3.4.0';
/** The highest character of the collation, with which the range of `$beginsWith` ends. */
const HIGHEST = '\uffff';

/**
 * @param {Selector} selector normalized
 * @param {string} version
 * @returns {string[]} fields that an index may give a range for, in the order of their bytes (indexable_fields/1)
 */
export function indexableFields(selector, version) {
  const [name, operand] = onlyMember(selector) ?? [];
  if (name === undefined) return [];
  if (name === '$and') {
    const fields = operand.flatMap((/** @type {Selector} */ part) => indexableFields(part, version));
    return [...new Set(/** @type {string[]} */ (fields))].sort(compareBytes);
  }
  if (name.startsWith('$')) return [];
  const [operator] = onlyMember(operand);
  const isLater = operator === '$exists' || operator === '$beginsWith';
  return COMPARED.has(operator) || (isLater && compareVersions(version, INDEXABLE_EXISTS) >= 0) ? [name] : [];
}

/**
 * @param {Selector} selector normalized
 * @param {string} version
 * @returns {FieldRange[]} only the first that is empty where one is: its conditions exclude each other
 * @throws {QueryError} where the server fails with `badmatch`
 */
export function fieldRanges(selector, version) {
  /** @type {FieldRange[]} */
  const found = [];
  for (const field of indexableFields(selector, version)) {
    const range = rangeOf(selector, field, { lowOperator: '$gt', low: MIN, highOperator: '$lt', high: MAX });
    if (range === 'empty') return [{ field, range }];
    found.push({ field, range });
  }
  return found;
}

/**
 * @param {Selector} selector
 * @param {string} field
 * @param {KeyRange} range so far
 * @returns {KeyRange | 'empty'}
 */
function rangeOf(selector, field, range) {
  const [name, operand] = onlyMember(selector);
  if (name === '$and') {
    /** @type {KeyRange | 'empty'} */
    let current = range;
    for (const part of operand) if (current !== 'empty') current = rangeOf(part, field, current);
    return current;
  }
  return name === field ? narrow(operand, range) : range;
}

/** @param {unknown} first @param {unknown} second @returns {number} */
function compareEnds(first, second) {
  if (first === second) return 0;
  if (first === MIN || second === MAX) return -1;
  if (first === MAX || second === MIN) return 1;
  return compareKeys(first, second);
}

/**
 * @param {Selector} condition with one operator
 * @param {KeyRange} range
 * @returns {KeyRange | 'empty'}
 */
function narrow(condition, range) {
  const [operator, operand] = onlyMember(condition);
  if (operator === '$beginsWith') {
    const from = narrow({ $gte: operand }, range);
    // The server expects a range here (mango_idx_view:range/5): the request ends with status 500.
    if (from === 'empty') throw new QueryError('badmatch', 'empty', 500);
    return narrow({ $lte: `${operand}${HIGHEST}` }, from);
  }
  if (!COMPARED.has(operator)) return range;
  const fromLow = compareEnds(operand, range.low);
  const fromHigh = fromLow > 0 ? compareEnds(operand, range.high) : -1;
  const isEqual = { lowOperator: '$eq', low: operand, highOperator: '$eq', high: operand };
  const { lowOperator, highOperator } = range;
  if (fromLow < 0) return operator.startsWith('$g') ? range : 'empty';
  if (fromHigh > 0) return operator.startsWith('$l') ? range : 'empty';
  if (fromLow === 0) {
    if (operator === '$gte') return range;
    if (operator === '$gt') return { ...range, lowOperator: '$gt', low: operand };
    return operator !== '$lt' && (lowOperator === '$gte' || lowOperator === '$eq') ? isEqual : 'empty';
  }
  if (fromHigh === 0) {
    if (operator === '$lte') return range;
    if (operator === '$lt') return { ...range, highOperator: '$lt', high: operand };
    return operator !== '$gt' && (highOperator === '$lte' || highOperator === '$eq') ? isEqual : 'empty';
  }
  if (operator === '$eq') return isEqual;
  return operator.startsWith('$l')
    ? { ...range, highOperator: operator, high: operand }
    : { ...range, lowOperator: operator, low: operand };
}
