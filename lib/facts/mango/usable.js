// Decides whether a Mango index can serve a query: whether it holds every document that the query may want, in the order
// of its sort (mango_idx_view:is_usable/3, 3.2 to 3.5.2).

import { compareVersions, NEWEST_COUCHDB } from '../../shared/version.js';
import { onlyMember, QueryError } from './selector.js';

/** @import { Selector } from './selector.js' */

/** Fields that every document has, so that an index on them leaves nothing out. */
export const EVERYWHERE = new Set(['_id', '_rev']);

/** From here on all three checks of an index are made, even where the first has failed. */
const CHECKS_ALL = '3.4.0';

/**
 * @param {readonly string[]} columns
 * @param {Selector} selector normalized
 * @param {readonly string[]} sorted fields of the sort
 * @param {string} [version]
 * @returns {boolean}
 * @throws {QueryError} `unknown_error` where the server fails on a value of the selector: an object with several members,
 *   or a list with null or a list in it, fails every query of a database that has a JSON index
 */
export function canServe(columns, selector, sorted, version = NEWEST_COUCHDB) {
  const required = columns.filter((column) => !sorted.includes(column) && !EVERYWHERE.has(column));
  const isHeld = missingFields([selector], new Set(required)).size === 0;
  if (!isHeld && compareVersions(version, CHECKS_ALL) < 0) return false;
  const isSearch = isTextSearch(selector);
  return isHeld && !isSearch && canSort(columns, sorted, selector);
}

/**
 * @param {Selector[]} parts that all have to hold
 * @param {Set<string>} required
 * @returns {Set<string>} those that a matching document need not have (mango_selector:has_required_fields/2)
 */
function missingFields(parts, required) {
  let open = required;
  for (const part of parts) {
    const [name, operand] = onlyMember(part) ?? [];
    if (name === undefined || open.size === 0) return open;
    if (name === '$and') open = missingFields(operand, open);
    else if (name === '$or') {
      const before = open;
      open = new Set(operand.flatMap((/** @type {Selector} */ one) => [...missingFields([one], before)]));
    } else if (open.has(name) && !isMissingTest(operand)) {
      open = new Set(open);
      open.delete(name);
    }
  }
  return open;
}

/** @param {Selector} condition @returns {boolean} */
function isMissingTest(condition) {
  const [operator, operand] = onlyMember(condition);
  return operator === '$exists' && operand === false;
}

/**
 * @param {any} value
 * @returns {boolean} whether it searches a text index (is_text_search/1)
 */
function isTextSearch(value) {
  if (typeof value !== 'object') return false;
  const members = value === null || Array.isArray(value) ? undefined : Object.entries(value);
  if (members?.length === 0) return false;
  if (members?.length !== 1) throw new QueryError('unknown_error', 'function_clause', 500);
  const [[name, operand]] = /** @type {[[string, any]]} */ (members);
  if (name === '$default') return true;
  if (Array.isArray(operand)) return operand.some(isTextSearch);
  return typeof operand === 'object' && operand !== null && isTextSearch(operand);
}

/**
 * @param {readonly string[]} columns
 * @param {readonly string[]} sorted
 * @param {Selector} selector
 * @returns {boolean} whether the sort follows the columns, but for those before it that have one value (can_use_sort/3)
 */
function canSort(columns, sorted, selector) {
  const [first] = sorted;
  if (first === undefined) return true;
  const start = columns.findIndex((column) => column === first || !isConstant(selector, column));
  return start !== -1 && sorted.every((field, at) => columns[start + at] === field);
}

/** @param {Selector} selector @param {string} field @returns {boolean} (mango_selector:is_constant_field/2) */
function isConstant(selector, field) {
  const [name, operand] = onlyMember(selector) ?? [];
  if (name === '$and') return operand.some((/** @type {Selector} */ part) => isConstant(part, field));
  return name === field && onlyMember(operand)[0] === '$eq';
}
