// Maps pairs of 32-bit numbers to small numbers: hashes or ids, and what is known of them. Its owner keeps it bounded.

const FIRST_SLOTS = 8;

/** A slot holds both numbers, the value + 1 (0 where it is free) and nothing, so that it lies in one line of the cache. */
const SLOT = 4;
/** A fuller table means longer searches, an emptier one more misses of the cache. */
const MAX_FULL = 0.8;

export class PairTable {
  #slots = new Int32Array(FIRST_SLOTS * SLOT);
  size = 0;

  /**
   * @param {number} first
   * @param {number} second
   * @returns {number} the value, -1 where the pair was not set
   */
  find(first, second) {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = (mix(first, second) << 2) & mask;
    for (;;) {
      const value = slots[at + 2] ?? 0;
      if (value === 0) return -1;
      if (slots[at] === first && slots[at + 1] === second) return value - 1;
      at = (at + SLOT) & mask;
    }
  }

  /**
   * @param {number} first a 32-bit number with sign
   * @param {number} second the same
   * @param {number} value from 0 on
   */
  set(first, second, value) {
    if (this.size * SLOT > this.#slots.length * MAX_FULL) this.#grow();
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = (mix(first, second) << 2) & mask;
    while (slots[at + 2] !== 0) at = (at + SLOT) & mask;
    slots[at] = first;
    slots[at + 1] = second;
    slots[at + 2] = value + 1;
    this.size += 1;
  }

  clear() {
    this.#slots.fill(0);
    this.size = 0;
  }

  /** @returns {[first: number, second: number, value: number][]} in no order */
  entries() {
    const slots = this.#slots;
    /** @type {[number, number, number][]} */
    const entries = [];
    for (let at = 0; at < slots.length; at += SLOT) {
      const value = slots[at + 2] ?? 0;
      if (value !== 0) entries.push([slots[at] ?? 0, slots[at + 1] ?? 0, value - 1]);
    }
    return entries;
  }

  #grow() {
    const entries = this.entries();
    this.#slots = new Int32Array(this.#slots.length * 2);
    this.size = 0;
    for (const entry of entries) this.set(...entry);
  }
}

/**
 * @param {number} first
 * @param {number} second
 * @returns {number} 32 bits, with sign
 */
function mix(first, second) {
  const mixed = Math.imul(first ^ (first >>> 15), 0x2c1b3c6d) ^ Math.imul(second ^ (second >>> 13), 0x297a2d39);
  return mixed ^ (mixed >>> 16);
}
