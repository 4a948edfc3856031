// Reads a Mango query of the logs or of the code as clauses that are all true, with their values where code has them.

import { optionOf } from '../facts/call/call.js';
import { pickConditions } from '../facts/call/reading.js';
import { isKnown } from '../facts/fact.js';
import { conditionsOf, fieldsOf, hintOf, sortOf } from '../facts/mango/query.js';
import { parameter } from '../facts/request/parts.js';
import { parseJson } from '../shared/parse-json.js';
import { isObject } from '../shared/values.js';
import { plainValue } from '../sources/record.js';

/** @import { Ask, CallSubject } from '../facts/fact.js' */
/** @import { Hint, SortField } from '../facts/mango/query.js' */
/** @import { RequestRecord, ValueNode } from '../sources/record.js' */

/** Stands for a value that neither log nor code has. */
export const OPEN = Symbol('open');

/** @typedef {{field: string, operator: string, operand: unknown}} Clause `operand`: OPEN where it is not known */

/**
 * @typedef {object} Find
 * @property {Clause[]} clauses joined by `$and`
 * @property {boolean} isWhole whether these are all of its conditions; others only select fewer documents
 * @property {SortField[]} sort
 * @property {string[] | undefined} fields undefined where it requests whole documents
 * @property {(Hint & {isTaken?: boolean}) | undefined} hint `isTaken`: an answer says so
 * @property {number} limit
 * @property {string | undefined} instead code that sends it instead of reading all documents, where the program selects from these itself
 * @property {number} skip results that are read and left out
 * @property {Clause[][]} examples with the values of logged requests, where the log has them
 * @property {{requests: number, values: Map<string, unknown>}} [constants] values that all of its many logged requests have, by field
 */

/** What CouchDB returns where a query has no limit (mango_opts.erl, 3.5.0). */
const DEFAULT_LIMIT = 25;

/** Operators that a value of a document can be put in for. */
const FILLABLE = new Set(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'beginsWith']);

/**
 * @param {RequestRecord} record
 * @returns {Find | {unknown: string}}
 */
export function findOf(record) {
  const conditions = conditionsOf(record);
  if ('unknown' in conditions) return conditions;
  const [sort, fields, hint] = [sortOf(record), fieldsOf(record), hintOf(record)];
  for (const part of [sort, fields, hint]) if (part && 'unknown' in part) return part;
  const clauses = conditions.flatMap(({ field, operator }) => clauseOf(field, operator, OPEN));
  return {
    clauses,
    isWhole: clauses.length === conditions.length,
    sort: /** @type {SortField[]} */ (sort),
    fields: /** @type {string[] | undefined} */ (fields),
    hint: hint && { .../** @type {Hint} */ (hint), isTaken: parameter(record, 'find.hint_taken') === 'true' },
    limit: record.limit?.p50 ?? DEFAULT_LIMIT,
    instead: undefined,
    skip: record.skip?.p50 ?? 0,
    examples: [],
  };
}

/**
 * @param {string} field
 * @param {string} operator
 * @param {unknown} operand
 * @returns {Clause[]} none where it cannot be counted
 */
function clauseOf(field, operator, operand) {
  if (field === '*' || field === '') return [];
  if (operator === 'missing') return [{ field, operator: 'exists', operand: false }];
  if (operator === 'exists') return [{ field, operator, operand: operand === OPEN ? true : operand }];
  return FILLABLE.has(operator) || operand !== OPEN ? [{ field, operator, operand }] : [];
}

/**
 * @param {CallSubject} call of `find`
 * @returns {Find | {unknown: string}}
 */
