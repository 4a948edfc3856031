// Merges two digests into what one pass over both logs would have given.

import { UserError } from '../shared/user-error.js';
import { addFindStats, Tally } from './evidence.js';

/** @import { Digest } from './digest.js' */
/** @import { IndexBuilds } from './evidence.js' */
/** @import { FingerprintGroup } from './fingerprint-group.js' */

/**
 * @param {Digest} into changed: the other one is added to it
 * @param {Digest} other not to be used afterwards
 * @throws {UserError} of code `unlike-digests` where one folds databases and the other does not
 */
export function mergeDigest(into, other) {
  if (into.fold !== other.fold) {
    throw new UserError(
      'unlike-digests',
      'cannot merge: some of the digests were created with --no-fold, others without',
      {
        hint: 'create all of them with --no-fold, or none',
      },
    );
  }
  into.coarsen(other.coarseness);
  for (const name of /** @type {const} */ (['read', 'requests', 'other', 'malformed']))
    into.lines[name] += other.lines[name];
  into.first = Math.min(into.first, other.first);
  into.last = Math.max(into.last, other.last);
  into.parts.push(...other.parts);
  into.steps.merge(other.steps);
  for (const entry of other.patterns.all()) into.patterns.merge(entry, into.patternOf(entry.pattern));
  /** @type {Map<FingerprintGroup, FingerprintGroup>} */
  const moved = new Map();
  for (const group of other.groups.values()) moved.set(group, into.mergeGroup(group));
  /** @type {Map<IndexBuilds, IndexBuilds>} */
  const movedBuilds = new Map();
  for (const builds of other.builds.values()) movedBuilds.set(builds, into.mergeBuilds(builds));
  mergeTallies(into.queryServers, other.queryServers);
  mergeTallies(into.problems, other.problems);
  for (const tally of other.reports.all()) into.reports.merge(tally, (report) => into.coarseReport(report));

  for (const [nonce, { time, half }] of other.findJoins.early) {
    const group = moved.get(half) ?? half;
    const report = into.findJoins.mergeSecond(nonce, { time, half: group });
    if (report) addFindStats(group, report.half);
  }
  for (const [nonce, report] of other.findJoins.waiting) {
    const found = into.findJoins.mergeFirst(nonce, report);
    if (found) addFindStats(found.half, report.half);
  }
  for (const [name, { time, half }] of other.buildJoins.early) {
    const builds = movedBuilds.get(half) ?? half;
    const start = into.buildJoins.mergeSecond(name, { time, half: builds });
    if (start) builds.addBetween(start.time, time);
  }
  for (const [name, { time, half }] of other.buildJoins.waiting) {
    const builds = movedBuilds.get(half) ?? half;
    const end = into.buildJoins.mergeFirst(name, { time, half: builds });
    if (end) builds.addBetween(time, end.time);
  }
  into.keepSmall();
}

/**
 * @param {Map<string, Tally>} into
 * @param {Map<string, Tally>} other
 */
function mergeTallies(into, other) {
  for (const [kind, tally] of other) {
    const target = into.get(kind) ?? new Tally();
    target.merge(tally);
    into.set(kind, target);
  }
}
