// Facts about what a Mango query requests, and which of the indexes that were read can serve it. Only HAR files hold
// the bodies of requests; none of this holds values.

import { joinWords } from '../../shared/join-words.js';
import { factsOf } from '../fact.js';
import { knownIndexes, ofIndexes, testedFields } from '../mango/choice.js';
import { conditionsOf, isRange, NO_BODY, RANGE_OPERATORS } from '../mango/query.js';
import { EVERYWHERE } from '../mango/usable.js';
import { parameter } from './parts.js';
import { requestFact } from './request.js';

/** @import { Ask, DeclareFact, Extracted, FactDeclaration, RequestSubject } from '../fact.js' */
/** @import { KnownIndex } from '../mango/choice.js' */
/** @import { Condition } from '../mango/query.js' */

/** @type {DeclareFact<RequestSubject, (fit: Fit) => Extracted>} */
const fitFact = factsOf(ofIndexes, (extract) => (subject, ask) => {
  const fit = fitOf(subject, ask);
  return 'unknown' in fit ? fit : extract(fit);
});

/** @type {FactDeclaration<RequestSubject>[]} */
export const requestSelectorFacts = [
  requestFact('request.selectorIsEmpty', 'boolean', {
    meaning: 'Whether the Mango selector matches every document.',
    phrases: ['the selector is empty', 'the selector is not empty'],
    extract: (record) => {
      const conditions = conditionsOf(record);
      return 'unknown' in conditions ? conditions : conditions.length === 0;
    },
  }),
  requestFact('request.selectorIsOnId', 'boolean', {
    meaning: 'Whether the Mango selector has a range of `_id`, which `_all_docs` serves.',
    phrases: ['the selector has a range of `_id`', 'the selector has no range of `_id`'],
    extract: (record) => {
      const conditions = conditionsOf(record);
      return 'unknown' in conditions ? conditions : conditions.some((one) => one.field === '_id' && isRange(one));
    },
  }),
  requestFact('request.selectorHasRange', 'boolean', {
    meaning: 'Whether a comparison in the Mango selector gives an index a key range.',
    phrases: ['the selector has a range', 'the selector has no range'],
    extract: (record) => {
      const conditions = conditionsOf(record);
      return 'unknown' in conditions ? conditions : conditions.some(isRange);
    },
  }),
  requestFact('request.selectorText', 'text', {
    meaning: 'Fields and operators of the Mango selector, without values.',
    extract: (record) => {
      const conditions = conditionsOf(record);
      return 'unknown' in conditions
        ? conditions
        : joinWords(conditions.map(({ field, operator }) => `${field === '*' ? '' : `${field} `}$${operator}`));
    },
  }),
  requestFact('request.hasLimit', 'boolean', {
    meaning: 'Whether all requests have a `limit`, as far as the logs show.',
    phrases: ['every request has a limit', 'not every request has a limit'],
    extract: (record) =>
      record.endpoint === '_find' && parameter(record, 'find.selector') === undefined
        ? { unknown: NO_BODY }
        : record.limitCount >= record.count,
  }),
  requestFact('request.hasBookmark', 'boolean', {
    meaning: 'Whether it continues from a bookmark.',
    phrases: ['the query uses a bookmark', 'the query uses no bookmark'],
    extract: (record) =>
      parameter(record, 'find.selector') === undefined
        ? { unknown: NO_BODY }
        : parameter(record, 'find.bookmark') !== undefined,
  }),
  fitFact('request.findIndex', 'text', {
    meaning:
      'Whether a Mango index that was read can serve it: `usable`, `missing-columns` (one could if the selector named more fields), or `none`.',
    phrases: {
      usable: 'this index can serve the query',
      'missing-columns': 'this index could serve the query if the selector named all its fields',
      none: 'no index can serve the query',
    },
    extract: (fit) => ({ value: fit.usable.length > 0 ? 'usable' : fit.partly ? 'missing-columns' : 'none' }),
  }),
  fitFact('request.findPartlyFits', 'text', {
    meaning: 'A Mango index that could serve it if the selector named each of its columns.',
    extract: ({ partly }) => (partly ? { value: partly.name, place: partly.place } : { unknown: 'there is none' }),
  }),
  fitFact('request.findMissingColumns', 'text', {
    meaning: 'The columns of that index that the selector does not name.',
    extract: ({ partly }) =>
      partly ? { value: partly.missing.join(', '), place: partly.place } : { unknown: 'there is none' },
  }),
  fitFact('request.findRangeBeforeEqual', 'boolean', {
    meaning: 'Whether every index that can serve it has a column with a range before a column with an equality.',
    phrases: ['a range field comes before an equality field in this index', 'equality fields come first in this index'],
    extract: ({ usable }) => {
      const [first] = usable;
      if (!first) return { unknown: 'no index that was read can serve it' };
      return { value: usable.every(({ ordered }) => ordered !== undefined), place: first.place };
    },
  }),
  fitFact('request.findIndexName', 'text', {
    meaning: 'The first Mango index that was read and can serve it.',
    extract: ({ usable: [first] }) =>
      first ? { value: first.name, place: first.place } : { unknown: 'there is none' },
  }),
  fitFact('request.findColumnsInOrder', 'text', {
    meaning: 'The columns of that index, reordered with equality fields first.',
    extract: ({ usable: [first] }) =>
      first?.ordered
        ? { value: first.ordered.join(', '), place: first.place }
        : { unknown: 'they are already in that order' },
  }),
];

