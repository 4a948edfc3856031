// Facts that join a query pattern to the design documents that were read: what the queried view emits and how it
// reduces, what its filter is. Unknown where the view or filter was not read, or several have that name.

import { parseFunction } from '../../javascript/parse.js';
import { foldDatabase } from '../../shared/fold-database.js';
import { remember } from '../../shared/recent-memory.js';
import { holdsUnknown, member, plainValue } from '../../sources/record.js';
import { fieldsOfCalls } from '../call/reported.js';
import { factsOf, isKnown } from '../fact.js';
import { isRefusedAlways, knowsPartitions, readsDocsOfReduce } from '../refusal.js';
import { parameter } from './parts.js';

/** @import { Ask, DeclareFact, Extracted, FactDeclaration, FilterSubject, Item, RequestSubject, RunSubject, ViewSubject } from '../fact.js' */

/** @type {DeclareFact<RequestSubject, (view: ViewSubject, ask: Ask, subject: RequestSubject) => Extracted>} */
const viewFact = factsOf({ subject: 'request', sources: ['logs', 'design-docs'] }, (extract) => (subject, ask) => {
  const view = viewOf(subject);
  return 'unknown' in view ? view : extract(view, ask, subject);
});

/** @type {DeclareFact<RequestSubject>} */
const requestFact = factsOf({ subject: 'request', sources: ['logs', 'design-docs'] });

/** @type {FactDeclaration<RequestSubject>[]} */
export const requestViewFacts = [
  requestFact('request.viewIsRead', 'boolean', {
    sources: ['logs'],
    basis: 'declared',
    meaning: 'Whether the queried view is in a design document that was read, and its map could be analyzed.',
    phrases: ['the view is defined here', 'the view was not read'],
    extract: (subject, ask) => {
      const view = viewOf(subject);
      if ('unknown' in view) return { value: false };
      const calls = ask(view, 'view.emitCalls');
      return { value: isKnown(calls) && Array.isArray(calls.value) && calls.value.length > 0 };
    },
  }),
  viewFact('request.viewEmitsWholeDoc', 'boolean', {
    meaning: 'Whether the queried view emits the document, or a copy of it, as value.',
    phrases: ['the view emits the whole document', 'the view does not emit the whole document'],
    extract: (view, ask) => passOn(ask(view, 'view.emitsWholeDoc')),
  }),
  viewFact('request.viewEmitsLinkedDoc', 'boolean', {
    meaning: 'Whether the queried view emits an object with `_id`, which makes `include_docs` fetch another document.',
    phrases: ['the view emits `_id` of another document', 'the view emits no other `_id`'],
    extract: (view, ask) => passOn(ask(view, 'view.emitsLinkedDoc')),
  }),
  viewFact('request.viewEmits', 'list', {
    meaning: 'The `emit` calls of the queried view, as written.',
    extract: (view, ask) => passOn(ask(view, 'view.emitCalls')),
  }),
  viewFact('request.viewEmitsInstead', 'text', {
    meaning:
      'The first `emit` call of the queried view, rewritten with document fields as value: those that the code of the application reads, where all of it is known.',
    extract: (view, ask, { parent }) => {
      const calls = ask(view, 'view.emitCalls');
      if (!isKnown(calls)) return calls;
      const [first] = /** @type {Item[]} */ (calls.value);
      const key = first?.detail?.['key'];
      if (key === undefined) return { unknown: 'no `emit` call in it shows its key' };
      const doc = parameterOf(view);
      const fields = doc === undefined ? [] : fieldsOfCalls(parent, view, ask);
      const value = fields.map((field) => `${field}: ${doc}.${field}`).join(', ');
      return { value: `emit(${key}, { ${value || '/* the fields that are read */'} })`, place: first?.place };
    },
  }),
  viewFact('request.viewReduceKind', 'text', {
    meaning: 'The reduce of the queried view: `none`, `builtin`, `custom` and so on, as in `reduce.kind`.',
    phrases: {
      none: 'the view has no reduce',
      builtin: 'the reduce is a built-in',
      custom: 'the reduce is written in JavaScript',
      '*': 'the reduce is defined here',
    },
    extract: (view, ask) => passOn(ask(view, 'reduce.kind')),
  }),
  requestFact('request.viewReduceIsProvedEqual', 'boolean', {
    sources: ['logs', 'design-docs', 'proof'],
    basis: 'proved',
    meaning: 'Whether a built-in is known to return the same as the reduce of the queried view.',
    phrases: ['the reduce equals a built-in', 'the reduce is not known to equal a built-in'],
    extract: (subject, ask) => {
      const view = viewOf(subject);
      const verdict = 'unknown' in view ? view : ask(view, 'reduce.verdict');
      return { value: isKnown(verdict) && verdict.value === 'equal' };
    },
  }),
  viewFact('request.reduces', 'boolean', {
    meaning: 'Whether the result is reduced: the queried view has a reduce, and the requests do not turn it off.',
    phrases: ['the view has this reduce', 'the result is not reduced'],
    extract: (view, ask, subject) => {
      if (parameter(subject.record, 'reduce') === 'false') return { value: false };
      const kind = ask(view, 'reduce.kind');
      return isKnown(kind) ? { value: kind.value !== 'none', place: kind.place } : kind;
    },
  }),
  requestFact('request.refusalCause', 'text', {
    basis: 'inferred',
    meaning:
      'Why all requests are refused with 400, as far as the design documents show: `docs-of-reduce` (`include_docs` with a reduce), `no-partition` (a view that can only be queried by partition), or `none`.',
    phrases: {
      'docs-of-reduce': 'this reduce rules out `include_docs`',
      'no-partition': 'the design document is partitioned',
      '*': 'nothing read explains the status',
    },
    extract: refusalCause,
  }),
  requestFact('request.filterFitsSelector', 'boolean', {
    meaning: 'Whether a Mango selector passes the same changes as its filter function.',
    phrases: ['a selector passes the same changes', 'no selector passes the same changes'],
    extract: (subject, ask) => {
      const filter = filterOf(subject);
      return 'unknown' in filter ? filter : passOn(ask(filter, 'filter.fitsSelector'));
    },
  }),
  requestFact('request.filterSelector', 'text', {
    meaning: 'A Mango selector that passes the same changes as its filter function.',
    extract: (subject, ask) => {
      const filter = filterOf(subject);
      return 'unknown' in filter ? filter : passOn(ask(filter, 'filter.selector'));
    },
  }),
];

