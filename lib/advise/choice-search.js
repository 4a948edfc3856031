// Index selection by local search: finds the best set of candidates: greedy by several measures, and from each of these sets by exchanges of up to
// two candidates for up to two others, until none improves it. Pure.

/** @import { ChoiceSpace, ChosenSet, Totals } from './choice-space.js' */

/** @typedef {{gain: number, bytes: number, count: number}} Worth of a set, as `isBetter` compares it */
/** @typedef {{members: number[], worth: Worth}} Move the set that it leads to */

/** Exchanges in the order in which they are tried, the cheapest first: how many are removed, how many added. */
const EXCHANGES = /** @type {const} */ ([
  [0, 1],
  [1, 0],
  [1, 1],
  [0, 2],
  [1, 2],
  [2, 1],
  [2, 2],
]);

/** So many candidates, those that gain most alone, are each tried as the first. */
const MAX_STARTS = 24;

/** @typedef {(gain: number, costs: Totals, space: ChoiceSpace) => number} Measure */

/** @type {Measure} */
const byGain = (gain) => gain;
/** By what a greedy start takes the next: gain, gain for what is scarce. @type {Measure[]} */
const MEASURES = [
  byGain,
  (gain, { bytes }) => per(gain, bytes),
  (gain, { writeCost }) => per(gain, writeCost),
  (gain, { bytes, indexes, writeCost }, { budget }) =>
    per(gain, partOf(bytes, budget.bytes) + partOf(indexes, budget.indexes) + partOf(writeCost, budget.writeCost)),
];

/**
 * @param {ChoiceSpace} space
 * @param {number} maxWork
 * @returns {ChosenSet} the best that was found
 */
export function searchChoice(space, maxWork) {
  const empty = space.setOf([]);
  const starts = boundsOf(space, empty).slice(0, MAX_STARTS);
  let best = empty;
  let left = MEASURES.length + starts.length;
  const tryFrom = (/** @type {ChosenSet | undefined} */ start, /** @type {Measure} */ measure) => {
    // Each start has its share of the steps, and what others left of theirs.
    const limit = space.work + (maxWork - space.work) / Math.max(1, Math.min(left, MEASURES.length));
    left -= 1;
    if (start === undefined || space.work > maxWork) return;
    const found = improve(space, greedy(space, start, measure), EXCHANGES, limit);
    if (space.isBetter(worthOf(found), worthOf(best))) best = found;
  };
  for (const measure of MEASURES) tryFrom(empty, measure);
  // A large change that needs the room of several small ones is no exchange away from them.
  for (const { at } of starts) {
    const first = space.missing(empty, at);
    tryFrom(first && makeRoom(space, space.setOf(first)), byGain);
  }
  // The last exchanges may not have been tried for want of steps; what is returned never holds what costs more than it gains.
  return improve(space, best, EXCHANGES.slice(0, 2), Number.POSITIVE_INFINITY);
}

/**
 * @param {ChoiceSpace} space
 * @param {ChosenSet} start
 * @returns {ChosenSet | undefined} with as much of what frees space or saves writing as it needs to fit the budget; undefined where all of it is
 *   not enough
 */
function makeRoom(space, start) {
  let set = start;
  for (const { at } of boundsOf(space, start)) {
    if (space.fits(set.totals)) return set;
    const missing = set.members.has(at) ? undefined : space.missing(set, at);
    if (missing === undefined) continue;
    const { bytes, writeCost } = space.totalsWith(set.totals, missing);
    if (bytes < set.totals.bytes || writeCost < set.totals.writeCost) set = space.with(set, missing);
  }
  return space.fits(set.totals) ? set : undefined;
}

/**
 * @param {ChosenSet} set
 * @returns {Worth}
 */
function worthOf({ gain, totals, members }) {
  return { gain, bytes: totals.bytes, count: members.size };
}

/**
 * @param {ChoiceSpace} space
 * @param {ChosenSet} start
 * @param {Measure} measure
 * @returns {ChosenSet} the best by that measure added each time
 */