export function findOfCall({ record }) {
  const node = optionOf(record, 'selector');
  const selector = node?.type === 'object' ? valueOfNode(node) : OPEN;
  if (selector === OPEN) return { unknown: 'the code does not show its selector' };
  /** @type {Clause[]} */
  const clauses = [];
  const isWhole = addClauses(selector, '', clauses);
  const [sort, fields, limit, skip] = ['sort', 'fields', 'limit', 'skip'].map((name) => optionOf(record, name));
  const sorted = sort === undefined ? [] : sortFields(sort);
  if (!sorted || record.options.isOpen) return { unknown: 'other code decides how it is sorted' };
  return {
    clauses,
    isWhole,
    sort: sorted,
    fields: fields?.type === 'array' && fields.items.length > 0 ? stringsOf(fields.items) : undefined,
    hint: hintOfNode(optionOf(record, 'use_index')),
    limit: limit?.type === 'number' ? limit.value : DEFAULT_LIMIT,
    instead: undefined,
    skip: skip?.type === 'number' ? skip.value : 0,
    examples: [],
  };
}

/**
 * @param {Find} find
 * @returns {string} how a HAR file shows it: `find.selector=customer:eq,date:gte&find.sort=-date`; no value is in it
 */
export function parametersOf({ clauses, isWhole, sort }) {
  const conditions = [...new Set(clauses.map(({ field, operator }) => `${field}:${operator}`))].sort();
  if (!isWhole) conditions.push('*:others');
  const order = sort.map(({ field, isDescending }) => `${isDescending ? '-' : ''}${field}`);
  return [`find.selector=${conditions.join(',') || 'none'}`, ...(order.length > 0 ? [`find.sort=${order}`] : [])].join(
    '&',
  );
}

/** A comparison of a picked field, as `PickCondition` has it. */
const COMPARISON = /^\{ \$(eq|gt|gte|lt|lte): (.*) \}$/;

/**
 * @param {CallSubject} call that reads all documents
 * @param {Ask} ask
 * @returns {Find | undefined} the Mango query for the documents that the program keeps; undefined where it uses others too
 */
export function findInstead(call, ask) {
  const conditions = pickConditions(call.record);
  const code = ask(call, 'call.selectorInstead');
  if (conditions.length === 0 || !isKnown(code)) return undefined;
  const clauses = conditions.flatMap(({ field, selector }) => {
    if (selector === null) return [];
    const [, operator = 'eq', text = selector] = COMPARISON.exec(selector) ?? [];
    return [{ field, operator, operand: literalOf(text) }];
  });
  return {
    clauses,
    isWhole: clauses.length === conditions.length,
    sort: [],
    fields: undefined,
    hint: undefined,
    limit: Number.MAX_SAFE_INTEGER,
    skip: 0,
    instead: String(code.value),
    examples: [],
  };
}

/** @param {string} text of an expression @returns {unknown} OPEN where it is no plain literal */
function literalOf(text) {
  const [, quoted] = /^'([^'"\\]*)'$/.exec(text) ?? [];
  const value = parseJson(quoted === undefined ? text : JSON.stringify(quoted));
  return value === undefined || typeof value === 'object' ? OPEN : value;
}

/**
 * @param {Find} find of the logs
 * @param {unknown} selector of one of its requests
 * @returns {Clause[] | undefined} with the values of that request; undefined where it is another selector
 */
export function clausesOf(find, selector) {
  /** @type {Clause[]} */
  const clauses = [];
  addClauses(selector, '', clauses);
  const namesOf = (/** @type {Clause[]} */ list) => list.map(({ field, operator }) => `${field} ${operator}`).sort();
  const [own, other] = [namesOf(find.clauses), namesOf(clauses)];
  return own.length === other.length && own.every((name, at) => name === other[at]) ? clauses : undefined;
}

/**
 * @param {unknown} value of a selector, with OPEN for what is not known
 * @param {string} field that it is about, empty at the top
 * @param {Clause[]} clauses
 * @returns {boolean} whether all of it was understood
 */
function addClauses(value, field, clauses) {
  const members = isObject(value) ? Object.entries(value) : [];
  if (members.length === 0) {
    if (field === '') return isObject(value);
    clauses.push({ field, operator: 'eq', operand: holdsOpen(value) ? OPEN : value });
    return true;
  }
  let isWhole = true;
  for (const [key, inner] of members) {
    if (key === '$and' && Array.isArray(inner)) {
      for (const item of inner) isWhole = addClauses(item, field, clauses) && isWhole;
    } else if (key.startsWith('$')) {
      const found = clauseOf(field, key.slice(1), holdsOpen(inner) ? OPEN : inner);
      clauses.push(...found);
      isWhole &&= found.length > 0;
    } else isWhole = addClauses(inner, field === '' ? key : `${field}.${key}`, clauses) && isWhole;
  }
  return isWhole;
}

