// Facts about Mango index definitions, the bodies of `POST /db/_index`.

import { entry, member, nodePlace } from '../../sources/record.js';
import { factsOf } from '../fact.js';
import { entries } from '../subjects.js';

/** @import { ValueNode } from '../../sources/record.js' */
/** @import { DeclareFact, FactDeclaration, IndexSubject, Item } from '../fact.js' */

/** @type {DeclareFact<IndexSubject>} */
const indexFact = factsOf({ subject: 'index', sources: ['mango-indexes'], basis: 'declared' });

/** @type {FactDeclaration<IndexSubject>[]} */
export const indexFacts = [
  indexFact('index.type', 'text', {
    meaning: 'The type of the index: `json` (the default), `text` or `nouveau`.',
    phrases: 'this is a `{value}` index',
    extract: ({ record }) => {
      const type = member(record.node, 'type');
      return { value: type?.type === 'string' ? type.value : 'json' };
    },
  }),
  indexFact('index.fields', 'list', {
    meaning: 'The columns of the index, in order.',
    extract: (subject) => {
      const fields = fieldsOf(subject);
      if (fields?.type !== 'array') return { unknown: 'the index has no list of fields' };
      return { value: fields.items.flatMap(fieldItem) };
    },
  }),
  indexFact('index.hasMixedDirections', 'boolean', {
    meaning: 'Whether it mixes ascending and descending columns, which CouchDB refuses with 400.',
    phrases: ['the directions of the fields differ', 'all fields have one direction'],
    extract: (subject) => {
      const fields = fieldsOf(subject);
      if (fields?.type !== 'array') return { unknown: 'the index has no list of fields' };
      const directions = fields.items.map(directionOf);
      if (directions.includes(undefined)) return { unknown: 'a field is neither a name nor {name: direction}' };
      return { value: new Set(directions).size > 1, place: nodePlace(fields) };
    },
  }),
  indexFact('index.filterIsMisplaced', 'boolean', {
    meaning:
      'Whether `partial_filter_selector` is next to `index` instead of inside it, which CouchDB refuses with 400.',
    phrases: ['the filter is outside of `index`', 'the filter is in place'],
    extract: ({ record }) => {
      const found = entry(record.node, 'partial_filter_selector');
      return { value: found !== undefined, place: found && record.file.place(found.keyStart, found.keyEnd) };
    },
  }),
];

/**
 * @param {IndexSubject} subject
 * @returns {ValueNode | undefined}
 */
function fieldsOf(subject) {
  return member(member(subject.record.node, 'index'), 'fields');
}

/**
 * @param {ValueNode} node `"name"` or `{"name": "asc"}`
 * @returns {Item[]}
 */
function fieldItem(node) {
  if (node.type === 'string') return [{ value: node.value, place: nodePlace(node) }];
  return entries(node).map((item) => ({ value: item.key, place: nodePlace(node) }));
}

/**
 * @param {ValueNode} node
 * @returns {string | undefined} `asc` or `desc`
 */
function directionOf(node) {
  if (node.type === 'string') return 'asc';
  const [first] = entries(node);
  return first?.node.type === 'string' ? first.node.value : undefined;
}
