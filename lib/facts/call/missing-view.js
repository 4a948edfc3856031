// Facts about whether the view that a call queries is in the design documents that were read.

import { nearest } from '../../shared/nearest.js';
import { remember } from '../../shared/recent-memory.js';
import { member } from '../../sources/record.js';
import { entries } from '../subjects.js';
import { callFact } from './call.js';

/** @import { ValueNode } from '../../sources/record.js' */
/** @import { About, CallSubject, DesignDocSubject, Extracted, FactDeclaration, RunSubject } from '../fact.js' */

/** Calls that may write a design document. */
const WRITES = new Set(['insert', 'bulk-write']);
/** `{ db, bulkDocs: { docs: [document] } }`: so deep in the arguments of a call are documents. */
const MAX_DEPTH = 5;

/** @type {FactDeclaration<CallSubject>[]} */
export const callMissingViewFacts = [
  callFact('call.viewName', 'text', {
    meaning: 'The view that it queries, where its name is literal.',
    extract: ({ view }) => (view === null ? { unknown: 'the code computes the name of the view' } : { value: view }),
  }),
  callFact('call.designDocId', 'text', {
    meaning: 'The id of the design document whose view it queries, where its name is literal.',
    extract: ({ designDoc }) =>
      designDoc === null ? { unknown: 'the code computes the name of the design document' } : { value: designDoc },
  }),
  viewNamesFact('call.viewExists', 'boolean', {
    meaning:
      'Whether the view that it queries is in a design document of that id. Unknown, not `false`, unless one was read that is known to be deployed to the database of the call: a server has it, or the code writes it there.',
    phrases: ['the design document has the view', 'the design document does not have the view'],
    extract: ({ record }, { docs, names }) => ({ value: names.has(String(record.view)), place: docs[0]?.place }),
  }),
  viewNamesFact('call.nearestView', 'text', {
    meaning:
      'The view of that design document whose name is most similar to the one that it queries; `none` if none is similar.',
    phrases: { none: 'no view has a similar name', '*': 'the most similar name is `{value}`' },
    extract: ({ record }, { names }) => ({ value: nearest(String(record.view), names) ?? 'none' }),
  }),
];

/** @typedef {{docs: DesignDocSubject[], names: ReadonlySet<string>}} ViewNames documents of one id, and the names of the views of all of that id */

/**
 * @param {string} id
 * @param {FactDeclaration['type']} type
 * @param {About<(subject: CallSubject, names: ViewNames) => Extracted>} about
 * @returns {FactDeclaration<CallSubject>}
 */
function viewNamesFact(id, type, { extract, ...about }) {
  return callFact(id, type, {
    sources: ['application', 'design-docs'],
    ...about,
    extract: (_, subject) => {
      const names = viewNamesFor(subject);
      return 'unknown' in names ? names : extract(subject, names);
    },
  });
}

/**
 * @param {CallSubject} subject
 * @returns {ViewNames | {unknown: string}}
 */
function viewNamesFor({ record, parent }) {
  const { method, database, designDoc, view, receiver } = record;
  if (method !== 'view') return { unknown: 'it does not query a view' };
  if (designDoc === null || view === null) return { unknown: 'the code does not show which view it queries' };
  if (receiver === 'option') return { unknown: 'only an option shows that this is a call of CouchDB' };
  const { docs, deployed } = documentsIn(parent);
  const own = docs.get(designDoc) ?? [];
  if (own.length === 0) return { unknown: `${designDoc} was not read` };
  const known = own.map(viewNamesOf);
  const names = new Set(known.flatMap((list) => list ?? []));
  if (names.has(view)) return { docs: own, names };
  if (database === null) return { unknown: 'the code does not show the database' };
  const there = own.filter((doc) => deployed.get(doc)?.has(database));
  if (there.length === 0) return { unknown: `no ${designDoc} that was read is known to be deployed to that database` };
  if (known.includes(undefined)) return { unknown: `${designDoc} was read only in part` };
  const nameless = docs.get(null)?.some((doc) => viewNamesOf(doc)?.includes(view) !== false);
  return nameless
    ? { unknown: 'a design document without a literal id may be the one it queries' }
    : { docs: there, names };
}

/** Design documents by id, and the databases to which each is known to be deployed. */
const documentsIn = remember((/** @type {RunSubject} */ { subjects }) => {
  /** @type {Map<string | null, DesignDocSubject[]>} */
  const docs = new Map();
  /** @type {Map<string, Set<string>>} */
  const written = new Map();
  for (const subject of subjects) {
    if (subject.kind === 'design-doc') {
      docs.set(subject.record.id, [...(docs.get(subject.record.id) ?? []), subject]);
    } else if (subject.kind === 'call' && WRITES.has(subject.record.method) && subject.record.database !== null) {
      // A migration may write what a later one changes.
      if (subject.record.isSetUp) continue;
      for (const node of subject.record.arguments.flatMap((value) => objectsIn(value, MAX_DEPTH))) {
        written.set(placeOf(node), (written.get(placeOf(node)) ?? new Set()).add(subject.record.database));
      }
    }
  }
  /** @type {Map<DesignDocSubject, ReadonlySet<string>>} */
  const deployed = new Map();
  for (const doc of [...docs.values()].flat()) {
    const { database, node } = doc.record;
    const names = database ? new Set([database.name]) : written.get(placeOf(node));
    if (names) deployed.set(doc, names);
  }
  return { docs, deployed };
});

/**
 * @param {ValueNode} value given to a call
 * @param {number} depth
 * @returns {ValueNode[]} the objects in it that may be documents: itself, items of lists, and those of `{ docs }`
 */
function objectsIn(value, depth) {
  if (depth === 0) return [];
  if (value.type === 'array') return value.items.flatMap((item) => objectsIn(item, depth - 1));
  if (value.type !== 'object') return [];
  return [value, ...value.entries.flatMap(({ node }) => objectsIn(node, depth - 1))];
}

/** @param {ValueNode} node @returns {string} where it is written: the same for a document and the argument that names it */
function placeOf({ file, start, end }) {
  return `${file.path}:${start}:${end}`;
}

/**
 * @param {DesignDocSubject} doc
 * @returns {string[] | undefined} the names of its views; undefined where only running would show all of them
 */
function viewNamesOf({ record: { node } }) {
  const views = member(node, 'views');
  if (node.isOpen || node.entries.some(({ isOpen }) => isOpen)) return undefined;
  if (views === undefined) return [];
  if (views.type !== 'object' || views.isOpen || views.entries.some(({ isOpen }) => isOpen)) return undefined;
  return entries(views).flatMap(({ key }) => (key === 'lib' ? [] : [key]));
}
