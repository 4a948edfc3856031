// A reduce whose code was not understood in, what trials say of it out: where it is wrong, how it grows, and which built-in
// it is near to. What trials cannot show is not claimed.

import { growsWithFew } from './growth-of-few.js';
import { probeValues } from './probe.js';
import { foreignTie } from './self-contained.js';
import { dependsOnTiesAlone } from './ties.js';
import { ANY, withLiterals } from './trial-values.js';
import { runTrials } from './trials.js';

/** @import { FunctionNode } from '../facts/javascript/parse.js' */
/** @import { Meaning } from './claims.js' */
/** @import { Emitted } from './emitted-values.js' */
/** @import { Proof } from './proof.js' */
/** @import { Suggestion } from './trial-values-suggest.js' */
/** @import { ValueSpec } from './trial-values.js' */
/** @import { TrialRequest, TrialResult } from './trials.js' */

/** @typedef {Omit<TrialRequest, 'values' | 'count'>} Asked */

/**
 * @typedef {object} Known
 * @property {FunctionNode} fn
 * @property {Emitted} emitted
 * @property {Suggestion} suggestion
 * @property {string | undefined} why its code was not understood
 * @property {Meaning | undefined} meaning
 */

/** Lists of rows to try: each is split in about a dozen ways. */
const LISTS = 24;

/** Kinds of values to try where it is not known what the map emits, and built-ins that agreed at first. */
const MOST_KINDS = 3;
const MOST_BUILTINS = 3;

/**
 * @param {Asked} asked
 * @param {Known} known
 * @returns {Promise<Proof>}
 */
