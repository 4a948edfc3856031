// Words the figures of a plan: saved time, sizes, builds. What is predicted is a range; what is unknown is called unknown.

import {
  formatBytes,
  formatCount,
  formatDuration,
  formatMilliseconds,
  formatShare,
  MINUTES_PER_DAY,
  threeDigits,
} from '../shared/units.js';

/** @import { Fact } from './document/blocks.js' */
/** @import { Plan, PlanStep, Range, StepCost } from '../advise/plan.js' */

export const UNKNOWN = 'unknown';
const NO_CHANGE = 'no change';

/** Below this the milliseconds of a day are shown with fractions of a second. */
const MANY_MS = 90_000;

/**
 * @param {Range | null | undefined} range
 * @param {number} value where there is no range
 * @param {(value: number) => string} format `14 h`
 * @returns {string} `14 to 18 h`
 */
export function formatRange(range, value, format) {
  const [low, high] = [format(range?.low ?? value), format(range?.high ?? value)];
  if (low === high) return high;
  const unit = / \S+$/.exec(high)?.[0] ?? '';
  return `${low.endsWith(unit) ? low.slice(0, low.length - unit.length) : low} to ${high}`;
}

/**
 * @param {number} ms a day
 * @param {Range | null | undefined} range
 * @param {number | null} share of all logged time
 * @returns {string} `52 to 80 min a day, 24 to 30 % of all request time`
 */
export function wordSaved(ms, range, share) {
  const time = `${formatRange(range, ms, formatTime)} a day`;
  if (share === null) return time;
  const part = (/** @type {number} */ value) => Math.min(1, ms > 0 ? (share * value) / ms : share);
  const shares = range && { low: part(Math.min(range.low, ms)), high: part(range.high) };
  return `${time}, ${formatRange(shares, share, formatShare)} of all request time`;
}

/**
 * @param {PlanStep} step
 * @param {Plan['workload']} workload
 * @returns {Fact[]} what it saves and costs, of all its databases and of each
 */
export function figuresOfStep(step, { minutes }) {
  const { savedMsPerDay, savedRange, savedShare, requestsPerDay, cost, costEach, change, databases } = step;
  const count = databases?.count ?? 1;
  const each = (/** @type {string} */ text) =>
    costEach && count > 1 ? `; ${text} for each of ${formatCount(count)}` : '';
  const perEach = (/** @type {number} */ ms) => formatTime(ms / count);
  const isSaving = savedMsPerDay !== null && savedMsPerDay > 0;
  const savedEach = isSaving ? each(`${formatRange(savedRange, savedMsPerDay, perEach)} a day`) : '';
  const isPart = minutes > 0 && minutes < MINUTES_PER_DAY;
  const about = `${formatCount(threeDigits(requestsPerDay))} requests a day${isPart ? `, extrapolated from ${formatDuration(minutes * 60)}` : ''}`;
  return [
    { name: 'saves', value: `${describeSaving(savedMsPerDay, savedRange, savedShare, about)}${savedEach}` },
    {
      name: 'disk',
      value: `${describeBytes(cost.bytes, cost.bytesRange)}${cost.bytes ? each(describeBytes(costEach?.bytes ?? null, costEach?.bytesRange)) : ''}${describeGrowth(cost, change)}`,
    },
    { name: 'writes', value: describeWriting(cost.writeMsPerDay) },
    {
      name: 'build',
      value: `${describeBuild(cost)}${cost.buildSeconds ? each(costEach ? describeBuild(costEach) : '') : ''}`,
    },
  ];
}

/**
 * @param {Plan} plan
 * @returns {Fact[]} of all steps
 */
export function figuresOfTotal({ total }) {
  const { savedMsPerDay, savedRange, savedShare, bytes, bytesRange, writeMsPerDay, ...build } = total;
  return [
    { name: 'saves', value: describeSaving(savedMsPerDay, savedRange, savedShare) },
    { name: 'disk', value: describeBytes(bytes, bytesRange) },
    { name: 'writes', value: describeWriting(writeMsPerDay) },
    { name: 'build', value: describeBuild(build) },
  ];
}

/**
 * @param {number | null} ms a day
 * @param {Range | null | undefined} range
 * @param {number | null} share
 * @param {string} [about] which requests
 * @returns {string}
 */
function describeSaving(ms, range, share, about = '') {
  if (ms === null) return about === '' ? UNKNOWN : `${UNKNOWN}, for ${about}`;
  if (ms <= 0) return 'no reading time';
  return `${wordSaved(ms, range, share)}${about === '' ? '' : ` (${about})`}`;
}

/**
 * @param {number | null} bytes
 * @param {Range | null} [range]
 * @returns {string} `39.1 to 43.3 MB`, `frees 2.9 to 3.1 MB`
 */
export function describeBytes(bytes, range) {
  if (bytes === null) return UNKNOWN;
  if (bytes === 0) return NO_CHANGE;
  const size = (/** @type {number} */ value) => formatBytes(Math.round(Math.abs(value)));
  const sized = range && bytes < 0 ? { low: range.high, high: range.low } : range;
  return `${bytes < 0 ? 'frees ' : ''}${formatRange(sized, bytes, size)}`;
}

/** @param {StepCost} cost @param {PlanStep['change']} change @returns {string} */
function describeGrowth({ bytes, bytesPer1000Writes }, { replaces }) {
  if (bytesPer1000Writes === null) return bytes === null || bytes < 0 ? '' : `, growth ${UNKNOWN}`;
  if (bytesPer1000Writes <= 0) return '';
  return `, grows by ${formatBytes(Math.round(bytesPer1000Writes))}${replaces ? ' more' : ''} per 1,000 writes until compacted`;
}

/** @param {number | null} ms a day @returns {string} */
function describeWriting(ms) {
  if (ms === null) return UNKNOWN;
  if (ms === 0) return NO_CHANGE;
  return ms < 0 ? `saves ${formatTime(-ms)} of processor time a day` : `${formatTime(ms)} of processor time a day`;
}

/** @param {Pick<StepCost, 'buildSeconds' | 'buildRange' | 'peakBytes'>} cost @returns {string} */
function describeBuild({ buildSeconds, buildRange, peakBytes }) {
  const peak = peakBytes === null || peakBytes <= 0 ? '' : `, needs ${formatBytes(Math.round(peakBytes))} of free disk`;
  if (buildSeconds === null) return `${UNKNOWN}${peak}`;
  return `${buildSeconds === 0 ? 'nothing to build' : formatRange(buildRange, buildSeconds, formatDuration)}${peak}`;
}

/**
 * @param {number} ms
 * @returns {string} `12.3 s`, `52 min`
 */
export function formatTime(ms) {
  return ms < MANY_MS ? formatMilliseconds(ms) : formatDuration(ms / 1000);
}
