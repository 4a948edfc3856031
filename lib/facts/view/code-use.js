// Facts about the use of a view by the code of the application: calls that query it, names of it anywhere in the code, and calls whose names only running
// would show.

import { remember } from '../../shared/recent-memory.js';
import { countOf } from '../../shared/units.js';
import { optionOf } from '../call/call.js';
import { factsOf } from '../fact.js';

/** @import { Place } from '../../shared/source-file.js' */
/** @import { ViewMention } from '../../sources/application/record.js' */
/** @import { CallSubject, DeclareFact, Extracted, FactDeclaration, RunSubject, ViewSubject } from '../fact.js' */

/**
 * @typedef {object} CodeUse
 * @property {CallSubject[]} calls that query the view
 * @property {Place | undefined} named where the code has its name, whatever for
 * @property {Span[]} names all places that have it
 * @property {Place | undefined} open where code queries a view whose name is not literal and may be that of this one
 */

/** Characters of an instant that are its day. */
const DAY = 10;

/** @typedef {Pick<ViewMention, 'file' | 'start' | 'end'>} Span */

/** A name that a query has; `*` in it stands for anything. @typedef {{designDoc: string, view: string, place: Place}} Named */

/** Calls and names of a run, by the view that they name; those with open names apart. */
const namesIn = remember((/** @type {RunSubject} */ { subjects, code }) => {
  /** @type {Map<string, {calls: CallSubject[], names: Span[]}>} */
  const exact = new Map();
  /** Where a view of that name is, whatever its design document. @type {Map<string, Place>} */
  const namesOfView = new Map();
  /** @type {Named[]} */
  const open = [];
  const of = (/** @type {string} */ designDoc, /** @type {string} */ view) => {
    const key = JSON.stringify([designDoc, view]);
    const entry = exact.get(key) ?? { calls: [], names: [] };
    exact.set(key, entry);
    return entry;
  };
  for (const subject of subjects) {
    if (subject.kind !== 'call' || subject.record.method !== 'view') continue;
    const { designDoc, view } = subject.record;
    if (view !== null) namesOfView.set(view, subject.place);
    if (designDoc !== null && view !== null) of(shortName(designDoc), view).calls.push(subject);
    else
      open.push({
        designDoc: designDoc === null ? '*' : shortName(designDoc),
        view: view ?? '*',
        place: subject.place,
      });
  }
  for (const { designDoc, view, file, start, end, again } of code?.mentions ?? []) {
    const place = file.place(start, end);
    if (designDoc.includes('*') || view.includes('*')) open.push({ designDoc, view, place });
    else {
      of(designDoc, view).names.push({ file, start, end }, ...again);
      if (!namesOfView.has(view)) namesOfView.set(view, place);
    }
  }
  return { exact, namesOfView, open };
});

/**
 * @param {ViewSubject} view
 * @returns {CodeUse}
 */
export function codeUseOf({ name, parent }) {
  const { exact, namesOfView, open } = namesIn(parent.parent);
  const designDoc = parent.record.id === null ? undefined : shortName(parent.record.id);
  // A document without an id may have any.
  const fits = (/** @type {Named} */ other) =>
    fitsPattern(other.view, name) && (designDoc === undefined || fitsPattern(other.designDoc, designDoc));
  const found = exact.get(JSON.stringify([designDoc, name]));
  const mayBe = designDoc === undefined ? namesOfView.get(name) : undefined;
  const names = found?.names ?? [];
  const [first] = names;
  return {
    calls: found?.calls ?? [],
    named: first?.file.place(first.start, first.end),
    names,
    open: mayBe ?? open.find(fits)?.place,
  };
}

/** @type {DeclareFact<ViewSubject>} */
const viewFact = factsOf({ subject: 'view', sources: ['application'] });

/** @type {FactDeclaration<ViewSubject>[]} */
export const viewCodeUseFacts = [
  viewFact('view.isQueriedByCode', 'boolean', {
    meaning:
      'Whether the code that was read queries the view or has its name in a string; false where no code was read.',
    phrases: ['the code queries it here', 'the code does not query it'],
    extract: isQueried,
  }),
  viewFact('view.siblingIsQueriedByCode', 'boolean', {
    meaning: 'Whether the code that was read queries any view of its design document, or has its name in a string.',
    phrases: ['the code queries a view of its design document here', 'the code queries no view of its design document'],
    extract: ({ parent }) => {
      const answers = parent.views.map(isQueried);
      return (
        answers.find((answer) => 'value' in answer && answer.value === true) ??
        answers.find((answer) => 'unknown' in answer) ?? { value: false }
      );
    },
  }),
  viewFact('view.isReducedByCode', 'boolean', {
    meaning:
      'Whether the code that was read queries the view without `reduce: false`, so that its reduce runs if it has one.',
    phrases: ['the code uses its reduce here', 'the code does not use its reduce'],
    extract: isReduced,
  }),
  viewFact('view.useSources', 'text', {
    sources: ['logs'],
    basis: 'measured',
    meaning:
      'Where queries of the view were searched for: the number and days of logged requests, and the number of code files.',
    extract: ({ parent: { parent: run } }) => {
      const log = run.subjects.find(({ kind }) => kind === 'log');
      if (log?.kind !== 'log') return { unknown: 'no log was read' };
      const { from, to } = log.record;
      if (from === null || to === null) return { unknown: 'the log lines have no timestamps' };
      const logs = `${countOf(log.record.requests, 'request')} from ${from.slice(0, DAY)} to ${to.slice(0, DAY)}`;
      const files = run.code?.files ?? 0;
      return { value: files === 0 ? logs : `${logs}, and ${countOf(files, 'file')} of code` };
    },
  }),
];

/**
 * @param {ViewSubject} view
 * @returns {Extracted}
 */
function isQueried(view) {
  const { calls, named, open } = codeUseOf(view);
  const [call] = calls;
  if (call) return { value: true, place: call.place };
  if (named) return { value: true, place: named };
  return open ? { unknown: mayQuery(open), place: open } : { value: false };
}

/**
 * @param {ViewSubject} view
 * @returns {Extracted}
 */
function isReduced(view) {
  const { calls, named, open } = codeUseOf(view);
  let isOpen = false;
  for (const { record, place } of calls) {
    const given = optionOf(record, 'reduce');
    if (given?.type === 'boolean' ? given.value : given === undefined && !record.options.isOpen)
      return { value: true, place };
    isOpen ||= given?.type !== 'boolean';
  }
  // A name says nothing of options; that of a call is its own.
  if (isOpen || (named && calls.length === 0))
    return { unknown: 'the code does not show whether it turns the reduce off' };
  return open ? { unknown: mayQuery(open), place: open } : { value: false };
}

/**
 * @param {Place} place
 * @returns {string}
 */
export function mayQuery({ file, line }) {
  return `the code at ${file}:${line} may query it: it computes a name, or the design document has none`;
}

/**
 * @param {string} id of a design document
 * @returns {string}
 */
function shortName(id) {
  return id.replace(/^_design\//, '');
}

/**
 * @param {string} pattern
 * @param {string} name
 * @returns {boolean}
 */
function fitsPattern(pattern, name) {
  const parts = pattern.split('*');
  if (parts.length === 1) return pattern === name;
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = name.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return from <= name.length - last.length;
}
