// Compares two digests: which query patterns got slower, faster, more or less frequent, which errors, index updates and query server failures
// changed. Only what chance does not explain is reported: all tests of a comparison together report something in at most 5 % of the comparisons of
// like traffic (Holm).

import { holm } from '../../shared/distributions.js';
import { CounterTable } from '../counter-table.js';
import { describeLatency, instant } from '../figures.js';
import { Histogram } from '../histogram.js';
import { MinuteCounts } from '../minute-counts.js';
import { alignDigests } from './align.js';
import { ASSUMED, areErrorsScattered, INDEPENDENT, spreadOfCounts, spreadOfMeans } from './dispersion.js';
import { Items } from './items.js';
import { MIN_RATIO, testCounts } from './tests.js';
import { sampleTimes, testTimes } from './times.js';

/** @import { FingerprintGroup } from '../fingerprint-group.js' */
/** @import { Compared, Side, Topic, Unknown } from './align.js' */
/** @import { Span, Spread } from './dispersion.js' */
/** @import { FingerprintStep, TimeSteps, WholeStep } from '../time-steps.js' */
/** @import { Item } from './items.js' */
/** @import { Tested } from './tests.js' */

/**
 * @typedef {object} Change
 * @property {'rate' | 'share' | 'time' | 'errors'} what
 * @property {'more' | 'less' | 'appeared' | 'vanished' | 'slower' | 'faster'} direction
 * @property {number} [status] of errors
 * @property {number} old requests a minute, share of all requests, geometric mean in milliseconds, or share of the shape's requests
 * @property {number} new
 * @property {number | null} ratio null where there was none before
 * @property {number} low end of the interval of the ratio
 * @property {number | null} high null for no bound
 */

/**
 * @typedef {object} Answer What is known of one query pattern, changed or not.
 * @property {string[]} names as `nameOf` has them, old and new
 * @property {{count: number, ratePerMinute: number} | null} old null where it is not there
 * @property {{count: number, ratePerMinute: number} | null} new
 * @property {[number | null, number | null]} reads documents that a request examined, old and new; null where no log says it
 * @property {{old: number, new: number, ratio: number | null, low: number, high: number | null} | null} time geometric means in milliseconds; null where
 *   there are too few. The intervals of all answers hold together with the confidence of the comparison
 */

/** Requests and how many of them failed. @typedef {{count: number, failed: number, statuses: CounterTable, steps: TimeSteps<any>}} Failing */
/** @typedef {{item: Item, what: Change['what'], status?: number, old: number, new: number, tested: Tested, counts: [number, number]}} Question */

/** The chance that anything is reported of two logs of the same traffic. */
const LEVEL = 0.05;
/** With fewer requests on both sides together, no test can say anything. */
const MIN_COUNT = 8;

/**
 * @param {Compared} oldOne
 * @param {Compared} newOne both digests are changed
 * @param {ReadonlySet<string>} [wanted] names of query patterns of which `answers` are wanted
 * @returns {Record<string, unknown>} as share/schemas/digest-compare.schema.json says
 * @throws {import('../../shared/user-error.js').UserError} where one holds no requests
 */
export function compareDigests(oldOne, newOne, wanted) {
  const { sides, unknown, notes } = alignDigests(oldOne, newOne);
  const comparison = new Comparison(sides, unknown, notes);
  const changes = comparison.run();
  return wanted ? { ...changes, answers: comparison.answers(wanted) } : changes;
}

class Comparison {
  #sides;
  #unknown;
  #notes;
  /** @type {Question[]} */
  #questions = [];
  #items;
  #isAssumed = false;

  /**
   * @param {[Side, Side]} sides
   * @param {Unknown[]} unknown
   * @param {string[]} notes
   */
  constructor(sides, unknown, notes) {
    this.#sides = sides;
    this.#unknown = unknown;
    this.#notes = notes;
    this.#items = new Items(sides);
  }

