// Facts about what functions do with the documents of a run: maps, filters and validation functions that throw, and
// what maps emit. The functions run before facts are computed, and the observations are stored at the function.

import { parsed, unparsed } from '../../javascript/analyse.js';
import { holdsUnknown, member, plainValue } from '../../sources/record.js';
import { factsOf } from '../fact.js';
import { describeFault } from '../javascript/describe-fault.js';

/** @import { Evidence, Fault, FunctionQuestion } from '../../proof/evidence/run-function.js' */
/** @import { RowFigures, TypeCounts } from '../../proof/evidence/row-figures.js' */
/** @import { DeclareFact, Extracted, FactDeclaration, FunctionSubject, Item, RunSubject, ViewSubject } from '../fact.js' */

/** @typedef {Evidence & {rows: RowFigures}} MapEvidence */

/** Macros of couchapp paste in code that was not read. */
export const MACRO = /!\s*(?:code|json)\s/;
/** Reasons that a sentence names. */
const MAX_REASONS = 2;
const NO_DOCUMENTS = 'no documents were given (`--docs`)';
/** How the sandbox says that a search index gets no value. */
const NO_VALUE = /^index refuses .*: undefined$/s;
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
    const search = searchEngine(subject);
    if (role !== 'map' && role !== 'filter' && role !== 'validate' && (role !== 'search' || !search)) return [];
    const designDoc = seenBy(subject);
    if (designDoc === undefined || MACRO.test(text.text) || !parsed(subject).ok) return [];
    const { version } = subject.parent.parent.target;
    const reduce = subject.parent.views.find(({ map }) => map === subject)?.reduceNode;
    const builtin = reduce?.type === 'string' && reduce.value.startsWith('_') ? reduce.value : undefined;
    const question = { role, source: text.text, designDoc, builtin, target: version, ...(search ? { search } : {}) };
    return [{ subject, question }];
  });
}

/**
 * @param {FunctionSubject} subject
 * @returns {'clouseau' | 'nouveau' | undefined} the engine that it indexes for
 */
