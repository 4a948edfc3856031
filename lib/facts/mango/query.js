// Reads what one pattern of a Mango query requests: conditions, order, fields and the index it names; and the conditions of
// a partial index's filter in the same form. Only HAR files hold the bodies of requests; none of this holds values.

import { parameter } from '../request/parts.js';
import { entries } from '../subjects.js';

/** @import { RequestRecord, ValueNode } from '../../sources/record.js' */

/** @typedef {{field: string, operator: string}} Condition `*` stands for the field of what joins others, but `$and` */
/** @typedef {{field: string, isDescending: boolean}} SortField */
/** The index that a query names, without `_design/`; `name` where it names one of several of a design document. @typedef {{ddoc: string, name: string | undefined}} Hint */

/** Operators that give an index a range of keys (mango_idx_view:indexable/1, 3.5.0; `$exists` gives all of it). */
export const RANGE_OPERATORS = new Set(['eq', 'gt', 'gte', 'lt', 'lte', 'beginsWith']);

export const NO_BODY = 'the selector is in the request body, which only HAR files contain';
const UNUSUAL = 'it has too many fields, or fields with unusual names';

/**
 * @param {Condition} condition
 * @returns {boolean}
 */
export function isRange({ operator }) {
  return RANGE_OPERATORS.has(operator);
}

/**
 * @param {RequestRecord} record
 * @returns {Condition[] | {unknown: string}}
 */
export function conditionsOf(record) {
  if (record.endpoint !== '_find' && record.endpoint !== '_explain') return { unknown: 'it is not a Mango query' };
  const text = parameter(record, 'find.selector');
  if (text === undefined) return { unknown: NO_BODY };
  if (text.includes('?')) return { unknown: 'its selector is too large, or its fields have unusual names' };
  if (text === 'none') return [];
  return text.split(',').map((condition) => {
    const colon = condition.lastIndexOf(':');
    return { field: condition.slice(0, colon), operator: condition.slice(colon + 1) };
  });
}

/**
 * @param {RequestRecord} record
 * @returns {SortField[] | {unknown: string}} none where it does not sort
 */
export function sortOf(record) {
  const text = textOf(record, 'find.sort');
  if (typeof text !== 'string') return text ?? [];
  return text
    .split(',')
    .map((field) =>
      field.startsWith('-') ? { field: field.slice(1), isDescending: true } : { field, isDescending: false },
    );
}

/**
 * @param {RequestRecord} record
 * @returns {string[] | undefined | {unknown: string}} undefined where it requests whole documents
 */
export function fieldsOf(record) {
  const text = textOf(record, 'find.fields');
  return typeof text === 'string' ? text.split(',') : text;
}

/**
 * @param {RequestRecord} record
 * @returns {Hint | undefined | {unknown: string}} undefined where it names none (mango_opts:validate_use_index/1, 3.5.0)
 */
export function hintOf(record) {
  const text = textOf(record, 'find.use_index');
  if (typeof text !== 'string') return text;
  const [ddoc = '', name, ...rest] = text.replace(/^_design\//, '').split('/');
  return ddoc === '' || rest.length > 0 ? { unknown: 'CouchDB refuses the name of its index' } : { ddoc, name };
}

/**
 * @param {RequestRecord} record
 * @param {string} name
 * @returns {string | undefined | {unknown: string}} undefined where its body does not say it
 */
function textOf(record, name) {
  if (parameter(record, 'find.selector') === undefined) return { unknown: NO_BODY };
  const text = parameter(record, name);
  return text === '' || text?.includes('?') ? { unknown: UNUSUAL } : text;
}

/** Filters may hold each other. */
const DEEPEST = 20;

/**
 * @param {ValueNode} filter
 * @returns {Condition[] | undefined} undefined where it joins conditions by other than `$and`, or cannot be read
 */
export function filterConditions(filter) {
  /** @type {Condition[]} */
  const found = [];
  return filter.type === 'object' && addConditions(filter, '', found, 0) ? found : undefined;
}

/**
 * @param {ValueNode} node
 * @param {string} field that it is about, empty at the top
 * @param {Condition[]} found
 * @param {number} depth
 * @returns {boolean} whether all of it was understood
 */
function addConditions(node, field, found, depth) {
  if (depth > DEEPEST || node.type === 'unknown') return false;
  const members = entries(node);
  if (node.type !== 'object' || members.length === 0) {
    found.push({ field, operator: 'eq' });
    return field !== '';
  }
  return members.every(({ key, node: inner }) => {
    if (key === '$and' && inner.type === 'array') {
      return inner.items.every((item) => addConditions(item, field, found, depth + 1));
    }
    if (!key.startsWith('$')) {
      return addConditions(inner, field === '' ? key : `${field}.${key}`, found, depth + 1);
    }
    const isMissing = key === '$exists' && inner.type === 'boolean' && !inner.value;
    found.push({ field, operator: isMissing ? 'missing' : key.slice(1) });
    return field !== '';
  });
}