function greedy(space, start, measure) {
  let set = start;
  for (;;) {
    const now = worthOf(set);
    /** @type {{score: number, gain: number, missing: number[]} | undefined} */
    let next;
    for (let at = 0; at < space.candidates.length; at += 1) {
      if (set.members.has(at)) continue;
      const missing = space.missing(set, at);
      if (missing === undefined) continue;
      const totals = space.totalsWith(set.totals, missing);
      if (!space.fits(totals)) continue;
      const costs = differenceOf(totals, set.totals);
      const gain = space.readingGain(set.best, missing) - costs.writeCost;
      const worth = { gain: now.gain + gain, bytes: totals.bytes, count: now.count + missing.length };
      if (!space.isBetter(worth, now)) continue;
      const score = measure(gain, costs, space);
      if (next === undefined || score > next.score || (score === next.score && gain > next.gain))
        next = { score, gain, missing };
    }
    if (next === undefined) return set;
    set = space.setOf([...set.members, ...next.missing]);
  }
}

/** @param {Totals} one @param {Totals} other @returns {Totals} */
function differenceOf(one, other) {
  return {
    bytes: one.bytes - other.bytes,
    indexes: one.indexes - other.indexes,
    writeCost: one.writeCost - other.writeCost,
  };
}

/** @param {number} gain @param {number} cost @returns {number} what costs nothing comes first */
function per(gain, cost) {
  return cost <= 0 ? Number.POSITIVE_INFINITY : gain / cost;
}

/** @param {number} cost @param {number | undefined} budget @returns {number} nothing where there is no limit */
function partOf(cost, budget) {
  return budget === undefined ? 0 : cost / Math.max(budget, 1e-9);
}

/**
 * @param {ChoiceSpace} space
 * @param {ChosenSet} start
 * @param {readonly (readonly [number, number])[]} exchanges
 * @param {number} maxWork
 * @returns {ChosenSet} no exchange improves it, unless there were too many steps
 */
function improve(space, start, exchanges, maxWork) {
  let set = start;
  for (;;) {
    /** @type {Move | undefined} */
    let move;
    for (const [removed, added] of exchanges) {
      if (space.work > maxWork) return set;
      move = findMove(space, set, removed, added, maxWork);
      if (move) break;
    }
    if (!move) return set;
    set = space.setOf(move.members);
  }
}

/**
 * @param {ChoiceSpace} space
 * @param {ChosenSet} set
 * @param {number} removed 0 to 2
 * @param {number} added 0 to 2
 * @param {number} maxWork
 * @returns {Move | undefined} the best of such exchanges that improves the set
 */
function findMove(space, set, removed, added, maxWork) {
  const search = { space, best: worthOf(set), move: /** @type {Move | undefined} */ (undefined) };
  const bound = boundsOf(space, set);
  const most = added === 0 ? 0 : (bound[0]?.most ?? 0) + (added === 2 ? Math.max(0, bound[1]?.most ?? 0) : 0);
  for (const gone of removals(space, set, removed)) {
    if (space.work > maxWork) break;
    const freed = [...gone].reduce((sum, at) => sum + Math.max(0, space.candidates[at]?.writeCost ?? 0), 0);
    // What is added to a smaller set raises the reading no higher than what is added to the larger one.
    if (added > 0 && set.gain + most + freed < search.best.gain - space.tolerance) continue;
    const base = removed === 0 ? set : space.setOf([...set.members].filter((at) => !gone.has(at)));
    if (added === 0) consider(search, base, [], base.gain);
    else if (added === 1) addOne(search, base, gone);
    else addTwo(search, base, gone, maxWork);
  }
  return search.move;
}

/**
 * @param {ChoiceSpace} space
 * @param {ChosenSet} set
 * @returns {{at: number, most: number}[]} the most that each candidate adds to the gain, the largest first: one that is needed by two that
 *   are added is paid for once, so the bound does not count it
 */