function searchEngine({ role, name }) {
  if (role !== 'search') return undefined;
  return name.startsWith('indexes.') ? 'clouseau' : name.startsWith('nouveau.') ? 'nouveau' : undefined;
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
    // A document without the only field that is indexed is not in the index either way.
    if (role === 'search' && NO_VALUE.test(fault.message) && text.text.split(/\bindex\s*\(/).length === 2) return [];
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

/** @type {DeclareFact<FunctionSubject, (evidence: Evidence, subject: FunctionSubject) => Extracted>} */
const evidenceFact = factsOf(
  { subject: 'function', sources: ['design-docs', 'loads', 'documents'], basis: 'measured' },
  (extract) => (subject) => (subject.evidence ? extract(subject.evidence, subject) : { unknown: NO_DOCUMENTS }),
);

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

/** Placed at the map. @type {DeclareFact<ViewSubject, (evidence: MapEvidence, view: ViewSubject) => Extracted>} */
const viewFact = factsOf(
  { subject: 'view', sources: ['design-docs', 'loads', 'documents'], basis: 'measured' },
  (extract) => (view) => {
    const { evidence } = view.map ?? {};
    if (!evidence?.rows) return { unknown: NO_DOCUMENTS };
    if (evidence.cutOff !== undefined) return { unknown: evidence.cutOff };
    if (evidence.documents === 0) return { unknown: 'CouchDB would call the map with none of the given documents' };
    const taken = extract(/** @type {MapEvidence} */ (evidence), view);
    return 'unknown' in taken ? taken : { ...taken, place: taken.place ?? view.map?.place };
  },
);

/** @type {FactDeclaration<FunctionSubject>[]} */
export const functionEvidenceFacts = [
  evidenceFact('function.triedDocuments', 'count', {
    meaning: 'Number of documents of `--docs` that the function was run on.',
    extract: ({ documents }) => ({ value: documents }),
  }),
  evidenceFact('function.throwingDocuments', 'count', {
    meaning:
      'Number of documents of `--docs` on which a map, filter, validation function or search index throws, without rejections by a validation function.',
    phrases: 'throws on {value} of the given documents',
    extract: (_, subject) => {
      const faults = faultsOf(subject);
      if ('unknown' in faults) return faults;
      return { value: faults.reduce((sum, { documents }) => sum + documents, 0), place: faults[0]?.item.place };
    },
  }),
  evidenceFact('function.thrownReason', 'text', {
    meaning:
      'Why it throws on documents of `--docs`, for example `doc.items` is missing; if there are several reasons, the two most frequent with their number of documents.',
    extract: (_, subject) => {
      const faults = faultsOf(subject);
      if ('unknown' in faults || faults.length < 2) return ofFirstFault(subject, ({ reason }) => reason);
      const reasons = faults.slice(0, MAX_REASONS).map(({ reason, documents }) => `${reason} (${documents})`);
      return { value: reasons.join(', '), place: faults[0]?.item.place };
    },
  }),
  evidenceFact('function.thrownExample', 'text', {
    meaning: 'The id of the first document on which it throws that way.',
    extract: (_, subject) => ofFirstFault(subject, ({ id }) => id),
  }),
];

/** @param {TypeCounts} types @returns {Item[]} the most frequent first */
function typeItems(types) {
  return Object.entries(types)
    .sort(([, one], [, other]) => other - one)
    .map(([value, rows]) => ({ value, detail: { rows } }));
}

/** @type {FactDeclaration<ViewSubject>[]} */
export const viewEvidenceFacts = [
  viewFact('view.triedDocuments', 'count', {
    meaning: 'Number of documents of `--docs` that the map was run on.',
    phrases: 'the map was tried on {value} {document|documents}',
    extract: ({ documents }) => ({ value: documents }),
  }),
  viewFact('view.emittingDocuments', 'count', {
    meaning: 'Number of documents of `--docs` that the map emits for.',
    phrases: 'emits rows for {value} {document|documents}',
    extract: ({ rows }) => ({ value: rows.emitting }),
  }),
  viewFact('view.throwingDocuments', 'count', {
    meaning: 'Number of documents of `--docs` on which the map throws, so that they are missing from the view.',
    phrases: 'the map throws on {value} {document|documents}',
    extract: ({ throwing }) => ({ value: throwing }),
  }),
  viewFact('view.emittedRows', 'count', {
    meaning: 'Number of rows that the map emits for `--docs`.',
    extract: ({ rows }) => ({ value: rows.rows }),
  }),
  viewFact('view.keyTypes', 'list', {
    meaning: 'Types of the keys that the map emits for `--docs`, with their number of rows.',
    extract: ({ rows }) => ({ value: typeItems(rows.keys.types) }),
  }),
  viewFact('view.mixedKeys', 'list', {
    meaning:
      'Keys, or elements of array keys such as `key[0]`, that are numbers in some rows of `--docs` and strings in others.',
    extract: ({ rows }) => ({
      value: Object.entries(rows.positions).flatMap(([value, { number = 0, string = 0 }]) =>
        number > 0 && string > 0 ? [{ value, detail: { numbers: number, strings: string } }] : [],
      ),
    }),
  }),
  viewFact('view.refusedRows', 'count', {
    meaning: 'Number of rows for `--docs` whose values the built-in reduce of the view refuses.',
    phrases: 'the built-in rejects {value} {value|values}',
    extract: ({ rows: { refused } }, { reduceNode }) => {
      if (reduceNode?.type !== 'string' || !reduceNode.value.startsWith('_'))
        return { unknown: 'the view has no built-in reduce' };
      return { value: refused?.rows ?? 0 };
    },
  }),
  ...[
    { id: 'view.refusedExample', take: 'id', meaning: 'The id of the first document with such a value.' },
    { id: 'view.refusedValue', take: 'value', meaning: 'That value.' },
    { id: 'view.refusedAnswer', take: 'answer', meaning: 'What CouchDB returns then: `an error row` or `status 500`.' },
  ].map(({ id, take, meaning }) =>
    viewFact(id, 'text', {
      meaning,
      extract: ({ rows: { refused } }) =>
        refused
          ? { value: /** @type {any} */ (refused)[take] }
          : { unknown: 'the built-in reduce accepts every value, or there is none' },
    }),
  ),
];
