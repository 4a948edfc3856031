// What a log tells beside requests: builds of indexes, reports about `_find`, failures of query servers. Starts and ends,
// reports and requests are joined in whatever order and part of the log they come; what waits for its other half is bounded.

import { Histogram } from './histogram.js';
import { FindStats, mergeExamples } from './shape-group.js';

/** @import { PlacedExample, ShapeGroup } from './shape-group.js' */

/** So many first halves may wait: far more than a server has at work at one time. */
const MOST_WAITING = 1024;
/** Of second halves, only those that come early in a part of a log may have their first half in the part before. */
const MOST_EARLY_IN_PART = 64;
const MOST_EARLY = 16_384;

/** So many builds of each index are named. */
const MOST_BUILDS = 3;

/** @typedef {{from: number, ms: number}} Build `from`: milliseconds since 1970 */

export class IndexBuilds {
  micros = new Histogram();
  starts = 0;
  first = Number.POSITIVE_INFINITY;
  last = Number.NEGATIVE_INFINITY;
  /** The longest ones, longest first. @type {Build[]} */
  longest = [];

  /**
   * @param {string | null} database
   * @param {string} designDoc
   */
  constructor(database, designDoc) {
    this.database = database;
    this.designDoc = designDoc;
  }

  /** @param {number} time in milliseconds since 1970, of a start or an end */
  see(time) {
    this.first = Math.min(this.first, time);
    this.last = Math.max(this.last, time);
  }

  /** @param {Build} build */
  add({ from, ms }) {
    this.micros.add(Math.round(ms * 1000));
    this.#keep([{ from, ms }]);
  }

  /** @param {IndexBuilds} other added to this */
  merge(other) {
    this.starts += other.starts;
    this.first = Math.min(this.first, other.first);
    this.last = Math.max(this.last, other.last);
    this.micros.merge(other.micros);
    this.#keep(other.longest);
  }

  /** @param {Build[]} builds */
  #keep(builds) {
    this.longest.push(...builds);
    this.longest.sort((a, b) => b.ms - a.ms || a.from - b.from);
    this.longest.length = Math.min(this.longest.length, MOST_BUILDS);
  }
}

/** @template T @typedef {{time: number, half: T}} Half `time`: milliseconds since 1970, negative where it is unknown */

/**
 * Joins two kinds of lines by a name that both have.
 * @template First, Second
 */
export class Joins {
  /** First halves that wait. @type {Map<string, Half<First>>} */
  waiting = new Map();
  /** Second halves that came before their first half was seen. @type {Map<string, Half<Second>>} */
  early = new Map();
  #earlyInPart = 0;

  /** Another part of a log begins: the first halves of its first lines may stand elsewhere. */
  beginPart() {
    this.#earlyInPart = 0;
  }

  /**
   * @param {string} name
   * @param {Half<First>} first
   * @returns {Half<Second> | undefined} the other half, where it was there
   */
  first(name, first) {
    const other = this.early.get(name);
    if (other !== undefined) {
      this.early.delete(name);
      return other;
    }
    this.waiting.delete(name);
    this.waiting.set(name, first);
    if (this.waiting.size > MOST_WAITING) this.waiting.delete(/** @type {string} */ (this.waiting.keys().next().value));
    return undefined;
  }

  /**
   * @param {string} name
   * @param {Half<Second>} second
   * @param {boolean} [isOfOtherPart] whether it was early in a part that is merged
   * @returns {Half<First> | undefined} the other half, where it was there
   */
  second(name, second, isOfOtherPart = false) {
    const other = this.waiting.get(name);
    if (other !== undefined) {
      this.waiting.delete(name);
      return other;
    }
    const isEarly = isOfOtherPart || this.#earlyInPart < MOST_EARLY_IN_PART;
    if (isEarly && this.early.size < MOST_EARLY && !this.early.has(name)) {
      this.early.set(name, second);
      this.#earlyInPart += 1;
    }
    return undefined;
  }

  /** @returns {boolean} whether a second half could be joined or kept now; where not, its name need not be read */
  get takesSecond() {
    return this.waiting.size > 0 || (this.#earlyInPart < MOST_EARLY_IN_PART && this.early.size < MOST_EARLY);
  }

  /** All parts are in: keeps what another log, from before or after, may still join. */
  finish() {
    const early = [...this.early].sort(([a, one], [b, other]) => one.time - other.time || (a < b ? -1 : 1));
    this.early = new Map(early.slice(0, MOST_EARLY_IN_PART));
    const waiting = [...this.waiting].sort(([a, one], [b, other]) => other.time - one.time || (a < b ? -1 : 1));
    this.waiting = new Map(waiting.slice(0, MOST_EARLY_IN_PART).reverse());
  }
}

/** @typedef {Joins<FindStats, ShapeGroup>} FindJoins reports come before the line of their request */
/** @typedef {Joins<IndexBuilds, IndexBuilds>} BuildJoins */

export class Tally {
  count = 0;
  first = Number.POSITIVE_INFINITY;
  last = Number.NEGATIVE_INFINITY;
  /** @type {PlacedExample[]} */
  examples = [];

  /**
   * @param {number} time in milliseconds since 1970, negative where it is unknown
   * @param {PlacedExample} example
   */
  add(time, example) {
    this.count += 1;
    if (time >= 0) {
      this.first = Math.min(this.first, time);
      this.last = Math.max(this.last, time);
    }
    this.examples = mergeExamples(this.examples, [example]);
  }

  /** @param {Tally} other added to this */
  merge(other) {
    this.count += other.count;
    this.first = Math.min(this.first, other.first);
    this.last = Math.max(this.last, other.last);
    this.examples = mergeExamples(this.examples, other.examples);
  }
}

/**
 * @param {ShapeGroup} group of the request
 * @param {FindStats} stats of its report
 */
export function addFindStats(group, stats) {
  group.find ??= new FindStats();
  group.find.merge(stats);
  group.addRowsMeasured(stats.results);
}
