// Counts how many different things there were, of which only 64-bit hashes are seen: exact up to a limit, a HyperLogLog sketch (Flajolet and others,
// 2007) above it, read by Ertl's estimator (2017), which has no bias at any size. What it holds depends only on the set of hashes, so parts merge
// exactly.

import { PairTable } from './pair-table.js';

/** More different hashes than this, and they become a sketch. */
export const MAX_EXACT = 256;
const INDEX_BITS = 12;
/** The standard error of the sketch is 1.04 / sqrt(registers): 1.6 %. */
export const REGISTERS = 2 ** INDEX_BITS;
/** A register holds the rank of the first bit that is set among 32, or one more where none is. */
const MAX_RANK = 33;

export class DistinctCount {
  /** The hashes, as long as there are few. */
  #exact = new PairTable();
  /** @type {Uint8Array | undefined} */
  #registers;

  /**
   * @param {number} first 32 bits, with sign
   * @param {number} second the same, independent of the first
   */
  add(first, second) {
    if (this.#registers) note(this.#registers, first, second);
    else if (this.#exact.find(first, second) < 0) {
      this.#exact.set(first, second, 0);
      if (this.#exact.size > MAX_EXACT) this.#sketch();
    }
  }

  /** @returns {boolean} whether the count is exact */
  get isExact() {
    return this.#registers === undefined;
  }

  /** @returns {boolean} */
  get isEmpty() {
    return this.#exact.size === 0 && this.#registers === undefined;
  }

  /** @returns {number} exact, or the estimate rounded */
  count() {
    if (!this.#registers) return this.#exact.size;
    const ranks = new Uint32Array(MAX_RANK + 1);
    for (const register of this.#registers) ranks[register] = (ranks[register] ?? 0) + 1;
    const share = (/** @type {number} */ rank) => (ranks[rank] ?? 0) / REGISTERS;
    let sum = full(1 - share(MAX_RANK));
    for (let rank = MAX_RANK - 1; rank > 0; rank -= 1) sum = (sum + share(rank)) / 2;
    sum += empty(share(0));
    return Math.round(REGISTERS / (2 * Math.LN2 * sum));
  }

  /** @param {DistinctCount} other added to this */
  merge(other) {
    if (!other.#registers) {
      for (const [first, second] of other.hashes()) this.add(first, second);
      return;
    }
    if (!this.#registers) this.#sketch();
    const registers = /** @type {Uint8Array} */ (/** @type {unknown} */ (this.#registers));
    other.#registers.forEach((register, index) => {
      if (register > (registers[index] ?? 0)) registers[index] = register;
    });
  }

  /** @returns {[number, number][]} the hashes, as long as they are kept, in ascending order */
  hashes() {
    const hashes = this.#exact.entries().map(([first, second]) => /** @type {[number, number]} */ ([first, second]));
    return hashes.sort(([a, b], [c, d]) => a - c || b - d);
  }

  /** @returns {Uint8Array | undefined} the registers of the sketch, where it is one */
  get registers() {
    return this.#registers;
  }

  /**
   * @param {Uint8Array} registers
   * @returns {DistinctCount}
   */
  static ofRegisters(registers) {
    const made = new DistinctCount();
    made.#registers = registers;
    return made;
  }

  #sketch() {
    const registers = new Uint8Array(REGISTERS);
    for (const [first, second] of this.hashes()) note(registers, first, second);
    this.#registers = registers;
    this.#exact = new PairTable();
  }
}

/**
 * What registers that were never set add to the sum: small sets leave many.
 * @param {number} share of such registers
 * @returns {number} the sum of 2^k-1 times share^(2^k) over all k, and the share
 */
function empty(share) {
  let sum = share;
  let before = -1;
  let power = share;
  for (let weight = 1; sum !== before && sum < Number.POSITIVE_INFINITY; weight *= 2) {
    before = sum;
    power *= power;
    sum += power * weight;
  }
  return sum;
}

/**
 * What registers that are full add to the sum: only sets of billions have any.
 * @param {number} share of all other registers
 * @returns {number}
 */
function full(share) {
  if (share === 0 || share === 1) return 0;
  let sum = 1 - share;
  let before = -1;
  let root = share;
  for (let weight = 0.5; sum !== before; weight /= 2) {
    before = sum;
    root = Math.sqrt(root);
    sum -= (1 - root) ** 2 * weight;
  }
  return sum / 3;
}

/**
 * @param {Uint8Array} registers
 * @param {number} first
 * @param {number} second
 */
function note(registers, first, second) {
  const index = scramble(first) >>> (32 - INDEX_BITS);
  const rank = Math.clz32(scramble(second)) + 1;
  if (rank > (registers[index] ?? 0)) registers[index] = rank;
}

/**
 * @param {number} hash
 * @returns {number} 32 bits of which each hangs on all of the hash (the finalizer of MurmurHash3, which is public domain)
 */
function scramble(hash) {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
