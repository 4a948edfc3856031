// Chooses the index that CouchDB uses for a Mango query, with the range of keys that it reads, as `_explain` prints them
// (mango_cursor.erl, mango_idx_view.erl, mango_cursor_view.erl, mango_idx_special.erl; 3.2 to 3.5.2).

import { isObject, jsonTypeOf } from '../../shared/values.js';
import { compareVersions, NEWEST_COUCHDB } from '../../shared/version.js';
import { compareBytes } from '../index-groups/erlang-term.js';
import { columnsOf, partialFilterOf } from './index-rows.js';
import { fieldRanges, indexableFields, MAX, MIN } from './key-ranges.js';
import { normalizeSelector, onlyMember, QueryError } from './selector.js';
import { canServe } from './usable.js';

/** @import { FieldRange, KeyRange } from './key-ranges.js' */
/** @import { Refusal, Selector } from './selector.js' */
/** @import { IndexDefinition } from './index-rows.js' */

/**
 * @typedef {object} MangoIndex as `_index` lists them
 * @property {string | null} ddoc with `_design/`; null for `_all_docs`
 * @property {string} name
 * @property {'json' | 'text' | 'nouveau' | 'special'} type
 * @property {IndexDefinition} def
 * @property {boolean} [partitioned]
 */
/**
 * @typedef {object} MangoQuery
 * @property {unknown} selector
 * @property {unknown} [sort]
 * @property {unknown} [fields]
 * @property {unknown} [useIndex] `use_index`
 * @property {boolean} [allowFallback] `allow_fallback`, since 3.4.3; true where absent
 * @property {string} [partition] where one partition is queried
 * @property {number} [limit] 25 where absent
 * @property {number} [skip]
 */
/**
 * @typedef {object} IndexChoice
 * @property {MangoIndex} index
 * @property {unknown} startKey `mrargs.start_key` of `_explain`
 * @property {unknown} endKey `mrargs.end_key`; `<MAX>` stands for what is above all keys
 * @property {boolean} isDescending
 * @property {boolean} isCovering whether no document is read: the index holds all fields that the query names
 * @property {boolean} isEmpty whether the conditions exclude each other, so that nothing is read
 * @property {unknown[]} low values of the first columns at which reading starts in ascending order
 * @property {unknown[]} high values of the first columns at which it ends: keys that start with them are read
 * @property {Selector} selector normalized
 * @property {MangoIndex[]} usable indexes of its type that can serve the query, the best first
 */

const ALL_DOCS = Object.freeze(
  /** @type {MangoIndex} */ ({ ddoc: null, name: '_all_docs', type: 'special', def: { fields: [{ _id: 'asc' }] } }),
);

const MAX_TOKEN = '<MAX>';
/** First versions of covering indexes, and of the option that forbids another index than the named one. */
const [COVERING, FALLBACK_OPTION] = ['3.4.0', '3.4.3'];
/** Indexes of other types are used only where no JSON index can be. */
const SEARCH_TYPES = new Set(['text', 'nouveau']);

/**
 * @param {MangoQuery} query
 * @param {readonly MangoIndex[]} indexes of the database; `_all_docs` need not be among them
 * @param {string} [version] of CouchDB
 * @returns {IndexChoice | Refusal | {unknown: string}} the choice; the response of `_find` where there is none
 *   (`no_usable_index`, `invalid_index`, errors of the selector and of parameters; `unknown_error` and `badmatch`, with
 *   status 500, where the server fails); unknown where a search index may serve the query
 */
export function chooseIndex(query, indexes, version = NEWEST_COUCHDB) {
  const normal = normalizeSelector(query.selector, version);
  if (!('selector' in normal)) return normal;
  try {
    const request = readRequest(query, version);
    if (request.fields?.some(isObject)) return { unknown: 'one of its fields is no text' };
    return plan({ ...request, selector: normal.selector, version }, indexes);
  } catch (error) {
    if (error instanceof QueryError) return error.refusal;
    throw error;
  }
}

/** @typedef {{sort: {field: string, direction: string}[], fields: string[] | undefined, hint: string[], mayFallBack: boolean, isPartitioned: boolean}} Request */

/**
 * @param {MangoQuery} query
 * @param {string} version
 * @returns {Request} in the order in which mango_opts:validate_find/1 checks them
 */
