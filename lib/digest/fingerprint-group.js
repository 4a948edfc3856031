// Counts one fingerprint of query. Everything in it adds: two groups of one fingerprint merge to what one pass over both logs
// gives.

import { CounterTable } from './counter-table.js';
import { DistinctCount } from './distinct-count.js';
import { Histogram } from './histogram.js';
import { MinuteCounts } from './minute-counts.js';
import { FingerprintStep, MIN_LATENCY_BUCKET, TimeSteps } from './time-steps.js';

/** @import { QueryFingerprint } from './query-fingerprint.js' */

/** So many lines of each fingerprint are named. */
export const MAX_EXAMPLES = 3;

/**
 * @typedef {object} Example A line of a log.
 * @property {string} file
 * @property {number} line from 1; in a HAR file the number of the request
 * @property {string[]} [parameters] with the form of their values
 * @property {string} [target] with values: these three only where they were requested
 * @property {string} [user]
 * @property {string} [peer]
 */

/** @typedef {Example & {part?: number}} PlacedExample with `part`, `line` counts from the start of that part of the file */

/** What mango-stats reports of `_find` add up to (mango_execution_stats.erl, 3.5.0). */
export class FindStats {
  reports = 0;
  docsExamined = 0;
  keysExamined = 0;
  quorumDocsExamined = 0;
  results = 0;
  executionMicros = 0;

  /** @param {FindStats} other added to this */
  merge(other) {
    this.reports += other.reports;
    this.docsExamined += other.docsExamined;
    this.keysExamined += other.keysExamined;
    this.quorumDocsExamined += other.quorumDocsExamined;
    this.results += other.results;
    this.executionMicros += other.executionMicros;
  }
}

export class FingerprintGroup {
  count = 0;
  /** With status 400 and above. */
  failed = 0;
  /** Of the lines that are being added; -1 where they have no time. */
  minute = -1;
  /** How much of the counts is in `minutes` and `steps`. */
  #noted = { count: 0, failed: 0, timed: 0, buckets: 0 };
  #minutes = new MinuteCounts();
  /** @type {TimeSteps<FingerprintStep>} */
  #steps = new TimeSteps(() => new FingerprintStep());
  /** Sum of the buckets of all times, as in `FingerprintStep`. */
  #buckets = 0;
  /** Moments in milliseconds since 1970; infinite where no line has one. */
  first = Number.POSITIVE_INFINITY;
  last = Number.NEGATIVE_INFINITY;
  #statuses = new CounterTable();
  /** The status of the last requests, and how many of them are not in the table: mostly it is that of the request before. */
  #status = -1;
  #alike = 0;
  latencyMicros = new Histogram();
  responseBytes = 0;
  /** How many lines have the size of the answer. */
  sized = 0;
  keys = new DistinctCount();
  /** Rows that were counted, in bodies or by mango-stats. @type {Histogram | undefined} */
  rowsMeasured;
  /** The most rows that an answer can have had: by `limit`, `keys`, one document, bytes. @type {Histogram | undefined} */
  rowsAtMost;
  /** @type {Histogram | undefined} */
  limits;
  /** @type {Histogram | undefined} */
  skips;
  /** @type {FindStats | undefined} */
  find;
  /** In the order of files and lines. @type {PlacedExample[]} */
  examples = [];

  /**
   * @param {string} method
   * @param {string | null} database name or pattern; null for the server itself
   * @param {QueryFingerprint} fingerprint
   * @param {boolean} isReplication whether a replicator sent it
   */
  constructor(method, database, fingerprint, isReplication) {
    this.method = method;
    this.database = database;
    this.fingerprint = fingerprint;
    this.isReplication = isReplication;
  }

