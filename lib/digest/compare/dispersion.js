// Estimates from counts by time how far requests come in bursts: how much wider intervals are than those of independent requests. The time is cut
// into blocks, and what blocks differ by is compared with what chance alone would make. Wider and wider blocks are tried and the largest estimate is
// kept, as bursts may be longer than a block (batch means: Law and Kelton, Simulation Modeling and Analysis, 9.5.3).

import { sumOf } from '../../shared/values.js';

/** @import { CounterTable } from '../counter-table.js' */
/** @import { MinuteCounts } from '../minute-counts.js' */
/** @import { FingerprintStep, TimeSteps, WholeStep } from '../time-steps.js' */

/** @typedef {Map<number, [number, number]>} Blocks number of values and their sum, by number of the block */
/** @typedef {{from: number, to: number}} Span of a log: its first and its last minute since 1970 */

/**
 * @typedef {object} Spread
 * @property {number} factor how many times the variance is that of independent requests; at least 1
 * @property {number} freedom degrees of freedom of the estimate
 */

const DAY = 1440;
/** Fewer blocks of a log say nothing about what blocks differ by. */
const MIN_BLOCKS = 4;
const MIN_FREEDOM = 2;
/** Blocks are widened while the estimate has so many degrees of freedom, and further only while it grows by so much. */
const ENOUGH_FREEDOM = 10;
const GROWING = 1.3;
/** Slow spells and sessions last for minutes: shorter logs say little about them, however many requests they have. */
const SPELL_MINUTES = 3;
/** With more blocks used, these say little about the number of bursts. */
const MAX_USED = 0.6;
/** Two logs cover the same hours if they begin and end at the same time of day, up to this part of the shorter one. */
const SAME_HOURS = 0.1;
/** From so many requests on, each log has an estimate of its own. */
const MIN_OWN = 20;
/** Rates that differ by more are no guide to how the larger one would look if it were the smaller one. */
const MAX_SCALING = 4;

/**
 * What is assumed where no time is logged, or a digest of an earlier version keeps none: bursts of eight requests. In five minutes of a log of CouchDB
 * 3.4.3 behind a small shop, requests per minute of the 18 shapes with 20 requests or more varied 0.9 to 43 times as much as independent ones, half of
 * them less than 7 times.
 */
export const ASSUMED = Object.freeze({ factor: 8, freedom: 30 });
/** That of requests which have nothing to do with each other. */
export const INDEPENDENT = Object.freeze({ factor: 1, freedom: 1e6 });

/**
 * @param {Span} one
 * @param {Span} other
 * @returns {number | undefined} how many minutes later the other one is where both cover the same hours of the day: a whole number of days
 */
function daysApart(one, other) {
  const days = Math.round((other.from - one.from) / DAY) * DAY;
  const leeway = SAME_HOURS * Math.min(lengthOf(one), lengthOf(other));
  const isSame = Math.abs(other.from - one.from - days) <= leeway && Math.abs(other.to - one.to - days) <= leeway;
  return isSame ? days : undefined;
}

/** @param {Span} span @returns {number} minutes */
function lengthOf({ from, to }) {
  return to - from + 1;
}

/**
 * @param {[MinuteCounts, MinuteCounts]} counts of what is compared, in both logs
 * @param {[Span, Span]} spans
 * @returns {Spread | undefined} undefined where the logs are too short for it
 */
