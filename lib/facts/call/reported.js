// Finds out whether the finding about a call already says what the log shows of its query.

import { isKnown } from '../fact.js';

/** @import { Ask, FactValue, RunSubject, Subject } from '../fact.js' */

/** What rule call/include-docs reports by its defaults: at most so many fields, at least so many rows. */
const MAX_FIELDS = 3;
const FEW_ROWS = 5;

/**
 * Whether the code shows what is wrong with every call that reads the documents of a view, which the finding about the call then says.
 * @param {RunSubject} run
 * @param {string} designDoc
 * @param {string} view
 * @param {Ask} ask
 * @returns {boolean}
 */
export function allCallsAreReported(run, designDoc, view, ask) {
  const calls = run.subjects.filter((subject) => {
    if (subject.kind !== 'call' || subject.record.designDoc !== designDoc || subject.record.view !== view) return false;
    const docs = ask(subject, 'call.includeDocs');
    return !isKnown(docs) || docs.value === true;
  });
  return calls.length > 0 && calls.every((call) => isReported(call, ask));
}

/**
 * @param {Subject} call
 * @param {Ask} ask
 * @returns {boolean} whether rule call/include-docs reports it
 */
function isReported(call, ask) {
  const is = (/** @type {string} */ id, /** @type {FactValue} */ value) => {
    const fact = ask(call, id);
    return isKnown(fact) && fact.value === value;
  };
  const limit = ask(call, 'call.limit');
  if (!is('call.includeDocs', true) || !is('call.location', 'http')) return false;
  if (is('call.isOnlyCounted', true) || is('call.usesDocs', false)) return true;
  if ((isKnown(limit) && Number(limit.value) < FEW_ROWS) || !is('call.viewEmitsLinkedDoc', false)) return false;
  if (is('call.viewEmitsWholeDoc', true)) return true;
  const fields = ask(call, 'call.docFields');
  const count = isKnown(fields) && Array.isArray(fields.value) ? fields.value.length : MAX_FIELDS + 1;
  return is('call.viewEmitsWholeDoc', false) && count <= MAX_FIELDS && (count === 0 || is('call.viewEmitCount', 1));
}
