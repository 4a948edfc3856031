// Lists what two digests are compared about: query patterns, index updates, query server failures; each with its figures in both, and the
// change of its time in a day, which orders them.

import { nameOf } from '../../shared/query-name.js';
import { MINUTES_PER_DAY } from '../../shared/units.js';
import { describeGroup, describeLatency } from '../figures.js';
import { MinuteCounts } from '../minute-counts.js';

/** @import { IndexBuilds } from '../evidence.js' */
/** @import { Histogram } from '../histogram.js' */
/** @import { FingerprintGroup } from '../fingerprint-group.js' */
/** @import { NamedQuery } from '../../shared/query-name.js' */
/** @import { Side } from './align.js' */
/** @import { Change } from './compare-digests.js' */

/** @typedef {{changes: Change[]}} Item */
/** @typedef {Item & {groups: [FingerprintGroup | undefined, FingerprintGroup | undefined]}} ShapeItem */

/**
 * @typedef {object} Counted What is counted by minute besides requests.
 * @property {Item} item
 * @property {[number, number]} counts
 * @property {[MinuteCounts, MinuteCounts]} minutes
 * @property {[Histogram, Histogram]} [micros] how long they took
 */

export class Items {
  /** All requests together. @type {Item} */
  traffic = { changes: [] };
  /** @type {ShapeItem[]} */
  shapes;
  /** @type {(Counted & {builds: [IndexBuilds | undefined, IndexBuilds | undefined]})[]} */
  indexes;
  /** @type {(Counted & {kind: string})[]} */
  queryServers;
  #sides;

  /** @param {[Side, Side]} sides */
  constructor(sides) {
    this.#sides = sides;
    const [old, fresh] = sides.map(({ digest }) => digest);
    this.shapes = pairUp(old?.groups, fresh?.groups).map(([, groups]) => ({ changes: [], groups }));
    this.indexes = pairUp(old?.builds, fresh?.builds).map(([, builds]) => ({
      item: { changes: [] },
      builds,
      counts: both(builds, (one) => one?.starts ?? 0),
      minutes: both(builds, (one) => one?.minutes ?? new MinuteCounts()),
      ...(builds[0] && builds[1] ? { micros: [builds[0].micros, builds[1].micros] } : {}),
    }));
    this.queryServers = pairUp(old?.queryServers, fresh?.queryServers).map(([kind, tallies]) => ({
      item: { changes: [] },
      kind,
      counts: both(tallies, (one) => one?.count ?? 0),
      minutes: both(tallies, (one) => one?.minutes ?? new MinuteCounts()),
    }));
  }

