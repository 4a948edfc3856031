// Compares the times of one kind of work in two logs by their geometric means, which one slow request does not move far, and whose
// error can be computed from histograms.

import { bucketRange } from '../histogram.js';
import { MIN_LATENCY_BUCKET, MIN_LATENCY_MICROS } from '../time-steps.js';
import { testNormal } from './tests.js';

/** @import { Histogram } from '../histogram.js' */
/** @import { Spread } from './dispersion.js' */
/** @import { Tested } from './tests.js' */

/**
 * @typedef {object} TimeSample
 * @property {number} count
 * @property {number} mean of the logarithms
 * @property {number} variance of them
 * @property {number} bucketVariance of the numbers of buckets, which the steps of a digest keep the sums of
 */

/** Fewer times on one side are not compared. */
const MIN_TIMES = 10;
/** Times are rounded to buckets and mostly to milliseconds: logarithms vary by 5 % at least, however equal they look. */
const MIN_VARIANCE = 0.05 ** 2;

/**
 * @param {Histogram} histogram of microseconds
 * @returns {TimeSample}
 */
export function sampleTimes({ buckets }) {
  const entries = buckets.entries().map(([bucket, times]) => {
    const { low, width } = bucketRange(bucket);
    return {
      times,
      log: Math.log(Math.max(MIN_LATENCY_MICROS, low + (width - 1) / 2)),
      bucket: Math.max(MIN_LATENCY_BUCKET, bucket),
    };
  });
  const count = entries.reduce((sum, { times }) => sum + times, 0);
  const moments = (/** @type {'log' | 'bucket'} */ name) => {
    const mean = entries.reduce((sum, entry) => sum + entry.times * entry[name], 0) / Math.max(1, count);
    const squares = entries.reduce((sum, entry) => sum + entry.times * (entry[name] - mean) ** 2, 0);
    return { mean, variance: squares / Math.max(1, count - 1) };
  };
  const { mean, variance } = moments('log');
  return { count, mean, variance: Math.max(MIN_VARIANCE, variance), bucketVariance: moments('bucket').variance };
}

/**
 * Welch's test of the means of logarithms, with the variance that bursts make of it.
 * @param {[TimeSample, TimeSample]} samples old and new
 * @param {(variances: [number, number]) => Spread | undefined} spreadOf of the difference of the means of buckets with these variances
 * @returns {Tested | undefined} of the ratio of the geometric means; undefined where too little is known
 */
export function testTimes([old, fresh], spreadOf) {
  if (old.count < MIN_TIMES || fresh.count < MIN_TIMES) return undefined;
  const spread = spreadOf([old.bucketVariance, fresh.bucketVariance]);
  if (!spread) return undefined;
  const error = Math.sqrt((old.variance / old.count + fresh.variance / fresh.count) * spread.factor);
  const freedom = Math.min(spread.freedom, old.count - 1, fresh.count - 1);
  return testNormal(fresh.mean - old.mean, error, freedom);
}
