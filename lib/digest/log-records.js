// Makes the records that facts are about from a digest: one for each fingerprint of query, one for each index that was built,
// one for the logs as a whole. Figures only; judges nothing.

import { nameOf } from '../shared/query-name.js';
import { SourceFile } from '../shared/source-file.js';
import { COARSENESS } from './digest.js';
import { describeBuilds, describeGroup, instant } from './figures.js';
import { bucketRange } from './histogram.js';

/** @import { BuildRecord, LogRecord, RequestRecord, RequestSpread } from '../sources/record.js' */
/** @import { Digest } from './digest.js' */
/** @import { IndexBuilds } from './evidence.js' */
/** @import { MinuteCounts } from './minute-counts.js' */
/** @import { FingerprintGroup } from './fingerprint-group.js' */

/** What counts as busy is seen over so many minutes: one burst does not make it. */
const BUSY_MINUTES = 10;

/**
 * @param {Digest} digest that is finished
 * @param {string[]} paths of its logs, in the order of their lines
 * @returns {(RequestRecord | BuildRecord | LogRecord)[]} fingerprints in an order that depends on nothing but what they are
 */
export function logRecords(digest, paths) {
  const { lines, first, last, coarseness } = digest;
  const groups = [...digest.groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
  const totalMicros = groups.reduce((sum, group) => sum + group.latencyMicros.sum, 0);
  /** @type {Map<string, SourceFile>} */
  const files = new Map();
  const fileOf = (/** @type {string | undefined} */ path = paths[0] ?? 'log') => {
    const file = files.get(path) ?? new SourceFile(path, '');
    files.set(path, file);
    return file;
  };
  /** @type {LogRecord} */
  const log = {
    kind: 'log',
    file: fileOf(),
    from: instant(first),
    to: instant(last),
    minutes: last >= first ? (last - first) / 60_000 : 0,
    requests: lines.requests,
    hasTimes: totalMicros > 0,
    alsoInHar: digest.problems.get('also-in-har')?.count ?? 0,
    databases: new Map(
      digest.patterns.all().map(({ pattern, distinct }) => [digest.patterns.shownName(pattern), distinct.count()]),
    ),
    hasNames: coarseness < COARSENESS.NO_NAMES,
    queryServerFailures: [...digest.queryServers]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, { count, examples }]) => ({ kind, count, examples: placesOf(examples) })),
    serverReports: digest.reports
      .all()
      .map(({ kind, database, designDoc, detail, most, count, first: since, last: until, examples }) => ({
        ...{ kind, designDoc, detail, most, count, from: instant(since), to: instant(until) },
        database: database === '' ? '' : digest.patterns.shownName(database),
        examples: placesOf(examples),
      })),
  };
  const whole = { totalMicros, requests: lines.requests, minutes: Math.max(1, log.minutes) };
  return [
    log,
    ...groups.map((group) => requestRecord(group, digest.databaseName(group.database), { whole, log, fileOf })),
    ...[...digest.builds]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, builds]) => buildRecord(builds, digest.databaseName(builds.database), log)),
  ];
}

/**
 * @param {FingerprintGroup} group
 * @param {string | null} database
 * @param {{whole: import('./figures.js').Whole, log: LogRecord, fileOf: (path: string | undefined) => SourceFile}} about
 * @returns {RequestRecord}
 */
