// Formats the figures of digests for people, the same in every format.

import { formatBytes, formatCount, formatMilliseconds, formatShare } from '../shared/units.js';
import { NONE } from './document/blocks.js';

/** @import { Column } from './document/blocks.js' */

/** @typedef {{p50: number, p95: number, p99: number, max: number, mean: number, total: number}} Latency */
/** @typedef {{file: string, line: number, parameters?: string[], target?: string, user?: string, peer?: string}} ExampleLine */

/**
 * @typedef {object} ReportedShape
 * @property {string} method
 * @property {string | null} database
 * @property {string} endpoint
 * @property {string} [designDoc]
 * @property {string} [view]
 * @property {string} [function]
 * @property {string[]} parameters
 * @property {boolean} [replication]
 * @property {number} count
 * @property {Record<string, number>} statuses
 * @property {number} [bytes]
 * @property {Latency} [latencyMs]
 * @property {{mean: number, peak: number, peakMinutes: number}} ratePerMinute
 * @property {number} share
 * @property {{basis: 'measured' | 'at-most', p50: number, p95: number, max: number}} [rows]
 * @property {ExampleLine[]} examples
 */

/** Smaller shares are not distinguished. */
const MIN_SHARE = 0.001;
/** From so many milliseconds on, times are shown in minutes, and in hours. */
const MANY_MINUTES = 600_000;
const MANY_HOURS = 7_200_000;

/**
 * @param {number} ms
 * @returns {string}
 */
export function timeOf(ms) {
  if (ms < MANY_MINUTES) return formatMilliseconds(ms);
  return ms < MANY_HOURS ? `${(ms / 60_000).toFixed(1)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}

/**
 * @param {number} share 0 to 1
 * @returns {string}
 */
export function shareOf(share) {
  return share > 0 && share < MIN_SHARE ? `<${formatShare(MIN_SHARE)}` : formatShare(share);
}

/**
 * @param {ReportedShape} shape
 * @returns {string}
 */
export function rowsOf({ rows }) {
  if (!rows) return NONE;
  return rows.basis === 'measured' ? String(rows.p95) : `≤${rows.p95}`;
}

/**
 * @param {ReportedShape} shape
 * @returns {string}
 */
export function errorsOf(shape) {
  const failed = failedOf(shape);
  return failed === 0 ? NONE : formatShare(failed / shape.count);
}

/**
 * @param {number} number
 * @returns {string}
 */
export function short(number) {
  return number >= 100 ? String(Math.round(number)) : String(Number(number.toPrecision(2)));
}

/** @param {ReportedShape} shape @returns {number} of its requests */
export function failedOf({ statuses }) {
  return Object.entries(statuses).reduce((sum, [status, count]) => sum + (Number(status) >= 400 ? count : 0), 0);
}

/** Columns that are left out first where a terminal is narrow. */
const SPARE = ['p99', 'peak', 'bytes', 'p50'];
/** Of what columns sort by; shares are of 1. @type {Record<string, string>} */
const UNITS = {
  time: 'of 1',
  share: 'of 1',
  calls: 'requests',
  '/min': 'requests',
  peak: 'requests',
  total: 'ms',
  p50: 'ms',
  p95: 'ms',
  p99: 'ms',
  bytes: 'bytes',
  errors: 'of 1',
};
/** What columns mean, beside the first of each. @type {Record<string, string>} */
const LEGENDS = {
  '/min': '/min, peak: requests per minute, on average and in the busiest minute',
  p95: 'p50, p95, p99: percentiles of the response time',
  rows: 'rows: p95 of rows per response; ≤ where inferred from limit, keys or bytes',
  errors: 'errors: status 400 and above',
};

/** @typedef {{sort: number, shown: string}} Shown */
/** @typedef {[string, (shape: ReportedShape) => Shown]} Figure */

/** @param {'total' | 'p50' | 'p95' | 'p99'} name @returns {Figure} */
function timeFigure(name) {
  return [
    name,
    ({ latencyMs }) => ({ sort: latencyMs?.[name] ?? -1, shown: latencyMs ? timeOf(latencyMs[name]) : NONE }),
  ];
}

/**
 * @param {'time' | 'requests'} whole what shares are of
 * @returns {{column: Column, cell: (shape: ReportedShape) => Shown}[]} the columns behind the query
 */
export function columnsOf(whole) {
  /** @type {Figure[]} */
  const figures = [
    [whole === 'time' ? 'time' : 'share', ({ share }) => ({ sort: share, shown: shareOf(share) })],
    ['calls', ({ count }) => ({ sort: count, shown: formatCount(count) })],
    ['/min', ({ ratePerMinute: { mean } }) => ({ sort: mean, shown: short(mean) })],
    ['peak', ({ ratePerMinute: { peak } }) => ({ sort: peak, shown: short(peak) })],
    timeFigure('total'),
    timeFigure('p50'),
    timeFigure('p95'),
    timeFigure('p99'),
    ['rows', (shape) => ({ sort: shape.rows?.p95 ?? -1, shown: rowsOf(shape) })],
    ['bytes', ({ bytes = -1 }) => ({ sort: bytes, shown: bytes === -1 ? NONE : formatBytes(bytes) })],
    ['errors', (shape) => ({ sort: failedOf(shape) / shape.count, shown: errorsOf(shape) })],
  ];
  return figures.map(([label, cell]) => {
    const [spare, legend] = [SPARE.indexOf(label), LEGENDS[label]];
    const unit = UNITS[label];
    return {
      cell,
      column: { label, isNumber: true, ...(unit && { unit }), ...(spare >= 0 && { spare }), ...(legend && { legend }) },
    };
  });
}
