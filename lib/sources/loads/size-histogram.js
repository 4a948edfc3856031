// Counts the distribution of sizes in constant memory: exact to 256, then to within half a percent.

/** Sizes are distinguished by so many leading bits. */
const BITS = 8;

export class SizeHistogram {
  /** How many sizes by the least size of their step. @type {Map<number, number>} */
  #counts = new Map();
  count = 0;
  max = 0;

  /** @param {number} size a whole number, at least 0 */
  add(size) {
    const width = size < 2 ** BITS ? 1 : 2 ** (Math.floor(Math.log2(size)) - BITS + 1);
    const least = Math.floor(size / width) * width;
    this.#counts.set(least, (this.#counts.get(least) ?? 0) + 1);
    this.count += 1;
    if (size > this.max) this.max = size;
  }

  /**
   * @param {number} share 0 to 1
   * @returns {number | undefined} the size that this share of all sizes does not exceed; undefined where there are none
   */
  quantile(share) {
    let left = Math.max(1, Math.ceil(share * this.count));
    for (const [least, count] of [...this.#counts].sort(([first], [second]) => first - second)) {
      left -= count;
      if (left <= 0) return least;
    }
    return undefined;
  }
}