  /** @param {Topic} about @returns {boolean} */
  #isKnown(about) {
    return !this.#unknown.some((one) => one.about === about);
  }

  /** @returns {Record<string, unknown>} */
  run() {
    if (this.#isKnown('everything')) this.#ask();
    const corrected = holm(this.#questions.map(({ tested }) => tested.chance));
    const order = corrected.map((chance, at) => ({ chance, at }));
    order.sort((a, b) => (this.#questions[a.at]?.tested.chance ?? 0) - (this.#questions[b.at]?.tested.chance ?? 0));
    for (const [rank, { chance, at }] of order.entries()) {
      const question = /** @type {Question} */ (this.#questions[at]);
      if (chance > LEVEL) continue;
      question.item.changes.push(describeChange(question, LEVEL / (this.#questions.length - rank)));
    }
    if (this.#isAssumed) {
      this.#notes.push('bursts of eight requests are assumed where a log has no timestamps or a digest keeps no times');
    }
    const [old, fresh] = this.#sides.map(describeSide);
    return {
      version: 1,
      old,
      new: fresh,
      confidence: 1 - LEVEL,
      leastRatio: MIN_RATIO,
      tests: this.#questions.length,
      unknown: this.#unknown,
      notes: this.#notes,
      ...this.#items.describe(),
    };
  }

  /**
   * After `run`.
   * @param {ReadonlySet<string>} wanted
   * @returns {Answer[]}
   */
  answers(wanted) {
    const asked = this.#items.named().filter(({ names }) => names.some((name) => wanted.has(name)));
    const times = new Map(this.#questions.flatMap((one) => (one.what === 'time' ? [[one.item, one]] : [])));
    return asked.map(({ item, ...about }) => {
      const question = times.get(item);
      return { ...about, time: question ? describeChange(question, LEVEL / asked.length) : null };
    });
  }

  #ask() {
    const [old, fresh] = this.#sides;
    const isTimed = old.span !== undefined && fresh.span !== undefined;
    const whole = isTimed ? spreadOfCounts([old.traffic, fresh.traffic], this.#spans()) : undefined;
    if (isTimed && !whole) {
      const reason = `${old.minutes <= fresh.minutes ? old.name : fresh.name} covers too few minutes: at least five are needed`;
      this.#unknown.push({ about: 'rates', reason });
    }
    if (whole) {
      const counts = /** @type {[number, number]} */ ([old.digest.lines.requests, fresh.digest.lines.requests]);
      this.#askRate(this.#items.traffic, 'rate', counts, whole);
    }
    // Few errors of many patterns show in all requests together only.
    this.#askErrors(this.#items.traffic, [failingOf(old), failingOf(fresh)]);
    for (const item of this.#items.shapes) this.#askShape(item, isTimed, whole !== undefined);
    if (!this.#isKnown('indexes')) return;
    for (const { item, counts, minutes, micros } of this.#items.indexes) {
      const spread = this.#spreadOf(minutes, counts, whole !== undefined);
      if (whole && spread) this.#askRate(item, 'rate', counts, spread);
      if (micros) this.#askTime(item, micros, () => spread);
    }
    for (const { item, counts, minutes } of this.#items.queryServers) {
      const spread = this.#spreadOf(minutes, counts, whole !== undefined);
      if (whole && spread) this.#askRate(item, 'rate', counts, spread);
    }
  }

  /**
   * @param {Item & {groups: [FingerprintGroup | undefined, FingerprintGroup | undefined]}} item
   * @param {boolean} isTimed
   * @param {boolean} hasRates
   */
  #askShape(item, isTimed, hasRates) {
    const [old, fresh] = item.groups;
    const counts = /** @type {[number, number]} */ ([old?.count ?? 0, fresh?.count ?? 0]);
    if (counts[0] + counts[1] < MIN_COUNT) return;
    const none = new MinuteCounts();
    if (hasRates) {
      const spread = this.#spreadOf([old?.minutes ?? none, fresh?.minutes ?? none], counts, true);
      if (spread) this.#askRate(item, 'rate', counts, spread);
    } else if (!isTimed) {
      this.#isAssumed = true;
      this.#askRate(item, 'share', counts, ASSUMED);
    }
    if (!old || !fresh) return;
    const pair = /** @type {[FingerprintGroup, FingerprintGroup]} */ ([old, fresh]);
    if (this.#isKnown('times')) {
      this.#askTime(item, [old.latencyMicros, fresh.latencyMicros], (variances) =>
        this.#spreadOver(
          pair,
          ({ timed, buckets }) => [timed, buckets],
          variances,
          ({ latencyMicros }) => latencyMicros.count,
        ),
      );
    }
    this.#askErrors(item, pair);
  }

  /**
   * @param {Item} item
   * @param {[Failing, Failing]} pair
   */
  #askErrors(item, pair) {
    const [old, fresh] = pair;
    const share = (old.failed + fresh.failed) / (old.count + fresh.count);
    if (share === 0) return;
    const variance = share * (1 - share);
    const take = (/** @type {FingerprintStep | WholeStep} */ { requests, failed }) =>
      /** @type {[number, number]} */ ([requests, failed]);
    // Of one pattern too few requests show whether its errors come in bursts.
    const isAll = item === this.#items.traffic;
    const spread =
      isAll && areErrorsScattered([old.steps, fresh.steps], take)
        ? INDEPENDENT
        : this.#spreadOver(pair, take, [variance, variance], ({ count }) => count, true);
    if (!spread) return;
    const before = new Map(old.statuses.entries());
    const after = new Map(fresh.statuses.entries());
    for (const status of new Set([...before.keys(), ...after.keys()])) {
      const counts = /** @type {[number, number]} */ ([before.get(status) ?? 0, after.get(status) ?? 0]);
      if (status < 400 || counts[0] + counts[1] < MIN_COUNT) continue;
      const tested = testCounts(counts, [old.count, fresh.count], spread);
      const [oldShare, newShare] = [counts[0] / old.count, counts[1] / fresh.count];
      this.#questions.push({ item, what: 'errors', status, old: oldShare, new: newShare, tested, counts });
    }
  }

  /**
   * @param {Item} item
   * @param {'rate' | 'share'} what
   * @param {[number, number]} counts
   * @param {Spread} spread
   */
  #askRate(item, what, counts, spread) {
    if (counts[0] + counts[1] < MIN_COUNT) return;
    const exposures = /** @type {[number, number]} */ (
      this.#sides.map(({ minutes, digest }) => (what === 'rate' ? minutes : digest.lines.requests))
    );
    const tested = testCounts(counts, exposures, spread);
    this.#questions.push({ item, what, old: counts[0] / exposures[0], new: counts[1] / exposures[1], tested, counts });
  }

  /**
   * @param {Item} item
   * @param {[Histogram, Histogram]} micros
   * @param {(variances: [number, number]) => Spread | undefined} spreadOf
   */
  #askTime(item, micros, spreadOf) {
    const samples = /** @type {[ReturnType<typeof sampleTimes>, ReturnType<typeof sampleTimes>]} */ (
      micros.map(sampleTimes)
    );
    const tested = testTimes(samples, spreadOf);
    if (!tested) return;
    const [old, fresh] = samples.map(({ mean }) => Math.exp(mean) / 1000);
    const counts = /** @type {[number, number]} */ ([1, 1]);
    this.#questions.push({ item, what: 'time', old: old ?? 0, new: fresh ?? 0, tested, counts });
  }

  /** @returns {[Span, Span]} where both have times */
  #spans() {
    return /** @type {[Span, Span]} */ (this.#sides.map(({ span }) => span));
  }

  /**
   * @param {[MinuteCounts, MinuteCounts]} minutes
   * @param {[number, number]} counts
   * @param {boolean} hasRates
   * @returns {Spread | undefined}
   */
  #spreadOf(minutes, counts, hasRates) {
    const kept = minutes.map(({ steps }) => steps.total());
    if (hasRates && (kept[0] ?? 0) + (kept[1] ?? 0) >= (counts[0] + counts[1]) / 2)
      return spreadOfCounts(minutes, this.#spans());
    this.#isAssumed = true;
    return ASSUMED;
  }

  /**
   * @template {{steps: TimeSteps<any>}} G
   * @param {[G, G]} pair
   * @param {(step: any) => [number, number]} take
   * @param {[number, number]} variances
   * @param {(group: G) => number} countOf how many values there are
   * @param {boolean} [isCounted] whether the values are 0 or 1
   * @returns {Spread | undefined}
   */
  #spreadOver(pair, take, variances, countOf, isCounted = false) {
    const isKept = pair.every((group) => {
      const kept = group.steps.entries().reduce((sum, [, step]) => sum + take(step)[0], 0);
      return kept >= countOf(group) / 2;
    });
    if (isKept && this.#sides.every(({ span }) => span !== undefined)) {
      return spreadOfMeans([pair[0].steps, pair[1].steps], take, variances, this.#spans(), isCounted);
    }
    this.#isAssumed = true;
    return ASSUMED;
  }
}

/** @param {Side} side @returns {Failing} all of its requests */
function failingOf({ digest }) {
  const statuses = new CounterTable();
  let [count, failed] = [0, 0];
  for (const group of digest.groups.values()) {
    for (const [status, times] of group.statuses.entries()) statuses.add(status, times);
    count += group.count;
    failed += group.failed;
  }
  return { count, failed, statuses, steps: digest.steps };
}

/**
 * @param {Question} question
 * @param {number} level of its interval
 * @returns {Change}
 */
function describeChange({ what, status, old, new: fresh, tested, counts }, level) {
  const [low, high] = tested.interval(level);
  const isMore = tested.ratio > 1;
  const direction =
    counts[0] === 0
      ? 'appeared'
      : counts[1] === 0
        ? 'vanished'
        : what === 'time'
          ? isMore
            ? 'slower'
            : 'faster'
          : isMore
            ? 'more'
            : 'less';
  return {
    what,
    direction,
    ...(status === undefined ? {} : { status }),
    old: round(old),
    new: round(fresh),
    ratio: Number.isFinite(tested.ratio) ? round(tested.ratio) : null,
    low: round(low),
    high: Number.isFinite(high) ? round(high) : null,
  };
}

/** @param {Side} side */
function describeSide({ name, digest, minutes }) {
  const all = new Histogram();
  for (const { latencyMicros } of digest.groups.values()) all.merge(latencyMicros);
  return {
    name,
    from: instant(digest.first),
    to: instant(digest.last),
    minutes: round(minutes),
    requests: digest.lines.requests,
    shapes: digest.groups.size,
    ...(all.count > 0 ? { latencyMs: describeLatency(all) } : {}),
  };
}

/** @param {number} value @returns {number} with six digits that count */
export function round(value) {
  return Number(value.toPrecision(6));
}
