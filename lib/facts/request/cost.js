// Adds up what the subject of a finding costs in the logs of the run: the requests that use it.

import { threeDigits } from '../../shared/units.js';
import { queriesView } from '../view/requests.js';
import { mayBeSentBy } from './sender.js';
import { filterOf, viewInUse, viewOf } from './view.js';

/** @import { Cost } from '../../engine/findings/finding.js' */
/** @import { RequestRecord } from '../../sources/record.js' */
/** @import { RunSubject, Subject, ViewSubject } from '../fact.js' */

/**
 * @param {RunSubject} run
 * @returns {(subject: Subject) => Cost | undefined} undefined for what no request of the logs uses
 */
export function requestCosts(run) {
  const requestsOf = requestsAbout(run);
  return (subject) => {
    const records = requestsOf(subject);
    return records.length === 0 ? undefined : add(records);
  };
}

/**
 * @param {RunSubject} run
 * @returns {(subject: Subject) => RequestRecord[]} the query patterns that use it; none for what no request of the logs uses
 */
export function requestsAbout(run) {
  const requests = run.subjects.filter((subject) => subject.kind === 'request');
  return (subject) => {
    if (subject.kind === 'request') return [subject.record];
    if (subject.kind === 'filter') {
      return requests.filter((request) => filterOf(request) === subject).map(({ record }) => record);
    }
    if (subject.kind === 'call') {
      return requests.map(({ record }) => record).filter((record) => mayBeSentBy(record, subject.record));
    }
    const view = viewAbout(subject);
    if (!view) return [];
    // Of several documents with one id that differ nobody knows which one is queried.
    return requests
      .filter((request) => queriesView(request.record, view) && viewOf(request) === viewInUse(view))
      .map(({ record }) => record);
  };
}

/**
 * @param {Subject} subject
 * @returns {ViewSubject | undefined} the view itself, or that of its map or reduce
 */
function viewAbout(subject) {
  if (subject.kind === 'view') return subject;
  if (subject.kind !== 'function' || subject.view === undefined) return undefined;
  return subject.parent.views.find(({ name }) => name === subject.view);
}

/**
 * @param {RequestRecord[]} records at least one
 * @returns {Cost}
 */
function add(records) {
  let share = 0;
  let requests = 0;
  let totalMs = 0;
  for (const record of records) {
    share += record.share;
    requests += record.count;
    totalMs += record.latencyMs?.total ?? 0;
  }
  const rounded = Number(share.toPrecision(6));
  const { hasTimes, from, minutes } = /** @type {RequestRecord} */ (records[0]).log;
  const perHour = threeDigits((requests / Math.max(1, minutes)) * 60);
  const shapes = records.map((record) => ({
    id: JSON.stringify([record.name, record.isReplication]),
    share: record.share,
  }));
  return {
    share: rounded,
    ...(hasTimes ? { totalMs: Math.round(totalMs) } : {}),
    requests,
    ...(from === null ? {} : { perHour }),
    shapes,
  };
}
