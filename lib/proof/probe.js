// Guesses which kinds of values a reduce seems to be written for, and which built-ins come closest to it. Runs it in
// the sandbox on a few plain values; nothing is concluded from the result.

import { randomFrom } from '../shared/seeded-random.js';
import { builtinOf, reduceBuiltin } from './builtins.js';
import { inOneGo } from './splits.js';
import { drawRowLists } from './trial-values.js';
import { greatestNumber, isSameAnswer } from './trials-compare.js';

/** @import { ReduceTree } from './splits.js' */
/** @import { ValueSpec } from './trial-values.js' */
/** @import { TrialSandbox } from './trials.js' */

/** Lists of rows for each kind of values. */
const LISTS = 6;

/**
 * @typedef {object} Probe
 * @property {ValueSpec} spec
 * @property {boolean} isFitting whether its answers have no null in them, nor what computing with nothing leaves
 * @property {boolean} isTelling whether not all its answers are the same
 * @property {string[]} builtins the nearest first
 * @property {number} agreeing how many of them agreed everywhere
 */

/**
 * @param {object} request
 * @param {string} request.source
 * @param {string} request.target
 * @param {TrialSandbox} request.sandbox
 * @param {number} request.seed
 * @param {ValueSpec[]} specs
 * @returns {Promise<Probe[]>} one for each
 */
export async function probeValues({ source, target, sandbox, seed }, specs) {
  const trees = specs.flatMap((spec) => drawRowLists(spec, randomFrom(seed), LISTS).map(inOneGo));
  const answers = await sandbox.reduce({ source, trees, goesOn: true });
  return specs.map((spec, at) => {
    const own = trees.slice(at * LISTS, (at + 1) * LISTS);
    const values = answers.slice(at * LISTS, (at + 1) * LISTS).map((answer) => {
      return answer && 'value' in answer ? answer.value : null;
    });
    const ranked = rankBuiltins(own, values, target);
    return {
      spec,
      isFitting: values.every((value) => !isBroken(value)),
      isTelling: new Set(values.map((value) => JSON.stringify(value))).size > 1,
      builtins: ranked.map(({ builtin }) => builtin),
      agreeing: ranked.filter(({ matches }) => matches === own.length).length,
    };
  });
}

/**
 * @param {unknown} value
 * @returns {boolean}
 */
function isBroken(value) {
  if (value === null) return true;
  if (typeof value === 'string') return /undefined|NaN|\[object/.test(value);
  return typeof value === 'object' && Object.values(value).some(isBroken);
}

/**
 * `_approx_count_distinct` is not among them: its answer is an estimate, and no reduce can know from two numbers of distinct
 * keys the number of both.
 * @param {ReduceTree[]} trees
 * @param {unknown[]} values what the reduce answers to them
 * @param {string} target
 * @returns {{builtin: string, matches: number}[]}
 */
function rankBuiltins(trees, values, target) {
  const longest = Math.min(100, Math.max(1, ...values.map((value) => (Array.isArray(value) ? value.length : 1))));
  const ranks = [...new Set([1, longest])].flatMap((count) => [`_top_${count}`, `_bottom_${count}`]);
  const like = values.some((value) => typeof value === 'object' && value !== null && 'count' in value);
  const names = [...(like ? ['_stats', '_sum'] : ['_sum', '_stats']), '_count', '_first', '_last', ...ranks];
  const ranked = names
    .filter((builtin) => builtinOf(builtin, target))
    .map((builtin) => ({ builtin, matches: matchesOf(builtin, trees, values, target) }))
    // Of one row nearly everything is the first.
    .filter(({ builtin, matches }) => matches === trees.length || !/^_(first|last)$/.test(builtin));
  return ranked.sort((one, other) => other.matches - one.matches);
}

/**
 * @param {string} builtin
 * @param {ReduceTree[]} trees
 * @param {unknown[]} values
 * @param {string} target
 * @returns {number}
 */
function matchesOf(builtin, trees, values, target) {
  return trees.filter((tree, at) => {
    const rows = 'rows' in tree ? tree.rows : [];
    const scale = greatestNumber(rows.map(({ value }) => value));
    return isSameAnswer({ value: values[at] }, reduceBuiltin(builtin, tree, target), scale);
  }).length;
}
