// Words what a comparison of two digests says, the same in every format: each change as a sentence, what is unknown, how sure it is.

import { formatCount, formatMilliseconds, formatShare } from '../shared/units.js';
import { shareOf, short, timeOf } from './digest-figures.js';
import { countOf } from './report.js';

/** @import { NamedQuery } from '../shared/query-name.js' */

/**
 * @typedef {object} ReportedChange
 * @property {'rate' | 'share' | 'time' | 'errors'} what
 * @property {'more' | 'less' | 'appeared' | 'vanished' | 'slower' | 'faster'} direction
 * @property {number} [status]
 * @property {number} old
 * @property {number} new
 * @property {number | null} ratio
 * @property {number} low
 * @property {number | null} high
 */

/** @typedef {{p50: number, p95: number, total: number, max: number}} ReportedTimes */
/** @typedef {{count: number, ratePerMinute: number, statuses: Record<string, number>, latencyMs?: ReportedTimes}} ReportedFigures */
/** @typedef {{old: number, new: number, change: number}} PerDay */
/** @typedef {{changes: ReportedChange[], dayMs?: PerDay, dayRequests?: PerDay}} Changed */
/** @typedef {NamedQuery & Changed & {old: ReportedFigures | null, new: ReportedFigures | null}} ChangedShape */
/** @typedef {{updates: number, updateMs?: ReportedTimes}} ReportedUpdates */
/** @typedef {Changed & {database: string | null, designDoc: string, old: ReportedUpdates | null, new: ReportedUpdates | null}} ChangedIndex */

/**
 * @typedef {object} ReportedSide
 * @property {string} name
 * @property {string | null} from
 * @property {string | null} to
 * @property {number} minutes
 * @property {number} requests
 */

/**
 * @typedef {object} ReportedComparison The part of the JSON that people read.
 * @property {ReportedSide} old
 * @property {ReportedSide} new
 * @property {number} confidence
 * @property {number} leastRatio
 * @property {number} tests
 * @property {{about: string, reason: string}[]} unknown
 * @property {string[]} notes
 * @property {ReportedChange[]} traffic
 * @property {{both: number, oldOnly: number, newOnly: number}} compared
 * @property {ChangedShape[]} shapes
 * @property {ChangedIndex[]} indexes
 * @property {{kind: string, old: number, new: number, changes: ReportedChange[]}[]} queryServers
 */

/** @type {Record<string, string>} */
const TOPICS = {
  everything: 'cannot be compared',
  rates: 'rates',
  times: 'response times',
  indexes: 'index updates and query server failures',
};

/**
 * @param {ReportedComparison} comparison
 * @returns {boolean}
 */
export function isUnchanged({ traffic, shapes, indexes, queryServers }) {
  return traffic.length + shapes.length + indexes.length + queryServers.length === 0;
}

/**
 * @param {ReportedSide} side
 * @returns {string} `2,310 requests, 2026-03-02T08:00:00.000Z to 2026-03-02T09:00:00.000Z`
 */
export function describeSide({ requests, from, to }) {
  return `${countOf(requests, 'request')}, ${from && to ? `${from} to ${to}` : 'without timestamps'}`;
}

/**
 * @param {ReportedComparison} comparison
 * @returns {string} what was compared
 */
export function describeCompared({ compared: { both, oldOnly, newOnly } }) {
  return `query shapes: ${formatCount(both)} in both, ${formatCount(oldOnly)} only in the old one, ${formatCount(newOnly)} only in the new one`;
}

/**
 * @param {ReportedComparison} comparison
 * @returns {string} what it says where nothing is listed
 */
export function describeNothing({ unknown, tests }) {
  if (unknown.some(({ about }) => about === 'everything')) return 'the two cannot be compared';
  if (tests === 0) return 'too few requests to say whether anything changed';
  return 'no change beyond chance';
}

/**
 * @param {ReportedComparison} comparison
 * @returns {string[]} what could not be compared, each with the reason
 */
