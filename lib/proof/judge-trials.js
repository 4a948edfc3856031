// Reports what trials show of a reduce whose code was not understood: where it is wrong, how it grows, and which built-in it is close to. What trials
// cannot show is not claimed, and no reduce is accused with rows that its map was not seen to emit.

import { formatCount } from '../shared/units.js';
import { rowsByKey, signatureOf } from './emitted-lists.js';
import { withNumericStrings } from './numeric-strings.js';
import { probeValues } from './probe.js';
import { foreignTie } from './self-contained.js';
import { specOfValues } from './spec-of-values.js';
import { dependsOnTiesAlone } from './tied-rows.js';
import { ANY, withLiterals } from './trial-values.js';
import { runTrials } from './trials.js';
import { isSameValue, withSortedLists } from './trials-compare.js';
import { growthOver, growthOverFew } from './trials-growth.js';

/** @import { FunctionNode } from '../javascript/parse.js' */
/** @import { Meaning } from './claims.js' */
/** @import { Counterexample } from './counterexample.js' */
/** @import { EmittedRow, Observed } from './emitted-rows.js' */
/** @import { Emitted } from './emitted-values.js' */
/** @import { Probe } from './probe.js' */
/** @import { Proof } from './proof.js' */
/** @import { Suggestion } from './trial-values-suggest.js' */
/** @import { ValueSpec } from './trial-values.js' */
/** @import { Growth } from './trials-growth.js' */
/** @import { TrialRequest, TrialResult } from './trials.js' */

/** @typedef {Omit<TrialRequest, 'values' | 'count'>} TrialSetup */

/**
 * @typedef {object} Known
 * @property {FunctionNode} fn
 * @property {Emitted} emitted
 * @property {Suggestion} suggestion
 * @property {string | undefined} why its code was not understood
 * @property {Meaning | undefined} meaning
 * @property {Observed | {reason: string}} observed rows that the map was seen to emit
 */

/**
 * Values that the reduce may be meant for: `spec` draws them, `rows` are some that the map emits.
 * @typedef {{spec: ValueSpec, rows: EmittedRow[] | undefined, drawn: ValueSpec}} Candidate
 */

/** Lists of rows to try: each is split in about a dozen ways. */
const LISTS = 24;

/** Kinds of values to try where it is not known what the map emits, and built-ins that agreed at first. */
const MAX_KINDS = 3;
const MAX_BUILTINS = 3;

/** More rows than a call mostly gets. */
const MANY_ROWS = 1001;

/** Keys whose rows are tried in other orders. */
const MAX_GROUPS = 6;

/** Two answers to the same rows, for the values of a candidate. @typedef {{candidate: Candidate, result: TrialResult}} TwoAnswers */

/**
 * @param {TrialSetup} setup
 * @param {Known} known
 * @returns {Promise<Proof>}
 */
export async function judgeByTrials({ lengths = [], ...others }, known) {
  const setup = { ...others, lengths: [...new Set([MANY_ROWS, ...lengths])] };
  const candidates = candidatesFor(known);
  const specs = candidates.map(({ drawn }) => drawn);
  const probes = await probeValues(setup, specs);
  const all = candidates.map((candidate, at) => ({ .../** @type {Probe} */ (probes[at]), ...candidate }));
  const fit = all.filter(({ isFitting }) => isFitting);
  // Where it answers the same whatever the rows, the values may be none that it looks at.
  const telling = fit.filter(({ isTelling }) => isTelling);
  const fitting = telling.length > 0 ? telling : fit;
  let trials = 0;
  /** @type {TwoAnswers | undefined} */
  let likeliest;
  for (const candidate of (fitting.length > 0 ? fitting : all).slice(0, MAX_KINDS)) {
    const judged = await judgeCandidate(setup, candidate, known, trials);
    if ('verdict' in judged) return judged;
    // Values for which it answers differently by how they are grouped may be none that it is meant for.
    likeliest ??= judged;
    trials += judged.result.trials;
  }
  if (!likeliest) return unknown('no trial was possible', trials);
  if (fitting.length === 0 && known.emitted.spec === undefined)
    return unknown('it returned nothing for all tried values', trials);
  return accuse(setup, likeliest, trials, known);
}

/**
 * @param {TrialSetup} setup
 * @param {Candidate & Probe} candidate
 * @param {Known} known
 * @param {number} before trials that were made already
 * @returns {Promise<Proof | TwoAnswers>}
 */
