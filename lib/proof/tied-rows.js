// Determines whether a reduce whose answer depends on the order of the rows does so only where rows tie: of two rows
// with the same date the latest is either.

import { randomFrom } from '../shared/seeded-random.js';
import { makeSplits } from './splits.js';
import { drawVariedRows, rowsOf } from './trial-values.js';
import { isSameAnswer } from './trials-compare.js';

/** @import { ValueSpec } from './trial-values.js' */
/** @import { TrialSandbox } from './trials.js' */

/** Lists of rows, their length, and random trees for each beside the fixed ones. */
const LISTS = 6;
const ROWS = 5;
const TREES = 4;

/**
 * @param {{source: string, sandbox: TrialSandbox, seed: number}} request
 * @param {ValueSpec} spec
 * @returns {Promise<boolean>} whether it answers the same in every order where no two rows are alike in anything
 */
export async function dependsOnTiesAlone({ source, sandbox, seed }, spec) {
  const random = randomFrom(seed);
  const values = drawVariedRows(spec, random, ROWS).map(({ value }) => value);
  if (new Set(values.map((value) => JSON.stringify(value))).size < ROWS) return false;
  const trials = Array.from({ length: LISTS }, () => makeSplits(rowsOf(random.shuffle(values)), random, TREES));
  const answers = await sandbox.reduce({ source, trees: trials.flat(), goesOn: true });
  let at = 0;
  for (const splits of trials) {
    const own = answers.slice(at, at + splits.length);
    at += splits.length;
    const [first] = own;
    if (!first || !('value' in first)) return false;
    if (!own.every((answer) => 'value' in answer && isSameAnswer(first, answer))) return false;
  }
  return true;
}
