// Estimates what a Mango query reads by an index or without one, from sample documents.

import { EVERYWHERE } from '../facts/mango/usable.js';

/** @import { Clause, Find } from './find.js' */
/** @import { Filling } from './fillings.js' */
/** @import { Reads } from './plan.js' */
/** @import { Sample } from './sample.js' */

/** An index as it serves a query. @typedef {{columns: string[], filter?: Record<string, unknown> | undefined}} ServingIndex */

const EQUAL = new Set(['eq']);
const RANGES = new Set(['gt', 'gte', 'lt', 'lte', 'beginsWith']);

/**
 * Rows of the key range: documents that have all columns, equal in the first ones and in the range of the next
 * (mango_idx_view:start_key/1, end_key/1, and indexable fields in composite order, 3.5.0). Whatever stands behind a range narrows nothing.
 * A value that was taken of a document finds that document for certain, and others as often as it finds others of the sample.
 * @param {Find} find
 * @param {Filling[]} fillings
 * @param {ServingIndex | undefined} index undefined: the tree of all documents
 * @param {Sample} sample
 * @returns {Reads | undefined} a request, on average; undefined where that cannot be determined
 */
export function readsOf(find, fillings, index, sample) {
  if (fillings.length === 0 || sample.size === 0) return undefined;
  let [rows, documents, results] = [0, 0, 0];
  for (const { clauses, from } of fillings) {
    const matching = countAll(clauses, undefined, sample, from);
    const inRange = index ? countAll(keyRange(clauses, index.columns), index, sample, from) : sample.total;
    if (matching === undefined || inRange === undefined) return undefined;
    // A part of the conditions may not be known: then fewer match, and at most as many rows are read.
    // The server reads on to the result behind the limit (mango_cursor_view:handle_doc/2, 3.5.0).
    const isEnough = find.isWhole && matching > find.limit + 1;
    const read = isEnough ? inRange * ((find.limit + 1) / matching) : inRange;
    rows += read;
    documents += index && isCovered(find, index) ? 0 : read;
    results += Math.min(matching, find.limit);
  }
  const mean = (/** @type {number} */ sum) => sum / fillings.length;
  return { rows: mean(rows), documents: mean(documents), results: mean(results), basis: 'estimated' };
}

/**
 * @param {Find} find
 * @param {ServingIndex} index
 * @returns {boolean} whether no document has to be read (mango_cursor_view:covering, since 3.4.0: all fields are columns, of selector and answer)
 */
function isCovered({ fields, clauses, isWhole }, { columns }) {
  if (fields === undefined || !isWhole) return false;
  const held = new Set([...columns, '_id']);
  return [...fields, ...clauses.map(({ field }) => field)].every((field) => held.has(field));
}

/**
 * @param {Clause[]} clauses
 * @param {string[]} columns
 * @returns {Clause[]} those that bound the keys that are read
 */
function keyRange(clauses, columns) {
  /** @type {Clause[]} */
  const bounds = [];
  for (const column of columns) {
    const own = clauses.filter(({ field }) => field === column);
    const equal = own.filter(({ operator }) => EQUAL.has(operator));
    bounds.push(...(equal.length > 0 ? equal : own.filter(({ operator }) => RANGES.has(operator))));
    if (equal.length === 0) break;
  }
  return bounds;
}

/**
 * @param {Clause[]} clauses
 * @param {ServingIndex | undefined} index whose documents alone count
 * @param {Sample} sample
 * @param {number | undefined} from the document that the values were taken of
 * @returns {number | undefined} of all documents
 */
function countAll(clauses, index, sample, from) {
  const tests = clauses.map((clause) => sample.selectedBy(clause));
  const missing = (index?.columns ?? []).filter((column) => !EVERYWHERE.has(column));
  tests.push(...missing.map((field) => sample.selectedBy({ field, operator: 'exists', operand: true })));
  if (index?.filter) tests.push(sample.selectedByAll(index.filter));
  const known = tests.flatMap((selected) => selected ?? []);
  if (known.length < tests.length) return undefined;
  let count = 0;
  for (let at = 0; at < sample.size; at += 1) if (known.every((selected) => selected[at] === 1)) count += 1;
  if (from === undefined) return count * (sample.total / sample.size);
  const own = known.every((selected) => selected[from] === 1) ? 1 : 0;
  return own + (count - own) * ((sample.total - 1) / Math.max(1, sample.size - 1));
}
