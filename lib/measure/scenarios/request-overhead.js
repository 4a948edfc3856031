// Summarizes the samples of `request-overhead`: the table of rounds as it was published, sums, and the verdict that
// `confirm` would give. Pure.

import { chanceAbove } from '../experiments/statistics.js';
import { MIN_MARGIN, settleAll } from '../experiments/verdict.js';
import { columnsOf, compare, pointOfRounds, ratioOf, samplesAt } from './compare.js';
import { REQUEST_OVERHEAD } from './published.js';

/** @import { BenchSample, BenchTable, Comparison, Findings } from './scenario.js' */

export const SET = 'one document';
export const ARMS = /** @type {const} */ (['before', 'after']);
const [BEFORE, AFTER] = ARMS;
/** Nothing was advised here: two states are compared. */
const SECOND = 'requests after the change are';

/**
 * @param {readonly BenchSample[]} samples
 * @param {{server: string, isChanged: boolean}} about `isChanged`: whether the user named a change
 * @returns {Findings}
 */
export function summarize(samples, { server, isChanged }) {
  const logRatios = logsOf(samples);
  const [verdict] =
    logRatios.length > 0
      ? settleAll([{ logRatios, margin: MIN_MARGIN, effect: MIN_MARGIN, server, second: SECOND, hasLooks: false }])
      : [];
  return {
    tables: [roundTable(samples), publishedTable()],
    comparisons: [comparisonOf(samples, isChanged)],
    pictures: [
      {
        title: 'Time per round, before and after the change',
        kind: 'lines',
        x: { label: 'round' },
        y: { label: 'time per round', unit: 's' },
        series: ARMS.map((arm) => ({
          name: arm,
          points: samplesAt(samples, { set: SET, arm })
            .toSorted((first, second) => first.round - second.round)
            .flatMap(({ round, ms }) => pointOfRounds(round + 1, [ms / 1000])),
        })),
      },
    ],
    ...(verdict ? { verdict } : {}),
  };
}

/** @param {readonly BenchSample[]} samples @returns {number[]} log(before / after) of each round that has both */
function logsOf(samples) {
  const after = new Map(samplesAt(samples, { set: SET, arm: AFTER }).map((sample) => [sample.round, usable(sample)]));
  return samplesAt(samples, { set: SET, arm: BEFORE }).flatMap((sample) => {
    const [a, b] = [usable(sample), after.get(sample.round)];
    return a !== undefined && b !== undefined ? [Math.log(a / b)] : [];
  });
}

/** @param {readonly BenchSample[]} samples @returns {BenchTable} */
function roundTable(samples) {
  const rounds = [...new Set(samples.map(({ round }) => round))].sort((first, second) => first - second);
  /** @type {(arm: string, round: number) => number | null} */
  const at = (arm, round) => {
    const found = samples.find((sample) => sample.arm === arm && sample.round === round);
    return found ? (usable(found) ?? null) : null;
  };
  const rows = rounds.map((round) => {
    const [before, after] = [at(BEFORE, round), at(AFTER, round)];
    return [`#${round + 1}`, before, after, before !== null && after !== null ? before / after : null];
  });
  const sums = ARMS.map((arm) => sum(rounds.map((round) => at(arm, round))));
  const [before = null, after = null] = sums;
  return {
    title: 'Rounds',
    columns: columnsOf({ round: 'text', before: 'ms', after: 'ms', 'before / after': 'times' }),
    rows: [...rows, ['sum', before, after, before !== null && after !== null ? before / after : null]],
  };
}

/** @returns {BenchTable} the published rounds under the same test */
function publishedTable() {
  const { before, after } = REQUEST_OVERHEAD;
  const logs = before.map((seconds, at) => Math.log(seconds / (after[at] ?? seconds)));
  const faster = logs.filter((log) => log > 0).length;
  return {
    title: 'The published rounds, judged by the same test',
    columns: columnsOf({
      rounds: 'count',
      'faster after': 'count',
      'sum before / sum after': 'times',
      'p-value': 'text',
    }),
    rows: [[logs.length, faster, publishedRatio(), chanceAbove(logs).toPrecision(2)]],
  };
}

/** @returns {number} */
function publishedRatio() {
  const { before, after } = REQUEST_OVERHEAD;
  return (sum(before) ?? 0) / (sum(after) ?? 1);
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {boolean} isChanged
 * @returns {Comparison}
 */
function comparisonOf(samples, isChanged) {
  const found = ratioOf(samples, { set: SET, arm: BEFORE }, { set: SET, arm: AFTER });
  const note = isChanged
    ? 'published: for one change to a function that each request called; CouchDB has it since 2.0, so your change is a different one'
    : 'nothing was changed: this is how much two identical states differ here';
  return compare('before / after', publishedRatio(), found, note);
}

/** @param {BenchSample} sample @returns {number | undefined} milliseconds of a round in which every request was answered */
function usable({ ms, errors = 0 }) {
  return errors > 0 ? undefined : ms;
}

/** @param {(number | null)[]} values @returns {number | null} null where one is missing */
function sum(values) {
  return values.reduce(
    (/** @type {number | null} */ all, value) => (all === null || value === null ? null : all + value),
    0,
  );
}
