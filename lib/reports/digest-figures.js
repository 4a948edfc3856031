// Formats the figures of digests for people, the same in every format.

import { formatMilliseconds, formatShare } from '../shared/units.js';

/** @import { ReportedShape } from './digest-text.js' */

/** What nothing is known of. */
export const NONE = '-';
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
export function errorsOf({ statuses, count: all }) {
  const failed = Object.entries(statuses).reduce(
    (sum, [status, times]) => sum + (Number(status) >= 400 ? times : 0),
    0,
  );
  return failed === 0 ? NONE : formatShare(failed / all);
}

/**
 * @param {number} number
 * @returns {string}
 */
export function short(number) {
  return number >= 100 ? String(Math.round(number)) : String(Number(number.toPrecision(2)));
}
