// A reducer in, the size of its output for more and more rows out, with what CouchDB's reduce_limit says of it. Asks the
// sandbox through the function it is given.

import { inOneGo } from './splits.js';
import { drawVariedRows } from './trial-values.js';

/** @import { RandomSource } from './trials-random.js' */
/** @import { ReduceTree } from './splits.js' */
/** @import { ValueSpec } from './trial-values.js' */
/** @import { TrialAnswer } from './trials-compare.js' */

/**
 * Sizes are lengths of JSON texts, as reduce_limit counts them.
 * @typedef {object} Growth
 * @property {{rows: number, input: number, output: number, isOverLimit: boolean}[]} sizes
 * @property {boolean} grows whether the output grows with the number of rows, not only by the digits of its numbers
 * @property {boolean} growsInOnePass whether it grows so even where no answers are reduced again
 * @property {number} perRow characters that each further row adds, measured between the last two sizes
 */

/**
 * share/server/views.js runReduce: an output must be longer than this before the limit looks at it (4096 from 2.1 to 3.5.0,
 * configurable with 5000 as default from 3.5.1; the lower one holds for all), and then longer than half the input.
 */
const OVERFLOW_LENGTH = 4096;
const OVERFLOW_RATIO = 2;

const ROWS = [10, 100, 1000];

/** Below this many characters more between 100 and 1000 rows a difference can come from longer numbers in a few fields. */
const NOTABLE_GROWTH = 300;

/**
 * @param {object} asked
 * @param {string} asked.source
 * @param {ValueSpec} asked.values
 * @param {RandomSource} asked.random
 * @param {(trees: ReduceTree[]) => Promise<TrialAnswer[]>} asked.ask
 * @returns {Promise<Growth | undefined>} undefined where some answer is not known
 */
export async function measureGrowth({ source, values, random, ask }) {
  const lists = ROWS.map((count) => drawVariedRows(values, random, count));
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
    const isOverLimit = output > OVERFLOW_LENGTH && output * OVERFLOW_RATIO > input;
    sizes.push({ rows: rows.length, input, output, isOverLimit });
  }
  const [, middle, last] = sizes;
  const more = middle && last ? last.output - middle.output : 0;
  const perRow = middle && last ? more / (last.rows - middle.rows) : 0;
  const growsInOnePass = (inOnePass[2] ?? 0) - (inOnePass[1] ?? 0) > NOTABLE_GROWTH;
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
