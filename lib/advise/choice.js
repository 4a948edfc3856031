// Chooses the set of candidates that saves most within a budget: greedy, then exchanges. Pure.

import { orderSteps } from './choice-order.js';
import { findCheapest, rejectionOf } from './choice-reasons.js';
import { searchChoice } from './choice-search.js';
import { ChoiceSpace } from './choice-space.js';

/** @import { Cheapest, Rejection } from './choice-reasons.js' */

/**
 * @typedef {object} Candidate One change, as the choice sees it.
 * @property {string} id different for each
 * @property {Map<string, number>} savings milliseconds a day (or another unit, the same for all) that reading a form of query takes less, by id
 *   of the query, if this change serves it. Of several changes for one query the best one counts
 * @property {number} bytes on the disk; below 0 where it frees space
 * @property {number} writeCost a day, in the unit of the savings; below 0 where it saves writing
 * @property {boolean} isIndex whether it counts for `maxIndexes`
 * @property {string} [alternative] of candidates with the same word at most one is chosen: they change the same thing
 * @property {string[]} [needs] ids of candidates without which it makes no sense
 */

/**
 * @typedef {object} Budget What all chosen changes together may cost; absent: no limit.
 * @property {number | undefined} [bytes]
 * @property {number | undefined} [indexes]
 * @property {number | undefined} [writeCost] a day, in the unit of savings
 */

/**
 * @typedef {object} Choice
 * @property {string[]} chosen ids, in the order of `steps`
 * @property {number} gain savings less writing of all that was chosen
 * @property {{id: string, adds: number}[]} steps in the order in which they are best made; `adds`: savings less writing that the step adds to
 *   the steps before it
 * @property {Rejection[]} rejected all others, the most useful first
 * @property {Cheapest | null} cheapest what the cheapest useful change needs, where the budget allows none; null where one was chosen, or
 *   none is useful
 * @property {number} work steps that the search took: savings that were looked at
 */

/** Steps of the search. 200 candidates for 300 queries use them up, in about 3 s of one processor (test/bench/choice.js). */
const MAX_WORK = 100_000_000;

/**
 * Never returns a set that gains more once one of its candidates, with those that need it, is removed, and none that
 * another candidate within the budget would improve.
 * @param {Candidate[]} candidates
 * @param {Budget} [budget]
 * @param {{maxWork?: number}} [options] `maxWork`: steps after which the best set so far is returned
 * @returns {Choice} the same for the same candidates in any order
 */
export function chooseChanges(candidates, budget = {}, { maxWork = MAX_WORK } = {}) {
  const space = new ChoiceSpace(candidates, budget);
  const chosen = searchChoice(space, maxWork);
  const steps = orderSteps(space, chosen);
  const rejected = space.candidates.flatMap((_, at) =>
    chosen.members.has(at) ? [] : [rejectionOf(space, chosen, at)],
  );
  return {
    chosen: steps.map(({ id }) => id),
    gain: chosen.gain,
    steps,
    rejected: rejected.sort((one, other) => other.gainAlone - one.gainAlone || (one.id < other.id ? -1 : 1)),
    cheapest: chosen.reading > space.tolerance ? null : findCheapest(space),
    work: space.work,
  };
}