export function spreadOfCounts(counts, spans) {
  const base = Math.max(counts[0].width, counts[1].width);
  const apart = daysApart(...spans);
  const shorter = Math.min(lengthOf(spans[0]), lengthOf(spans[1]));
  const estimates = new Estimates(spans);
  for (let width = base; width <= shorter; width *= 2) {
    const blocks = /** @type {[number[], number[]]} */ (
      counts.map(({ steps, width: own }, at) => blocksOf(steps, own, /** @type {Span} */ (spans[at]), width))
    );
    const paired = apart === undefined ? undefined : pairsOf(blocks, spans, apart, width);
    const sizes = (paired ?? blocks).map((list) => list.length);
    const isEnough = (/** @type {number} */ size) => size >= MIN_BLOCKS;
    if (!(estimates.isEmpty ? sizes.every(isEnough) : sizes.some(isEnough))) break;
    const next = paired ? spreadOfPairs(paired, spans) : spreadOfBlocks(blocks.filter((list) => isEnough(list.length)));
    if (!estimates.add(next, Math.max(...blocks.map(clusterSize)))) break;
  }
  return estimates.result();
}

/** Estimates from wider and wider blocks, and what comes of them. */
class Estimates {
  #last = 1;
  #largest = 1;
  #freedom = 0;
  #minutes;

  /** @param {[Span, Span]} spans */
  constructor(spans) {
    this.#minutes = Math.min(...spans.map(lengthOf));
  }

  /** Whether there is none yet. */
  get isEmpty() {
    return this.#freedom === 0;
  }