/**
 * @param {RequestSubject} subject
 * @param {Ask} ask
 * @returns {Extracted} with the place in the design document that makes it so
 */
function refusalCause(subject, ask) {
  const { record, parent } = subject;
  const view = viewOf(subject);
  if ('unknown' in view || !isRefusedAlways(record)) return { value: 'none' };
  const isPartitioned = knowsPartitions(view, record.database, parent.subjects);
  if (isPartitioned && !record.parameters.includes('partition')) {
    const { place } = ask(view, 'ddoc.isPartitioned');
    return { value: 'no-partition', basis: isPartitioned, place };
  }
  const { place } = ask(view, 'reduce.kind');
  return readsDocsOfReduce(record, view.reduceNode !== undefined)
    ? { value: 'docs-of-reduce', place }
    : { value: 'none' };
}

/**
 * @param {import('../fact.js').Fact} fact
 * @returns {Extracted} a list with the place of its first member, so that what is found stands where it can be changed
 */
export function passOn(fact) {
  if (!isKnown(fact)) return fact;
  const [first] = Array.isArray(fact.value) ? fact.value : [];
  return { ...fact, place: fact.place ?? first?.place };
}

/**
 * @param {RequestSubject} subject
 * @returns {ViewSubject | {unknown: string}}
 */
export function viewOf({ record, parent }) {
  const { designDoc, view, database } = record;
  return view === '' ? { unknown: 'it does not query a view' } : viewNamed(parent, designDoc, view, database);
}

/**
 * @param {RunSubject} run
 * @param {string} designDoc
 * @param {string} view
 * @param {string | null} [database] name or pattern of the one that is queried
 * @returns {ViewSubject | {unknown: string}} unknown where it was not read, or several that differ have that name
 */
export function viewNamed(run, designDoc, view, database = null) {
  const found = namedIn(run).get(nameOf('view', designDoc, view));
  return onlyOne(found, `the view \`${view}\` of ${designDoc}`, database);
}

/**
 * @param {ViewSubject} view
 * @returns {ViewSubject} the one that requests are answered with: of several with its name that of the server, or an equal one
 */
