// Collects what the logs of a run show about the subject of a finding: the query patterns that use it, when they were
// sent and how long they took. Adds up; judges nothing.

import { requestsAbout } from '../request/cost.js';

/** @import { LatencyFigures, LogLinePlace, RequestRecord } from '../../sources/record.js' */
/** @import { RunSubject, Subject } from '../fact.js' */

/**
 * @typedef {object} LoggedShape
 * @property {string} name
 * @property {number} requests
 * @property {number} share of the time of all requests; of their number where the logs have no times
 * @property {{mean: number, peak: number}} ratePerMinute
 * @property {LatencyFigures | undefined} latencyMs
 * @property {LogLinePlace[]} examples
 */

/**
 * @typedef {object} LogEvidence
 * @property {LoggedShape[]} shapes the costliest first
 * @property {number} moreShapes how many are left out
 * @property {{from: number, stepMinutes: number, counts: number[]} | undefined} rate requests in each step of the time of the logs, also
 *   where there are none; `from`: milliseconds since 1970; undefined where the lines have no time
 * @property {{fromMs: number, belowMs: number, count: number}[]} latency classes of time without gaps, ascending; none where the logs
 *   have no times
 */

/** More shapes than these are no longer looked at by people. */
const MAX_SHAPES = 5;

/** So many steps can be distinguished in a small chart. */
const MAX_STEPS = 120;

const MS_PER_MINUTE = 60_000;

/**
 * @param {RunSubject} run
 * @returns {(subject: Subject) => LogEvidence | undefined} undefined for what no request of the logs uses
 */
export function logEvidence(run) {
  const requestsOf = requestsAbout(run);
  /** Several findings are about one thing. @type {Map<Subject, LogEvidence | undefined>} */
  const known = new Map();
  return (subject) => {
    if (!known.has(subject)) known.set(subject, gather(requestsOf(subject)));
    return known.get(subject);
  };
}

/**
 * @param {RequestRecord[]} records
 * @returns {LogEvidence | undefined}
 */
function gather(records) {
  if (records.length === 0) return undefined;
  const ranked = [...records].sort((one, other) => other.share - one.share || other.count - one.count);
  const spreads = records.map((record) => record.spread());
  return {
    shapes: ranked.slice(0, MAX_SHAPES).map(({ name, count, share, ratePerMinute, latencyMs, examples }) => {
      const { mean, peak } = ratePerMinute;
      return { name, requests: count, share, ratePerMinute: { mean, peak }, latencyMs, examples };
    }),
    moreShapes: Math.max(0, records.length - MAX_SHAPES),
    rate: addRates(records, spreads),
    latency: addLatencies(spreads),
  };
}

/** @typedef {ReturnType<RequestRecord['spread']>} Spread */

/**
 * @param {RequestRecord[]} records at least one
 * @param {Spread[]} spreads of the same
 * @returns {LogEvidence['rate']}
 */
function addRates(records, spreads) {
  const { from, to } = /** @type {RequestRecord} */ (records[0]).log;
  if (from === null || to === null) return undefined;
  const [first, last] = [from, to].map((time) => Math.floor(Date.parse(time) / MS_PER_MINUTE));
  if (first === undefined || last === undefined) return undefined;
  let width = Math.max(...spreads.map(({ stepMinutes }) => stepMinutes));
  while ((last - first) / width >= MAX_STEPS) width *= 2;
  const start = Math.floor(first / width);
  /** @type {number[]} */
  const counts = new Array(Math.floor(last / width) - start + 1).fill(0);
  for (const { stepMinutes, steps } of spreads) {
    for (const [step, count] of steps) {
      // Lines out of order may lie a little outside.
      const at = Math.min(counts.length - 1, Math.max(0, Math.floor((step * stepMinutes) / width) - start));
      counts[at] = (counts[at] ?? 0) + count;
    }
  }
  return { from: start * width * MS_PER_MINUTE, stepMinutes: width, counts };
}

/**
 * @param {Spread[]} spreads
 * @returns {LogEvidence['latency']} from the first class with requests to the last
 */
function addLatencies(spreads) {
  const measured = spreads.filter(({ latency }) => latency.length > 0);
  const [first] = measured;
  if (!first) return [];
  const sums = first.latency.map(({ fromMs, belowMs }, at) => ({
    fromMs,
    belowMs,
    count: measured.reduce((sum, { latency }) => sum + (latency[at]?.count ?? 0), 0),
  }));
  const used = sums.map(({ count }) => count > 0);
  return sums.slice(Math.max(0, used.indexOf(true)), used.lastIndexOf(true) + 1);
}
