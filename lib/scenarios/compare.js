// Samples in, paired ratios with their intervals out, and how such a ratio stands to a published one. Pure. Times of two machines are
// never compared: only what one machine's arms have to each other.

import { hodgesLehmann, median } from '../experiments/statistics.js';
import { MIN_MARGIN } from '../experiments/verdict.js';

/** @import { BenchSample, Comparison, Standing } from './scenario.js' */

/** What both sides of an interval leave together is the usual 5 %. */
const CONFIDENCE = 0.95;
/** A ratio whose logarithm is within this factor of the published one's is called the same: other machines, other decades. */
const SAME = 2;

/** @typedef {{set: string, arm: string}} Place which samples are meant */
/** @typedef {(sample: BenchSample) => number | undefined} Metric smaller or greater: only ratios are taken */

/** @type {Metric} Milliseconds a thing: rounds may have unequal numbers of them. */
export const timeEach = ({ ms, things, errors = 0 }) => (errors > 0 || things === 0 ? undefined : ms / things);

/**
 * @param {readonly BenchSample[]} samples
 * @param {Place} place
 * @returns {BenchSample[]}
 */
export function samplesAt(samples, { set, arm }) {
  return samples.filter((sample) => sample.set === set && sample.arm === arm);
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {Place} place
 * @param {Metric} [metric]
 * @returns {number | null} the median over rounds; null of none
 */
export function middle(samples, place, metric = timeEach) {
  const values = samplesAt(samples, place).flatMap((sample) => metric(sample) ?? []);
  return values.length > 0 ? median(values) : null;
}

/** @typedef {{ratio: number, interval: [number, number], confidence: number, rounds: number}} Ratio */

/**
 * @param {readonly BenchSample[]} samples
 * @param {Place} over
 * @param {Place} under
 * @param {Metric} [metric]
 * @returns {Ratio | null} over / under, by rounds that have both; null where none has
 */
export function ratioOf(samples, over, under, metric = timeEach) {
  const byRound = new Map(samplesAt(samples, under).map((sample) => [sample.round, metric(sample)]));
  const logs = samplesAt(samples, over).flatMap((sample) => {
    const [a, b] = [metric(sample), byRound.get(sample.round)];
    return a !== undefined && b !== undefined && a > 0 && b > 0 ? [Math.log(a / b)] : [];
  });
  if (logs.length === 0) return null;
  const { estimate, low, high, confidence } = hodgesLehmann(logs, CONFIDENCE);
  return { ratio: Math.exp(estimate), interval: [Math.exp(low), Math.exp(high)], confidence, rounds: logs.length };
}

/**
 * @param {number} published ratio
 * @param {Pick<Ratio, 'ratio' | 'interval'>} found
 * @returns {Standing}
 */
export function standingOf(published, { ratio, interval }) {
  const least = Math.log(MIN_MARGIN);
  const due = Math.log(published);
  const [low, high] = interval.map(Math.log);
  if (low === undefined || high === undefined) return 'not measured';
  const farthest = Math.max(-low, high);
  const isNone = Math.abs(due) < least;
  // What lies on both sides of 1 is no difference where it stays close to it, and else cannot be told.
  if (low <= 0 && high >= 0 && low < high) {
    if (farthest > Math.max(least, Math.abs(due) / SAME)) return 'unclear';
    return isNone ? 'as published' : 'gone';
  }
  if (Math.abs(Math.log(ratio)) < least) return isNone ? 'as published' : 'gone';
  if (isNone) return 'new';
  const share = Math.log(ratio) / due;
  if (share < 0) return 'reversed';
  if (share < 1 / SAME) return 'weaker';
  return share > SAME ? 'stronger' : 'as published';
}

/**
 * @param {string} what
 * @param {number} published
 * @param {Ratio | null} found
 * @param {string} [note] where nothing was measured, the reason
 * @returns {Comparison}
 */
export function compare(what, published, found, note) {
  const told = note === undefined ? {} : { note };
  if (!found) {
    return {
      what,
      published,
      measured: null,
      interval: null,
      confidence: 0,
      rounds: 0,
      standing: 'not measured',
      ...told,
    };
  }
  const { ratio, interval, confidence, rounds } = found;
  return {
    what,
    published,
    measured: ratio,
    interval,
    confidence,
    rounds,
    standing: standingOf(published, found),
    ...told,
  };
}