function readRequest({ limit = 0, skip = 0, sort, fields, useIndex, allowFallback, partition }, version) {
  const hint = readHint(useIndex ?? null);
  for (const count of [limit, skip]) {
    if (!Number.isInteger(count) || count < 0) {
      throw new QueryError('invalid_non_neg_integer', `${count} is not an integer greater than or equal to zero`);
    }
  }
  const request = {
    hint,
    sort: readSort(sort ?? []),
    fields: readFields(fields ?? []),
    mayFallBack: allowFallback ?? true,
    isPartitioned: partition !== undefined && partition !== '',
  };
  if (allowFallback !== undefined && compareVersions(version, FALLBACK_OPTION) < 0) {
    throw new QueryError('invalid_key', 'Invalid key allow_fallback for this request.');
  }
  return request;
}

/** @param {unknown} value @returns {string[]} design document without `_design/`, and name (validate_use_index/1) */
function readHint(value) {
  if (value === null) return [];
  let parts = value;
  if (typeof value === 'string') {
    const split = value.split('/');
    parts = split.length > 1 && split[0] === '_design' ? split.slice(1) : split;
  }
  if (!Array.isArray(parts) || parts.length > 2 || !parts.every((part) => typeof part === 'string')) {
    throw new QueryError('invalid_index_name', 'Invalid index name');
  }
  return parts.map((part, at) => (at === 0 ? part.replace(/^_design\//, '') : part));
}

/** @param {unknown} value @returns {Request['sort']} (mango_sort:new/1) */
function readSort(value) {
  if (!Array.isArray(value)) throw new QueryError('invalid_sort_json', 'Sort must be an array of sort specs');
  const sort = value.map((item) => {
    if (typeof item === 'string' && item !== '') return { field: item, direction: 'asc' };
    const members = isObject(item) ? Object.entries(item) : [];
    const [[field, direction] = ['', '']] = members;
    if (members.length !== 1 || (direction !== 'asc' && direction !== 'desc')) {
      throw new QueryError('invalid_sort_field', 'Invalid sort field');
    }
    return { field, direction };
  });
  if (new Set(sort.map(({ direction }) => direction)).size > 1) {
    throw new QueryError('unsupported_mixed_sort', 'Sorts currently only support a single direction for all fields.');
  }
  return sort;
}

/** @param {unknown} value @returns {string[] | undefined} undefined for whole documents (mango_fields:new/1) */
function readFields(value) {
  if (!Array.isArray(value)) throw new QueryError('invalid_fields', 'Fields must be an array of strings');
  if (!value.every((field) => ['string', 'object'].includes(jsonTypeOf(field)))) {
    throw new QueryError('invalid_field', 'Invalid JSON for field spec');
  }
  return value.length === 0 ? undefined : value;
}

/**
 * @param {Request & {selector: Selector, version: string}} request
 * @param {readonly MangoIndex[]} indexes
 * @returns {IndexChoice | {unknown: string}}
 */
function plan(request, indexes) {
  const { selector, sort, hint, mayFallBack, version } = request;
  const all = [ALL_DOCS, ...indexes.filter(({ type }) => type !== 'special')];
  const scope = all.filter(
    (index) =>
      (partialFilterOf(index.def) === undefined || isNamed(index, hint)) &&
      (index.type === 'special' || (index.partitioned ?? false) === request.isPartitioned),
  );
  const sorted = sort.map(({ field }) => field);
  const usable = scope.filter(
    (index) =>
      !SEARCH_TYPES.has(index.type) &&
      (index.type === 'special'
        ? canServeAllDocs(selector, sorted, version)
        : canServe(columnsOf(index.def), selector, sorted, version)),
  );
  const named = usable.filter((index) => isNamed(index, hint));
  const isSearch = (/** @type {MangoIndex} */ { type }) => SEARCH_TYPES.has(type);
  const candidates = named.length > 0 ? named : usable;
  const hasJson = candidates.some(({ type }) => type === 'json');
  if (scope.some(isSearch) && (!hasJson || (hint.length > 0 && named.length === 0))) {
    return { unknown: 'a text or nouveau index may serve it' };
  }
  if (usable.length === 0) throw new QueryError('no_usable_index', 'No index exists for this sort');
  if (named.length === 0 && !mayFallBack && !(hint.length === 0 && usable.length > 1)) {
    throw new QueryError('invalid_index', 'the index named by `use_index` cannot serve the query');
  }
  return choose(request, hasJson ? candidates.filter(({ type }) => type === 'json') : candidates);
}

/**
 * Takes the index whose columns use most of the ranges, then the one with fewest columns, then the first by names
 * (mango_cursor_view:composite_indexes/2 and choose_best_index/1).
 * @param {Request & {selector: Selector, version: string}} request
 * @param {MangoIndex[]} candidates
 * @returns {IndexChoice}
 */
function choose({ selector, sort, fields, version }, candidates) {
  const ranges = fieldRanges(selector, version);
  const [first] = candidates;
  const isAllDocs = first?.type === 'special';
  if (isAllDocs)
    ranges.push({ field: '_id', range: { lowOperator: '$gt', low: null, highOperator: '$lt', high: MAX } });
  const ranked = candidates.map((index) => ({ index, prefix: prefixOf(columnsOf(index.def), ranges) }));
  ranked.sort(
    (one, other) =>
      other.prefix.length - one.prefix.length ||
      columnsOf(one.index.def).length - columnsOf(other.index.def).length ||
      compareBytes(one.index.ddoc ?? '', other.index.ddoc ?? '') ||
      compareBytes(one.index.name, other.index.name),
  );
  const { index, prefix } = /** @type {typeof ranked[0]} */ (ranked[0]);
  const isEmpty = prefix[0] === 'empty' || isNoop(selector);
  const isDescending = sort[0]?.direction === 'desc';
  const low = isEmpty ? [] : keysOf(/** @type {KeyRange[]} */ (prefix), 'low', MIN);
  const high = isEmpty ? [] : keysOf(/** @type {KeyRange[]} */ (prefix), 'high', MAX);
  const from = isEmpty ? null : isAllDocs ? (low.length > 0 ? low[0] : '') : low;
  const to = isEmpty ? null : isAllDocs ? (high.length > 0 ? high[0] : MAX_TOKEN) : [...high, MAX_TOKEN];
  const startKey = isDescending ? to : from;
  const endKey = isDescending ? from : to;
  const isCovering = covers(index, fields, selector, version);
  const usable = ranked.map((one) => one.index);
  return { index, startKey, endKey, isDescending, isCovering, isEmpty, low, high, selector, usable };
}

/**
 * @param {string[]} names
 * @param {FieldRange[]} ranges
 * @returns {(KeyRange | 'empty')[]} of the first columns, as long as there is one
 */
function prefixOf(names, ranges) {
  /** @type {(KeyRange | 'empty')[]} */
  const found = [];
  for (const name of names) {
    const one = ranges.find(({ field }) => field === name);
    if (one === undefined) break;
    found.push(one.range);
  }
  return found;
}

/** @param {KeyRange[]} prefix @param {'low' | 'high'} side @param {symbol} end @returns {unknown[]} (mango_idx_view:start_key/1, end_key/1) */
function keysOf(prefix, side, end) {
  const open = prefix.findIndex((range) => range[side] === end);
  return prefix.slice(0, open === -1 ? prefix.length : open).map((range) => range[side]);
}

/** @param {Selector} selector @returns {boolean} (mango_cursor:maybe_noop_range/2) */
function isNoop(selector) {
  const [name, operand] = onlyMember(selector) ?? ['', undefined];
  return ['$all', '$and', '$or', '$in'].includes(name) && Array.isArray(operand) && operand.length === 0;
}

/**
 * @param {MangoIndex} index
 * @param {string[] | undefined} fields
 * @param {Selector} selector
 * @param {string} version
 * @returns {boolean} (mango_idx_view:covers/2)
 */
function covers(index, fields, selector, version) {
  if (fields === undefined || index.type === 'special' || compareVersions(version, COVERING) < 0) return false;
  const held = new Set(['_id', ...columnsOf(index.def)]);
  return [...fields, ...fieldsOf(selector)].every((field) => held.has(field));
}

/** @param {Selector} selector @returns {string[]} (mango_selector:fields/1) */
function fieldsOf(selector) {
  const [name, operand] = onlyMember(selector) ?? [];
  if (name === undefined) return [];
  return name.startsWith('$') && Array.isArray(operand) ? operand.flatMap(fieldsOf) : [name];
}

/** @param {MangoIndex} index @param {string[]} hint @returns {boolean} */
function isNamed({ ddoc, name }, [wanted, view]) {
  return wanted !== undefined && ddoc === `_design/${wanted}` && (view === undefined || view === name);
}

/**
 * @param {Selector} selector
 * @param {string[]} sorted
 * @param {string} version
 * @returns {boolean} (mango_idx_special:is_usable/3)
 */
function canServeAllDocs(selector, sorted, version) {
  if (sorted.length === 0) return true;
  return sorted.join() === '_id' && indexableFields(selector, version).includes('_id');
}
