// Finds the Mango indexes that no query of the logs and of the code uses.

import { findOfCall } from './find.js';
import { indexFor } from './index-for.js';

/** @import { IndexSubject, RunSubject } from '../facts/fact.js' */
/** @import { ExistingIndex } from './index-for.js' */
/** @import { Workload } from './workload.js' */

/** What runs once a week has to be in the logs. */
export const MIN_MINUTES = 7 * 1440;

/**
 * @param {RunSubject} run
 * @param {Workload} workload
 * @param {ExistingIndex[]} indexes
 * @param {string} version of CouchDB
 * @returns {{index: IndexSubject, days: number}[]} none where a query is not known; to say that it is unused takes `MIN_MINUTES` of logs
 */
export function unusedIndexes(run, { statements, minutes }, indexes, version) {
  const finds = statements.flatMap(({ find, unknown, query }) =>
    query.kind === 'find' ? [unknown === undefined ? find : undefined] : [],
  );
  const calls = run.subjects.flatMap((one) =>
    one.kind === 'call' && one.record.method === 'find' ? [findOfCall(one)] : [],
  );
  if (finds.length === 0 || finds.includes(undefined) || calls.some((call) => 'unknown' in call)) return [];
  const used = new Set(
    [...finds, ...calls].flatMap((find) =>
      find && !('unknown' in find) ? [indexFor(find, [], indexes, version)] : [],
    ),
  );
  const hints = finds.flatMap((find) => find?.hint?.ddoc ?? []);
  return run.subjects.flatMap((subject) => {
    if (subject.kind !== 'index' || subject.record.isInCode) return [];
    const known = indexes.find(({ place }) => place === subject.place);
    if (!known || used.has(known) || hints.includes(known.ddoc ?? '')) return [];
    return [{ index: subject, days: Math.floor(minutes / 1440) }];
  });
}
