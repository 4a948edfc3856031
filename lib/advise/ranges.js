// Says how far predicted figures may be off, as ranges. What they rest on: three workloads on CouchDB 3.4.3 and 3.5.2 (docs/advise.md, "Predicted
// and measured").

/** @import { Range } from './plan.js' */
/** @import { Statement } from './workload.js' */

/** By so much a predicted time was off, but for one: `_sum` on 3.5.2, by 3.6. */
const TIME_FACTOR = 3;
/** And a predicted size, by so much of it; indexes of less than 100 kB by more. */
const SIZE_PART = 0.2;

/**
 * Counts of the logs are samples too: of n requests, the rate is within two standard deviations of a Poisson count.
 * @param {Statement} statement
 * @param {{saved: number, msBefore: number | null, msAfter: number | null}} effect `saved`: milliseconds a day
 * @param {number} minutes that the logs cover
 * @returns {Range} milliseconds a day
 */
export function savedRange({ query: { perDay } }, { saved, msBefore, msAfter }, minutes) {
  const logged = Math.max(1, (perDay * minutes) / 1440);
  const part = Math.min(1, 2 / Math.sqrt(logged));
  const whole = msBefore === null || msAfter === null ? 0 : msBefore - msAfter;
  if (whole <= 0 || msBefore === null) return { low: saved / TIME_FACTOR, high: saved * TIME_FACTOR };
  const { low, high } = /** @type {Range} */ (timeRange(msAfter, msBefore));
  const scale = saved / whole;
  return { low: (msBefore - high) * scale * (1 - part), high: (msBefore - low) * scale * (1 + part) };
}

/**
 * @param {number | null} msAfter
 * @param {number | null} msBefore
 * @returns {Range | null} no slower than now
 */
export function timeRange(msAfter, msBefore) {
  if (msAfter === null) return null;
  const high = msAfter * TIME_FACTOR;
  return { low: msAfter / TIME_FACTOR, high: msBefore === null ? high : Math.max(msAfter, Math.min(high, msBefore)) };
}

/** @param {number | null} bytes @returns {Range | null} */
export function sizeRange(bytes) {
  if (bytes === null) return null;
  const [one, other] = [bytes * (1 - SIZE_PART), bytes * (1 + SIZE_PART)];
  return { low: Math.min(one, other), high: Math.max(one, other) };
}

/**
 * @param {(Range | null)[]} ranges
 * @returns {Range | null} of their sum; null where one is unknown
 */
export function sumOfRanges(ranges) {
  let sum = { low: 0, high: 0 };
  for (const range of ranges) {
    if (range === null) return null;
    sum = { low: sum.low + range.low, high: sum.high + range.high };
  }
  return sum;
}
