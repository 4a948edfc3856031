// Facts about what a Mango query of the logs reads beyond an index: documents, from how many copies, and for which
// fields.

import { factsOf } from '../fact.js';
import { choiceOf, indexFact, ofIndexes } from '../mango/choice.js';
import { fieldsOf, NO_BODY } from '../mango/query.js';
import { parameter } from './parts.js';
import { requestFact } from './request.js';

/** @import { Ask, DeclareFact, Extracted, FactDeclaration, FactValue, RequestSubject } from '../fact.js' */
/** @import { KnownIndex } from '../mango/choice.js' */

const WHOLE_DOCUMENTS = 'it requests whole documents';

/** A fact about the only index that can serve the query, at the place of that index. @type {DeclareFact<RequestSubject, (need: Need) => FactValue>} */
const needFact = factsOf(ofIndexes, (extract) => (subject, ask) => {
  const need = needOf(subject, ask);
  return 'unknown' in need ? need : { value: extract(need), place: need.index.place };
});

/** @type {FactDeclaration<RequestSubject>[]} */
export const requestFetchFacts = [
  requestFact('request.readQuorum', 'count', {
    meaning: 'Number of copies of each document that the Mango query reads (`r`); 1 by default.',
    phrases: '{value} {copy|copies} of each document are read',
    extract: (record) =>
      parameter(record, 'find.selector') === undefined
        ? { unknown: NO_BODY }
        : Number(parameter(record, 'find.r') ?? 1),
  }),
  requestFact('request.rowsCountedP50', 'count', {
    meaning: 'Median number of rows in a response, if they were counted in bodies or by `mango-stats`.',
    phrases: '{value} {row|rows} per response',
    extract: ({ rows }) => (rows?.isMeasured ? rows.p50 : { unknown: 'the logs do not have the responses' }),
  }),
  requestFact('request.asksRevision', 'boolean', {
    meaning: 'Whether the `fields` of the Mango query include `_rev`.',
    phrases: ['the query returns `_rev`', 'the query does not return `_rev`'],
    extract: (record) => {
      const fields = fieldsOf(record);
      if (fields === undefined) return { unknown: WHOLE_DOCUMENTS };
      return 'unknown' in fields ? fields : fields.includes('_rev');
    },
  }),
  indexFact('request.findIsCovered', 'boolean', {
    meaning: 'Whether the index covers the Mango query, so that no document is read (3.4 and later).',
    phrases: ['the index covers the query', 'this index does not cover the query'],
    extract: isCovered,
  }),
  needFact('request.uncoveredFields', 'list', {
    meaning: 'Fields that the Mango query tests or returns and that its index lacks.',
    phrases: 'this index lacks {value}',
    extract: ({ index: { place }, open }) => open.map((field) => ({ value: field, place })),
  }),
  needFact('request.lacksRevisionAlone', 'boolean', {
    meaning: 'Whether `_rev` is the only field that the index lacks.',
    phrases: ['this index has everything but `_rev`', 'this index lacks more than `_rev`'],
    extract: ({ open }) => open.join() === '_rev',
  }),
  needFact('request.coveringColumns', 'text', {
    meaning: 'The columns of that index, and the fields it lacks.',
    extract: ({ index, open }) => [...index.columns, ...open].join(', '),
  }),
];

/**
 * @param {RequestSubject} subject
 * @param {Ask} ask
 * @returns {Extracted}
 */
function isCovered(subject, ask) {
  const candidates = candidatesOf(subject, ask);
  if (candidates === undefined) return { value: false };
  if ('unknown' in candidates) return candidates;
  const covering = candidates.filter(({ open }) => open.length === 0).length;
  if (covering > 0 && covering < candidates.length) return { unknown: 'several indexes can serve it' };
  return { value: covering > 0 };
}

/** An index, and what it lacks of the fields that are needed. @typedef {{index: KnownIndex, open: string[]}} Need */

/**
 * @param {RequestSubject} subject
 * @param {Ask} ask
 * @returns {Need | {unknown: string}} of the only index that can serve it
 */
function needOf(subject, ask) {
  const candidates = candidatesOf(subject, ask);
  if (candidates === undefined) return { unknown: WHOLE_DOCUMENTS };
  if ('unknown' in candidates) return candidates;
  const [first, ...more] = candidates;
  return first && more.length === 0 ? first : { unknown: 'several indexes can serve it' };
}

/**
 * An index covers a query where it has all fields that are tested and requested; each has the id
 * (mango_cursor_view:required_fields/1, mango_idx_view:covers/2, 3.5.0).
 * @param {RequestSubject} subject
 * @param {Ask} ask
 * @returns {Need[] | undefined | {unknown: string}} those that may serve it, at least one; undefined where it requests whole documents
 */
function candidatesOf(subject, ask) {
  const fields = fieldsOf(subject.record);
  if (fields === undefined || 'unknown' in fields) return fields;
  const choice = choiceOf(subject, ask);
  if ('unknown' in choice) return choice;
  const { conditions, named, usable } = choice;
  const taken = usable.filter((index) => named.includes(index));
  const candidates = taken.length > 0 ? taken : usable;
  if (candidates.length === 0) return { unknown: 'no index that was read can serve it' };
  const needed = [...new Set([...conditions.map(({ field }) => field), ...fields])];
  return candidates.map((index) => ({
    index,
    open: needed.filter((field) => field !== '_id' && !index.columns.includes(field)),
  }));
}
