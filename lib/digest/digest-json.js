// Writes a digest as plain JSON values (share/schemas/digest.schema.json): figures for people first, and in `counters` all
// that is needed to merge. `read-digest.js` reads them back.

import { threeDigits } from '../shared/units.js';
import { describeBuilds, describeGroup, instant } from './figures.js';
import { keyOfGroup } from './fingerprint-group.js';
import { compareParts } from './parts.js';

/** @import { Digest } from './digest.js' */
/** @import { DistinctCount } from './distinct-count.js' */
/** @import { Tally } from './evidence.js' */
/** @import { Histogram } from './histogram.js' */
/** @import { MinuteCounts } from './minute-counts.js' */
/** @import { FingerprintGroup } from './fingerprint-group.js' */
/** @import { TimeSteps, WholeStep } from './time-steps.js' */

const MS_OF_MINUTE = 60_000;
/** Quantiles of each step of time. */
const STEP_SHARES = [0.5, 0.95];

/**
 * @param {Digest} digest
 * @returns {Record<string, unknown>} version 1 of the fingerprint: keys may be added to it, and none is renamed or removed
 */
export function digestToJson(digest) {
  const { lines, coarseness, fold, first, last } = digest;
  const groups = [...digest.groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
  const totalMicros = groups.reduce((sum, group) => sum + group.latencyMicros.sum, 0);
  const whole = { totalMicros, requests: lines.requests, minutes: spanMinutes(first, last) };
  const shapes = groups.map((group) => ({
    ...describeGroup(group, digest.databaseName(group.database), whole),
    counters: groupCounters(group),
  }));
  // The costliest first; where the log has no times, the most frequent.
  const cost = (/** @type {FingerprintGroup} */ group) => (totalMicros > 0 ? group.latencyMicros.sum : group.count);
  const order = groups.map((_, at) => at);
  order.sort((a, b) => {
    const [one, other] = [/** @type {FingerprintGroup} */ (groups[a]), /** @type {FingerprintGroup} */ (groups[b])];
    return cost(other) - cost(one) || other.count - one.count || a - b;
  });
  return {
    version: 1,
    from: instant(first),
    to: instant(last),
    lines: { ...lines },
    shareOf: totalMicros > 0 ? 'time' : 'requests',
    folded: fold,
    coarseness,
    shapes: order.map((at) => shapes[at]),
    databases: digest.patterns.all().map((entry) => ({
      pattern: entry.pattern,
      ...(entry.name === null ? {} : { name: entry.name }),
      count: entry.distinct.count(),
      exact: entry.distinct.isExact,
      counters: distinctState(entry.distinct),
    })),
    indexBuilds: sortedValues(digest.builds).map((builds) => ({
      ...describeBuilds(builds, digest.databaseName(builds.database)),
      counters: {
        pattern: builds.database,
        micros: histogramState(builds.micros),
        minutes: minutesState(builds.minutes),
      },
    })),
    queryServers: tallyList(digest.queryServers),
    ...(digest.reports.size > 0 ? { serverReports: reportList(digest) } : {}),
    problems: tallyList(digest.problems),
    ...(digest.steps.steps.size > 0 ? { overTime: stepsOf(digest.steps) } : {}),
    ...(digest.parts.length > 0 ? { parts: digest.parts.toSorted(compareParts) } : {}),
    waiting: {
      reports: [...digest.findJoins.waiting].map(([nonce, { time, half }]) => ({ nonce, time, ...half })).sort(byNonce),
      finds: [...digest.findJoins.early]
        .map(([nonce, { time, half }]) => ({ nonce, time, group: keyOfGroup(half) }))
        .sort(byNonce),
      starts: [...digest.buildJoins.waiting].map(([name, { time }]) => ({ name, time })).sort(byName),
      ends: [...digest.buildJoins.early].map(([name, { time }]) => ({ name, time })).sort(byName),
    },
  };
}

/**
 * @param {number} first
 * @param {number} last
 * @returns {number} at least one
 */
function spanMinutes(first, last) {
  return last >= first ? Math.max(1, (last - first) / 60_000) : 1;
}

/** @param {FingerprintGroup} group */
function groupCounters(group) {
  const { latencyMicros, rowsMeasured, rowsAtMost, limits, skips, minutes, steps, keys, sized, database } = group;
  return {
    pattern: database,
    byReplicator: group.fingerprint.byReplicator,
    sized,
    minutes: minutesState(minutes),
    steps: {
      width: steps.width,
      steps: steps
        .entries()
        .flatMap(([at, { requests, failed, timed, buckets }]) => [at, requests, failed, timed, buckets]),
    },
    latencyMicros: histogramState(latencyMicros),
    rowsMeasured: histogramState(rowsMeasured),
    rowsAtMost: histogramState(rowsAtMost),
    limits: histogramState(limits),
    skips: histogramState(skips),
    keys: distinctState(keys),
  };
}

/** @param {TimeSteps<WholeStep>} steps */
function stepsOf(steps) {
  return {
    minutes: steps.width,
    steps: steps.entries().map(([at, step]) => {
      const times = step.quantiles(STEP_SHARES);
      const [p50 = 0, p95 = 0] = times?.map((micros) => threeDigits(micros / 1000)) ?? [];
      return {
        from: instant(at * steps.width * MS_OF_MINUTE),
        requests: step.requests,
        failed: step.failed,
        ...(times ? { latencyMs: { p50, p95 }, counters: { times: step.pairs().flat() } } : {}),
      };
    }),
  };
}

/** @param {MinuteCounts} minutes */
function minutesState({ width, steps }) {
  return { width, steps: steps.entries().flat() };
}

/** @param {Histogram | undefined} histogram */
function histogramState(histogram) {
  if (!histogram || histogram.count === 0) return undefined;
  const { sum, min, max, buckets } = histogram;
  return { sum, min, max, buckets: buckets.entries().flat() };
}

/** @param {DistinctCount} distinct */
function distinctState(distinct) {
  if (distinct.isEmpty) return undefined;
  if (distinct.registers) return { registers: Buffer.from(distinct.registers).toString('base64') };
  return { hashes: distinct.hashes().flat() };
}

/** @param {Map<string, Tally>} tallies */
function tallyList(tallies) {
  return [...tallies]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, { count, first, last, minutes, examples }]) => ({
      kind,
      count,
      ...(last >= first ? { first: instant(first), last: instant(last) } : {}),
      examples,
      ...(minutes.steps.size > 0 ? { counters: { minutes: minutesState(minutes) } } : {}),
    }));
}

/** @param {Digest} digest */
function reportList(digest) {
  return digest.reports.all().map((tally) => {
    const { kind, database: pattern, designDoc, detail, most } = tally;
    const [shown] = tallyList(new Map([[kind, tally]]));
    return {
      ...shown,
      ...(pattern === '' ? {} : { database: digest.databaseName(pattern), pattern }),
      ...(designDoc === '' ? {} : { designDoc }),
      ...(detail === '' ? {} : { detail }),
      ...(most > 0 ? { most } : {}),
    };
  });
}

/**
 * @template T
 * @param {Map<string, T>} map
 * @returns {T[]} in the order of the keys
 */
function sortedValues(map) {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}

/** @param {{nonce: string}} a @param {{nonce: string}} b @returns {number} */
function byNonce(a, b) {
  return a.nonce < b.nonce ? -1 : 1;
}

/** @param {{name: string}} a @param {{name: string}} b @returns {number} */
function byName(a, b) {
  return a.name < b.name ? -1 : 1;
}
