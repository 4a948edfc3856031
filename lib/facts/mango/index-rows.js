// Makes the rows of a Mango index of type `json` for documents (mango_native_proc:get_index_entries/2, 3.5.0).

import { remember } from '../../shared/recent-memory.js';
import { fieldAt, parsePath } from './field-path.js';
import { matchSelector, normalizeSelector } from './selector.js';

/** The definition of an index, as `_index` takes and returns it (`index`, `def`), or as its view holds it (`map`). @typedef {{fields: (string | Record<string, string>)[] | Record<string, string>, partial_filter_selector?: unknown, selector?: unknown}} IndexDefinition */
/** @typedef {{key: unknown[], value: null}} MangoRow */
/** @typedef {(doc: object) => MangoRow[] | {unknown: string}} RowMaker */

/**
 * @param {IndexDefinition} definition
 * @returns {string[]} its columns in order, whatever their direction, which CouchDB ignores
 */
export function columnsOf({ fields }) {
  if (!Array.isArray(fields)) return namesIn(fields);
  return fields.flatMap((field) => (typeof field === 'string' ? [field] : namesIn(field)));
}

/** @param {unknown} value what a file has instead of fields @returns {string[]} */
function namesIn(value) {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

/**
 * @param {IndexDefinition} definition
 * @returns {unknown} the filter of a partial index, undefined where it has none or an empty one
 *   (mango_idx:get_partial_filter_selector/1, which also reads `selector`, as old text indexes have it)
 */
export function partialFilterOf(definition) {
  const { partial_filter_selector: filter = definition.selector } = definition;
  return typeof filter === 'object' && filter !== null && Object.keys(filter).length === 0 ? undefined : filter;
}

/** @param {IndexDefinition} definition @returns {RowMaker} */
function makeRows(definition) {
  const paths = columnsOf(definition).map(parsePath);
  const filter = partialFilterOf(definition);
  const normal = filter === undefined ? { selector: {} } : normalizeSelector(filter);
  if (paths.includes(undefined)) return () => ({ unknown: 'CouchDB fails on the name of a column' });
  if ('unknown' in normal) return () => normal;
  if ('error' in normal) return () => ({ unknown: `CouchDB refuses the filter of the index: ${normal.reason}` });
  return (doc) => {
    const matched = isDesignDoc(doc) ? false : matchSelector(normal.selector, doc);
    if (typeof matched === 'object') return matched;
    if (!matched) return [];
    const key = paths.map((path) => fieldAt(doc, path ?? []));
    return key.some((value) => typeof value === 'symbol') ? [] : [{ key, value: null }];
  };
}

/** @param {object} doc @returns {boolean} */
export function isDesignDoc(doc) {
  return '_id' in doc && typeof doc._id === 'string' && doc._id.startsWith('_design/');
}

const rowMakerOf = remember(makeRows);

/**
 * @param {IndexDefinition} definition
 * @param {object} doc
 * @returns {MangoRow[] | {unknown: string}} no row where a column is missing in the document, where the filter does not
 *   match it, or where it is a design document
 */
export function mangoRows(definition, doc) {
  return rowMakerOf(definition)(doc);
}
