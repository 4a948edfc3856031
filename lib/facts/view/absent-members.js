// Facts about members that CouchDB gives documents elsewhere, and not in a map.

import { namesOf, parsed } from '../../javascript/analyse.js';
import { bindingAt, onlyValueOf } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { memberOrOpen } from '../../sources/record.js';
import { factsOf } from '../fact.js';
import { mapFact, sourceItem } from '../function/flow.js';

/** @import { AnyNode, MemberExpression } from 'acorn' */
/** @import { Binding, Names } from '../../javascript/names.js' */
/** @import { DeclareFact, Extracted, FactDeclaration, FunctionSubject, ViewSubject } from '../fact.js' */

/**
 * Members with an underscore that a map can see. All others are refused when a document is written ("Bad special document member"), or stripped
 * (couch_doc.erl transfer_fields and to_json_obj, couch_index_updater.erl update, 1.6.1 to 3.5.2; tried on 3.4.3 and 3.5.0).
 */
const SEEN =
  /^_(?:id|rev|attachments|conflicts|deleted_conflicts|local_seq|access|replication_(?:state|state_time|state_reason|id|stats))$/;
/** What every object has: `doc.__proto__`. */
const OF_OBJECTS = new Set(Object.getOwnPropertyNames(Object.prototype));
/** It is false in every map. Most tests of it exclude deletions, which is superfluous and does no harm. */
const DELETED = '_deleted';
const LOCAL_SEQ = '_local_seq';

/** @type {DeclareFact<ViewSubject>} */
const viewFact = factsOf({ subject: 'view', sources: ['design-docs'], basis: 'declared' });

/** @type {FactDeclaration<ViewSubject>[]} */
export const viewAbsentMemberFacts = [
  readFact(
    'view.absentMembers',
    'Reads of members with an underscore that no document has in a map, such as `_revisions`; without `_deleted`.',
    (name) => !SEEN.test(name) && name !== DELETED && !OF_OBJECTS.has(name),
  ),
  readFact(
    'view.localSeqReads',
    'Reads of `_local_seq`, which documents have in a map only if the design document sets `options.local_seq`.',
    (name) => name === LOCAL_SEQ,
  ),
  mapFact('view.emitsOfDeletions', 'list', {
    meaning: 'Calls of `emit` that only documents with `_deleted` reach, which an index never holds.',
    extract: ({ flow, text }) => {
      const dead = flow.emits.filter(({ node, pathFacts }) => node && pathFacts.present.has(`doc.${DELETED}`));
      const nodes = new Set(dead.flatMap(({ node }) => node ?? []));
      return { value: [...nodes].map(({ start, end }) => sourceItem(text, start, end)) };
    },
  }),
  viewFact('view.hasLocalSeq', 'boolean', {
    meaning: 'Whether the design document sets `options.local_seq`.',
    phrases: ['the design document sets `local_seq`', 'the design document does not set `local_seq`'],
    extract: ({ parent: { record } }) => {
      const option = memberOrOpen(memberOrOpen(record.node, 'options'), 'local_seq');
      if (option?.type === 'unknown') return { unknown: option.reason };
      return { value: option?.type === 'boolean' && option.value === true };
    },
  }),
];

/**
 * @param {string} id
 * @param {string} meaning
 * @param {(name: string) => boolean} isMeant
 * @returns {FactDeclaration<ViewSubject>}
 */
function readFact(id, meaning, isMeant) {
  return viewFact(id, 'list', {
    meaning,
    extract: ({ map }) => (map ? readsIn(map, isMeant) : { unknown: 'the view has no map in JavaScript' }),
  });
}

/**
 * @param {FunctionSubject} map
 * @param {(name: string) => boolean} isMeant
 * @returns {Extracted} members that are read of the document itself, each name once
 */
function readsIn(map, isMeant) {
  const tree = parsed(map);
  if (!tree.ok) return { unknown: 'the function does not parse' };
  const names = namesOf(tree);
  const [param] = tree.fn?.params ?? [];
  const document = param?.type === 'Identifier' ? bindingAt(param, names) : undefined;
  if (!document || document.references.some(({ writes }) => writes)) return { value: [] };
  /** @type {Map<string, AnyNode>} */
  const first = new Map();
  for (const node of names.nodes) {
    if (node.type !== 'MemberExpression') continue;
    const name = memberName(node);
    if (name === undefined || !name.startsWith('_') || !isMeant(name) || first.has(name)) continue;
    if (isOf(document, node.object, names) && !isWritten(node, names)) first.set(name, node);
  }
  return { value: [...first.values()].map(({ start, end }) => sourceItem(map.text, start, end)) };
}

/**
 * @param {Binding} document
 * @param {AnyNode} node
 * @param {Names} names
 * @returns {boolean} whether it is the document, or a variable that holds nothing else
 */
function isOf(document, node, names) {
  const at = bare(node);
  const binding = at.type === 'Identifier' ? names.byNode.get(at)?.binding : undefined;
  if (!binding || binding === document) return binding === document;
  const value = onlyValueOf(binding, names);
  const held = value && bare(value);
  return held?.type === 'Identifier' && names.byNode.get(held)?.binding === document;
}

/**
 * @param {MemberExpression} node
 * @param {Names} names
 * @returns {boolean} whether it is given a value or deleted there, which map/mutates-doc judges
 */
function isWritten(node, { parents }) {
  const parent = parents.get(node);
  if (parent?.type === 'AssignmentExpression') return parent.left === node;
  return parent?.type === 'UnaryExpression' && parent.operator === 'delete';
}
