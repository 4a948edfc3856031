// Computes what sets of candidates gain and cost together, for the search of the choice. Pure.

/** @import { Budget, Candidate } from './choice.js' */

/** Differences below this part of all that is at stake are rounding. */
const PRECISION = 1e-9;

/** @typedef {{bytes: number, indexes: number, writeCost: number}} Totals of candidates, in the measures of a budget */

/** @typedef {'bytes' | 'indexes' | 'writeCost'} Limit */

/** A set of candidates, by their numbers, with what it gains. */
export class ChosenSet {
  /** @param {Iterable<number>} members */
  constructor(members) {
    /** @type {Set<number>} */
    this.members = new Set(members);
    /** Savings of reading. */
    this.reading = 0;
    /** @type {Totals} */
    this.totals = { bytes: 0, indexes: 0, writeCost: 0 };
    /** What the best member saves, by number of the query. */
    this.best = new Float64Array(0);
    /** How many members are of an alternative, by number of the alternative. */
    this.alternatives = new Int32Array(0);
  }

  /** @returns {number} savings less writing */
  get gain() {
    return this.reading - this.totals.writeCost;
  }
}

/** All candidates under one budget, numbered in the order of their ids. */
export class ChoiceSpace {
  /**
   * @param {Candidate[]} candidates
   * @param {Budget} budget
   */
  constructor(candidates, budget) {
    this.candidates = candidates.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    this.budget = budget;
    /** Savings that were looked at, for a bound on the search. */
    this.work = 0;
    const queries = numbersOf(this.candidates.flatMap(({ savings }) => [...savings.keys()]));
    this.queryCount = queries.size;
    /** Savings above 0 of each candidate: numbers of queries, and as many values. */
    this.entries = this.candidates.map(({ savings }) => {
      const useful = [...savings].filter(([, saved]) => saved > 0);
      return {
        queries: Int32Array.from(useful, ([query]) => queries.get(query) ?? 0),
        values: Float64Array.from(useful, ([, saved]) => saved),
      };
    });
    const alternatives = numbersOf(
      this.candidates.flatMap(({ alternative }) => (alternative === undefined ? [] : [alternative])),
    );
    this.alternativeCount = alternatives.size;
    /** Number of its alternative, or -1. */
    this.alternativeOf = this.candidates.map(({ alternative }) => alternatives.get(alternative ?? '') ?? -1);
    for (const [at, { alternative }] of this.candidates.entries())
      if (alternative === undefined) this.alternativeOf[at] = -1;
    /** Each candidate with all that it needs, these first; undefined where something it needs is no candidate. */
    this.bundles = this.#bundles();
    const all = this.candidates.map((_, at) => at);
    /** Candidates that need this one, itself included. */
    this.dependents = all.map((at) => all.filter((other) => other === at || this.bundles[other]?.includes(at)));
    const stake = this.entries.reduce(
      (sum, { values }) => sum + values.reduce((most, value) => Math.max(most, value), 0),
      0,
    );
    this.tolerance = PRECISION * (stake + this.candidates.reduce((sum, { writeCost }) => sum + Math.abs(writeCost), 0));
  }

