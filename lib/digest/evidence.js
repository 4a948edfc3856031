// Counts what a log shows besides requests: index builds, reports about `_find`, failures of query servers.

import { FindStats, mergeExamples } from './fingerprint-group.js';
import { Histogram } from './histogram.js';
import { MinuteCounts } from './minute-counts.js';

/** @import { Joins } from './joins.js' */
/** @import { PlacedExample, FingerprintGroup } from './fingerprint-group.js' */

/** So many builds of each index are named. */
const MAX_BUILDS = 3;

/** @typedef {{from: number, ms: number}} Build `from`: milliseconds since 1970 */

export class IndexBuilds {
  micros = new Histogram();
  starts = 0;
  /** When updates started. */
  minutes = new MinuteCounts();
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

  /**
   * @param {number} from milliseconds since 1970
   * @param {number} to earlier where a clock was set back, or where these are not start and end of one build; it does not count then
   */
  addBetween(from, to) {
    if (to < from) return;
    this.micros.add((to - from) * 1000);
    this.#keep([{ from, ms: to - from }]);
  }

  /** @param {IndexBuilds} other added to this */
  merge(other) {
    this.starts += other.starts;
    this.minutes.merge(other.minutes);
    this.first = Math.min(this.first, other.first);
    this.last = Math.max(this.last, other.last);
    this.micros.merge(other.micros);
    this.#keep(other.longest);
  }

  /** @param {Build[]} builds */
  #keep(builds) {
    this.longest.push(...builds);
    this.longest.sort((a, b) => b.ms - a.ms || a.from - b.from);
    this.longest.length = Math.min(this.longest.length, MAX_BUILDS);
  }
}

/** @typedef {Joins<FindStats, FingerprintGroup>} FindJoins reports come before the line of their request */
/** @typedef {Joins<IndexBuilds, IndexBuilds>} BuildJoins */

export class Tally {
  count = 0;
  first = Number.POSITIVE_INFINITY;
  last = Number.NEGATIVE_INFINITY;
  minutes = new MinuteCounts();
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
      this.minutes.add(Math.floor(time / 60_000));
    }
    this.examples = mergeExamples(this.examples, [example]);
  }

  /** @param {Tally} other added to this */
  merge(other) {
    this.count += other.count;
    this.first = Math.min(this.first, other.first);
    this.last = Math.max(this.last, other.last);
    this.minutes.merge(other.minutes);
    this.examples = mergeExamples(this.examples, other.examples);
  }
}

/**
 * @param {FingerprintGroup} group of the request
 * @param {FindStats} stats of its report
 */
export function addFindStats(group, stats) {
  group.find ??= new FindStats();
  group.find.merge(stats);
  group.addRowsMeasured(stats.results);
}
