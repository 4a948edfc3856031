// Measures the size of a reducer's output for more and more rows: for kinds of values, and with the number of rows alone
// where few values are different. What grows with different values may stay small.

import { randomFrom } from '../shared/seeded-random.js';
import { inViewOrder } from './emitted-lists.js';
import { inOneGo } from './splits.js';
import { drawVariedRows } from './trial-values.js';

/** @import { ReduceTree } from './splits.js' */
/** @import { TrialRow, ValueSpec } from './trial-values.js' */
/** @import { TrialAnswer } from './trials-compare.js' */
/** @import { EmittedRow, Observed } from './emitted-rows.js' */
/** @import { TrialRequest } from './trials.js' */

/**
 * Sizes are lengths of JSON texts.
 * @typedef {object} Growth
 * @property {{rows: number, output: number}[]} sizes
 * @property {boolean} grows whether the output grows with the number of rows, not only by the digits of its numbers
 * @property {boolean} growsInOnePass whether it grows so even where no answers are reduced again
 */

/** Numbers of rows to measure with, the greatest that is tried, and what a result may be bounded by and still be seen to be. */
const COUNTS = [10, 100, 500, 1000];
const MAX_COUNT = 12_000;
/** Tried first: an output that hardly grows over these does not grow over COUNTS, which take three times as long. */
const FEW_BOUND = 200;
const FEW_MOST = 400;
const FEW = [10, 100, FEW_BOUND, FEW_MOST];

/**
 * @param {readonly number[]} bounds numbers of rows about the constants of the reducer: it may keep so many
 * @returns {number[]} numbers of rows, the last two of them beyond all such bounds
 */
function countsFor(bounds) {
  const bound = Math.max(0, ...bounds);
  return bound < 500 || bound > MAX_COUNT / 2 ? COUNTS : [10, 100, bound, 2 * bound];
}

/** Below this many characters more between the last two counts a difference can come from longer numbers in a few fields. */
const NOTABLE_GROWTH = 150;
/** Between the last two of FEW: two thirds of what NOTABLE_GROWTH is for as many rows. */
const NOTABLE_OVER_FEW = 40;

/**
 * @param {object} request
 * @param {readonly number[] | undefined} [request.bounds] numbers of rows about the constants of the reducer
 * @param {(count: number) => Promise<TrialRow[]> | TrialRow[]} request.draw that many rows; fewer where there are no more
 * @param {(trees: ReduceTree[]) => Promise<TrialAnswer[]>} request.ask
 * @returns {Promise<Growth | undefined>} undefined where some answer is not known, or there are too few rows
 */
export async function measureGrowth({ bounds = [], draw, ask }) {
  const some = bounds.every((bound) => bound < FEW_BOUND) ? await draw(FEW_MOST) : [];
  if (some.length >= FEW_MOST) {
    const few = await measureOver(FEW, some, { ask, notable: NOTABLE_OVER_FEW });
    if (!few?.grows) return few;
  }
  const counts = countsFor(bounds);
  const most = Math.max(...counts);
  const all = await draw(most);
  return all.length < most ? undefined : measureOver(counts, all, { ask, notable: NOTABLE_GROWTH });
}

/**
 * @param {readonly number[]} counts of rows, from the least to the greatest
 * @param {TrialRow[]} rows as many as the greatest
 * @param {{ask: (trees: ReduceTree[]) => Promise<TrialAnswer[]>, notable: number}} how `notable`: characters more that count as growth
 * @returns {Promise<Growth | undefined>} undefined where some answer is not known
 */
async function measureOver(counts, rows, { ask, notable }) {
  const lists = counts.map((count) => rows.slice(0, count));
  const once = sizesOf(await ask(lists.map(inOneGo)));
  const growsInOnePass = once !== undefined && growsBy(once, notable);
  // What piles up only under rereduce counts as well.
  const twice = growsInOnePass
    ? once
    : sizesOf(await ask(lists.map((list) => ({ parts: chunks(list, Math.ceil(list.length / 10)).map(inOneGo) }))));
  if (!once || !twice) return undefined;
  const outputs = once.map((size, at) => Math.max(size, twice[at] ?? 0));
  const sizes = counts.map((count, at) => ({ rows: count, output: outputs[at] ?? 0 }));
  return { sizes, grows: growsBy(outputs, notable), growsInOnePass };
}

/**
 * @param {number[]} outputs
 * @param {number} notable
 * @returns {boolean} whether the last is that much longer than the one before: what is bounded has reached its bound before these two
 */
function growsBy(outputs, notable) {
  return (outputs.at(-1) ?? 0) - (outputs.at(-2) ?? 0) > notable;
}

/** @param {TrialAnswer[]} answers @returns {number[] | undefined} undefined where one is not known */
function sizesOf(answers) {
  return answers.every((answer) => 'value' in answer) ? answers.map(({ value }) => lengthOf([value])) : undefined;
}

/**
 * @param {unknown} value
 * @returns {number}
 */
function lengthOf(value) {
  return (JSON.stringify(value) ?? 'null').length;
}

/**
 * @template T
 * @param {T[]} list
 * @param {number} size
 * @returns {T[][]}
 */
function chunks(list, size) {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}

/** @typedef {Pick<TrialRequest, 'source' | 'sandbox' | 'seed' | 'bounds'>} GrowthTrial */

/**
 * @param {GrowthTrial} trial
 * @param {ValueSpec} spec
 * @returns {Promise<Growth | undefined>} over rows of such values that differ; undefined where it cannot be measured
 */
export function growthOver(trial, spec) {
  return measure(trial, false, (count) => drawVariedRows(spec, randomFrom(trial.seed), count));
}

/**
 * @param {GrowthTrial} trial
 * @param {Observed} observed
 * @param {EmittedRow[]} rows
 * @returns {Promise<Growth | undefined>} over rows that the map emits for documents that hold one of three things
 */
export function growthOverFew(trial, observed, rows) {
  return measure(trial, true, async (count) => inViewOrder(await observed.repeat(rows, count)));
}

/**
 * @param {GrowthTrial} trial
 * @param {boolean} isFresh whether each call has globals of its own, as in CouchDB: what one leaves there grows for the next
 * @param {(count: number) => Promise<TrialRow[]> | TrialRow[]} draw
 * @returns {Promise<Growth | undefined>}
 */
function measure({ source, sandbox, bounds }, isFresh, draw) {
  return measureGrowth({
    bounds,
    draw,
    ask: async (trees) => {
      const answers = await sandbox.reduce({ source, trees, goesOn: true, isFresh });
      return answers.map((answer) => ('value' in answer ? answer : { unknown: answer.error.message }));
    },
  });
}
