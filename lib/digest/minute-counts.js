// Counts requests by minute in bounded memory: when too many minutes are counted, pairs of them become one, for all alike. How wide the steps are
// depends only on which minutes occurred, not on their order, so parts merge to what the whole gives.

import { CounterTable } from './counter-table.js';

/** So many steps are distinguished: the minutes of a day. */
export const MAX_STEPS = 1440;

export class MinuteCounts {
  steps = new CounterTable();
  /** A step is 2^shift minutes. */
  shift = 0;

  /**
   * @param {number} minute since 1970
   * @param {number} [count]
   */
  add(minute, count = 1) {
    this.steps.add(minute >> this.shift, count);
    while (this.steps.size > MAX_STEPS) this.#widen();
  }

  /** @returns {number} minutes in a step */
  get width() {
    return 2 ** this.shift;
  }

  /** @returns {number} the most requests a minute, as the mean of a step */
  peak() {
    return this.steps.entries().reduce((most, [, count]) => Math.max(most, count), 0) / this.width;
  }

  /** @param {MinuteCounts} other added to this */
  merge(other) {
    while (this.shift < other.shift) this.#widen();
    const by = this.shift - other.shift;
    for (const [step, count] of other.steps.entries()) this.steps.add(step >> by, count);
    while (this.steps.size > MAX_STEPS) this.#widen();
  }

  #widen() {
    const entries = this.steps.entries();
    this.shift += 1;
    this.steps = new CounterTable();
    for (const [step, count] of entries) this.steps.add(step >> 1, count);
  }
}
