// Facts about a Mango index compared with the others of its database.

import { member } from '../../sources/record.js';
import { factsOf } from '../fact.js';
import { entries } from '../subjects.js';

/** @import { ValueNode } from '../../sources/record.js' */
/** @import { DeclareFact, FactDeclaration, IndexSubject } from '../fact.js' */

/** @type {DeclareFact<IndexSubject>} */
const indexFact = factsOf({ subject: 'index', sources: ['mango-indexes', 'live-server'], basis: 'declared' });

/** @type {FactDeclaration<IndexSubject>[]} */
export const indexTwinFacts = [
  indexFact('index.twins', 'list', {
    meaning:
      'Earlier indexes in the same database or folder with the same fields in the same order and the same filter.',
    phrases: '{value} has the same fields',
    extract: (subject) => {
      const own = shapeOf(subject);
      if (own === undefined) return { unknown: 'the index has no list of fields' };
      const { subjects } = subject.parent;
      const before = subjects.slice(0, subjects.indexOf(subject));
      const twins = before.filter(
        (other) =>
          other.kind === 'index' &&
          other.record.group === subject.record.group &&
          shapeOf(other) === own &&
          isOther(other, subject),
      );
      return { value: twins.map(({ name, place }) => ({ value: name, place })) };
    },
  }),
];

/**
 * @param {import('../fact.js').Subject} other
 * @param {IndexSubject} subject
 * @returns {boolean} whether the server keeps both: of one name in one design document the later replaces the other
 */
function isOther(other, { record }) {
  if (other.kind !== 'index') return false;
  return other.record.name !== record.name || (other.record.ddoc !== record.ddoc && record.ddoc !== null);
}

/**
 * @param {IndexSubject} subject
 * @returns {string | undefined} kind, fields and filter
 */
function shapeOf({ record }) {
  const index = member(record.node, 'index');
  const fields = member(index, 'fields');
  if (fields?.type !== 'array') return undefined;
  const type = member(record.node, 'type');
  const filter = member(index, 'partial_filter_selector');
  return JSON.stringify([
    type?.type === 'string' ? type.value : 'json',
    // A name alone means the name ascending.
    fields.items.map((item) => (item.type === 'string' ? [[item.value, 'asc']] : plain(item))),
    filter ? plain(filter) : {},
  ]);
}

/**
 * @param {ValueNode} node
 * @returns {unknown} its value; keys of objects in one order
 */
function plain(node) {
  switch (node.type) {
    case 'object':
      return entries(node)
        .map(({ key, node: value }) => [key, plain(value)])
        .sort(([first], [second]) => (String(first) < String(second) ? -1 : 1));
    case 'array':
      return node.items.map(plain);
    case 'null':
      return null;
    case 'unknown':
      return { unknown: node.start };
    default:
      return node.value;
  }
}
