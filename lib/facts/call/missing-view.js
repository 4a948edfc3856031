// Facts about whether the view that a call queries is in the design documents that were read.

import { nearest } from '../../shared/nearest.js';
import { remember } from '../../shared/recent-memory.js';
import { member } from '../../sources/record.js';
import { entries } from '../subjects.js';
import { callFact } from './call.js';

/** @import { CallSubject, DesignDocSubject, Extracted, FactDeclaration, RunSubject } from '../fact.js' */

/** @type {FactDeclaration<CallSubject>[]} */
export const callMissingViewFacts = [
  callFact('call.viewName', 'text', 'The view that it queries, where its name is literal.', ({ view }) =>
    view === null ? { unknown: 'the code computes the name of the view' } : { value: view },
  ),
  callFact(
    'call.designDocId',
    'text',
    'The id of the design document whose view it queries, where its name is literal.',
    ({ designDoc }) =>
      designDoc === null ? { unknown: 'the code computes the name of the design document' } : { value: designDoc },
  ),
  viewNamesFact(
    'call.viewExists',
    'boolean',
    'Whether the view that it queries is in a design document that was read; unknown if none of that id was read, or one only in part.',
    ({ record }, { docs, names }) => ({ value: names.has(String(record.view)), place: docs[0]?.place }),
  ),
  viewNamesFact(
    'call.nearestView',
    'text',
    'The view of that design document whose name is most similar to the one that it queries; `none` if none is similar.',
    ({ record }, { names }) => ({ value: nearest(String(record.view), names) ?? 'none' }),
  ),
];

/** @typedef {{docs: DesignDocSubject[], names: ReadonlySet<string>}} ViewNames all documents of one id, and the names of their views */

/**
 * @param {string} id
 * @param {FactDeclaration['type']} type
 * @param {string} meaning
 * @param {(subject: CallSubject, names: ViewNames) => Extracted} extract
 * @returns {FactDeclaration<CallSubject>}
 */
function viewNamesFact(id, type, meaning, extract) {
  const ofNames = (/** @type {unknown} */ _, /** @type {CallSubject} */ subject) => {
    const names = viewNamesFor(subject);
    return 'unknown' in names ? names : extract(subject, names);
  };
  return callFact(id, type, meaning, ofNames, { sources: ['application', 'design-docs'] });
}

/**
 * @param {CallSubject} subject
 * @returns {ViewNames | {unknown: string}}
 */
function viewNamesFor({ record, parent }) {
  const { method, designDoc, view, receiver } = record;
  if (method !== 'view') return { unknown: 'it does not query a view' };
  if (designDoc === null || view === null) return { unknown: 'the code does not show which view it queries' };
  if (receiver === 'option') return { unknown: 'only an option shows that this is a call of CouchDB' };
  const { docs, databases } = documentsIn(parent);
  const own = docs.get(designDoc) ?? [];
  if (own.length === 0) return { unknown: `${designDoc} was not read` };
  if ((databases.get(designDoc)?.size ?? 0) > own.length) {
    return { unknown: `the code queries ${designDoc} in more databases than documents of that id were read` };
  }
  const known = own.map(viewNamesOf);
  const names = new Set(known.flatMap((list) => list ?? []));
  if (names.has(view)) return { docs: own, names };
  if (known.includes(undefined)) return { unknown: `${designDoc} was read only in part` };
  const nameless = docs.get(null)?.some((doc) => viewNamesOf(doc)?.includes(view) !== false);
  return nameless
    ? { unknown: 'a design document without a literal id may be the one it queries' }
    : { docs: own, names };
}

/** Design documents by id, and the databases in which the code queries them, where these are literal. */
const documentsIn = remember((/** @type {RunSubject} */ { subjects }) => {
  /** @type {Map<string | null, DesignDocSubject[]>} */
  const docs = new Map();
  /** @type {Map<string, Set<string>>} */
  const databases = new Map();
  for (const subject of subjects) {
    if (subject.kind === 'design-doc') {
      const { id } = subject.record;
      docs.set(id, [...(docs.get(id) ?? []), subject]);
    } else if (subject.kind === 'call' && subject.record.designDoc !== null && subject.record.database !== null) {
      const { designDoc, database } = subject.record;
      databases.set(designDoc, (databases.get(designDoc) ?? new Set()).add(database));
    }
  }
  return { docs, databases };
});

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
