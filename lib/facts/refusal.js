// Determines why CouchDB refuses a query pattern, where the design documents show it. Used by facts about requests and
// about views.

import { member } from '../sources/record.js';

/** @import { RequestRecord } from '../sources/record.js' */
/** @import { Subject, ViewSubject } from './fact.js' */

/** What gives rows of a view. */
const ROWS = new Set(['_view', '_list']);

/**
 * @param {RequestRecord} record
 * @returns {boolean} whether some of its requests were answered with 400, and none as they were meant
 */
export function isRefusedAlways(record) {
  return record.statuses.has(400) && !isAnswered(record);
}

/**
 * @param {RequestRecord} record
 * @returns {boolean} whether some of its requests were answered as they were meant, or may have been
 */
function isAnswered({ statuses }) {
  return [...statuses.keys()].some((status) => status < 400);
}

/**
 * Only a reduce that is switched off gives rows that have documents: ``"`include_docs` is invalid for reduce"`` otherwise
 * (couch_mrview_util:validate_args/1, 2.3.1 to 3.5.1). What is posted may switch it off.
 * @param {RequestRecord} record
 * @param {boolean} hasReduce whether its view has one
 * @returns {boolean} whether it is refused for that
 */
export function readsDocsOfReduce(record, hasReduce) {
  const { method, endpoint, parameters } = record;
  if (!hasReduce || method === 'POST' || !ROWS.has(endpoint) || !parameters.includes('include_docs=true')) return false;
  return !parameters.some((text) => text.startsWith('reduce=')) && isRefusedAlways(record);
}

/**
 * Whether the index of a view is kept by partitions, so that a query without one is refused: ``"`partition` parameter is mandatory
 * for queries to this view."`` (couch_mrview_util:validate_args/2, 3.0.0 to 3.5.1). A document that says nothing is as its
 * database (couch_mrview_index:set_partitioned/2, 3.5.1), and one that says yes is refused by a database without partitions
 * (couch_mrview:validate/2, 3.5.1).
 * @param {ViewSubject} view
 * @param {string | null} database that is queried
 * @param {Subject[]} subjects of the run
 * @returns {'declared' | 'inferred' | undefined} how that is known; undefined where it is not, or is not so
 */
export function knowsPartitions(view, database, subjects) {
  const option = member(member(view.parent.record.node, 'options'), 'partitioned');
  if (option) return option.type === 'boolean' && option.value ? 'declared' : undefined;
  // A star means several databases.
  if (database === null || database.includes('*')) return undefined;
  const isPartitioned = subjects.some(
    (subject) =>
      subject.kind === 'request' &&
      subject.record.database === database &&
      subject.record.parameters.includes('partition') &&
      subject.record.statuses.has(200),
  );
  return isPartitioned ? 'inferred' : undefined;
}