  /**
   * @param {Spread} spread of the next width
   * @param {number} cluster the least factor that this width shows in another way
   * @returns {boolean} whether wider blocks are of use: estimates of few degrees of freedom are only taken while they grow
   */
  add({ factor, freedom }, cluster) {
    const isFirst = this.isEmpty;
    if (!isFirst && freedom < ENOUGH_FREEDOM && factor < this.#last * GROWING) return false;
    // What wide blocks still miss is inversely proportional to their width, so two of them show where even wider ones would lead.
    const further = isFirst || freedom < ENOUGH_FREEDOM ? factor : 2 * factor - this.#last;
    this.#last = factor;
    this.#largest = Math.max(this.#largest, factor, further, cluster);
    this.#freedom = freedom;
    return true;
  }

  /** @returns {Spread | undefined} */
  result() {
    if (this.isEmpty) return undefined;
    return { factor: this.#largest, freedom: Math.min(this.#freedom, this.#minutes / SPELL_MINUTES) };
  }
}

/**
 * Where most blocks are empty, those that are not show how many bursts there were, whatever the length of a burst.
 * @param {number[]} blocks counts of one log
 * @returns {number} how many are in a burst, on average; 1 where it does not show
 */
function clusterSize(blocks) {
  const used = blocks.filter((count) => count > 0).length;
  if (used === 0 || used > blocks.length * MAX_USED) return 1;
  // So many bursts, thrown into the blocks at random, hit as many of them (occupancy).
  return sumOf(blocks) / (-blocks.length * Math.log(1 - used / blocks.length));
}

/**
 * @param {CounterTable} steps
 * @param {number} own minutes in a step
 * @param {Span} span
 * @param {number} width minutes in a block, a multiple of that
 * @returns {number[]} the counts of all whole blocks
 */
function blocksOf(steps, own, { from, to }, width) {
  const first = Math.ceil(from / width);
  const count = Math.max(0, Math.floor((to + 1) / width) - first);
  const blocks = Array.from({ length: count }, () => 0);
  for (const [step, times] of steps.entries()) {
    const at = Math.floor((step * own) / width) - first;
    if (at >= 0 && at < count) blocks[at] = (blocks[at] ?? 0) + times;
  }
  return blocks;
}

/**
 * @param {[number[], number[]]} blocks
 * @param {[Span, Span]} spans
 * @param {number} apart minutes
 * @param {number} width
 * @returns {[number[], number[]]} those of the same time of day
 */
function pairsOf([one, other], spans, apart, width) {
  const shift = Math.ceil(spans[0].from / width) + Math.round(apart / width) - Math.ceil(spans[1].from / width);
  const from = Math.max(0, -shift);
  const count = Math.max(0, Math.min(one.length - from, other.length - from - shift));
  return [one.slice(from, from + count), other.slice(from + shift, from + shift + count)];
}

/**
 * @param {number[][]} lists blocks of each log
 * @returns {Spread}
 */
function spreadOfBlocks(lists) {
  const parts = lists.map((blocks) => {
    const mean = sumOf(blocks) / blocks.length;
    return { sum: sumOf(blocks), mean, squares: squaresAbout(blocks, mean), freedom: blocks.length - 1 };
  });
  const expected = sumOf(parts.map(({ mean, freedom }) => mean * freedom));
  const pooled = expected > 0 ? sumOf(parts.map(({ squares }) => squares)) / expected : 1;
  const own = parts.flatMap(({ sum, mean, squares, freedom }) => (sum >= MIN_OWN ? [squares / freedom / mean] : []));
  return { factor: Math.max(1, pooled, ...own), freedom: sumOf(parts.map(({ freedom }) => freedom)) };
}

/**
 * What both logs do at the same time of day is no burst: the difference of each pair counts.
 * @param {[number[], number[]]} pairs
 * @param {[Span, Span]} spans
 * @returns {Spread}
 */
function spreadOfPairs([one, other], spans) {
  const [first, second] = [sumOf(one), sumOf(other)];
  const equal = lengthOf(spans[1]) / lengthOf(spans[0]);
  const found = second / first;
  const ratio = found / equal <= MAX_SCALING && equal / found <= MAX_SCALING ? found : equal;
  const differences = one.map((count, at) => (other[at] ?? 0) - ratio * count);
  const freedom = one.length - 1;
  const squares = squaresAbout(differences, sumOf(differences) / one.length);
  const expected = (second + ratio ** 2 * first) / one.length;
  return { factor: Math.max(1, expected > 0 ? squares / freedom / expected : 1), freedom };
}

/**
 * @param {[TimeSteps<FingerprintStep>, TimeSteps<FingerprintStep>]} steps of a fingerprint in both logs
 * @param {(step: FingerprintStep) => [number, number]} take number of values, and their sum
 * @param {[number, number]} variances of one value in either log, on the scale of the sums
 * @param {[Span, Span]} spans
 * @param {boolean} [isCounted] whether the values are 0 or 1
 * @returns {Spread | undefined} of the difference of the two means; undefined where there are too few steps
 */
export function spreadOfMeans(steps, take, variances, spans, isCounted = false) {
  const lists = steps.map((one) => one.entries().map(([at, step]) => ({ at: at * one.width, values: take(step) })));
  const width = Math.max(steps[0].width, steps[1].width);
  const apart = daysApart(...spans);
  const estimates = new Estimates(spans);
  for (let wide = width; ; wide *= 2) {
    const [one, other] = /** @type {[Blocks, Blocks]} */ (lists.map((list) => joinSteps(list, wide)));
    const shift = apart === undefined ? undefined : Math.round(apart / wide);
    const { variance, sizes, freedom } = residualsOf(one, other, shift);
    if (freedom < MIN_FREEDOM) break;
    const alone = variances[0] / sizes[0] + variances[1] / sizes[1];
    const sums = [one, other].map((blocks) => [...blocks.values()].map(([, sum]) => sum));
    const cluster = isCounted ? Math.max(...sums.map(clusterSize)) : 1;
    if (!estimates.add({ factor: alone > 0 ? variance / alone : 1, freedom }, cluster)) break;
  }
  return estimates.result();
}

/**
 * @param {{at: number, values: [number, number]}[]} list
 * @param {number} width
 * @returns {Map<number, [number, number]>} by number of the block
 */
function joinSteps(list, width) {
  /** @type {Map<number, [number, number]>} */
  const blocks = new Map();
  for (const { at, values } of list) {
    if (values[0] === 0) continue;
    const block = Math.floor(at / width);
    const [count, sum] = blocks.get(block) ?? [0, 0];
    blocks.set(block, [count + values[0], sum + values[1]]);
  }
  return blocks;
}

/**
 * @param {Map<number, [number, number]>} one
 * @param {Map<number, [number, number]>} other
 * @param {number | undefined} shift blocks from one to the other where both cover the same hours
 * @returns {{variance: number, sizes: [number, number], freedom: number}} variance of the difference of the means
 */
function residualsOf(one, other, shift) {
  const sides = [one, other].map((blocks) => {
    const list = [...blocks.values()];
    const size = sumOf(list.map(([count]) => count));
    const mean = size > 0 ? sumOf(list.map(([, sum]) => sum)) / size : 0;
    // One block with most of the values is no sample of many.
    const even = size > 0 ? size ** 2 / sumOf(list.map(([count]) => count ** 2)) : 0;
    const shares = new Map([...blocks].map(([at, [count, sum]]) => [at, (sum - mean * count) / Math.max(1, size)]));
    return { size, even, shares };
  });
  const [first, second] = /** @type {[typeof sides[number], typeof sides[number]]} */ (sides);
  const squared = (/** @type {Iterable<number>} */ values, /** @type {number} */ count) =>
    count > 1 ? (sumOf([...values].map((value) => value ** 2)) * count) / (count - 1) : 0;
  const sizes = /** @type {[number, number]} */ ([first.size, second.size]);
  const even = Math.min(first.even, second.even);
  if (shift === undefined) {
    const variance = sides.reduce((sum, { shares }) => sum + squared(shares.values(), shares.size), 0);
    const isAlone = even < 2;
    return { variance, sizes, freedom: isAlone ? 0 : first.even + second.even - 2 };
  }
  const places = new Set([...first.shares.keys(), ...[...second.shares.keys()].map((at) => at - shift)]);
  const differences = [...places].map((at) => (second.shares.get(at + shift) ?? 0) - (first.shares.get(at) ?? 0));
  return { variance: squared(differences, differences.length), sizes, freedom: even - 1 };
}

/** Errors count as independent only where so many blocks of each log show it. */
const MIN_SCATTERED = 4;
/** Standard deviations by which blocks differ more than those of independent errors. */
const CLUSTERED = 2.33;

/**
 * Whether errors come as independent ones would: in no log, and in blocks of no width, do they differ more (index of dispersion, given their number:
 * Cochran 1954). Then two shares are compared as they are; where errors come in bursts, `spreadOfMeans` says by how much less they show.
 * @param {TimeSteps<any>[]} logs
 * @param {(step: FingerprintStep | WholeStep) => [requests: number, failed: number]} take
 * @returns {boolean} false where the logs are too short to show it
 */
export function areErrorsScattered(logs, take) {
  return logs.every(({ steps, width }) => {
    const list = [...steps].map(([at, step]) => ({ at: at * width, values: take(step) }));
    if (list.every(({ values }) => values[1] === 0)) return true;
    for (let wide = width; ; wide *= 2) {
      const blocks = [...joinSteps(list, wide).values()];
      if (blocks.length < MIN_SCATTERED) return wide > width;
      if (dispersionOf(blocks) > CLUSTERED) return false;
    }
  });
}

/** @param {[requests: number, failed: number][]} blocks @returns {number} in standard deviations above that of independent errors */
function dispersionOf(blocks) {
  const failed = sumOf(blocks.map(([, count]) => count));
  const share = failed / sumOf(blocks.map(([count]) => count));
  // Where all fail, one burst may be all there is.
  if (share === 1) return Number.POSITIVE_INFINITY;
  if (failed < 2) return 0;
  const index = sumOf(blocks.map(([count, own]) => (own - share * count) ** 2 / (share * (1 - share) * count)));
  const freedom = blocks.length - 1;
  return (index - freedom) / Math.sqrt((2 * freedom * (failed - 1)) / failed);
}

/** @param {readonly number[]} values @param {number} mean @returns {number} */
function squaresAbout(values, mean) {
  return sumOf(values.map((value) => (value - mean) ** 2));
}
