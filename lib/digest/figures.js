// Computes the figures that people read from the counts of a group of requests. Times in milliseconds, sizes in bytes,
// shares 0 to 1.

import { MS_IN_MICROS } from './histogram.js';

/** @import { IndexBuilds } from './evidence.js' */
/** @import { Histogram } from './histogram.js' */
/** @import { FingerprintGroup } from './fingerprint-group.js' */

/**
 * @typedef {object} Whole What shares and rates refer to.
 * @property {number} totalMicros of all requests
 * @property {number} requests
 * @property {number} minutes that the log covers, at least one
 */

const SHARES = [0.5, 0.95, 0.99];

/**
 * @param {FingerprintGroup} group
 * @param {string | null} database as it is shown
 * @param {Whole} whole
 */
export function describeGroup(group, database, { totalMicros, requests, minutes }) {
  const { method, fingerprint, count, latencyMicros, statuses } = group;
  const share = totalMicros > 0 ? latencyMicros.sum / totalMicros : count / Math.max(1, requests);
  return {
    method,
    database,
    endpoint: fingerprint.endpoint,
    ...(fingerprint.designDoc ? { designDoc: fingerprint.designDoc } : {}),
    ...(fingerprint.view ? { view: fingerprint.view } : {}),
    ...(fingerprint.functionName ? { function: fingerprint.functionName } : {}),
    parameters: fingerprint.parameters,
    ...(group.isReplication ? { replication: true } : {}),
    count,
    statuses: Object.fromEntries(statuses.entries().map(([status, times]) => [String(status), times])),
    ...(group.sized > 0 ? { bytes: group.responseBytes } : {}),
    ...(latencyMicros.count > 0 ? { latencyMs: describeLatency(latencyMicros) } : {}),
    ratePerMinute: {
      mean: round(count / minutes),
      peak: round(group.minutes.steps.size > 0 ? group.minutes.peak() : count / minutes),
      peakMinutes: group.minutes.width,
    },
    share: round(share),
    ...describeRows(group),
    ...(group.limits ? { limit: describeNumbers(group.limits) } : {}),
    ...(group.skips ? { skip: describeNumbers(group.skips) } : {}),
    ...(group.keys.isEmpty ? {} : { distinctKeys: { count: group.keys.count(), exact: group.keys.isExact } }),
    ...(group.find ? { find: { ...group.find } } : {}),
    first: instant(group.first),
    last: instant(group.last),
    examples: group.examples,
  };
}

/**
 * @param {IndexBuilds} builds
 * @param {string | null} database as it is shown
 */
export function describeBuilds({ designDoc, starts, micros, first, last, longest }, database) {
  return {
    database,
    designDoc,
    starts,
    builds: micros.count,
    ...(micros.count > 0 ? { buildMs: describeLatency(micros) } : {}),
    first: instant(first),
    last: instant(last),
    longest: longest.map(({ from, ms }) => ({ from: instant(from), ms })),
  };
}

/**
 * @param {number} time milliseconds since 1970, infinite where there is none
 * @returns {string | null}
 */
export function instant(time) {
  return Number.isFinite(time) ? new Date(time).toISOString() : null;
}

/** @param {Histogram} micros with one time at least */
export function describeLatency(micros) {
  const [p50 = 0, p95 = 0, p99 = 0] = micros.quantiles(SHARES, MS_IN_MICROS).map((value) => round(value / 1000));
  return {
    p50,
    p95,
    p99,
    max: round(micros.max / 1000),
    mean: round(micros.sum / micros.count / 1000),
    total: round(micros.sum / 1000),
  };
}

/** @param {FingerprintGroup} group */
function describeRows({ rowsMeasured, rowsAtMost }) {
  const rows = rowsMeasured ?? rowsAtMost;
  if (!rows) return {};
  return {
    rows: {
      basis: rowsMeasured ? 'measured' : 'at-most',
      answers: rows.count,
      ...describeNumbers(rows),
      total: rows.sum,
    },
  };
}

/** @param {Histogram} histogram */
function describeNumbers(histogram) {
  const [p50 = 0, p95 = 0] = histogram.quantiles([0.5, 0.95]).map(Math.round);
  return { p50, p95, max: histogram.max };
}

/**
 * @param {number} value
 * @returns {number} with six digits that count, so that it reads well and no rounding of machines shows
 */
function round(value) {
  return value === 0 ? 0 : Number(value.toPrecision(value >= 1e6 ? 12 : 6));
}