export function viewInUse(view) {
  const { record, parent } = view.parent;
  const found = record.id === null ? view : viewNamed(parent, record.id, view.name);
  return 'unknown' in found ? view : found;
}

/**
 * @param {ViewSubject} view
 * @returns {ViewSubject} the one of that name in the files of the project, where people change it; itself where there is none
 */
export function viewInFiles(view) {
  const { record, parent } = view.parent;
  const found = record.id === null ? [] : (namedIn(parent).get(nameOf('view', record.id, view.name)) ?? []);
  const own = found.find((one) => documentOf(one).file.isRemote !== true);
  return own?.kind === 'view' ? own : view;
}

/**
 * @param {RequestSubject} subject
 * @returns {FilterSubject | {unknown: string}}
 */
export function filterOf({ record, parent }) {
  const [designDoc = '', name = ''] = (parameter(record, 'filter') ?? '').split('/');
  if (name === '') return { unknown: 'it names no filter function' };
  return filterNamed(parent, `_design/${designDoc}`, name);
}

/**
 * @param {RunSubject} run
 * @param {string} designDoc
 * @param {string} filter
 * @returns {FilterSubject | {unknown: string}} unknown where it was not read, or several have that name
 */
export function filterNamed(run, designDoc, filter) {
  return onlyOne(
    namedIn(run).get(nameOf('filter', designDoc, `filters.${filter}`)),
    `the filter \`${filter}\` of ${designDoc}`,
    null,
  );
}

/** Views and filters by name, for as long as their run lasts. */
const namedIn = remember((/** @type {RunSubject} */ run) => {
  /** @type {Map<string, (ViewSubject | FilterSubject)[]>} */
  const named = new Map();
  for (const subject of run.subjects) {
    if (subject.kind !== 'view' && subject.kind !== 'filter') continue;
    const record = documentOf(subject);
    if (record.id === null) continue;
    const name = nameOf(subject.kind, record.id, subject.name);
    const list = named.get(name) ?? [];
    list.push(subject);
    named.set(name, list);
  }
  return named;
});

/**
 * @param {'view' | 'filter'} kind
 * @param {string} designDoc
 * @param {string} name
 * @returns {string}
 */
function nameOf(kind, designDoc, name) {
  return JSON.stringify([kind, designDoc, name]);
}

/**
 * @template {ViewSubject | FilterSubject} S
 * @param {(ViewSubject | FilterSubject)[] | undefined} found
 * @param {string} what
 * @param {string | null} database that is queried
 * @returns {S | {unknown: string}} what a server has counts, whatever files say; equal ones are one
 */
function onlyOne(found = [], what, database) {
  const onServer = found.filter((one) => documentOf(one).database !== undefined);
  const here = onServer.filter((one) => isIn(documentOf(one).database?.name, database));
  const [those] = [here, onServer, found].filter((list) => list.length > 0);
  const [first, ...others] = those ?? [];
  if (first && others.every((other) => textOf(other) === textOf(first))) return /** @type {S} */ (first);
  return { unknown: first ? `${found.length} design documents have ${what}` : `${what} was not read` };
}

/** @param {ViewSubject | FilterSubject} subject */
function documentOf(subject) {
  return (subject.kind === 'view' ? subject.parent : subject.parent.parent).record;
}

/** @param {string | undefined} name of a database @param {string | null} database name or pattern @returns {boolean} */
function isIn(name, database) {
  return name !== undefined && (name === database || foldDatabase(name) === database);
}

/** @param {ViewSubject | FilterSubject} subject @returns {string} the same for what does the same */
function textOf(subject) {
  const { node } = documentOf(subject);
  const own = subject.kind === 'view' ? plainValue(subject.node) : subject.function.text.text;
  const rest = ['language', 'options'].map(
    (name) => member(node, name) && plainValue(/** @type {any} */ (member(node, name))),
  );
  const modules = member(member(node, 'views'), 'lib');
  return holdsUnknown(node)
    ? JSON.stringify(subject.place)
    : JSON.stringify([own, rest, modules && plainValue(modules)]);
}

/**
 * @param {ViewSubject} view
 * @returns {string | undefined} the name that its map has for the document
 */
export function parameterOf({ map }) {
  const parsed = map && parseFunction(map.text.text);
  const [first] = (parsed?.ok && parsed.fn?.params) || [];
  return first?.type === 'Identifier' ? first.name : undefined;
}
