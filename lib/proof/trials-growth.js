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
const COUNTS = [10, 100, 1000, 2000];
const MAX_COUNT = 12_000;

/**
 * @param {readonly number[]} lengths numbers of rows about the constants of the reducer: it may keep so many
 * @returns {number[]} numbers of rows, the last two of them beyond all such bounds
 */
export function countsFor(lengths) {
  const bound = Math.max(0, ...lengths);
  return bound < 1100 || bound > MAX_COUNT / 2 ? COUNTS : [10, 100, bound, 2 * bound];
}

/** Below this many characters more between the last two counts a difference can come from longer numbers in a few fields. */
const NOTABLE_GROWTH = 300;

/**
 * @param {object} request
 * @param {readonly number[]} request.counts of rows, from the least to the greatest
 * @param {(count: number) => TrialRow[]} request.draw that many rows
 * @param {(trees: ReduceTree[]) => Promise<TrialAnswer[]>} request.ask
 * @returns {Promise<Growth | undefined>} undefined where some answer is not known
 */
export async function measureGrowth({ counts, draw, ask }) {
  const lists = counts.map(draw);
  // One pass and two passes: what piles up only under rereduce counts as well.
  const once = await ask(lists.map(inOneGo));
  const twice = await ask(lists.map((rows) => ({ parts: chunks(rows, Math.ceil(rows.length / 10)).map(inOneGo) })));
  const sizes = [];
  /** @type {number[]} */
  const inOnePass = [];
  for (const [at, rows] of lists.entries()) {
    const [one, two] = [once[at], twice[at]];
    if (!one || !two || !('value' in one) || !('value' in two)) return undefined;
    inOnePass.push(lengthOf([one.value]));
    sizes.push({ rows: rows.length, output: Math.max(lengthOf([one.value]), lengthOf([two.value])) });
  }
  // A result that is bounded has reached its bound before the last two.
  const [middle, last] = sizes.slice(-2);
  const more = middle && last ? last.output - middle.output : 0;
  const growsInOnePass = (inOnePass.at(-1) ?? 0) - (inOnePass.at(-2) ?? 0) > NOTABLE_GROWTH;
  return { sizes, grows: more > NOTABLE_GROWTH, growsInOnePass };
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

/** @typedef {Pick<TrialRequest, 'source' | 'sandbox' | 'seed' | 'lengths'>} GrowthTrial */

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
export async function growthOverFew(trial, observed, rows) {
  const most = Math.max(...countsFor(trial.lengths ?? []));
  const many = inViewOrder(await observed.repeat(rows, most));
  return many.length < most ? undefined : measure(trial, true, (count) => many.slice(0, count));
}

/**
 * @param {GrowthTrial} trial
 * @param {boolean} isFresh whether each call has globals of its own, as in CouchDB: what one leaves there grows for the next
 * @param {(count: number) => TrialRow[]} draw
 * @returns {Promise<Growth | undefined>}
 */
function measure({ source, sandbox, lengths = [] }, isFresh, draw) {
  return measureGrowth({
    counts: countsFor(lengths),
    draw,
    ask: async (trees) => {
      const answers = await sandbox.reduce({ source, trees, goesOn: true, isFresh });
      return answers.map((answer) => ('value' in answer ? answer : { unknown: answer.error.message }));
    },
  });
}
