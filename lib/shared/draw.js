// Draws a part of many things at random, the same for the same ones. A stride would not do: documents often have a period, and of those with an even
// number alone a map that wants odd ones emits for none.

import { createRandom, randomInteger } from './seeded-random.js';

/**
 * Stratified: one of each of `count` stretches that are as long as each other.
 * @template T
 * @param {readonly T[]} list
 * @param {number} count
 * @returns {T[]} so many in their order, all where there are no more
 */
export function drawEvenly(list, count) {
  if (count >= list.length) return [...list];
  const random = createRandom(`${list.length} ${count}`);
  const edge = (/** @type {number} */ at) => Math.floor((at * list.length) / count);
  return Array.from(
    { length: count },
    (_, at) => /** @type {T} */ (list[randomInteger(random, edge(at), edge(at + 1))]),
  );
}

/**
 * Reservoir sampling (Vitter 1985, algorithm R), for things of which it is not known how many there are.
 * @template T
 */
export class Reservoir {
  /** @type {{at: number, item: T}[]} */
  #kept = [];
  #seen = 0;
  #weight = 0;
  #random = createRandom('reservoir');

  /**
   * @param {number} most how many are kept
   * @param {number} mostWeight of all that is kept: with heavier ones fewer are
   * @param {(item: T) => number} weigh
   */
  constructor(most, mostWeight, weigh) {
    this.most = most;
    this.mostWeight = mostWeight;
    this.weigh = weigh;
  }

  /** @param {T} item */
  add(item) {
    const at = this.#seen;
    this.#seen += 1;
    if (this.#kept.length < this.most) this.#kept.push({ at, item });
    else {
      const place = randomInteger(this.#random, 0, this.#seen);
      if (place >= this.most) return;
      this.#weight -= this.weigh(/** @type {{item: T}} */ (this.#kept[place]).item);
      this.#kept[place] = { at, item };
    }
    this.#weight += this.weigh(item);
    // What is left out for its weight is any of them, so that the others are still drawn from all.
    while (this.#weight > this.mostWeight && this.#kept.length > 1) {
      const place = randomInteger(this.#random, 0, this.#kept.length);
      const [{ item: dropped } = { item }] = this.#kept.splice(place, 1);
      this.#weight -= this.weigh(dropped);
      this.most = this.#kept.length;
    }
  }

  /** @returns {T[]} in the order in which they came */
  items() {
    return this.#kept.toSorted((one, other) => one.at - other.at).map(({ item }) => item);
  }
}
