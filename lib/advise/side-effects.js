// Finds queries that CouchDB would serve with a new index that is not meant for them, and that read more with it.

import { wordQuery } from '../shared/query-name.js';
import { indexesMade, indexFor } from './index-for.js';
import { bindingsOf } from './parameter-bindings.js';
import { readsOf } from './reads.js';

/** @import { PlanOptions } from './make-plan.js' */
/** @import { PlanStep, Reads } from './plan.js' */
/** @import { Statement } from './workload.js' */

/** Fewer documents more are lost in the time of a request. */
const MORE = 1.1;

/**
 * @param {PlanStep[]} steps
 * @param {Statement[]} statements
 * @param {Pick<PlanOptions, 'sampleOf' | 'indexesOf' | 'target'>} about
 * @returns {string[]} what to change before the deploy, a sentence for each query
 */
export function sideEffects(steps, statements, { sampleOf, indexesOf, target }) {
  const meant = new Set(steps.flatMap(({ queries }) => queries.map(({ query }) => query)));
  return statements.flatMap(({ find, query, unknown }) => {
    const isOther = find && unknown === undefined && find.instead === undefined && !find.hint && !meant.has(query.id);
    const sample = isOther ? sampleOf(query.database) : undefined;
    if (!find || !sample) return [];
    const known = indexesOf(query.database);
    const made = indexesMade(
      steps.map(({ change }) => change),
      query.database,
    );
    const bindings = bindingsOf(find, sample);
    const now = indexFor(find, bindings, known, target);
    const next = indexFor(find, bindings, [...known, ...made], target);
    if (!now || !next || !made.includes(next)) return [];
    const about = { sample, version: target };
    const [before, after] = [readsOf(find, bindings, now, about), readsOf(find, bindings, next, about)];
    if (!before || !after || workOf(after) <= workOf(before) * MORE) return [];
    return [
      `before the deploy, add \`"use_index": ${JSON.stringify([now.ddoc, now.name].filter((name) => name !== null))}\` to ${wordQuery(query.name)}: CouchDB would use ${next.label} instead of ${now.label}, which reads more`,
    ];
  });
}

/** @param {Reads} reads @returns {number} */
function workOf({ rows, documents }) {
  return rows + documents;
}
