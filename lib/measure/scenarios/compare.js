// Computes paired ratios with their intervals from samples, compares such a ratio with a published one, and makes points
// of pictures of them. Pure. Times of two machines are never compared: only the ratios of one machine's arms.

import { hodgesLehmann, median } from '../experiments/statistics.js';
import { MIN_MARGIN } from '../experiments/verdict.js';

/** @import { BenchSample, Column, Unit, Comparison, Standing, PicturePoint } from './scenario.js' */

/** What both sides of an interval leave together is the usual 5 %. Six rounds are the least that give it: 1 - 2 / 2^6 is 97 %. */
const CONFIDENCE = 0.95;
/** A ratio within this factor of the published one is called the same: other machines, other decades. */
const SAME = 1.5;
/** Beside a small effect that is much: the logarithm has to be within this factor, too. */
const SAME_LOGARITHM = 2;

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
 * What is said holds for the whole interval, so at its level. Where the interval has less, or lies in several standings, nothing is said.
 * @param {number} published ratio
 * @param {Pick<Ratio, 'interval' | 'confidence'>} found
 * @returns {Standing}
 */
export function standingOf(published, { interval, confidence }) {
  if (confidence < CONFIDENCE) return 'unclear';
  const least = Math.log(MIN_MARGIN);
  const due = Math.abs(Math.log(published));
  const [one, other] = published < 1 ? [1 / interval[1], 1 / interval[0]] : interval;
  const [low, high] = [Math.log(one), Math.log(other)];
  const farthest = Math.max(-low, high);
  if (due < least) {
    if (farthest < least) return 'as published';
    return low > least || high < -least ? 'new' : 'unclear';
  }
  if (high < 0) return farthest < least ? 'gone' : 'reversed';
  const [bottom, top] = [
    Math.max(due - Math.log(SAME), due / SAME_LOGARITHM),
    Math.min(due + Math.log(SAME), due * SAME_LOGARITHM),
  ];
  if (low >= bottom && high <= top) return 'as published';
  if (low > due) return 'stronger';
  if (low > 0 && high < due) return farthest < least ? 'gone' : 'weaker';
  return farthest <= Math.max(least, Math.min(Math.log(SAME), due / SAME_LOGARITHM)) ? 'gone' : 'unclear';
}

/**
 * @param {string} what
 * @param {number} published
 * @param {Ratio | null} found
 * @param {string} [note] where nothing was measured, the reason
 * @returns {Comparison}
 */
export function compare(what, published, found, note) {
  const noted = note === undefined ? {} : { note };
  if (!found) {
    return {
      what,
      published,
      measured: null,
      interval: null,
      confidence: 0,
      rounds: 0,
      standing: 'not measured',
      ...noted,
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
    ...noted,
  };
}

/**
 * @param {number | string} x
 * @param {Ratio | null} found
 * @returns {PicturePoint[]} none where nothing was measured
 */
export function pointOf(x, found) {
  if (!found) return [];
  const [low, high] = found.interval;
  return [{ x, y: found.ratio, low, high }];
}

/**
 * @param {number | string} x
 * @param {readonly number[]} values of rounds
 * @returns {PicturePoint[]} the middle one, from the least to the greatest
 */
export function pointOfRounds(x, values) {
  const sorted = values.toSorted((first, second) => first - second);
  const [low] = sorted;
  const high = sorted.at(-1);
  const half = sorted.length / 2;
  const y = ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
  return low === undefined || high === undefined ? [] : [{ x, y, low, high }];
}

/**
 * @param {Record<string, Unit>} units by the title of the column
 * @returns {Column[]} of a table, in that order
 */
export function columnsOf(units) {
  return Object.entries(units).map(([title, unit]) => ({ title, unit }));
}
