// Facts about the sort order of a Mango query of the logs, and whether some index has it.

import { factsOf } from '../fact.js';
import { choiceOf, indexFact, testedFields } from '../mango/choice.js';
import { conditionsOf, isRange, sortOf } from '../mango/query.js';
import { EVERYWHERE } from '../mango/usable.js';
import { requestFact } from './request.js';

/** @import { Ask, DeclareFact, Extracted, FactDeclaration, RequestSubject } from '../fact.js' */
/** @import { Condition, SortField } from '../mango/query.js' */

/** @type {DeclareFact<RequestSubject>} */
const ownRequestFact = factsOf({ subject: 'request', sources: ['logs'], basis: 'declared' });

/** @type {FactDeclaration<RequestSubject>[]} */
export const requestSortFacts = [
  requestFact('request.hasSort', 'boolean', {
    meaning: 'Whether the Mango query sorts.',
    phrases: ['the query sorts', 'the query does not sort'],
    extract: (record) => {
      const sort = sortOf(record);
      return 'unknown' in sort ? sort : sort.length > 0;
    },
  }),
  requestFact('request.sortText', 'text', {
    meaning: 'The fields that the Mango query sorts by, with directions.',
    extract: (record) => {
      const sort = sortOf(record);
      if ('unknown' in sort) return sort;
      return sort.map(({ field, isDescending }) => (isDescending ? `${field} desc` : field)).join(', ');
    },
  }),
  requestFact('request.sortDirectionsDiffer', 'boolean', {
    meaning: 'Whether the Mango query mixes ascending and descending fields, which CouchDB refuses with 400.',
    phrases: ['the sort mixes directions', 'the sort has one direction'],
    extract: (record) => {
      const sort = sortOf(record);
      return 'unknown' in sort ? sort : new Set(sort.map(({ isDescending }) => isDescending)).size > 1;
    },
  }),
  indexFact('request.sortIndex', 'text', {
    meaning: 'Whether a Mango index that was read, or `_all_docs`, gives the requested order: `usable` or `none`.',
    phrases: { usable: 'this index gives the order', none: 'no index gives the order' },
    extract: sortIndex,
  }),
  ownRequestFact('request.sortFieldsNotTested', 'list', {
    meaning: 'Fields that the Mango query sorts by, that documents may lack, and that the selector does not require.',
    extract: ({ record, place }) => {
      const conditions = conditionsOf(record);
      if ('unknown' in conditions) return conditions;
      if (conditions.some(({ field }) => field === '*')) {
        return { unknown: 'the selector combines conditions with something other than `$and`' };
      }
      const sort = sortOf(record);
      if ('unknown' in sort) return sort;
      const tested = testedFields(conditions);
      const open = sort.filter(({ field }) => !tested.has(field) && !EVERYWHERE.has(field));
      return { value: open.map(({ field }) => ({ value: field, place })) };
    },
  }),
];

/**
 * @param {RequestSubject} subject
 * @param {Ask} ask
 * @returns {Extracted}
 */
function sortIndex(subject, ask) {
  const choice = choiceOf(subject, ask);
  if ('unknown' in choice) return choice;
  const [first] = choice.usable;
  if (first) return { value: 'usable', place: first.place };
  return { value: isOrderOfIds(choice) ? 'usable' : 'none' };
}

/**
 * The B-tree by id gives its own order, and only to queries for ids (mango_idx_special:is_usable/3, 3.5.0).
 * @param {{sort: SortField[], conditions: Condition[]}} query
 * @returns {boolean}
 */
function isOrderOfIds({ sort, conditions }) {
  const [first, ...more] = sort;
  if (first?.field !== '_id' || more.length > 0) return false;
  return conditions.some((one) => one.field === '_id' && (isRange(one) || one.operator === 'exists'));
}
