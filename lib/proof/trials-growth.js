// Measures the size of a reducer's output for more and more rows, with what CouchDB's reduce_limit does about it. Calls
// the sandbox through the function it is given.

import { reduceLimit } from '../shared/reduce-limit.js';
import { inOneGo } from './splits.js';

/** @import { ReduceTree } from './splits.js' */
/** @import { TrialRow } from './trial-values.js' */
/** @import { TrialAnswer } from './trials-compare.js' */

/**
 * Sizes are lengths of JSON texts, as reduce_limit counts them.
 * @typedef {object} Growth
 * @property {{rows: number, input: number, output: number, isOverLimit: boolean}[]} sizes
 * @property {boolean} grows whether the output grows with the number of rows, not only by the digits of its numbers
 * @property {boolean} growsInOnePass whether it grows so even where no answers are reduced again
 * @property {number} perRow characters that each further row adds, measured between the last two sizes
 */

/** An answer that is longer than `reduceLimit` is refused where so many times its length is more than its input. */
const OVERFLOW_RATIO = 2;

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
 * @param {object} asked
 * @param {string} asked.source
 * @param {string} asked.target CouchDB version
 * @param {readonly number[]} asked.counts of rows, from the least to the greatest
 * @param {(count: number) => TrialRow[]} asked.draw so many rows
 * @param {(trees: ReduceTree[]) => Promise<TrialAnswer[]>} asked.ask
 * @returns {Promise<Growth | undefined>} undefined where some answer is not known
 */
export async function measureGrowth({ source, target, counts, draw, ask }) {
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
    const output = Math.max(lengthOf([one.value]), lengthOf([two.value]));
    // State.line_length - code_size: the line without the source as it was before JSON escaped it.
    const line = ['reduce', [source], rows.map(({ id, key, value }) => [[key, id], value])];
    const input = lengthOf(line) - source.length;
    const isOverLimit = output > reduceLimit(target) && output * OVERFLOW_RATIO > input;
    sizes.push({ rows: rows.length, input, output, isOverLimit });
  }
  // A result that is bounded has reached its bound before the last two.
  const [middle, last] = sizes.slice(-2);
  const more = middle && last ? last.output - middle.output : 0;
  const perRow = middle && last ? more / (last.rows - middle.rows) : 0;
  const growsInOnePass = (inOnePass.at(-1) ?? 0) - (inOnePass.at(-2) ?? 0) > NOTABLE_GROWTH;
  return { sizes, grows: more > NOTABLE_GROWTH, growsInOnePass, perRow: Math.round(perRow * 10) / 10 };
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
