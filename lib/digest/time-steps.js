// Keeps figures by step of time in bounded memory: when there are too many steps, all become wider. How wide they end depends only on which minutes
// occurred, not on their order, so parts merge to what the whole gives.

import { bucketOf, bucketRange } from './histogram.js';

/** So many steps are distinguished: the hours of two days. */
const MAX_TIME_STEPS = 50;
/** Minutes in a step, each a multiple of the one before; behind the last one they double. */
const WIDTHS = [1, 5, 15, 60, 180, 720, 1440];
/** Most logs have whole milliseconds: a time of 0 ms is counted as half of one. */
export const MIN_LATENCY_MICROS = 500;
export const MIN_LATENCY_BUCKET = bucketOf(MIN_LATENCY_MICROS);

/**
 * @template {{merge: (other: T) => void}} T
 */
export class TimeSteps {
  /** By the number of the step since 1970. @type {Map<number, T>} */
  steps = new Map();
  /** Minutes in a step. */
  width = /** @type {number} */ (WIDTHS[0]);
  #make;

  /** @param {() => T} make the figures of a step without requests */
  constructor(make) {
    this.#make = make;
  }

  /**
   * @param {number} minute since 1970
   * @returns {T} the figures of its step
   */
  at(minute) {
    const step = Math.floor(minute / this.width);
    let found = this.steps.get(step);
    if (!found) {
      found = this.#make();
      this.steps.set(step, found);
      if (this.steps.size > MAX_TIME_STEPS) {
        this.#widen(nextWidth(this.width));
        return this.at(minute);
      }
    }
    return found;
  }

  /** @returns {[number, T][]} the number of each step and its figures, the earliest first */
  entries() {
    return [...this.steps].sort(([first], [second]) => first - second);
  }

  /** @param {TimeSteps<T>} other added to this */
  merge(other) {
    if (this.width < other.width) this.#widen(other.width);
    for (const [step, value] of other.steps) this.at(step * other.width).merge(value);
  }

  /**
   * Sets what a file says.
   * @param {number} width
   * @param {[number, T][]} entries
   * @returns {boolean} whether that is a width that steps can have
   */
  restore(width, entries) {
    let known = /** @type {number} */ (WIDTHS[0]);
    while (known < width) known = nextWidth(known);
    if (known !== width || entries.length > MAX_TIME_STEPS) return false;
    this.width = width;
    this.steps = new Map(entries);
    return true;
  }

  /** @param {number} width */
  #widen(width) {
    const before = this.steps;
    const by = this.width;
    this.width = width;
    this.steps = new Map();
    for (const [step, value] of before) this.at(step * by).merge(value);
  }
}

/**
 * @param {number} width
 * @returns {number}
 */
function nextWidth(width) {
  return WIDTHS.find((wider) => wider > width) ?? width * 2;
}

/** What a fingerprint had in a step: enough to see how far its requests come in bursts. */
export class FingerprintStep {
  requests = 0;
  /** With status 400 and above. */
  failed = 0;
  /** Requests whose time is logged. */
  timed = 0;
  /** Sum of the buckets of their times: as buckets are as wide as the numbers in them, that of their logarithms, in whole numbers. */
  buckets = 0;

  /** @param {FingerprintStep} other added to this */
  merge(other) {
    this.requests += other.requests;
    this.failed += other.failed;
    this.timed += other.timed;
    this.buckets += other.buckets;
  }
}

/** In a step 8 buckets of a histogram are one: it is added to for each line, and 50 of them are kept. */
const JOINED = 3;
const COARSE_BUCKETS = (bucketOf(2 ** 51) >> JOINED) + 1;

/** What all requests had in a step. */
export class WholeStep {
  requests = 0;
  /** With status 400 and above. */
  failed = 0;
  /** Times by coarse bucket, at most 1/8 as wide as the numbers in it. */
  times = new Float64Array(COARSE_BUCKETS);

  /** @param {number} bucket of a time in microseconds */
  addLatency(bucket) {
    const coarse = bucket >> JOINED;
    this.times[coarse] = (this.times[coarse] ?? 0) + 1;
  }

  /** @param {WholeStep} other added to this */
  merge(other) {
    this.requests += other.requests;
    this.failed += other.failed;
    for (const [bucket, count] of other.pairs()) this.times[bucket] = (this.times[bucket] ?? 0) + count;
  }

  /** @returns {[number, number][]} coarse buckets and counts */
  pairs() {
    return [...this.times].flatMap((count, bucket) => (count > 0 ? [[bucket, count]] : []));
  }

  /**
   * @param {number[]} shares ascending, above 0 to 1
   * @returns {number[] | undefined} quantiles in microseconds, up to 1/16; undefined where no time is logged
   */
  quantiles(shares) {
    const pairs = this.pairs();
    const all = pairs.reduce((sum, [, count]) => sum + count, 0);
    if (all === 0) return undefined;
    return shares.map((share) => {
      const rank = Math.max(1, Math.ceil(share * all));
      let passed = 0;
      let found = 0;
      for (const [bucket, count] of pairs) {
        if (passed >= rank) break;
        passed += count;
        found = bucket;
      }
      return (bucketRange(found << JOINED).low + bucketRange((found + 1) << JOINED).low - 1) / 2;
    });
  }
}