async function judgeCandidate(setup, candidate, known, before) {
  const { spec, rows, drawn, agreeing } = candidate;
  /** @type {Promise<Growth | undefined> | undefined} */
  let measured;
  let trials = before;
  /** @type {Proof | undefined} */
  let proof;
  for (const builtin of candidate.builtins.slice(0, Math.max(1, Math.min(agreeing, MAX_BUILTINS)))) {
    const compared = { ...setup, builtin, growth: false };
    const result = await runTrials({ ...compared, values: drawn, count: LISTS });
    trials += result.trials;
    const stopped = result.errors.find(({ kind }) => kind !== 'threw');
    if (stopped) return unknown(`it cannot be run: ${stopped.message}`, trials);
    const { splitDisagreement } = result;
    // Of several kinds of values with two answers the likeliest alone is reported: the growth of the others is not measured.
    if (splitDisagreement && splitDisagreement.cause !== 'order') return { candidate, result };
    measured ??= growthOfCandidate(setup, spec, known.emitted);
    const growth = await measured;
    if (splitDisagreement) {
      const found = growth?.grows ? { result } : await orderThatMatters(setup, candidate, result);
      if ('notes' in found) return custom(builtin, { ...result, growth, notes: found.notes }, trials, known);
      return { candidate, result: found.result };
    }
    if (growth?.grows) return judgeGrowth({ ...setup, builtin }, candidate, { ...result, growth }, trials, known);
    proof = custom(builtin, { ...result, growth }, trials, known);
    if (result.disagreement) continue;
    const further = await tryBoth({ ...compared, values: spec }, known.suggestion, rows === undefined);
    trials += further.trials;
    const halted = further.errors.find(({ kind }) => kind !== 'threw');
    if (halted) return unknown(`it cannot be run: ${halted.message}`, trials);
    proof = custom(builtin, { ...further, growth }, trials, known);
    if (!further.splitDisagreement && !further.disagreement)
      return triedEqual({ ...setup, builtin }, spec, trials, known);
  }
  return proof ?? unknown('no trial was possible', trials);
}

/**
 * @param {TrialSetup} setup
 * @param {ValueSpec} spec perhaps made of a few rows: a string in it may represent one that the map has as a constant
 * @param {Emitted} emitted
 * @returns {Promise<Growth | undefined>}
 */
async function growthOfCandidate(setup, spec, { spec: known, guesses }) {
  const growth = await growthOver(setup, spec);
  if (!growth?.grows || known || guesses.length === 0) return growth;
  /** @type {Growth | undefined} */
  let other = growth;
  for (const guess of guesses) {
    other = await growthOver(setup, guess);
    if (!other || other.grows) return growth;
  }
  return other;
}

/**
 * @param {string} reason
 * @param {number} [trials]
 * @returns {Proof}
 */
export function unknown(reason, trials = 0) {
  return { verdict: 'unknown', basis: 'tried', trials, reason, steps: [] };
}

/**
 * @param {Known} known
 * @returns {Candidate[]} the likeliest first: rows that were emitted where there are some, else what rows may hold
 */
function candidatesFor({ emitted: { spec, guesses }, suggestion: { specs, adds }, observed }) {
  if ('families' in observed && observed.families.length > 0) {
    // Sums are made for numbers, whatever a field's name suggests.
    const hasNumber = (/** @type {EmittedRow[]} */ rows) => rows.some(({ value }) => /number/.test(signatureOf(value)));
    const families = [...observed.families].sort((one, other) => (adds ? +hasNumber(other) - +hasNumber(one) : 0));
    return families.map((rows) => ({
      spec: spec ?? specOfValues(rows.map(({ value }) => value)),
      rows,
      drawn: { kind: 'emitted', rows },
    }));
  }
  const shapes = specs.filter(({ kind }) => kind === 'object' || kind === 'array');
  const suggested = guesses.length > 0 ? guesses : [...shapes, ...specs.filter((other) => !shapes.includes(other))];
  return (spec ? [spec] : suggested).map((drawn) => ({ spec: drawn, rows: undefined, drawn }));
}

/**
 * Tries values as they are, and values among which stand the constants of the function, where a branch may turn.
 * @param {Omit<TrialRequest, 'count'>} setup
 * @param {Suggestion} suggestion
 * @param {boolean} [isTried] whether they were tried as they are already
 * @returns {Promise<TrialResult>}
 */
