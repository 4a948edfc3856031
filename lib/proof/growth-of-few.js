// Measures how the answer of a reduce grows for kinds of values, and with the number of rows alone where few values are
// different. What grows with different values may stay small.

import { inViewOrder } from './emitted-lists.js';
import { drawVariedRows } from './trial-values.js';
import { countsFor, measureGrowth } from './trials-growth.js';
import { randomFrom } from './trials-random.js';

/** @import { EmittedRow, Observed } from './emitted-rows.js' */
/** @import { ValueSpec } from './trial-values.js' */
/** @import { Growth } from './trials-growth.js' */
/** @import { TrialRow } from './trial-values.js' */
/** @import { TrialRequest } from './trials.js' */

/** @typedef {Pick<TrialRequest, 'source' | 'target' | 'sandbox' | 'seed' | 'lengths'>} GrowthTrial */

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
function measure({ source, target, sandbox, lengths = [] }, isFresh, draw) {
  return measureGrowth({
    source,
    target,
    counts: countsFor(lengths),
    draw,
    ask: async (trees) => {
      const answers = await sandbox.reduce({ source, trees, goesOn: true, isFresh });
      return answers.map((answer) => ('value' in answer ? answer : { unknown: answer.error.message }));
    },
  });
}