/** @param {unknown} value @returns {boolean} */
function holdsOpen(value) {
  if (value === OPEN) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsOpen);
}

/** @param {ValueNode} node @returns {unknown} its value, with OPEN for what only running the program would show */
function valueOfNode(node) {
  if (node.type === 'unknown') return OPEN;
  if (node.type === 'array') return node.items.map(valueOfNode);
  if (node.type !== 'object') return plainValue(node);
  if (node.isOpen || node.entries.some(({ isOpen }) => isOpen)) return OPEN;
  return Object.fromEntries(node.entries.map(({ key, node: inner }) => [key, valueOfNode(inner)]));
}

/** @param {ValueNode} node @returns {SortField[] | undefined} */
function sortFields(node) {
  if (node.type !== 'array') return undefined;
  /** @type {SortField[]} */
  const fields = [];
  for (const item of node.items) {
    if (item.type === 'string') fields.push({ field: item.value, isDescending: false });
    else if (item.type === 'object' && item.entries.length === 1 && item.entries[0]?.node.type === 'string') {
      const [{ key, node: direction }] = /** @type {[{key: string, node: {value: string}}]} */ (
        /** @type {unknown} */ (item.entries)
      );
      fields.push({ field: key, isDescending: direction.value === 'desc' });
    } else return undefined;
  }
  return fields;
}

/** @param {ValueNode | undefined} node of `use_index` @returns {Hint | undefined} */
function hintOfNode(node) {
  const parts = node?.type === 'array' ? stringsOf(node.items) : node?.type === 'string' ? [node.value] : [];
  const [ddoc, name] = (parts ?? [])
    .join('/')
    .replace(/^_design\//, '')
    .split('/');
  return ddoc ? { ddoc, name } : undefined;
}

/** @param {ValueNode[]} nodes @returns {string[] | undefined} */
function stringsOf(nodes) {
  const strings = nodes.flatMap((node) => (node.type === 'string' ? [node.value] : []));
  return strings.length === nodes.length ? strings : undefined;
}

/**
 * @param {readonly Clause[]} clauses
 * @returns {Record<string, unknown>} a selector with all of them; values that are not known are replaced by some of their type, which is enough
 *   to choose an index
 */
export function selectorOf(clauses) {
  /** @type {Map<string, Record<string, unknown>>} */
  const byField = new Map();
  /** @type {Record<string, unknown>[]} */
  const others = [];
  for (const { field, operator, operand } of clauses) {
    const value = operand === OPEN ? someOperand(operator) : operand;
    const own = byField.get(field) ?? {};
    if (Object.hasOwn(own, `$${operator}`)) others.push({ [field]: { [`$${operator}`]: value } });
    else byField.set(field, { ...own, [`$${operator}`]: value });
  }
  const selector = Object.fromEntries([...byField].map(([field, own]) => [field, shortened(own)]));
  return others.length === 0 ? selector : { $and: [selector, ...others] };
}

/** @param {Record<string, unknown>} own @returns {unknown} a value alone means that it is equal, but for objects */
function shortened(own) {
  const { $eq: equal } = own;
  return Object.keys(own).length === 1 && '$eq' in own && typeof equal !== 'object' ? equal : own;
}

/** @param {string} operator @returns {unknown} */
function someOperand(operator) {
  return operator === 'in' ? [0] : operator === 'beginsWith' ? 'a' : 0;
}

/** @param {readonly SortField[]} sort @returns {{sort?: Record<string, 'asc' | 'desc'>[]}} as the body of `_find` has it; none where it does not sort */
export function sortOfBody(sort) {
  if (sort.length === 0) return {};
  return { sort: sort.map(({ field, isDescending }) => ({ [field]: isDescending ? 'desc' : 'asc' })) };
}