async function tryBoth(setup, { literals }, isTried = false) {
  /** @type {TrialResult} */
  const plain = isTried ? { trials: 0, errors: [] } : await runTrials({ ...setup, count: LISTS });
  const isSettled = plain.splitDisagreement !== undefined || plain.disagreement !== undefined;
  if (isSettled || literals.length === 0 || plain.errors.some(({ kind }) => kind !== 'threw')) return plain;
  const values = withLiterals(setup.values, literals);
  const edges = { lengths: [], keys: [], ids: [] };
  const further = await runTrials({ ...setup, ...edges, literals, values, count: LISTS, growth: false });
  return { ...further, trials: plain.trials + further.trials };
}

/**
 * What depends on the order of the rows may do so only where rows tie, only between rows of different keys, which a grouped
 * query keeps apart, or only in the order of a list that it answers.
 * @param {TrialSetup} setup
 * @param {Candidate} candidate
 * @param {TrialResult} result
 * @returns {Promise<{notes: string[]} | {result: TrialResult}>} why it does not matter; or where it does, for rows of one key if some have one
 */
async function orderThatMatters(setup, { spec, rows }, result) {
  const { splitDisagreement } = result;
  if (await dependsOnTiesAlone(setup, spec)) {
    const lines = splitDisagreement?.text ?? [];
    return { notes: ['Which of several tied rows it takes depends on their order:', ...lines] };
  }
  if (!rows) return { result };
  for (const group of rowsByKey(rows).slice(0, MAX_GROUPS)) {
    const values = /** @type {ValueSpec} */ ({ kind: 'emitted', rows: group });
    const again = await runTrials({ ...setup, values, count: LISTS, growth: false });
    if (again.splitDisagreement && !differsInListOrderAlone(again.splitDisagreement)) return { result: again };
  }
  return { notes: ['No rows of one key were found whose order changes more than the order of an array.'] };
}

/**
 * @param {Counterexample} found
 * @returns {boolean} whether both answers hold the same
 */
function differsInListOrderAlone({ answers: [one, other] }) {
  if (!one || !other || !('value' in one.answer) || !('value' in other.answer)) return false;
  return isSameValue(withSortedLists(one.answer.value), withSortedLists(other.answer.value));
}

/**
 * What grows with the number of different values alone stays small where there are few of them.
 * @param {TrialSetup & {builtin: string}} setup
 * @param {Candidate} candidate
 * @param {TrialResult} result
 * @param {number} trials
 * @param {Known} known
 * @returns {Promise<Proof>}
 */
async function judgeGrowth(setup, { rows }, { growth, disagreement }, trials, { observed }) {
  const { builtin } = setup;
  if ('reason' in observed) return unknown(`its result grows for some values; for its map, ${observed.reason}`, trials);
  const few = rows && (await growthOverFew(setup, observed, rows));
  if (few?.grows) {
    return { verdict: 'grows', basis: 'proved', growth: few, growsWithRows: true, trials, steps: stepsOf(few) };
  }
  return {
    verdict: 'custom',
    basis: 'proved',
    builtin,
    ...(few ? { growsWithRows: false } : {}),
    ...(disagreement ? { counterexample: disagreement } : {}),
    ...(growth ? { growth } : {}),
    trials,
    steps: [
      ...(growth ? stepsOf(growth) : []),
      'Every row here has a different value; with few distinct values the result stays short.',
    ],
  };
}

/** @param {Growth} growth @returns {string[]} */
function stepsOf({ sizes }) {
  return sizes.map(({ rows, output }) => `For ${formatCount(rows)} rows it returns ${formatCount(output)} characters.`);
}

/**
 * @param {TrialSetup} setup
 * @param {TwoAnswers} found
 * @param {number} trials
 * @param {Known} known
 * @returns {Promise<Proof>}
 */
async function accuse(setup, { candidate, result }, trials, known) {
  const { observed } = known;
  if ('reason' in observed || !candidate.rows) {
    const why = 'reason' in observed ? observed.reason : 'no rows were observed';
    return unknown(
      `it returns two results for some values, and it is unknown whether its map emits such values: ${why}`,
      trials,
    );
  }
  const growth = await growthOfCandidate(setup, candidate.spec, known.emitted);
  const numbers = withNumericStrings(candidate.rows);
  if (numbers && !growth?.grows) {
    const values = /** @type {ValueSpec} */ ({ kind: 'emitted', rows: numbers });
    const again = await runTrials({ ...setup, values, count: LISTS, growth: false });
    if (!again.splitDisagreement)
      return unknown(
        'it returns two results for strings that are not numeric, and documents may hold only numeric ones',
        trials,
      );
  }
  const few = growth?.grows ? await growthOverFew(setup, observed, candidate.rows) : growth;
  return wrong(result, trials, known, few);
}

