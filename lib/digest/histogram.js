// Counts whole numbers in log-linear buckets: exact below 128, then 64 buckets to each power of two, so a bucket is at most 1/64 (1.6 %) as wide as
// the numbers in it. Equal numbers fall in equal buckets on every machine, so histograms add exactly.

import { CounterTable } from './counter-table.js';

/** Numbers below it have buckets of their own. */
const EXACT_BELOW = 128;
const PER_POWER = 64;
const LARGEST_BITS = 0x7fffffff;
const BIG_SHIFT = 20;
const MICROS_PER_MS = 1000;

/**
 * @param {number} value a whole number from 0 to 2^51
 * @returns {number} its bucket
 */
export function bucketOf(value) {
  if (value < EXACT_BELOW) return value;
  if (value > LARGEST_BITS) return bucketOf(Math.floor(value / 2 ** BIG_SHIFT)) + BIG_SHIFT * PER_POWER;
  const power = 25 - Math.clz32(value);
  return power * PER_POWER + (value >>> power);
}

/**
 * @param {number} bucket
 * @returns {{low: number, width: number}} the smallest number in it, and how many there are
 */
export function bucketRange(bucket) {
  if (bucket < EXACT_BELOW) return { low: bucket, width: 1 };
  const power = Math.floor(bucket / PER_POWER) - 1;
  return { low: (bucket - power * PER_POWER) * 2 ** power, width: 2 ** power };
}

export class Histogram {
  buckets = new CounterTable();
  sum = 0;
  min = Number.POSITIVE_INFINITY;
  max = 0;
  count = 0;

  /**
   * @param {number} value a whole number from 0 to 2^51
   * @returns {number} its bucket
   */
  add(value) {
    const bucket = bucketOf(value);
    this.buckets.add(bucket);
    this.sum += value;
    this.count += 1;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    return bucket;
  }

  /** @param {Histogram} other added to this */
  merge(other) {
    this.buckets.merge(other.buckets);
    this.sum += other.sum;
    this.count += other.count;
    this.min = Math.min(this.min, other.min);
    this.max = Math.max(this.max, other.max);
  }

  /**
   * @param {number[]} shares ascending, above 0 to 1
   * @param {number} [unit] numbers that are more likely than others in a bucket: its multiples
   * @returns {number[]} for each share the smallest number that so large a share is at most, up to the width of a bucket
   */
  quantiles(shares, unit = 1) {
    const entries = this.buckets.entries();
    /** @type {number[]} */
    const found = [];
    let passed = 0;
    let at = 0;
    for (const share of shares) {
      const rank = Math.max(1, Math.ceil(share * this.count));
      while (at < entries.length - 1 && passed + (entries[at]?.[1] ?? 0) < rank) {
        passed += entries[at]?.[1] ?? 0;
        at += 1;
      }
      const value = typical(entries[at]?.[0] ?? 0, unit);
      found.push(Math.min(this.max, Math.max(Math.min(this.min, this.max), value)));
    }
    return found;
  }
}

/** Unit of times in microseconds: most logs have whole milliseconds. */
export const MS_IN_MICROS = MICROS_PER_MS;

/**
 * @param {number} bucket
 * @param {number} unit
 * @returns {number} the multiple of the unit in the bucket that is next to its middle, else the middle
 */
function typical(bucket, unit) {
  const { low, width } = bucketRange(bucket);
  const middle = low + (width - 1) / 2;
  const round = Math.round(middle / unit) * unit;
  return round >= low && round < low + width ? round : middle;
}