export async function judgeByTrials(asked, known) {
  const specs = plausibleSpecs(known);
  const probes = await probeValues(asked, specs);
  const fitting = probes.filter(({ isFitting }) => isFitting);
  const isGuessed = known.emitted.spec === undefined;
  let trials = 0;
  /** @type {{spec: ValueSpec, result: TrialResult} | undefined} */
  let likeliest;
  for (const { spec, builtins, agreeing } of (fitting.length > 0 ? fitting : probes).slice(0, MOST_KINDS)) {
    const candidates = builtins.slice(0, Math.max(1, Math.min(agreeing, MOST_BUILTINS)));
    for (const [at, builtin] of candidates.entries()) {
      const result = await tryBoth({ ...asked, values: spec, builtin, growth: at === 0 }, known.suggestion);
      trials += result.trials;
      const stopped = result.errors.find(({ kind }) => kind !== 'threw');
      if (stopped) return unknown(`it cannot be tried: ${stopped.message}`, trials);
      likeliest ??= { spec, result };
      const { splitDisagreement } = result;
      if (splitDisagreement?.cause === 'order' && !result.growth?.grows && (await dependsOnTiesAlone(asked, spec))) {
        const ties = ['Of rows that tie, which one it takes depends on their order:', ...splitDisagreement.text];
        return custom(builtin, result, trials, known, ties);
      }
      // Values for which it answers differently by how they are grouped may be none that it is meant for.
      if (splitDisagreement) break;
      if (at === 0 && result.growth?.grows) return judgeGrowth({ ...asked, builtin }, spec, result, trials);
      if (result.disagreement) {
        if (at < candidates.length - 1) continue;
        return custom(builtin, result, trials, known);
      }
      return triedEqual({ ...asked, builtin }, spec, trials, known);
    }
  }
  if (!likeliest) return unknown('nothing could be tried', trials);
  if (fitting.length === 0 && isGuessed) return unknown('no values were found that it answers anything for', trials);
  const { spec, result } = likeliest;
  const growsAnyway = Boolean(result.growth?.growsInOnePass) && (await growsWithFew(asked, spec));
  return wrong(result, trials, known, growsAnyway);
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
 * @returns {ValueSpec[]} what its rows may hold, the likeliest first: all of them where nothing is known
 */
function plausibleSpecs({ emitted: { spec, guesses }, suggestion: { specs } }) {
  if (spec) return [spec];
  if (guesses.length > 0) return guesses;
  const shapes = specs.filter(({ kind }) => kind === 'object' || kind === 'array');
  return [...shapes, ...specs.filter((other) => !shapes.includes(other))];
}

/**
 * Tries values as they are, and values among which stand the constants of the function, where a branch may turn.
 * @param {Omit<TrialRequest, 'count'>} asked
 * @param {Suggestion} suggestion
 * @returns {Promise<TrialResult>}
 */
async function tryBoth(asked, { literals }) {
  const plain = await runTrials({ ...asked, count: LISTS });
  const isSettled = plain.splitDisagreement !== undefined || plain.disagreement !== undefined;
  if (isSettled || literals.length === 0 || plain.errors.some(({ kind }) => kind !== 'threw')) return plain;
  const values = withLiterals(asked.values, literals);
  const further = await runTrials({ ...asked, values, count: LISTS, growth: false });
  return {
    ...further,
    ...(plain.growth ? { growth: plain.growth } : {}),
    trials: plain.trials + further.trials,
  };
}

/**
 * What grows with the number of different values alone stays small where there are few of them.
 * @param {Asked & {builtin: string}} asked
 * @param {ValueSpec} spec
 * @param {TrialResult} result
 * @param {number} trials
 * @returns {Promise<Proof>}
 */
async function judgeGrowth(asked, spec, { growth, disagreement }, trials) {
  const { builtin } = asked;
  const sizes = growth?.sizes ?? [];
  const steps = sizes.map(({ rows, output }) => `For ${rows} rows it answers ${output} characters.`);
  const told = growth ? { growth } : {};
  if (await growsWithFew(asked, spec)) return { verdict: 'grows', basis: 'proved', ...told, trials, steps };
  return {
    verdict: 'custom',
    basis: 'proved',
    builtin,
    ...(disagreement ? { counterexample: disagreement } : {}),
    ...told,
    trials,
    steps: [...steps, 'These rows have different values each: where there are few different ones it stays short.'],
  };
}

/**
 * @param {TrialResult} result
 * @param {number} trials
 * @param {{meaning?: Meaning | undefined}} known
 * @param {boolean} growsAnyway whether it grows in a first pass over few different values too
 * @returns {Proof}
 */
export function wrong({ splitDisagreement, growth }, trials, { meaning }, growsAnyway) {
  const found = splitDisagreement ? { counterexample: splitDisagreement } : {};
  const lines = splitDisagreement?.text ?? [];
  // Where the second pass alone lets it grow, that is by the same mistake.
  if (growth?.grows && (growsAnyway || splitDisagreement?.cause !== 'rereduce')) {
    const steps = growth.sizes.map(({ rows, output }) => `For ${rows} rows it answers ${output} characters.`);
    return { verdict: 'grows', basis: 'proved', growth, ...found, trials, steps: [...steps, ...lines] };
  }
  const { builtin, rewrite, text } = meaning ?? {};
  const meant =
    text === undefined ? [] : [`Over rows it returns ${text}; over its own answers it returns something else.`];
  const right =
    builtin === undefined
      ? []
      : [
          `\`${builtin}\`${rewrite?.client ? ', and the client,' : ''} can give that of all rows, however they are grouped.`,
        ];
  return {
    verdict: 'wrong',
    basis: 'proved',
    ...(builtin === undefined ? {} : { builtin }),
    ...(rewrite ? { rewrite } : {}),
    ...found,
    trials,
    steps: [...meant, ...lines, ...right],
  };
}

/**
 * @param {string} builtin the nearest
 * @param {TrialResult} result
 * @param {number} trials
 * @param {Known} known
 * @param {string[]} [notes]
 * @returns {Proof}
 */
function custom(builtin, { disagreement, errors }, trials, { meaning }, notes = []) {
  const threw = errors.find(({ kind }) => kind === 'threw');
  const steps = [
    ...(meaning ? [`Over rows it returns ${meaning.text}.`] : []),
    `The nearest built-in, \`${builtin}\`, answers something else:`,
    ...(disagreement?.text ?? []),
    ...(threw ? [`Where it throws (${threw.message}) the answer is null.`] : []),
    ...notes,
  ];
  const found = disagreement ? { counterexample: disagreement } : {};
  return { verdict: 'custom', basis: 'proved', builtin, ...found, trials, steps };
}

/**
 * @param {Asked & {builtin: string}} asked
 * @param {ValueSpec} spec for which nothing was found
 * @param {number} before trials that were made already
 * @param {Known} known
 * @returns {Promise<Proof>}
 */
async function triedEqual(asked, spec, before, { fn, emitted, suggestion, why, meaning }) {
  const { builtin } = asked;
  const tie = foreignTie(fn);
  if (tie !== undefined) return unknown(`trials found no difference to \`${builtin}\`, and ${tie}`, before);
  const isOfNumbers = builtin === '_sum' || builtin === '_stats';
  let trials = before;
  if (!isOfNumbers && !emitted.spec) {
    // It counts or picks values: what it does for numbers alone says little.
    const result = await tryBoth({ ...asked, values: ANY, growth: false }, suggestion);
    trials += result.trials;
    if (result.disagreement) return custom(builtin, result, trials, { fn, emitted, suggestion, why, meaning });
  }
  const isNumber = isOfNumbers && spec.kind === 'number';
  const holds = isNumber ? emitted.number.isNumber : emitted.spec ? 'always' : 'if';
  const { field } = emitted.number;
  return {
    verdict: 'equal',
    basis: 'tried',
    builtin,
    condition: { text: isNumber ? 'every value is a number' : 'every value is of the kinds that were tried' },
    conditionHolds: holds,
    ...(isNumber && holds === 'if' && field !== undefined ? { field } : {}),
    trials,
    steps: [
      `Its code does not show it${why === undefined ? '' : `: ${why}`}.`,
      `Equal to \`${builtin}\` in ${trials} trials, not proved.`,
    ],
  };
}
