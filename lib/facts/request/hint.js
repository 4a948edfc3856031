// Facts about the index that a Mango query of the logs names, and about partial indexes, which serve only queries that
// name them.

import { factsOf } from '../fact.js';
import { choiceOf, indexFact, isUsable, ofIndexes } from '../mango/choice.js';
import { filterConditions, hintOf, isRange, NO_BODY } from '../mango/query.js';
import { parameter } from './parts.js';
import { requestFact } from './request.js';

/** @import { Ask, DeclareFact, Extracted, FactDeclaration, RequestSubject } from '../fact.js' */
/** @import { Choice, KnownIndex } from '../mango/choice.js' */
/** @import { Condition } from '../mango/query.js' */

const NO_HINT = 'the query names no index';

/** @type {DeclareFact<RequestSubject, (choice: Choice) => Extracted>} */
const hintFact = factsOf(ofIndexes, (extract) => (subject, ask) => {
  if (parameter(subject.record, 'find.use_index') === undefined) return { unknown: NO_HINT };
  const choice = choiceOf(subject, ask);
  return 'unknown' in choice ? choice : extract(choice);
});

/** @type {FactDeclaration<RequestSubject>[]} */
export const requestHintFacts = [
  requestFact('request.hasHint', 'boolean', {
    meaning: 'Whether the Mango query names an index (`use_index`).',
    phrases: ['the query names an index', 'the query names no index'],
    extract: (record) => {
      if (parameter(record, 'find.selector') === undefined) return { unknown: NO_BODY };
      return parameter(record, 'find.use_index') !== undefined;
    },
  }),
  requestFact('request.hintName', 'text', {
    meaning: 'The index that the Mango query names.',
    extract: (record) => {
      const hint = hintOf(record);
      if (hint === undefined) return { unknown: NO_HINT };
      if ('unknown' in hint) return hint;
      return hint.name === undefined ? hint.ddoc : `${hint.ddoc}/${hint.name}`;
    },
  }),
  requestFact('request.hintIsTaken', 'boolean', {
    meaning: 'Whether CouchDB used the named index, by the warnings in its responses.',
    phrases: ['CouchDB used the named index', 'CouchDB did not use the named index'],
    extract: (record) => {
      const text = parameter(record, 'find.hint_taken');
      return text === undefined ? { unknown: 'the logs do not have the responses' } : text === 'true';
    },
  }),
  requestFact('request.hintMayFallBack', 'boolean', {
    meaning:
      'Whether CouchDB may use another index than the named one: the query does not set `"allow_fallback": false`.',
    phrases: ['CouchDB may use another index', 'CouchDB may use no other index'],
    extract: (record) =>
      parameter(record, 'find.selector') === undefined
        ? { unknown: NO_BODY }
        : parameter(record, 'find.no_fallback') === undefined,
  }),
  hintFact('request.hintFit', 'text', {
    meaning:
      'Whether the named index can serve the query: `usable`, `unusable`, or `unknown-name` if no index that was read has that name.',
    phrases: {
      usable: 'this index can serve the query',
      unusable: 'this index cannot serve the query',
      'unknown-name': 'no index has that name',
    },
    extract: ({ named, usable }) => {
      const [first] = named;
      if (!first) return { value: 'unknown-name' };
      return { value: named.some((index) => usable.includes(index)) ? 'usable' : 'unusable', place: first.place };
    },
  }),
  hintFact('request.hintFilterFields', 'list', {
    meaning: 'Fields that the filter of the named partial index tests and that the selector does not name.',
    phrases: 'the filter of this index tests {value}',
    extract: filterFields,
  }),
  indexFact('request.unnamedPartialIndexes', 'list', {
    meaning:
      'Partial indexes that no logged query names and that could serve this one: the selector tests each field of their filter in the same way.',
    phrases: '{value} could serve the query',
    extract: unnamedPartialIndexes,
  }),
];

/**
 * @param {Choice} choice
 * @returns {Extracted}
 */
function filterFields({ conditions, named, usable }) {
  const candidates = named.filter((index) => usable.includes(index));
  const [first, ...more] = candidates;
  if (!first) return { unknown: 'no index with that name that was read can serve it' };
  if (more.length > 0) return { unknown: 'several indexes have that name' };
  if (first.filter === undefined) return { value: [], place: first.place };
  const filter = filterConditions(first.filter);
  if (filter === undefined) return { unknown: 'the filter of the index cannot be interpreted' };
  const fields = new Set(filter.map(({ field }) => field));
  const open = [...fields].filter((field) => !conditions.some((one) => one.field === field));
  return { value: open.map((field) => ({ value: field, place: first.place })), place: first.place };
}

/**
 * @param {RequestSubject} subject
 * @param {Ask} ask
 * @returns {Extracted}
 */
function unnamedPartialIndexes(subject, ask) {
  const choice = choiceOf(subject, ask);
  if ('unknown' in choice) return choice;
  const { all, conditions, sort } = choice;
  const suited = all.filter(
    (index) => isSuited(index, conditions) && isUsable(index.columns, conditions, sort) && leads(index, conditions),
  );
  const open = suited.filter((index) => !isNamedBySome(index, subject));
  return { value: open.map(({ label, place }) => ({ value: label, place })), place: open[0]?.place };
}

/**
 * @param {KnownIndex} index
 * @param {Condition[]} conditions of a selector
 * @returns {boolean} whether it is partial, and the selector tests each field of its filter with the same operators
 */
function isSuited({ filter }, conditions) {
  if (filter === undefined) return false;
  return (
    filterConditions(filter)?.every(({ field, operator }) =>
      conditions.some((one) => one.field === field && one.operator === operator),
    ) === true
  );
}

/**
 * @param {KnownIndex} index
 * @param {Condition[]} conditions
 * @returns {boolean} whether the selector has a range of its first column
 */
function leads({ columns: [first] }, conditions) {
  return conditions.some((one) => one.field === first && isRange(one));
}

/**
 * @param {KnownIndex} index
 * @param {RequestSubject} subject
 * @returns {boolean} whether some query of the logs names it; true too where that is unknown
 */
function isNamedBySome({ ddoc, name }, { parent }) {
  return parent.subjects.some((other) => {
    if (other.kind !== 'request' || other.record.endpoint !== '_find') return false;
    const hint = hintOf(other.record);
    if (hint === undefined) return false;
    return 'unknown' in hint || ddoc === null || (hint.ddoc === ddoc && (hint.name ?? name) === name);
  });
}