/**
 * @param {TrialResult} result over rows that the map was seen to emit
 * @param {number} trials
 * @param {{meaning?: Meaning | undefined}} known
 * @param {Growth} [few] over rows of which few are different
 * @returns {Proof}
 */
export function wrong({ splitDisagreement }, trials, { meaning }, few) {
  const found = splitDisagreement ? { counterexample: splitDisagreement } : {};
  const lines = splitDisagreement?.text ?? [];
  // Where the second pass alone lets it grow, that is by the same mistake.
  if (few?.grows && (few.growsInOnePass || splitDisagreement?.cause !== 'rereduce')) {
    const steps = [...stepsOf(few), ...lines];
    return { verdict: 'grows', basis: 'proved', growth: few, growsWithRows: true, ...found, trials, steps };
  }
  const { builtin, rewrite, text } = meaning ?? {};
  const meant =
    text === undefined ? [] : [`Over rows it returns ${text}; over its own results it returns something else.`];
  const right =
    builtin === undefined
      ? []
      : [
          `\`${builtin}\`${rewrite ? `, where ${rewrite.text},` : ''} returns that for all rows, however they are grouped.`,
        ];
  return {
    verdict: 'wrong',
    basis: 'proved',
    ...(builtin === undefined ? {} : { builtin }),
    ...(rewrite ? { rewrite } : {}),
    ...found,
    ...(few ? { growsWithRows: few.grows } : {}),
    trials,
    steps: [...meant, ...lines, ...right],
  };
}

/**
 * @param {string} builtin the nearest
 * @param {TrialResult & {growth?: Growth | undefined, notes?: string[]}} result of the values that do not grow
 * @param {number} trials
 * @param {Known} known
 * @returns {Proof}
 */
function custom(builtin, { disagreement, errors, growth, notes = [] }, trials, { meaning }) {
  const threw = errors.find(({ kind }) => kind === 'threw');
  const steps = [
    ...(meaning ? [`Over rows it returns ${meaning.text}.`] : []),
    ...(disagreement ? [`The nearest built-in, \`${builtin}\`, returns something else:`, ...disagreement.text] : []),
    ...(disagreement ? [] : ['No rows that its map emits were found for which the grouping changes the answer.']),
    ...(threw ? [`Where it throws (${threw.message}) the result is null.`] : []),
    ...notes,
  ];
  return {
    verdict: 'custom',
    basis: disagreement ? 'proved' : 'tried',
    builtin,
    ...(disagreement ? { counterexample: disagreement } : {}),
    ...(growth ? { growsWithRows: false } : {}),
    trials,
    steps,
  };
}

/**
 * @param {TrialSetup & {builtin: string}} setup
 * @param {ValueSpec} spec for which nothing was found
 * @param {number} before trials that were made already
 * @param {Known} known
 * @returns {Promise<Proof>}
 */
async function triedEqual(setup, spec, before, known) {
  const { fn, emitted, suggestion, why } = known;
  const { builtin } = setup;
  const tie = foreignTie(fn);
  if (tie !== undefined) return unknown(`trials found no difference to \`${builtin}\`, and ${tie}`, before);
  const isOfNumbers = builtin === '_sum' || builtin === '_stats';
  let trials = before;
  if (!isOfNumbers && !emitted.spec) {
    // It counts or picks values: what it does for numbers alone says little.
    const result = await tryBoth({ ...setup, values: ANY, growth: false }, suggestion);
    trials += result.trials;
    if (result.disagreement) return custom(builtin, { ...result, growth: undefined }, trials, known);
  }
  const isNumber = isOfNumbers && spec.kind === 'number';
  const holds = isNumber ? emitted.number.isNumber : emitted.spec ? 'always' : 'if';
  const { field, open } = emitted.number;
  return {
    verdict: 'equal',
    basis: 'tried',
    builtin,
    condition: { text: isNumber ? 'every value is a number' : 'every value is of a type that was tried' },
    conditionHolds: holds,
    ...(isNumber && holds === 'if' && field !== undefined ? { field } : {}),
    ...(holds === 'if' && open !== undefined ? { conditionOpen: open } : {}),
    trials,
    steps: [
      `Its code does not show it${why === undefined ? '' : `: ${why}`}.`,
      `Equal to \`${builtin}\` in ${formatCount(trials)} trials, not proved.`,
    ],
  };
}