  /** @returns {Record<string, unknown>} what changed, the largest change of time in a day first; where there are no times, of requests */
  describe() {
    const shapes = this.shapes.filter(({ changes }) => changes.length > 0).map((item) => this.#describeShape(item));
    const cost = (/** @type {typeof shapes[number]} */ { dayMs, dayRequests }) =>
      Math.abs(dayMs?.change ?? dayRequests?.change ?? 0);
    const hasTimes = shapes.some(({ dayMs }) => dayMs);
    shapes.sort(
      (a, b) => (hasTimes ? Math.abs(b.dayMs?.change ?? 0) - Math.abs(a.dayMs?.change ?? 0) : 0) || cost(b) - cost(a),
    );
    return {
      traffic: this.traffic.changes,
      compared: {
        both: this.shapes.filter(({ groups }) => groups[0] && groups[1]).length,
        oldOnly: this.shapes.filter(({ groups }) => !groups[1]).length,
        newOnly: this.shapes.filter(({ groups }) => !groups[0]).length,
      },
      shapes,
      indexes: this.indexes.filter(({ item }) => item.changes.length > 0).map((index) => this.#describeIndex(index)),
      queryServers: this.queryServers
        .filter(({ item }) => item.changes.length > 0)
        .map(({ kind, counts, item }) => ({ kind, old: counts[0], new: counts[1], changes: item.changes })),
    };
  }

  /** @returns {(Omit<import('./compare-digests.js').Answer, 'time'> & {item: ShapeItem})[]} */
  named() {
    return this.shapes.map((item) => {
      const [old = null, fresh = null] = item.groups.map((group, at) =>
        keepFigures(this.#figuresOf(group, /** @type {0 | 1} */ (at))),
      );
      const names = item.groups.flatMap((group, at) =>
        group
          ? [nameOf(describeQuery(group, this.#sides[/** @type {0 | 1} */ (at)].digest.databaseName(group.database)))]
          : [],
      );
      return { item, names, old, new: fresh, reads: both(item.groups, readsOf) };
    });
  }

  /** @param {ShapeItem} item */
  #describeShape({ groups, changes }) {
    const [old, fresh] = groups.map((group, at) => this.#figuresOf(group, /** @type {0 | 1} */ (at)));
    const group = /** @type {FingerprintGroup} */ (groups[1] ?? groups[0]);
    return {
      ...describeQuery(group, this.#databaseOf(groups.map((one) => one?.database))),
      changes,
      ...this.#perDay(both(groups, (group) => [group?.count ?? 0, group ? group.latencyMicros.sum / 1000 : 0])),
      old: keepFigures(old),
      new: keepFigures(fresh),
    };
  }

  /**
   * @param {FingerprintGroup | undefined} group
   * @param {0 | 1} at
   */
  #figuresOf(group, at) {
    if (!group) return undefined;
    const { minutes, digest } = this.#sides[at];
    const whole = { totalMicros: 0, requests: digest.lines.requests, minutes: Math.max(1, minutes) };
    return describeGroup(group, digest.databaseName(group.database), whole);
  }

  /** @param {{builds: [IndexBuilds | undefined, IndexBuilds | undefined], item: Item}} index */
  #describeIndex({ builds, item }) {
    const [old, fresh] = builds.map((one) =>
      one ? { updates: one.starts, ...(one.micros.count > 0 ? { updateMs: describeLatency(one.micros) } : {}) } : null,
    );
    const { designDoc } = /** @type {IndexBuilds} */ (builds[1] ?? builds[0]);
    return {
      database: this.#databaseOf(builds.map((one) => one?.database)),
      designDoc,
      changes: item.changes,
      ...this.#perDay(both(builds, (one) => [one?.starts ?? 0, one ? one.micros.sum / 1000 : 0])),
      old,
      new: fresh,
    };
  }

  /**
   * @param {(string | null | undefined)[]} patterns old and new; undefined where it is not there
   * @returns {string | null} the name that both show, else the pattern
   */
  #databaseOf(patterns) {
    const names = patterns.flatMap((pattern, at) =>
      pattern === undefined ? [] : [this.#sides[/** @type {0 | 1} */ (at)].digest.databaseName(pattern)],
    );
    const pattern = patterns.find((one) => one !== undefined) ?? null;
    return new Set(names).size === 1 ? (names[0] ?? null) : pattern;
  }

  /**
   * @param {[[number, number], [number, number]]} sums requests and milliseconds, old and new
   * @returns {{dayMs?: {old: number, new: number, change: number}, dayRequests?: {old: number, new: number, change: number}}} absent where
   *   no line has a time
   */
  #perDay(sums) {
    const [old, fresh] = this.#sides;
    if (old.minutes === 0 || fresh.minutes === 0) return {};
    const day = (/** @type {0 | 1} */ which) => {
      const [before, after] = [old, fresh].map(
        ({ minutes }, at) => (sums[/** @type {0 | 1} */ (at)][which] / minutes) * MINUTES_PER_DAY,
      );
      const rounded = { old: Math.round(before ?? 0), new: Math.round(after ?? 0) };
      return { ...rounded, change: rounded.new - rounded.old };
    };
    const hasTimes = old.hasTimes && fresh.hasTimes;
    return { ...(hasTimes ? { dayMs: day(1) } : {}), dayRequests: day(0) };
  }
}

/**
 * @template T
 * @param {Map<string, T> | undefined} old
 * @param {Map<string, T> | undefined} fresh
 * @returns {[string, [T | undefined, T | undefined]][]} by key, in the order of the keys
 */
function pairUp(old = new Map(), fresh = new Map()) {
  const keys = [...new Set([...old.keys(), ...fresh.keys()])].sort();
  return keys.map((key) => [key, [old.get(key), fresh.get(key)]]);
}

/**
 * @template T, R
 * @param {[T, T]} pair
 * @param {(one: T) => R} change
 * @returns {[R, R]}
 */
function both([one, other], change) {
  return [change(one), change(other)];
}

/**
 * @param {FingerprintGroup} group
 * @param {string | null} database as it is shown
 * @returns {NamedQuery} without any figure
 */
export function describeQuery({ method, fingerprint, isReplication }, database) {
  const { endpoint, designDoc, view, functionName, parameters } = fingerprint;
  return {
    method,
    database,
    endpoint,
    ...(designDoc ? { designDoc } : {}),
    ...(view ? { view } : {}),
    ...(functionName ? { function: functionName } : {}),
    parameters,
    ...(isReplication ? { replication: true } : {}),
  };
}

/** @param {FingerprintGroup | undefined} group @returns {number | null} documents that a request examined, where a log says it */
function readsOf(group) {
  const find = group?.find;
  return find && find.reports > 0 ? (find.docsExamined + find.quorumDocsExamined) / find.reports : null;
}

/** @param {ReturnType<typeof describeGroup> | undefined} figures what a comparison shows of them */
function keepFigures(figures) {
  if (!figures) return null;
  const { count, statuses, bytes, latencyMs, ratePerMinute } = figures;
  return {
    count,
    ratePerMinute: ratePerMinute.mean,
    statuses,
    ...(bytes === undefined ? {} : { bytes }),
    ...(latencyMs === undefined ? {} : { latencyMs }),
  };
}
