// Chooses, as CouchDB does, the indexes that can serve a Mango query of the logs from those that were read.

import { member } from '../../sources/record.js';
import { factsOf, isKnown } from '../fact.js';
import { parameter } from '../request/parts.js';
import { conditionsOf, hintOf, sortOf } from './query.js';
import { canServe } from './usable.js';

/** @import { ValueNode } from '../../sources/record.js' */
/** @import { Ask, DeclareFact, FactKind, IndexSubject, Item, RequestSubject, RunSubject } from '../fact.js' */
/** @import { Condition, Hint, SortField } from './query.js' */
/** @import { Selector } from './selector.js' */

/**
 * @typedef {object} KnownIndex
 * @property {string} label what people call it
 * @property {string | null} ddoc without `_design/`; null where the server gives it a name
 * @property {string | null} name
 * @property {string[]} columns
 * @property {ValueNode | undefined} filter of a partial index
 * @property {string | undefined} database the one it was read from, where that was on a server
 * @property {import('../../shared/source-file.js').Place} place
 */

/**
 * @typedef {object} Choice
 * @property {Condition[]} conditions
 * @property {SortField[]} sort
 * @property {KnownIndex[]} all
 * @property {KnownIndex[]} named those that the query names
 * @property {KnownIndex[]} usable those that can serve it; a partial one only where it is named
 */

/** Of facts that follow from a query of the logs and the indexes that were read. @type {FactKind<RequestSubject>} */
export const ofIndexes = { subject: 'request', sources: ['logs', 'mango-indexes'], basis: 'inferred' };

/** @type {DeclareFact<RequestSubject>} */
export const indexFact = factsOf(ofIndexes);

/**
 * @param {RunSubject} run
 * @param {Ask} ask
 * @returns {KnownIndex[] | {unknown: string}} the Mango indexes that were read, all of them JSON
 */
export function knownIndexes(run, ask) {
  const indexes = run.subjects.filter((subject) => subject.kind === 'index');
  if (indexes.length === 0) return { unknown: 'no Mango index was read' };
  /** @type {KnownIndex[]} */
  const known = [];
  for (const index of indexes) {
    const { record, place } = index;
    const label = record.name ?? record.ddoc ?? record.file.path;
    if (record.node.isOpen) {
      return { unknown: `the code at ${place.file}:${place.line} creates an index whose definition it computes` };
    }
    const type = ask(index, 'index.type');
    const fields = ask(index, 'index.fields');
    if (!isKnown(type) || !isKnown(fields)) return { unknown: `the index \`${label}\` cannot be interpreted` };
    if (type.value !== 'json') return { unknown: 'a text index may serve it' };
    const columns = /** @type {Item[]} */ (fields.value).map(({ value }) => String(value));
    const ddoc = record.ddoc?.replace(/^_design\//, '') ?? null;
    const { name, database } = record;
    known.push({ label, ddoc, name, columns, filter: filterOf(index), database, place });
  }
  return known;
}

/**
 * @param {RequestSubject} subject
 * @param {Ask} ask
 * @returns {Choice | {unknown: string}}
 */
export function choiceOf({ record, parent }, ask) {
  const conditions = conditionsOf(record);
  if ('unknown' in conditions) return conditions;
  // What stands below `$or` may name the columns too.
  if (conditions.some(({ field }) => field === '*')) {
    return { unknown: 'the selector combines conditions with something other than `$and`' };
  }
  if (parameter(record, 'partition') !== undefined) return { unknown: 'it queries one partition' };
  const sort = sortOf(record);
  if ('unknown' in sort) return sort;
  const hint = hintOf(record);
  if (hint && 'unknown' in hint) return hint;
  const all = knownIndexes(parent, ask);
  if ('unknown' in all) return all;
  if (hint && all.some((index) => mayBeNamedByServer(index, hint))) {
    return { unknown: 'the server names the index' };
  }
  const named = all.filter(({ ddoc, name }) => hint?.ddoc === ddoc && (hint.name ?? name) === name);
  const usable = all.filter(
    (index) => (index.filter === undefined || named.includes(index)) && isUsable(index.columns, conditions, sort),
  );
  return { conditions, sort, all, named, usable };
}

/**
 * @param {string[]} columns
 * @param {Condition[]} conditions
 * @param {SortField[]} sort
 * @returns {boolean} whether an index on these columns serves the query, as far as its shape tells: the values are unknown
 */
export function isUsable(columns, conditions, sort) {
  const selector = { $and: conditions.map(conditionOf) };
  return canServe(
    columns,
    selector,
    sort.map(({ field }) => field),
  );
}

/** @param {Condition} condition @returns {Selector} with a value that stands for any */
function conditionOf({ field, operator }) {
  return { [field]: operator === 'missing' ? { $exists: false } : { [`$${operator}`]: true } };
}

/**
 * @param {Condition[]} conditions
 * @returns {Set<string>} fields that a document must have
 */
export function testedFields(conditions) {
  return new Set(conditions.filter(({ operator }) => operator !== 'missing').map(({ field }) => field));
}

/**
 * @param {KnownIndex} index
 * @param {Hint} hint
 * @returns {boolean} whether the hint may be a name that the server made of the definition: 40 hexadecimal digits
 */
function mayBeNamedByServer({ ddoc, name }, hint) {
  if (ddoc === null) return /^[0-9a-f]{40}$/.test(hint.ddoc);
  return name === null && hint.name !== undefined && hint.ddoc === ddoc;
}

/**
 * @param {IndexSubject} index
 * @returns {ValueNode | undefined} of a partial index; an empty one filters nothing
 */
function filterOf({ record }) {
  const filter = member(member(record.node, 'index'), 'partial_filter_selector');
  return filter?.type === 'object' && filter.entries.length === 0 ? undefined : filter;
}
