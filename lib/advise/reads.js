// Cardinality estimation: computes what a Mango query reads by an index or without one, from sample documents.

import { EVERYWHERE } from '../facts/mango/usable.js';
import { compareVersions } from '../shared/version.js';

/** @import { Clause, Find } from './find.js' */
/** @import { ParameterBindings } from './parameter-bindings.js' */
/** @import { Reads } from './plan.js' */
/** @import { Sample } from './sample.js' */

/** An index as it serves a query. @typedef {{columns: string[], filter?: Record<string, unknown> | undefined}} ServingIndex */

/** Since when an index can answer without documents (whatsnew/3.4.rst). */
export const COVERS_SINCE = '3.4.0';
/** The tree of all documents. */
const BY_ID = ['_id'];
/** Operators that bound the keys of a column. */
export const RANGES = new Set(['gt', 'gte', 'lt', 'lte', 'beginsWith']);

/**
 * Rows of the key range: documents that have all columns, equal in the first ones and in the range of the next
 * (mango_idx_view:start_key/1, end_key/1, and indexable fields in composite order, 3.5.0). Whatever stands behind a range narrows nothing.
 * A value that was taken of a document finds that document for certain, and others as often as it finds others of the sample.
 * @param {Find} find
 * @param {ParameterBindings[]} bindings
 * @param {ServingIndex | undefined} index undefined: the tree of all documents
 * @param {{sample: Sample, version: string}} about `version` of CouchDB
 * @returns {Reads | undefined} a request, on average; undefined where that cannot be determined
 */
export function readsOf(find, bindings, index, { sample, version }) {
  if (bindings.length === 0 || sample.size === 0) return undefined;
  let [rows, documents, results] = [0, 0, 0];
  for (const { clauses, from } of bindings) {
    const matching = countAll(clauses, index, sample, from);
    const inRange = countAll(keyRange(clauses, index?.columns ?? BY_ID), index, sample, from);
    if (matching === undefined || inRange === undefined) return undefined;
    // A part of the conditions may not be known: then fewer match, and at most as many rows are read.
    // The server reads on to the result behind the limit (mango_cursor_view:handle_doc/2, 3.5.0).
    const wanted = find.skip + find.limit + 1;
    const isEnough = find.isWhole && matching > wanted;
    const read = isEnough ? inRange * (wanted / matching) : inRange;
    rows += read;
    documents += index && isCovered(find, index, version) ? 0 : read;
    results += Math.min(Math.max(0, matching - find.skip), find.limit);
  }
  const mean = (/** @type {number} */ sum) => sum / bindings.length;
  return { rows: mean(rows), documents: mean(documents), results: mean(results), basis: 'estimated' };
}

/**
 * @param {Find} find
 * @param {ServingIndex} index
 * @param {string} version of CouchDB
 * @returns {boolean} whether no document has to be read (mango_idx_view:covers/2, 3.4.0: all fields are columns, of selector and answer)
 */
function isCovered({ fields, clauses, isWhole }, { columns }, version) {
  if (fields === undefined || !isWhole || compareVersions(version, COVERS_SINCE) < 0) return false;
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
    const equal = own.filter(({ operator }) => operator === 'eq');
    bounds.push(...equal, ...own.filter(({ operator }) => RANGES.has(operator)).map(withBound));
    if (equal.length === 0) break;
  }
  return bounds;
}

/** @param {Clause} clause @returns {Clause} the keys of a range include its bound, which is compared when its document is there */
function withBound(clause) {
  return { ...clause, operator: clause.operator === 'gt' ? 'gte' : clause.operator === 'lt' ? 'lte' : clause.operator };
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
  const [first = new Uint8Array(sample.size).fill(1), ...others] = known;
  let count = 0;
  for (let at = 0; at < first.length; at += 1) {
    let bit = first[at] ?? 0;
    for (let other = 0; bit === 1 && other < others.length; other += 1) bit = others[other]?.[at] ?? 0;
    count += bit;
  }
  if (from === undefined) return count * (sample.total / sample.size);
  const own = known.every((selected) => selected[from] === 1) ? 1 : 0;
  return own + (count - own) * ((sample.total - 1) / Math.max(1, sample.size - 1));
}
