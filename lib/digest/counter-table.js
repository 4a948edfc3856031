// Counts by whole number in typed arrays, because a digest holds many thousands of such tables. Knows nothing of what
// is counted.

const FIRST_SLOTS = 8;
/** The golden ratio as 32 bits (Fibonacci hashing): neighbouring numbers land far from each other. */
const SPREAD = 0x9e3779b1;

export class CounterTable {
  /** Number + 1; 0 where the slot is free. */
  #keys = new Int32Array(FIRST_SLOTS);
  #counts = new Float64Array(FIRST_SLOTS);
  #shift = 32 - Math.log2(FIRST_SLOTS);
  /** How many numbers have a count. */
  size = 0;

  /**
   * @param {number} key a whole number from 0 to 2^31 - 2
   * @param {number} [count] a whole number
   */
  add(key, count = 1) {
    const keys = this.#keys;
    const mask = keys.length - 1;
    let slot = Math.imul(key, SPREAD) >>> this.#shift;
    for (;;) {
      const found = keys[slot];
      if (found === key + 1) {
        this.#counts[slot] = (this.#counts[slot] ?? 0) + count;
        return;
      }
      if (found === 0) break;
      slot = (slot + 1) & mask;
    }
    keys[slot] = key + 1;
    this.#counts[slot] = count;
    this.size += 1;
    if (this.size * 4 > keys.length * 3) this.#grow();
  }

  /** @returns {number} the sum of all counts */
  total() {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  /** @returns {[number, number][]} number and count, the numbers ascending */
  entries() {
    /** @type {[number, number][]} */
    const entries = [];
    this.#keys.forEach((key, slot) => {
      if (key !== 0) entries.push([key - 1, this.#counts[slot] ?? 0]);
    });
    return entries.sort(([first], [second]) => first - second);
  }

  /** @param {CounterTable} other added to this */
  merge(other) {
    for (const [key, count] of other.entries()) this.add(key, count);
  }

  #grow() {
    const keys = this.#keys;
    const counts = this.#counts;
    this.#keys = new Int32Array(keys.length * 2);
    this.#counts = new Float64Array(keys.length * 2);
    this.#shift -= 1;
    this.size = 0;
    for (let slot = 0; slot < keys.length; slot += 1) {
      const key = keys[slot];
      if (key) this.add(key - 1, counts[slot]);
    }
  }
}