function requestRecord(group, database, { whole, log, fileOf }) {
  const figures = describeGroup(group, database, whole);
  const examples = placesOf(group.examples);
  return {
    kind: 'request',
    file: fileOf(examples[0]?.file),
    name: nameOf(figures),
    method: group.method,
    database,
    endpoint: group.fingerprint.endpoint,
    designDoc: group.fingerprint.designDoc,
    view: group.fingerprint.view,
    parameters: group.fingerprint.parameters,
    isReplication: group.isReplication,
    count: group.count,
    statuses: new Map(group.statuses.entries()),
    latencyMs: figures.latencyMs,
    ratePerMinute: {
      mean: figures.ratePerMinute.mean,
      peak: figures.ratePerMinute.peak,
      busy: busyRate(group.minutes, whole.minutes) ?? figures.ratePerMinute.mean,
    },
    share: figures.share,
    rows: figures.rows && {
      isMeasured: figures.rows.basis === 'measured',
      p50: figures.rows.p50,
      p95: figures.rows.p95,
    },
    limit: figures.limit,
    limitCount: group.limits?.count ?? 0,
    skip: figures.skip,
    bytesMean: group.sized > 0 ? Math.round(group.responseBytes / group.sized) : undefined,
    distinctKeys: figures.distinctKeys?.count,
    find: group.find && {
      reports: group.find.reports,
      docsExamined: group.find.docsExamined + group.find.quorumDocsExamined,
      results: group.find.results,
    },
    examples,
    spread: () => spreadOf(group),
    log,
  };
}

/**
 * @param {IndexBuilds} builds
 * @param {string | null} database
 * @param {LogRecord} log
 * @returns {BuildRecord}
 */
function buildRecord(builds, database, log) {
  const figures = describeBuilds(builds, database);
  return {
    kind: 'build',
    file: log.file,
    name: `${database ?? ''} ${builds.designDoc}`.trim(),
    database,
    designDoc: builds.designDoc,
    buildMs: figures.buildMs,
    longestFrom: figures.longest[0]?.from ?? null,
    log,
  };
}

/**
 * @param {MinuteCounts} counts
 * @param {number} logMinutes
 * @returns {number | undefined} requests a minute in the busiest ten minutes; undefined where no line has the time
 */
function busyRate(counts, logMinutes) {
  const entries = counts.steps.entries().sort(([a], [b]) => a - b);
  if (entries.length === 0) return undefined;
  const steps = Math.max(1, Math.ceil(BUSY_MINUTES / counts.width));
  let most = 0;
  let sum = 0;
  let from = 0;
  for (const [step, count] of entries) {
    sum += count;
    while ((entries[from]?.[0] ?? step) <= step - steps) {
      sum -= entries[from]?.[1] ?? 0;
      from += 1;
    }
    if (sum > most) most = sum;
  }
  return most / Math.min(steps * counts.width, Math.max(1, logMinutes));
}

/**
 * @param {{file: string, line: number}[]} examples
 * @returns {{file: string, line: number}[]} nothing of what was requested
 */
function placesOf(examples) {
  return examples.map(({ file, line }) => ({ file, line }));
}

/** Where classes of latency end, in milliseconds. Three to a power of ten are as many as a small chart can show; the last one is longer
 *  than any time-out. */
const LATENCY_ENDS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000].flatMap((power) => [
  power,
  2 * power,
  5 * power,
]);

const MICROS_PER_MS = 1000;

/**
 * @param {FingerprintGroup} group
 * @returns {RequestSpread} spreads of equal steps add up class by class
 */
export function spreadOf({ minutes, latencyMicros }) {
  const latency = LATENCY_ENDS.map((belowMs, at) => ({ fromMs: LATENCY_ENDS[at - 1] ?? 0, belowMs, count: 0 }));
  let at = 0;
  for (const [bucket, count] of latencyMicros.buckets.entries()) {
    // Most logs have whole milliseconds: a class begins with such a number, which may be any in its bucket.
    const { low, width } = bucketRange(bucket);
    const milliseconds = (low + width - 1) / MICROS_PER_MS;
    while (at < latency.length - 1 && milliseconds >= (LATENCY_ENDS[at] ?? 0)) at += 1;
    const own = latency[at];
    if (own) own.count += count;
  }
  return {
    stepMinutes: minutes.width,
    steps: minutes.steps.entries(),
    latency: latencyMicros.count > 0 ? latency : [],
  };
}
