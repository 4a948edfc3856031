// Summarizes how the requests of one shape of query are spread over time and over latency, coarse enough to be drawn
// small.

import { bucketRange } from './histogram.js';

/** @import { RequestSpread } from '../sources/record.js' */
/** @import { ShapeGroup } from './shape-group.js' */

/** Where classes of latency end, in milliseconds. Three to a power of ten are as many as a small chart can show; the last one is longer
 *  than any time-out. */
const LATENCY_ENDS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000].flatMap((power) => [
  power,
  2 * power,
  5 * power,
]);

const MICROS_PER_MS = 1000;

/**
 * @param {ShapeGroup} group
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