  /** @returns {(number[] | undefined)[]} */
  #bundles() {
    const numbers = new Map(this.candidates.map(({ id }, at) => [id, at]));
    return this.candidates.map((_, start) => {
      /** @type {Set<number>} */
      const seen = new Set();
      /** @type {number[]} */
      const bundle = [];
      const visit = (/** @type {number} */ at) => {
        if (seen.has(at)) return true;
        seen.add(at);
        for (const id of (this.candidates[at]?.needs ?? []).toSorted()) {
          const needed = numbers.get(id);
          if (needed === undefined || !visit(needed)) return false;
        }
        bundle.push(at);
        return true;
      };
      return visit(start) ? bundle : undefined;
    });
  }

  /**
   * @param {Iterable<number>} members
   * @returns {ChosenSet}
   */
  setOf(members) {
    const empty = new ChosenSet([]);
    empty.best = new Float64Array(this.queryCount);
    empty.alternatives = new Int32Array(this.alternativeCount);
    return this.with(
      empty,
      [...members].sort((one, other) => one - other),
    );
  }

  /**
   * @param {ChosenSet} base stays as it is
   * @param {number[]} added
   * @returns {ChosenSet}
   */
  with(base, added) {
    this.work += Math.ceil(this.queryCount / 8) + base.members.size;
    const set = new ChosenSet([...base.members, ...added]);
    set.best = base.best.slice();
    set.alternatives = base.alternatives.slice();
    set.totals = this.totalsWith(base.totals, added);
    set.reading = base.reading;
    for (const at of added) {
      set.reading += this.raise(set.best, at);
      const alternative = /** @type {number} */ (this.alternativeOf[at]);
      if (alternative !== -1) set.alternatives[alternative] = (set.alternatives[alternative] ?? 0) + 1;
    }
    return set;
  }

  /**
   * @param {Totals} totals
   * @param {number} at
   */
  addTotals(totals, at) {
    const { bytes, isIndex, writeCost } = /** @type {Candidate} */ (this.candidates[at]);
    totals.bytes += bytes;
    totals.indexes += isIndex ? 1 : 0;
    totals.writeCost += writeCost;
  }

  /**
   * @param {Float64Array} best is raised to what the candidate saves
   * @param {number} at
   * @param {[number, number][]} [undo] takes what stood there
   * @returns {number} reading that it saves more
   */
  raise(best, at, undo) {
    const { queries, values } = /** @type {ChoiceSpace['entries'][number]} */ (this.entries[at]);
    this.work += queries.length + 1;
    let gain = 0;
    for (let i = 0; i < queries.length; i += 1) {
      const query = /** @type {number} */ (queries[i]);
      const value = /** @type {number} */ (values[i]);
      const old = /** @type {number} */ (best[query]);
      if (value <= old) continue;
      undo?.push([query, old]);
      best[query] = value;
      gain += value - old;
    }
    return gain;
  }

  /**
   * @param {Float64Array} best stays as it is
   * @param {number[]} members
   * @returns {number} reading that they save more together
   */
  readingGain(best, members) {
    if (members.length !== 1) {
      /** @type {[number, number][]} */
      const undo = [];
      let gain = 0;
      for (const at of members) gain += this.raise(best, at, undo);
      restore(best, undo);
      return gain;
    }
    const { queries, values } = /** @type {ChoiceSpace['entries'][number]} */ (this.entries[members[0] ?? 0]);
    this.work += queries.length + 1;
    let gain = 0;
    for (let i = 0; i < queries.length; i += 1) {
      const more = /** @type {number} */ (values[i]) - /** @type {number} */ (best[queries[i] ?? 0]);
      if (more > 0) gain += more;
    }
    return gain;
  }

  /**
   * @param {ChosenSet} set
   * @param {number} at not a member
   * @returns {number[] | undefined} it and all it needs that the set lacks, these first; undefined where an alternative is in the way
   */
  missing(set, at) {
    this.work += 1;
    const bundle = this.bundles[at];
    if (bundle === undefined) return undefined;
    if (bundle.length === 1) {
      const alternative = /** @type {number} */ (this.alternativeOf[at]);
      return alternative !== -1 && (set.alternatives[alternative] ?? 0) > 0 ? undefined : bundle;
    }
    const missing = bundle.filter((one) => !set.members.has(one));
    /** @type {Set<number>} */
    const taken = new Set();
    for (const one of missing) {
      const alternative = /** @type {number} */ (this.alternativeOf[one]);
      if (alternative === -1) continue;
      if (taken.has(alternative) || (set.alternatives[alternative] ?? 0) > 0) return undefined;
      taken.add(alternative);
    }
    return missing;
  }

  /**
   * @param {Totals} totals
   * @param {number[]} members to be added
   * @returns {Totals}
   */
  totalsWith(totals, members) {
    this.work += members.length + 4;
    const sum = { ...totals };
    for (const at of members) this.addTotals(sum, at);
    return sum;
  }

  /**
   * @param {Totals} totals
   * @returns {Limit[]} of the budget that they exceed
   */
  exceeded(totals) {
    const { budget, tolerance } = this;
    /** @type {Limit[]} */
    const limits = [];
    if (budget.bytes !== undefined && totals.bytes > budget.bytes) limits.push('bytes');
    if (budget.indexes !== undefined && totals.indexes > budget.indexes) limits.push('indexes');
    if (budget.writeCost !== undefined && totals.writeCost > budget.writeCost + tolerance) limits.push('writeCost');
    return limits;
  }

  /**
   * @param {Totals} totals
   * @param {number[]} [added] members besides
   * @returns {boolean}
   */
  fits(totals, added = []) {
    const { budget, candidates, tolerance } = this;
    let { bytes, indexes, writeCost } = totals;
    for (const at of added) {
      const candidate = /** @type {Candidate} */ (candidates[at]);
      bytes += candidate.bytes;
      indexes += candidate.isIndex ? 1 : 0;
      writeCost += candidate.writeCost;
    }
    this.work += added.length;
    if (budget.bytes !== undefined && bytes > budget.bytes) return false;
    if (budget.indexes !== undefined && indexes > budget.indexes) return false;
    // A sum of fractions depends on its order.
    return budget.writeCost === undefined || writeCost <= budget.writeCost + tolerance;
  }

  /**
   * @param {{gain: number, bytes: number, count: number}} one
   * @param {{gain: number, bytes: number, count: number}} other
   * @returns {boolean} whether the one is the better set: it gains more, or as much with less on the disk, or the same with fewer changes
   */
  isBetter(one, other) {
    if (Math.abs(one.gain - other.gain) > this.tolerance) return one.gain > other.gain;
    return one.bytes < other.bytes || (one.bytes === other.bytes && one.count < other.count);
  }
}

/**
 * @param {Float64Array} best
 * @param {[number, number][]} undo of `raise`
 */
function restore(best, undo) {
  for (let i = undo.length - 1; i >= 0; i -= 1) {
    const [query, old] = /** @type {[number, number]} */ (undo[i]);
    best[query] = old;
  }
}

/** @param {string[]} names @returns {Map<string, number>} in order */
function numbersOf(names) {
  return new Map([...new Set(names)].sort().map((name, at) => [name, at]));
}
