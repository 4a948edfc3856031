// Finds Mango queries for which CouchDB chooses another index in the new version than in the old one.

import { findOf, findOfCall } from '../../../advise/find.js';
import { existingIndexes, indexFor } from '../../../advise/index-for.js';
import { knownIndexes } from '../../../facts/mango/choice.js';
import { compareVersions } from '../../../shared/version.js';

/** @import { Find } from '../../../advise/find.js' */
/** @import { Subject } from '../../../facts/fact.js' */
/** @import { Comparison } from './compare-runs.js' */
/** @import { Evidence } from './detect.js' */

/** The first version whose choice of an index is known (lib/facts/mango/planner.js). */
const KNOWN_SINCE = '3.2';

/**
 * @param {Comparison} comparison
 * @param {{from: string, to: string}} between releases
 * @returns {Evidence[] | {unknown: string}}
 */
export function otherPlans({ after: { run, ask } }, { from, to }) {
  const queries = run.subjects.flatMap((subject) => {
    const find = findIn(subject);
    return find === undefined || 'unknown' in find || !find.isWhole ? [] : [{ find, subject }];
  });
  if (queries.length === 0) return { unknown: 'no Mango query was read' };
  const known = knownIndexes(run, ask);
  if ('unknown' in known) return known;
  if (compareVersions(from, KNOWN_SINCE) < 0)
    return { unknown: `how CouchDB before ${KNOWN_SINCE} chooses is not known` };
  const indexes = existingIndexes(known);
  return queries.flatMap(({ find, subject: { name, place } }) => {
    const [old, next] = [from, to].map((version) => indexFor(find, [], indexes, version)?.label);
    if (old === next) return [];
    return [{ text: `\`${name}\` uses ${nameOf(next)} instead of ${nameOf(old)}`, place }];
  });
}

/** @param {Subject} subject @returns {Find | {unknown: string} | undefined} */
function findIn(subject) {
  if (subject.kind === 'request') return subject.record.endpoint === '_find' ? findOf(subject.record) : undefined;
  return subject.kind === 'call' && subject.record.method === 'find' ? findOfCall(subject) : undefined;
}

/** @param {string | undefined} label @returns {string} */
function nameOf(label) {
  return label === undefined ? 'no index' : `\`${label}\``;
}