  /** Requests by status. */
  get statuses() {
    if (this.#alike > 0) this.#statuses.add(this.#status, this.#alike);
    this.#alike = 0;
    return this.#statuses;
  }

  /** @param {number} status of one more request, which is counted */
  addStatus(status) {
    if (status !== this.#status) {
      if (this.#alike > 0) this.#statuses.add(this.#status, this.#alike);
      this.#status = status;
      this.#alike = 0;
    }
    this.#alike += 1;
    this.count += 1;
    if (status >= 400) this.failed += 1;
  }

  /** Requests by minute. */
  get minutes() {
    this.beginMinute(-1);
    return this.#minutes;
  }

  set minutes(minutes) {
    this.#minutes = minutes;
  }

  /** What the requests had by wider steps of time. */
  get steps() {
    this.beginMinute(-1);
    return this.#steps;
  }

  /** @param {number} time of a request, in milliseconds since 1970 */
  see(time) {
    if (time < this.first) this.first = time;
    if (time > this.last) this.last = time;
  }

  /**
   * Notes what the lines since the last call were, which all were of one minute: that is seldom, and costs less than to note each line.
   * @param {number} minute of the next lines, since 1970; -1 where they have no time
   */
  beginMinute(minute) {
    const noted = this.#noted;
    const now = { count: this.count, failed: this.failed, timed: this.latencyMicros.count, buckets: this.#buckets };
    if (this.minute >= 0 && now.count > noted.count) {
      this.#minutes.add(this.minute, now.count - noted.count);
      const step = this.#steps.at(this.minute);
      step.requests += now.count - noted.count;
      step.failed += now.failed - noted.failed;
      step.timed += now.timed - noted.timed;
      step.buckets += now.buckets - noted.buckets;
    }
    this.#noted = now;
    this.minute = minute;
  }

  /**
   * @param {number} micros how long a request took
   * @returns {number} its bucket
   */
  addLatency(micros) {
    const bucket = this.latencyMicros.add(micros);
    this.#buckets += bucket < MIN_LATENCY_BUCKET ? MIN_LATENCY_BUCKET : bucket;
    return bucket;
  }

  /** @param {number} limit as a request gave it */
  addLimit(limit) {
    this.limits ??= new Histogram();
    this.limits.add(limit);
  }

  /** @param {number} skip as a request gave it */
  addSkip(skip) {
    this.skips ??= new Histogram();
    this.skips.add(skip);
  }

  /** @param {number} rows that an answer had */
  addRowsMeasured(rows) {
    this.rowsMeasured ??= new Histogram();
    this.rowsMeasured.add(rows);
  }

  /** @param {number} rows that an answer had at most */
  addRowsAtMost(rows) {
    this.rowsAtMost ??= new Histogram();
    this.rowsAtMost.add(rows);
  }

  /** @param {FingerprintGroup} other added to this; its fingerprint is not looked at */
  merge(other) {
    this.minutes.merge(other.minutes);
    this.steps.merge(other.steps);
    this.count += other.count;
    this.failed += other.failed;
    this.first = Math.min(this.first, other.first);
    this.last = Math.max(this.last, other.last);
    this.statuses.merge(other.statuses);
    this.latencyMicros.merge(other.latencyMicros);
    this.responseBytes += other.responseBytes;
    this.sized += other.sized;
    this.keys.merge(other.keys);
    this.rowsMeasured = mergeHistograms(this.rowsMeasured, other.rowsMeasured);
    this.rowsAtMost = mergeHistograms(this.rowsAtMost, other.rowsAtMost);
    this.limits = mergeHistograms(this.limits, other.limits);
    this.skips = mergeHistograms(this.skips, other.skips);
    if (other.find) {
      this.find ??= new FindStats();
      this.find.merge(other.find);
    }
    this.examples = mergeExamples(this.examples, other.examples);
    // What was added is noted already.
    this.minute = -1;
    this.beginMinute(-1);
  }
}

/**
 * @param {Histogram | undefined} first
 * @param {Histogram | undefined} second
 * @returns {Histogram | undefined}
 */
function mergeHistograms(first, second) {
  if (!second) return first;
  const merged = first ?? new Histogram();
  merged.merge(second);
  return merged;
}

/**
 * @param {PlacedExample[]} first
 * @param {PlacedExample[]} second
 * @returns {PlacedExample[]} the first ones of both, each line once
 */
export function mergeExamples(first, second) {
  const all = [...first, ...second].sort(compareExamples);
  return all.filter((example, at) => at === 0 || compareExamples(example, all[at - 1]) !== 0).slice(0, MAX_EXAMPLES);
}

/**
 * @param {Pick<PlacedExample, 'file' | 'part' | 'line'>} first
 * @param {Pick<PlacedExample, 'file' | 'part' | 'line'> | undefined} second
 * @returns {number} below 0 where the first one comes first by name of the file, part and line; so it does where there is no second
 */
export function compareExamples(first, second) {
  if (!second) return -1;
  if (first.file !== second.file) return first.file < second.file ? -1 : 1;
  return (first.part ?? 0) - (second.part ?? 0) || first.line - second.line;
}

/**
 * @param {string} method
 * @param {string | null} database
 * @param {QueryFingerprint} fingerprint
 * @param {boolean} isReplication
 * @returns {string} the same for groups that are one
 */
export function groupKey(method, database, { endpoint, designDoc, view, functionName, parameters }, isReplication) {
  return JSON.stringify([method, database, endpoint, designDoc, view, functionName, parameters, isReplication ? 1 : 0]);
}

/**
 * @param {FingerprintGroup} group
 * @returns {string}
 */
export function keyOfGroup({ method, database, fingerprint, isReplication }) {
  return groupKey(method, database, fingerprint, isReplication);
}