/**
 * @typedef {object} Fitting An index that can serve a query.
 * @property {string} name
 * @property {import('../../shared/source-file.js').Place} place
 * @property {string[] | undefined} ordered its columns with equality first, where they are not so
 */
/** @typedef {{usable: Fitting[], partly: {name: string, place: Fitting['place'], missing: string[]} | undefined}} Fit */

/**
 * An index serves a query where each of its columns occurs in the selector, so that no document is wanted that is not in it
 * (mango_idx_view:is_usable/3, mango_selector:has_required_fields/2, 3.5.0).
 * @param {RequestSubject} subject
 * @param {Ask} ask
 * @returns {Fit | {unknown: string}}
 */
function fitOf({ record, parent }, ask) {
  const conditions = conditionsOf(record);
  if ('unknown' in conditions) return conditions;
  // What stands below `$or` may name the columns too.
  if (conditions.some(({ field }) => field === '*'))
    return { unknown: 'the selector combines conditions with something other than `$and`' };
  if (parameter(record, 'find.use_index') !== undefined) return { unknown: 'the query names its index' };
  if (parameter(record, 'find.sort') !== undefined) return { unknown: 'the sort also affects which index is used' };
  const indexes = knownIndexes(parent, ask);
  if ('unknown' in indexes) return indexes;
  /** @type {Fit} */
  const fit = { usable: [], partly: undefined };
  // Partial indexes serve only those who name them.
  for (const index of indexes) if (index.filter === undefined) addTo(fit, index, conditions);
  return fit;
}

/**
 * @param {Fit} fit gets the index where it fits
 * @param {KnownIndex} index
 * @param {Condition[]} conditions
 */
function addTo(fit, { label, columns, place }, conditions) {
  const named = testedFields(conditions);
  const missing = columns.filter((column) => !named.has(column) && !EVERYWHERE.has(column));
  const operatorsOf = (/** @type {string} */ column) =>
    conditions.filter(({ field }) => field === column).map(({ operator }) => operator);
  const leads = columns[0] !== undefined && operatorsOf(columns[0]).some((operator) => RANGE_OPERATORS.has(operator));
  if (missing.length > 0) {
    if (leads) fit.partly ??= { name: label, place, missing };
    return;
  }
  const equal = columns.filter((column) => operatorsOf(column).includes('eq'));
  const others = columns.filter((column) => !equal.includes(column));
  const isOrdered = columns.every((column, at) => column === [...equal, ...others][at]);
  fit.usable.push({
    name: label,
    place,
    ordered: isOrdered || others.length === 0 ? undefined : [...equal, ...others],
  });
}
