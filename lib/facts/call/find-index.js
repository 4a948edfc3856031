// Facts about which Mango index of the project serves a query in the code. Documents are found through an index only if the selector tests each of its
// columns (mango_idx_view:is_usable/3, 3.5.0).

import { member } from '../../sources/record.js';
import { isUsable, knownIndexes } from '../mango/choice.js';
import { isRange } from '../mango/query.js';
import { entries } from '../subjects.js';
import { callFact } from './call.js';

/** @import { Ask, CallSubject, Extracted, FactDeclaration } from '../fact.js' */
/** @import { ValueNode } from '../../sources/record.js' */
/** @import { CallRecord } from '../../sources/application/record.js' */
/** @import { Condition } from '../mango/query.js' */

/** Of a value that only running would show; most are compared by equality. */
const OPEN_VALUE = 'open';

/** Selectors may hold each other. */
const MAX_DEPTH = 10;

/** @type {FactDeclaration<CallSubject>[]} */
export const callFindIndexFacts = [
  callFact('call.selectorIsEmpty', 'boolean', {
    meaning: 'Whether the Mango selector matches every document.',
    phrases: ['the selector matches every document', 'the selector does not match every document'],
    extract: (record) => {
      const conditions = conditionsOf(record);
      return 'unknown' in conditions ? conditions : { value: conditions.length === 0 };
    },
  }),
  callFact('call.selectorTestsId', 'boolean', {
    meaning: 'Whether the Mango selector compares `_id`, so that CouchDB may read a range of ids.',
    phrases: ['the selector compares `_id`', 'the selector does not compare `_id`'],
    extract: (record) => {
      const conditions = conditionsOf(record);
      return 'unknown' in conditions ? conditions : { value: conditions.some(({ field }) => field === '_id') };
    },
  }),
  callFact('call.findIsServed', 'boolean', {
    meaning:
      'Whether a Mango index of the project can serve the query; unknown if no index was read, or if code computes the definition of one.',
    phrases: ['this index serves the query', 'no index of the project serves the query'],
    sources: ['application', 'mango-indexes'],
    extract: (_, subject, ask) => isServed(subject, ask),
  }),
  callFact('call.indexForFind', 'text', {
    meaning:
      'The columns of an index for the Mango query, those compared by equality first; `none` where no comparison gives a range of keys.',
    phrases: { none: 'no index would give a range of keys', '*': 'an index would have {value}' },
    extract: (record) => {
      const conditions = conditionsOf(record);
      if ('unknown' in conditions) return conditions;
      const ranges = conditions.filter((one) => isRange(one) || one.operator === OPEN_VALUE);
      const isFirst = (/** @type {Condition} */ { operator }) => operator === 'eq' || operator === OPEN_VALUE;
      const ordered = [...ranges.filter(isFirst), ...ranges.filter((one) => !isFirst(one))];
      const fields = [...new Set(ordered.map(({ field }) => field))];
      return { value: fields.length === 0 ? 'none' : fields.map((field) => `'${field}'`).join(', ') };
    },
  }),
];

/**
 * @param {CallSubject} subject
 * @param {Ask} ask
 * @returns {Extracted}
 */
function isServed({ record, parent }, ask) {
  const conditions = conditionsOf(record);
  if ('unknown' in conditions) return conditions;
  const { node } = record.options;
  if (member(node ?? undefined, 'use_index')) return { unknown: 'the query names its index' };
  if (member(node ?? undefined, 'sort')) return { unknown: 'the sort also affects which index is used' };
  // Their documents hold what a server made of indexes.
  const stored = parent.subjects.find((other) => other.kind === 'design-doc' && other.language === 'query');
  if (stored) return { unknown: `the indexes of ${stored.name} are not compared` };
  const indexes = knownIndexes(parent, ask);
  if ('unknown' in indexes) return indexes;
  const usable = indexes.find(({ columns, filter }) => filter === undefined && isUsable(columns, conditions, []));
  return { value: usable !== undefined, place: usable?.place };
}

/**
 * @param {CallRecord} record
 * @returns {Condition[] | {unknown: string}}
 */
function conditionsOf({ method, options, name, file, start, end }) {
  if (method !== 'find') return { unknown: 'it is not a Mango query' };
  if (/\.partitioned/.test(name)) return { unknown: 'it queries one partition' };
  const selector = member(options.node ?? undefined, 'selector');
  // Code between may add to a selector that stands elsewhere.
  const isInCall = selector?.file === file && selector.start >= start && selector.end <= end;
  if (options.isOpen || selector?.type !== 'object' || !isInCall)
    return { unknown: 'the code does not show the selector' };
  /** @type {Condition[]} */
  const found = [];
  return addConditions(selector, '', found, 0)
    ? found
    : { unknown: 'the code does not show all fields of the selector' };
}

/**
 * @param {ValueNode} node
 * @param {string} field that it is about, empty at the top
 * @param {Condition[]} found
 * @param {number} depth
 * @returns {boolean} whether all fields of it are known
 */
function addConditions(node, field, found, depth) {
  if (depth > MAX_DEPTH) return false;
  const members = entries(node);
  if (node.type !== 'object' || (members.length === 0 && field !== '')) {
    if (field === '') return false;
    found.push({ field, operator: node.type === 'unknown' ? OPEN_VALUE : 'eq' });
    return true;
  }
  if (node.isOpen || node.entries.some(({ isOpen }) => isOpen)) return false;
  return members.every(({ key, node: inner }) => {
    if (key === '$and' && inner.type === 'array') {
      return inner.items.every((item) => addConditions(item, field, found, depth + 1));
    }
    if (!key.startsWith('$')) return addConditions(inner, field === '' ? key : `${field}.${key}`, found, depth + 1);
    // What stands below `$or` may name the columns too.
    if (field === '') return false;
    const isMissing = key === '$exists' && inner.type === 'boolean' && !inner.value;
    found.push({ field, operator: isMissing ? 'missing' : key.slice(1) });
    return true;
  });
}
