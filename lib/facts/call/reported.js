// Joins calls that read documents of a view with the same query in the logs, so that one finding is made of both.

import { isKnown } from '../fact.js';

/** @import { Ask, RunSubject, Subject, ViewSubject } from '../fact.js' */

/** More fields than these are nearly the document. */
const MAX_FIELDS = 5;
/** From where on rule view/include-docs-hot reports a query by its defaults: a minute, rows of a response. */
const OFTEN = 10;
const ENOUGH_ROWS = 5;

/**
 * @param {RunSubject} run
 * @param {ViewSubject} view
 * @param {Ask} ask
 * @returns {string[]} the fields of documents that calls read, without `_id`; none where one of them may read others, or there are many
 */
export function fieldsOfCalls(run, view, ask) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const subject of run.subjects) {
    if (subject.kind !== 'call' || !isAbout(subject.record, view)) continue;
    const docs = ask(subject, 'call.includeDocs');
    if (isKnown(docs) && docs.value === false) continue;
    const fields = ask(subject, 'call.docFields');
    if (!isKnown(fields) || !Array.isArray(fields.value)) return [];
    for (const { value } of fields.value) found.add(value);
  }
  return found.size <= MAX_FIELDS ? [...found] : [];
}

/**
 * @param {RunSubject} run
 * @param {ViewSubject} view
 * @param {Ask} ask
 * @returns {boolean}
 */
export function isReportedFromLog(run, view, ask) {
  return run.subjects.some((subject) => {
    if (subject.kind !== 'request' || !isAbout(subject.record, view)) return false;
    if (!subject.record.parameters.includes('include_docs=true') || !isFactTrue(subject, 'request.viewIsRead', ask))
      return false;
    if (isFactTrue(subject, 'request.viewEmitsWholeDoc', ask)) return true;
    return (
      numberOf(subject, 'request.ratePerMinuteBusy', ask) >= OFTEN &&
      numberOf(subject, 'request.rowsP50', ask) >= ENOUGH_ROWS
    );
  });
}

/**
 * @param {{designDoc: string | null, view: string | null}} record
 * @param {ViewSubject} view
 * @returns {boolean}
 */
function isAbout(record, view) {
  return record.view === view.name && record.designDoc === view.parent.record.id;
}

/**
 * @param {Subject} subject
 * @param {string} id
 * @param {Ask} ask
 * @returns {boolean}
 */
function isFactTrue(subject, id, ask) {
  const fact = ask(subject, id);
  return isKnown(fact) && fact.value === true;
}

/**
 * @param {Subject} subject
 * @param {string} id
 * @param {Ask} ask
 * @returns {number} 0 where it is unknown
 */
function numberOf(subject, id, ask) {
  const fact = ask(subject, id);
  return isKnown(fact) && typeof fact.value === 'number' ? fact.value : 0;
}