function boundsOf(space, set) {
  /** @type {{at: number, most: number}[]} */
  const bounds = [];
  for (let at = 0; at < space.candidates.length; at += 1) {
    const bundle = space.bundles[at];
    if (bundle === undefined || set.members.has(at)) continue;
    const missing = bundle.length === 1 ? bundle : bundle.filter((one) => !set.members.has(one));
    bounds.push({ at, most: space.readingGain(set.best, missing) - costAtLeast(space, missing, at) });
  }
  space.work += 8 * bounds.length;
  return bounds.sort((one, other) => other.most - one.most || one.at - other.at);
}

/**
 * @param {ChoiceSpace} space
 * @param {number[]} missing
 * @param {number} at
 * @returns {number} writing: of what it needs only what is saved
 */
function costAtLeast({ candidates }, missing, at) {
  return missing.reduce((sum, one) => {
    const cost = candidates[one]?.writeCost ?? 0;
    return sum + (one === at ? cost : Math.min(0, cost));
  }, 0);
}

/**
 * @param {ChoiceSpace} space
 * @param {ChosenSet} set
 * @param {number} count
 * @returns {Iterable<Set<number>>} so many members, each with those that need it
 */
function* removals({ dependents }, { members }, count) {
  if (count === 0) yield new Set();
  const all = [...members];
  const withDependents = (/** @type {number} */ at) => (dependents[at] ?? []).filter((one) => members.has(one));
  for (const [i, at] of all.entries()) {
    if (count === 1) yield new Set(withDependents(at));
    for (const other of count === 2 ? all.slice(i + 1) : [])
      yield new Set([...withDependents(at), ...withDependents(other)]);
  }
}

/** @typedef {{space: ChoiceSpace, best: Worth, move: Move | undefined}} Search */

/**
 * @param {Search} search
 * @param {ChosenSet} base
 * @param {number[]} missing
 * @param {number} gain of both together
 */
function consider(search, base, missing, gain) {
  const { space } = search;
  const totals = space.totalsWith(base.totals, missing);
  const worth = { gain, bytes: totals.bytes, count: base.members.size + missing.length };
  if (!space.fits(totals) || !space.isBetter(worth, search.best)) return;
  search.best = worth;
  search.move = { members: [...base.members, ...missing], worth };
}

/**
 * @param {Search} search
 * @param {ChosenSet} base
 * @param {Set<number>} gone not added again
 */
function addOne(search, base, gone) {
  const { space } = search;
  for (let at = 0; at < space.candidates.length; at += 1) {
    if (gone.has(at) || base.members.has(at)) continue;
    const missing = space.missing(base, at);
    if (missing === undefined || !space.fits(base.totals, missing)) continue;
    consider(search, base, missing, base.gain + gainOf(space, base.best, missing));
  }
}

/**
 * @param {Search} search
 * @param {ChosenSet} base
 * @param {Set<number>} gone not added again
 * @param {number} maxWork
 */
function addTwo(search, base, gone, maxWork) {
  const { space } = search;
  const bounds = boundsOf(space, base).filter(({ at }) => !gone.has(at));
  for (const [i, { at, most }] of bounds.entries()) {
    const next = bounds[i + 1];
    if (space.work > maxWork || next === undefined) return;
    if (base.gain + most + next.most <= search.best.gain + space.tolerance) return;
    const missing = space.missing(base, at);
    if (missing === undefined) continue;
    const both = space.with(base, missing);
    for (let j = i + 1; j < bounds.length; j += 1) {
      const { at: other, most: otherMost } = /** @type {{at: number, most: number}} */ (bounds[j]);
      if (base.gain + most + otherMost <= search.best.gain + space.tolerance) break;
      const more = both.members.has(other) ? undefined : space.missing(both, other);
      if (more === undefined || !space.fits(both.totals, more)) continue;
      consider(search, base, [...missing, ...more], both.gain + gainOf(space, both.best, more));
    }
  }
}

/**
 * @param {ChoiceSpace} space
 * @param {Float64Array} best
 * @param {number[]} missing
 * @returns {number} savings less writing that they add
 */
function gainOf(space, best, missing) {
  const cost = missing.reduce((sum, at) => sum + (space.candidates[at]?.writeCost ?? 0), 0);
  return space.readingGain(best, missing) - cost;
}
