// Facts about a declared Mango query, and about the plan that the server made for it.

import { declareAbout, figureAt } from './server-figures.js';

/** @import { FactDeclaration, FindQuerySubject } from '../fact.js' */
/** @import { DeclareFact } from './server-figures.js' */

/** Operators that give a range of keys (mango_idx_view.erl indexable, 3.5.0; `$beginsWith` since 3.4). */
const RANGE_OPERATORS = new Set(['$eq', '$gt', '$gte', '$lt', '$lte', '$beginsWith']);
/** Operators that join conditions. */
const JOINING_OPERATORS = new Set(['$and', '$or', '$nor', '$not', '$all', '$elemMatch', '$allMatch', '$keyMapMatch']);
/** Deeper selectors are not followed. */
const MAX_LEVELS = 20;

/** One test of one field. @typedef {{field: string, operator: string, operand: unknown}} Condition */

/** @type {DeclareFact<FindQuerySubject>} */
const fact = declareAbout('find-query', 'find');

/** @type {FactDeclaration<FindQuerySubject>[]} */
export const findQueryFacts = [
  fact('readsAllDocs', 'boolean', {
    meaning: 'Whether no index serves the query, so that it reads all documents.',
    phrases: ['no index serves the query', 'an index serves the query'],
    extract: (record) => ({ value: record.index.type === 'special', place: record.placeOf('index') }),
  }),
  fact('indexName', 'text', {
    meaning: 'The index that CouchDB would use.',
    extract: (record) => ({ value: record.index.name, place: record.placeOf('index', 'name') }),
  }),
  fact('indexType', 'text', {
    meaning: 'The type of that index: `json`, `text`, `nouveau`, or `special` for `_all_docs`.',
    phrases: { special: 'CouchDB uses no index', '*': 'CouchDB uses a `{value}` index' },
    extract: (record) => ({ value: record.index.type, place: record.placeOf('index', 'type') }),
  }),
  fact('readsWholeIndex', 'boolean', {
    meaning: 'Whether the query reads the whole index because nothing bounds the keys.',
    phrases: ['the whole index is read', 'a range of the index is read'],
    extract: (record) => figureAt(record, record.readsWholeIndex, 'mrargs', 'start_key'),
  }),
  fact('namesIds', 'boolean', {
    meaning: 'Whether the query lists the ids (`{"_id": {"$in": [...]}}`).',
    phrases: ['the query lists ids', 'the query lists no ids'],
    extract: ({ selector }) => ({
      value: conditionsOf(selector).some(({ field, operator }) => field === '_id' && operator === '$in'),
    }),
  }),
  fact('boundsId', 'boolean', {
    meaning: 'Whether the query bounds `_id` by something other than null, which limits the documents that are read.',
    phrases: ['the query bounds `_id`', 'the query does not bound `_id`'],
    extract: ({ selector }) => ({
      value: conditionsOf(selector).some(
        ({ field, operator, operand }) => field === '_id' && RANGE_OPERATORS.has(operator) && operand !== null,
      ),
    }),
  }),
  fact('rangelessOperators', 'list', {
    meaning: 'Operators on the first column of the index, or around it, that yield no key range.',
    extract: ({ selector, index }) => {
      const [first = ''] = index.fields;
      const found = conditionsOf(selector).filter(
        ({ field, operator }) => (field === first || field === '') && !RANGE_OPERATORS.has(operator),
      );
      return { value: [...new Set(found.map(({ operator }) => operator))].map((value) => ({ value })) };
    },
  }),
  fact('narrowlyMissedIndexes', 'list', {
    meaning:
      'Indexes whose first column is a field of the query, and that are not used because the selector lacks one of their other columns.',
    phrases: 'the query lacks a field of {value}',
    extract: ({ unusable, selector }) => {
      const tested = new Set(conditionsOf(selector).map(({ field }) => field));
      const missed = unusable.filter(({ fields: [first = ''] }) => tested.has(first));
      return { value: missed.map(({ name, fields }) => ({ value: `${name} (${fields.join(', ')})` })) };
    },
  }),
  fact('fields', 'list', {
    meaning: 'The fields that the selector tests.',
    extract: ({ selector }) => {
      const fields = conditionsOf(selector).flatMap(({ field }) => (field === '' ? [] : [field]));
      return { value: [...new Set(fields)].map((value) => ({ value })) };
    },
  }),
];

/**
 * @param {unknown} selector
 * @param {string} [prefix] of nested fields
 * @param {number} [level]
 * @returns {Condition[]} those that all have to hold, and one without a field for each operator that joins others
 */
function conditionsOf(selector, prefix = '', level = 0) {
  if (level > MAX_LEVELS || typeof selector !== 'object' || selector === null) return [];
  return Object.entries(selector).flatMap(([key, operand]) => {
    if (key === '$and' && Array.isArray(operand)) {
      return operand.flatMap((part) => conditionsOf(part, prefix, level + 1));
    }
    if (key.startsWith('$'))
      return [{ field: JOINING_OPERATORS.has(key) && prefix === '' ? '' : prefix, operator: key, operand }];
    const field = prefix === '' ? key : `${prefix}.${key}`;
    if (typeof operand !== 'object' || operand === null || Array.isArray(operand)) {
      return [{ field, operator: '$eq', operand }];
    }
    return conditionsOf(operand, field, level + 1);
  });
}
