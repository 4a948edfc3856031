// Facts about how a view is queried, where logs are read beside the design documents.

import { MINUTES_PER_DAY, threeDigits } from '../../shared/units.js';
import { optionOf } from '../call/call.js';
import { factsOf } from '../fact.js';
import { codeUseOf } from './code-use.js';

/** @import { LogRecord, RequestRecord } from '../../sources/record.js' */
/** @import { DeclareFact, Extracted, FactDeclaration, Subject, ViewSubject } from '../fact.js' */

/** Unknown where no log distinguishes design documents. @type {DeclareFact<ViewSubject, (requests: RequestRecord[], log: LogRecord, view: ViewSubject) => Extracted>} */
export const loggedFact = factsOf({ subject: 'view', sources: ['logs'], basis: 'measured' }, (extract) => (view) => {
  const { subjects } = view.parent.parent;
  const log = subjects.find((subject) => subject.kind === 'log')?.record;
  if (!log) return { unknown: 'no log was read' };
  if (!log.hasNames) return { unknown: 'the logs have too many different queries to keep views apart' };
  const requests = subjects.flatMap((subject) => (subject.kind === 'request' ? [subject.record] : []));
  return extract(requests, log, view);
});

/** @type {DeclareFact<ViewSubject>} */
const viewFact = factsOf({ subject: 'view', sources: ['settings'], basis: 'declared' });

/** @type {FactDeclaration<ViewSubject>[]} */
export const viewRequestFacts = [
  viewFact('view.isLogged', 'boolean', {
    meaning:
      'Whether logs were read that have timestamps, keep views apart, and have requests to views of the design documents that were read.',
    phrases: ['the logs have requests to its views', 'the logs have no requests to its views'],
    extract: (view) => {
      const { subjects } = view.parent.parent;
      const log = subjects.find((subject) => subject.kind === 'log')?.record;
      return { value: log?.hasNames === true && log.from !== null && knowsProject(subjects) };
    },
  }),
  loggedFact('view.requestCount', 'count', {
    meaning: 'Number of logged requests that query the view.',
    phrases: '{value} {request|requests}',
    extract: (requests, _, view) =>
      view.parent.record.id === null
        ? { unknown: 'its design document has no id in the file' }
        : { value: countOf(requests.filter((request) => queriesView(request, view))) },
  }),
  loggedFact('view.isReadInOrder', 'boolean', {
    meaning:
      'Whether a logged request, or a query in the code, may read more of the view than the rows of the keys it names.',
    phrases: ['ranges of it are read', 'it is read by key only'],
    extract: (requests, _, view) => {
      const inLogs = requests.some((request) => queriesView(request, view) && !requestsKeys(request));
      return inLogs ? { value: true } : isReadInOrderByCode(view);
    },
  }),
  loggedFact('view.ratePerMinuteMean', 'count', {
    meaning: 'Requests to the view per minute over the whole log, counted as at least one minute.',
    phrases: '{value} {request|requests} a minute',
    extract: (requests, { from, minutes }, view) => {
      if (from === null) return { unknown: 'the log lines have no timestamps' };
      const count = countOf(requests.filter((request) => queriesView(request, view)));
      return { value: threeDigits(count / Math.max(1, minutes)) };
    },
  }),
  loggedFact('view.lookBackDays', 'count', {
    meaning: 'Number of days from the first line of the logs to the last.',
    phrases: 'the logs cover {value} {day|days}',
    extract: (_, { from, minutes }) =>
      from === null
        ? { unknown: 'the log lines have no timestamps' }
        : { value: threeDigits(minutes / MINUTES_PER_DAY) },
  }),
  loggedFact('view.siblingRequestCount', 'count', {
    meaning: 'Number of logged requests that query any view of its design document.',
    phrases: '{value} {request|requests} to views of the design document',
    extract: (requests, _, view) => ({ value: countOf(requests.filter((request) => queriesDocument(request, view))) }),
  }),
  loggedFact('view.logKnowsProject', 'boolean', {
    meaning: 'Whether the logs have requests to any view of the design documents that were read.',
    phrases: ['the logs have requests to these design documents', 'the logs have no such requests'],
    extract: (_requests, _log, view) => ({ value: knowsProject(view.parent.parent.subjects) }),
  }),
];

/**
 * @param {Subject[]} subjects of a run
 * @returns {boolean} whether the logs have requests to any view of its design documents
 */
function knowsProject(subjects) {
  const ids = new Set();
  for (const subject of subjects) if (subject.kind === 'design-doc') ids.add(subject.record.id);
  return subjects.some(
    (subject) => subject.kind === 'request' && subject.record.view !== '' && ids.has(subject.record.designDoc),
  );
}

/**
 * @param {RequestRecord} request
 * @param {ViewSubject} view
 * @returns {boolean}
 */
export function queriesView(request, view) {
  return request.view === view.name && queriesDocument(request, view);
}

/**
 * @param {RequestRecord} request
 * @param {ViewSubject} view
 * @returns {boolean} whether it queries some view of the same design document
 */
function queriesDocument({ designDoc, view: name }, { parent }) {
  return name !== '' && designDoc !== '' && designDoc === parent.record.id;
}

/**
 * @param {RequestRecord} request
 * @returns {boolean} whether it requests the rows of keys, and of no list function
 */
function requestsKeys({ endpoint, parameters }) {
  return endpoint === '_view' && parameters.some((text) => /^keys?(?:=|$)/.test(text));
}

/**
 * @param {ViewSubject} view
 * @returns {Extracted}
 */
function isReadInOrderByCode(view) {
  const { calls, named, open } = codeUseOf(view);
  const others = calls.filter(({ record }) => !optionOf(record, 'key') && !optionOf(record, 'keys'));
  const certain = others.find(({ record }) => !record.options.isOpen);
  if (certain) return { value: true, place: certain.place };
  const place = others[0]?.place ?? (calls.length === 0 ? named : undefined) ?? open;
  return place ? { unknown: 'the code may query it for more than keys', place } : { value: false };
}

/**
 * @param {RequestRecord[]} requests
 * @returns {number}
 */
function countOf(requests) {
  return requests.reduce((sum, { count }) => sum + count, 0);
}
