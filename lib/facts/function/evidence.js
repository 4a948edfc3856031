// Facts about what functions do with the documents of a run: maps, filters and validation functions that throw, and
// what maps emit. The functions run before facts are computed, and the observations are stored at the function.

import { parsed, unparsed } from '../../javascript/analyse.js';
import { holdsUnknown, member, plainValue } from '../../sources/record.js';
import { describeFault } from '../javascript/describe-fault.js';

/** @import { Evidence, Fault, FunctionQuestion } from '../../proof/evidence/run-function.js' */
/** @import { RowFigures, TypeCounts } from '../../proof/evidence/row-figures.js' */
/** @import { Extracted, FactDeclaration, FunctionSubject, Item, RunSubject, ViewSubject } from '../fact.js' */

/** @typedef {Evidence & {rows: RowFigures}} MapEvidence */

/** Macros of couchapp paste in code that was not read. */
export const MACRO = /!\s*(?:code|json)\s/;
/** Reasons that a sentence names. */
const MAX_REASONS = 2;
const NO_DOCUMENTS = 'no documents were given (`--docs`)';
/** How errors of the query server about modules begin: other facts are about these. */
const MODULE_ERROR = /^error,(?:invalid_require_path|compilation_error)/;

/**
 * @param {RunSubject} run
 * @returns {{subject: FunctionSubject, question: FunctionQuestion}[]} what can be run on documents
 */
export function evidenceQuestions({ subjects }) {
  return subjects.flatMap((subject) => {
    if (subject.kind !== 'function') return [];
    const { role, text } = subject;
    if (role !== 'map' && role !== 'filter' && role !== 'validate') return [];
    const designDoc = seenBy(subject);
    if (designDoc === undefined || MACRO.test(text.text) || !parsed(subject).ok) return [];
    const { version } = subject.parent.parent.target;
    const reduce = subject.parent.views.find(({ map }) => map === subject)?.reduceNode;
    const builtin = reduce?.type === 'string' && reduce.value.startsWith('_') ? reduce.value : undefined;
    return [{ subject, question: { role, source: text.text, designDoc, builtin, target: version } }];
  });
}

/**
 * @param {FunctionSubject} subject
 * @returns {Record<string, unknown> | undefined} what it may see of its design document; undefined where that is not known
 */
export function seenBy({ role, text, parent }) {
  if (!/\b(?:require|this)\b/.test(text.text)) return {};
  const { node } = parent.record;
  const lib = member(member(node, 'views'), 'lib');
  const seen = role === 'map' ? lib : node;
  if (seen && holdsUnknown(seen)) return undefined;
  if (role !== 'map') return /** @type {Record<string, unknown>} */ (plainValue(node));
  return { views: { lib: lib ? plainValue(lib) : {} } };
}

/**
 * @param {FunctionSubject} subject
 * @returns {(Fault & {reason: string, item: Item})[] | {unknown: string}} the most frequent first
 */
function faultsOf(subject) {
  const { evidence, role, text, place } = subject;
  if (!evidence) return { unknown: NO_DOCUMENTS };
  if (evidence.documents === 0)
    return { unknown: evidence.cutOff ?? 'CouchDB would call it with none of the given documents' };
  const tree = parsed(subject);
  if (!tree.ok) return unparsed(tree);
  const found = evidence.faults.flatMap((fault) => {
    if (MODULE_ERROR.test(fault.message)) return [];
    const described = describeFault(tree, fault);
    if (!described) return [];
    const { reason, start, end, isOfDocument } = described;
    // What a filter reads of the request was not there: parameters are those of callers.
    if (role === 'filter' && !isOfDocument && evidence.throwing === evidence.documents) return [];
    const detail = { documents: fault.documents, example: fault.id, error: fault.message };
    const at = start === undefined || end === undefined ? place : text.place(start, end);
    return [{ ...fault, reason, item: { value: reason, ...(at ? { place: at } : {}), detail } }];
  });
  return found;
}

/**
 * @param {Omit<FactDeclaration<FunctionSubject>, 'subject' | 'sources' | 'extract'>} naming
 * @param {(evidence: Evidence, subject: FunctionSubject) => Extracted} take
 * @returns {FactDeclaration<FunctionSubject>}
 */
function evidenceFact(naming, take) {
  return {
    ...naming,
    subject: 'function',
    sources: ['design-docs', 'loads', 'documents'],
    basis: 'measured',
    extract: (subject) => (subject.evidence ? take(subject.evidence, subject) : { unknown: NO_DOCUMENTS }),
  };
}

/**
 * @param {FunctionSubject} subject
 * @param {(fault: Fault & {reason: string, item: Item}) => string} take
 * @returns {Extracted} about what is thrown most often
 */
function ofFirstFault(subject, take) {
  const faults = faultsOf(subject);
  if ('unknown' in faults) return faults;
  const [first] = faults;
  return first ? { value: take(first), place: first.item.place } : { unknown: 'it throws on none of the documents' };
}