export function describeUnknown({ unknown }) {
  return unknown.map(({ about, reason }) => `${TOPICS[about] ?? about}: ${reason}`);
}

/**
 * @param {ReportedComparison} comparison
 * @returns {string[]} how to read it
 */
export function describeMethod(comparison) {
  const { confidence, leastRatio, notes } = comparison;
  if (isUnchanged(comparison)) return notes;
  const all = [comparison, ...comparison.shapes, ...comparison.indexes, ...comparison.queryServers];
  const hasTimes = all.some((one) => ('changes' in one ? one.changes : []).some(({ what }) => what === 'time'));
  return [
    `in parentheses: interval of the factor; all of them hold together with ${formatShare(confidence)} confidence`,
    `not listed: changes below ${formatShare(leastRatio - 1)}, and what chance explains, as requests come in bursts`,
    ...(hasTimes ? ['typically: geometric mean of the response times'] : []),
    ...notes,
  ];
}

/**
 * @param {ReportedChange} change
 * @param {{old?: ReportedTimes | undefined, new?: ReportedTimes | undefined, unit?: string}} [about] times of both; `unit`: what is counted
 * @returns {{title: string, values: string, factor: string}} `slower`, `typically 450 ms before, 910 ms now`, `2 times (1.8 to 2.2)`
 */
export function describeChange(change, { old: before, new: after, unit = '' } = {}) {
  const { what, direction, status } = change;
  const each = unit === '' ? '' : ` ${unit}`;
  const factor = describeFactor(change);
  if (what === 'time') {
    const p95 = before && after ? `; p95 ${timeOf(before.p95)} before, ${timeOf(after.p95)} now` : '';
    const values = `typically ${typicalTime(change.old)} before, ${typicalTime(change.new)} now${p95}`;
    return { title: direction, values, factor };
  }
  const figure = (/** @type {number} */ value) =>
    what === 'rate'
      ? `${short(value)}${each} per minute`
      : what === 'share'
        ? `${shareOf(value)} of all requests`
        : `${shareOf(value)} of its requests`;
  const title =
    what === 'errors' ? `${ERRORS[direction] ?? direction} status ${status ?? ''}` : (RATES[direction] ?? direction);
  if (direction === 'appeared') return { title, values: `${figure(change.new)}, none before`, factor };
  if (direction === 'vanished') return { title, values: `${figure(change.old)} before, none now`, factor };
  return { title, values: `${figure(change.old)} before, ${figure(change.new)} now`, factor };
}

/** @type {Record<string, string>} */
const RATES = { more: 'more frequent', less: 'less frequent', appeared: 'new', vanished: 'gone' };
/** @type {Record<string, string>} */
const ERRORS = { more: 'more', less: 'fewer', appeared: 'new:', vanished: 'no more' };

/** @param {number} ms @returns {string} */
function typicalTime(ms) {
  return ms < 1000 ? formatMilliseconds(Number(ms.toPrecision(ms < 10 ? 2 : 3))) : timeOf(ms);
}

/** @param {ReportedChange} change @returns {string} */
function describeFactor({ ratio, low, high }) {
  if (ratio === null) return `at least ${times(low)} times`;
  if (ratio === 0) return `at most ${times(high ?? 0)} times`;
  return `${times(ratio)} times (${times(low)} to ${high === null ? 'any' : times(high)})`;
}

/** @param {number} factor @returns {string} */
function times(factor) {
  return factor >= 100 ? formatCount(Math.round(factor)) : String(Number(factor.toPrecision(2)));
}

/**
 * @param {Changed} changed
 * @returns {string} `+1.3 h per day`, or requests where no times are known; empty where neither is
 */
export function describePerDay({ dayMs, dayRequests }) {
  const change = dayMs?.change ?? dayRequests?.change;
  if (change === undefined) return '';
  const sign = change < 0 ? '−' : '+';
  const size = Math.abs(change);
  return dayMs ? `${sign}${timeOf(size)} per day` : `${sign}${formatCount(size)} per day`;
}
