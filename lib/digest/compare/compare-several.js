// Compares more than two digests: each query with the digests that have it and its time in each, and what changed from the first to the last one.

import { instant } from '../figures.js';
import { makeAlike } from './align.js';
import { compareDigests, round } from './compare-digests.js';
import { describeQuery } from './items.js';
import { sampleTimes } from './times.js';

/** @import { FingerprintGroup } from '../fingerprint-group.js' */
/** @import { Compared } from './align.js' */

/**
 * @param {Compared[]} digests at least two, in the order of time; changed: they become equally coarse
 * @returns {Record<string, unknown>} as share/schemas/digest-compare.schema.json says, with `digests` and `queries`
 * @throws {import('../../shared/user-error.js').UserError} where one holds no requests
 */
export function compareSeveral(digests) {
  const notes = makeAlike(digests);
  const keys = [...new Set(digests.flatMap(({ digest }) => [...digest.groups.keys()]))].sort();
  // The comparison of two changes digests, so these are described before.
  const queries = keys.map((key) => describe(digests, key)).sort((a, b) => b.totalMs - a.totalMs || b.count - a.count);
  const [first, last] = /** @type {[Compared, Compared]} */ ([digests[0], digests.at(-1)]);
  const comparison = compareDigests(first, last);
  return {
    ...comparison,
    notes: [...new Set([...notes, .../** @type {string[]} */ (comparison['notes'])])],
    digests: digests.map(({ name, digest }) => ({
      name,
      from: instant(digest.first),
      to: instant(digest.last),
      requests: digest.lines.requests,
      shapes: digest.groups.size,
    })),
    queries,
  };
}

/**
 * @param {Compared[]} digests
 * @param {string} key of the groups
 */
function describe(digests, key) {
  const groups = digests.map(({ digest }) => digest.groups.get(key));
  const sum = (/** @type {(group: FingerprintGroup) => number} */ take) =>
    groups.reduce((total, group) => total + (group ? take(group) : 0), 0);
  const names = new Set(
    digests.flatMap(({ digest }, at) => (groups[at] ? [digest.databaseName(groups[at].database)] : [])),
  );
  const [known] = groups.filter((group) => group !== undefined);
  const group = /** @type {FingerprintGroup} */ (known);
  const [database = null] = names.size === 1 ? names : [group.database];
  return {
    ...describeQuery(group, database),
    found: groups.filter((one) => one !== undefined).length,
    count: sum(({ count }) => count),
    totalMs: sum(({ latencyMicros }) => latencyMicros.sum / 1000),
    counts: groups.map((one) => one?.count ?? 0),
    typicalMs: groups.map((one) =>
      one && one.latencyMicros.count > 0 ? round(Math.exp(sampleTimes(one.latencyMicros).mean) / 1000) : null,
    ),
  };
}