/** @type {FactDeclaration<FunctionSubject>[]} */
export const functionEvidenceFacts = [
  evidenceFact(
    {
      id: 'function.triedDocuments',
      type: 'count',
      meaning: 'Number of documents of `--docs` that the function was run on.',
    },
    ({ documents }) => ({ value: documents }),
  ),
  evidenceFact(
    {
      id: 'function.throwingDocuments',
      type: 'count',
      meaning:
        'Number of documents of `--docs` on which a map, filter or validation function throws, without rejections by a validation function.',
    },
    (_, subject) => {
      const faults = faultsOf(subject);
      if ('unknown' in faults) return faults;
      return { value: faults.reduce((sum, { documents }) => sum + documents, 0), place: faults[0]?.item.place };
    },
  ),
  evidenceFact(
    {
      id: 'function.thrownReason',
      type: 'text',
      meaning:
        'Why it throws on documents of `--docs`, for example `doc.items` is missing; if there are several reasons, the two most frequent with their number of documents.',
    },
    (_, subject) => {
      const faults = faultsOf(subject);
      if ('unknown' in faults || faults.length < 2) return ofFirstFault(subject, ({ reason }) => reason);
      const reasons = faults.slice(0, MAX_REASONS).map(({ reason, documents }) => `${reason} (${documents})`);
      return { value: reasons.join(', '), place: faults[0]?.item.place };
    },
  ),
  evidenceFact(
    {
      id: 'function.thrownExample',
      type: 'text',
      meaning: 'The id of the first document on which it throws that way.',
    },
    (_, subject) => ofFirstFault(subject, ({ id }) => id),
  ),
];

/**
 * @param {Omit<FactDeclaration<ViewSubject>, 'subject' | 'sources' | 'extract'>} naming
 * @param {(evidence: MapEvidence, view: ViewSubject) => Extracted} take
 * @returns {FactDeclaration<ViewSubject>} placed at the map
 */
function viewFact(naming, take) {
  return {
    ...naming,
    subject: 'view',
    sources: ['design-docs', 'loads', 'documents'],
    basis: 'measured',
    extract: (view) => {
      const { evidence } = view.map ?? {};
      if (!evidence?.rows) return { unknown: NO_DOCUMENTS };
      if (evidence.cutOff !== undefined) return { unknown: evidence.cutOff };
      if (evidence.documents === 0) return { unknown: 'CouchDB would call the map with none of the given documents' };
      const taken = take(/** @type {MapEvidence} */ (evidence), view);
      return 'unknown' in taken ? taken : { ...taken, place: taken.place ?? view.map?.place };
    },
  };
}

/** @param {TypeCounts} types @returns {Item[]} the most frequent first */
function typeItems(types) {
  return Object.entries(types)
    .sort(([, one], [, other]) => other - one)
    .map(([value, rows]) => ({ value, detail: { rows } }));
}

/** @type {FactDeclaration<ViewSubject>[]} */
export const viewEvidenceFacts = [
  viewFact(
    { id: 'view.triedDocuments', type: 'count', meaning: 'Number of documents of `--docs` that the map was run on.' },
    ({ documents }) => ({ value: documents }),
  ),
  viewFact(
    { id: 'view.emittingDocuments', type: 'count', meaning: 'Number of documents of `--docs` that the map emits for.' },
    ({ rows }) => ({ value: rows.emitting }),
  ),
  viewFact(
    {
      id: 'view.throwingDocuments',
      type: 'count',
      meaning: 'Number of documents of `--docs` on which the map throws, so that they are missing from the view.',
    },
    ({ throwing }) => ({ value: throwing }),
  ),
  viewFact(
    { id: 'view.emittedRows', type: 'count', meaning: 'Number of rows that the map emits for `--docs`.' },
    ({ rows }) => ({
      value: rows.rows,
    }),
  ),
  viewFact(
    {
      id: 'view.keyTypes',
      type: 'list',
      meaning: 'Types of the keys that the map emits for `--docs`, with their number of rows.',
    },
    ({ rows }) => ({ value: typeItems(rows.keys.types) }),
  ),
  viewFact(
    {
      id: 'view.mixedKeys',
      type: 'list',
      meaning:
        'Keys, or elements of array keys such as `key[0]`, that are numbers in some rows of `--docs` and strings in others.',
    },
    ({ rows }) => ({
      value: Object.entries(rows.positions).flatMap(([value, { number = 0, string = 0 }]) =>
        number > 0 && string > 0 ? [{ value, detail: { numbers: number, strings: string } }] : [],
      ),
    }),
  ),
  viewFact(
    {
      id: 'view.refusedRows',
      type: 'count',
      meaning: 'Number of rows for `--docs` whose values the built-in reduce of the view refuses.',
    },
    ({ rows: { refused } }, { reduceNode }) => {
      if (reduceNode?.type !== 'string' || !reduceNode.value.startsWith('_'))
        return { unknown: 'the view has no built-in reduce' };
      return { value: refused?.rows ?? 0 };
    },
  ),
  ...[
    { id: 'view.refusedExample', take: 'id', meaning: 'The id of the first document with such a value.' },
    { id: 'view.refusedValue', take: 'value', meaning: 'That value.' },
    { id: 'view.refusedAnswer', take: 'answer', meaning: 'What CouchDB returns then: `an error row` or `status 500`.' },
  ].map(({ id, take, meaning }) =>
    viewFact({ id, type: 'text', meaning }, ({ rows: { refused } }) =>
      refused
        ? { value: /** @type {any} */ (refused)[take] }
        : { unknown: 'the built-in reduce accepts every value, or there is none' },
    ),
  ),
];
