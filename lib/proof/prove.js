// Proves what a reduce computes from its code where that is understood, and tries it in the sandbox in any case.

import { parseFunction } from '../javascript/parse.js';
import { mayDifferAfter } from '../sandbox/limits.js';
import { bailoutReason, withinLimits } from '../shared/bailout.js';
import { randomFrom } from '../shared/seeded-random.js';
import { formatCount } from '../shared/units.js';
import { builtinOf } from './builtins.js';
import { answersOutside, checkNewMap, checkRewrite } from './check-rewrite.js';
import { claimOf, meaningOf } from './claims.js';
import { observeRows } from './emitted-rows.js';
import { emittedValues } from './emitted-values.js';
import { evaluateForm } from './evaluate-form.js';
import { judgeByTrials, unknown, wrong } from './judge-trials.js';
import { pickedRow } from './picked-row.js';
import { changesOfMap, withChanges } from './rewrite-map.js';
import { roundingOf } from './rounding.js';
import { runPass } from './run-pass.js';
import { hiddenChange } from './self-contained.js';
import { specOfValues } from './spec-of-values.js';
import { inOneGo } from './splits.js';
import { drawRowLists, drawValue, rowsOf, withLiterals } from './trial-values.js';
import { suggestValues } from './trial-values-suggest.js';
import { runTrials } from './trials.js';
import { greatestNumber, isSameAnswer } from './trials-compare.js';
import { growthOver, growthOverFew } from './trials-growth.js';

/** @import { AnyNode } from 'acorn' */
/** @import { FunctionNode } from '../javascript/parse.js' */
/** @import { Sandbox } from '../sandbox/sandbox.js' */
/** @import { Claim, Meaning } from './claims.js' */
/** @import { Emitted } from './emitted-values.js' */
/** @import { TrialSetup } from './judge-trials.js' */
/** @import { Proof, Rewrite } from './proof.js' */
/** @import { Suggestion } from './trial-values-suggest.js' */
/** @import { TrialRow, ValueSpec } from './trial-values.js' */
/** @import { TrialSandbox } from './trials.js' */

/**
 * @typedef {object} ReduceQuestion
 * @property {{source: string}} reduce
 * @property {{source: string} | undefined} [map] undefined where it is none in JavaScript
 * @property {string} target CouchDB version
 */
/** @typedef {{sandbox: TrialSandbox, seed: number}} Means */

/**
 * Lists of rows that check a proof: each is split in about a dozen ways. Eight hold each kind of list once (drawRowLists): one row, two equal ones, few,
 * many, large numbers, one kind of value and a mixture. The proof is the code's; of the wrong ones of test/proof/mutation.test.js none gets past these.
 */
const CHECKED = 8;
/** Lists of rows that alone decide. */
const LISTS = 24;

/** The same question has the same answer. */
const SEED = 1;

/** Values that many fields hold now and then, and that meet no condition. */
const TRAPS = [null, '7', true, 'pear'];

/**
 * @param {ReduceQuestion} question
 * @param {Sandbox} sandbox
 * @returns {Promise<Proof>} the same for the same question, less what limits of the sandbox cut off
 */
export async function proveOne(question, sandbox) {
  const own = sandbox.forView();
  return withLimits(await proveReduce(question, { sandbox: own, seed: SEED }), own);
}

/**
 * @param {Proof} proof
 * @param {Pick<Sandbox, 'cutOff' | 'isTampered'>} sandbox that its trials ran in
 * @returns {Proof} nothing is known of a function that may have forged answers; where trials were cut off, that is part of it
 */
function withLimits(proof, { cutOff, isTampered }) {
  if (isTampered) {
    const reason = 'it changes built-in objects of the query server, so its results may be forged';
    return { verdict: 'unknown', basis: 'tried', trials: proof.trials, reason, steps: [] };
  }
  if (!cutOff) return proof;
  const limit = `${cutOff.role}: ${cutOff.error.message}`;
  const steps = proof.verdict === 'unknown' ? [] : [`Some trials were cut off by a limit of the sandbox (${limit}).`];
  return { ...proof, cutOff: limit, ...mayDifferAfter(cutOff.error), steps: [...proof.steps, ...steps] };
}

/**
 * @param {ReduceQuestion} question
 * @param {Means} means
 * @returns {Promise<Proof>} the same for the same question and seed
 * @throws {Error} where the sandbox cannot be started
 */
export async function proveReduce(question, means) {
  const proof = await withinLimits(() => proveWithin(question, means));
  return 'unknown' in proof ? { ...unknown(proof.unknown), bailout: proof.unknown } : proof;
}

/**
 * @param {ReduceQuestion} question
 * @param {Means} means
 * @returns {Promise<Proof>}
 * @throws {Bailout}
 */
async function proveWithin({ reduce, map, target }, means) {
  const tree = parseFunction(reduce.source);
  if (!tree.ok || !tree.fn) return unknown('the reduce does not parse as a function');
  const { fn } = tree;
  if (tree.shape !== 'expression' && tree.shape !== 'named')
    return unknown('the text has other code beside the reduce');
  if (hiddenChange(fn) === 'it runs a string as code') return unknown('the reduce runs strings as code');
  const emitted = emittedValues(map?.source);
  const suggestion = suggestValues(/** @type {AnyNode} */ (fn));
  const { lengths, keys, ids } = suggestion;
  const setup = { source: reduce.source, target, ...means, lengths, bounds: lengths, keys, ids };
  const passes = readPasses(fn, emitted, target);
  const proof = await judgePasses(passes, { fn, emitted, suggestion, setup, map: map?.source });
  return passes.isFollowed ? { ...proof, isFollowed: true } : proof;
}

/**
 * @param {ReturnType<typeof readPasses>} passes
 * @param {{fn: FunctionNode, emitted: Emitted, suggestion: Suggestion, setup: TrialSetup, map: string | undefined}} known
 * @returns {Promise<Proof>}
 */
async function judgePasses({ claim, rounding, meaning, why, limit }, { fn, emitted, suggestion, setup, map }) {
  const { sandbox, seed, target } = setup;
  const kinds = emitted.spec ? [] : suggestion.specs;
  const literals = [...suggestion.literals, ...(claim?.strings ?? [])];
  const observe = () => observeRows({ map, kinds, literals, sandbox, seed });
  if (claim) return checkClaim(claim, setup, { map, suggestion, observe });
  const observed = await observe();
  const tried = await judgeByTrials(setup, { fn, emitted, suggestion, why, meaning, observed });
  const proof = limit === undefined ? tried : { ...tried, bailout: limit };
  if (proof.verdict !== 'custom') return proof;
  const [rows = []] = 'families' in observed ? observed.families : [];
  const picked = builtinOf('_last', target) && (await pickedRow(setup, rows, map));
  if (picked) return picked;
  // Where rows that the map emits show what the rounding does, that counts for more.
  if (!rounding) return proof;
  const rounded = await checkClaim(rounding, setup, { map: undefined, suggestion, observe });
  return rounded.verdict === 'unknown' ? proof : rounded;
}

/**
 * @param {FunctionNode} fn
 * @param {Emitted} emitted
 * @param {string} target
 * @returns {{claim?: Claim | undefined, rounding?: Claim | undefined, meaning?: Meaning | undefined, why?: string | undefined, limit?: string | undefined, isFollowed?: boolean}} what its code shows
 */
function readPasses(fn, emitted, target) {
  try {
    const first = runPass(fn, false);
    if ('bailout' in first) return { why: first.bailout, limit: first.limit };
    const meaning = meaningOf(first, emitted, target);
    const claim = claimOf(first, (answers) => runPass(fn, true, answers), emitted, target);
    if (claim) return { claim, meaning, isFollowed: true };
    const second = runPass(fn, true);
    if ('bailout' in second) return { meaning, why: second.bailout, limit: second.limit };
    return { meaning, rounding: roundingOf(first, second, emitted), isFollowed: true };
  } catch (error) {
    const limit = bailoutReason(error);
    if (limit === undefined) throw error;
    return { why: limit, limit };
  }
}

/** @typedef {() => ReturnType<typeof observeRows>} Observe what the map is seen to emit */
/** @typedef {{map: string | undefined, suggestion: Suggestion, observe: Observe}} Seen what is known of the view beside the claim */

/**
 * @param {Claim} claim
 * @param {TrialSetup} setup
 * @param {Seen} known
 * @returns {Promise<Proof>}
 */
async function checkClaim(claim, setup, known) {
  const { suggestion, observe } = known;
  const { verdict, builtin, condition, holds, rewrite, steps } = claim;
  const spec = withLiterals(claim.spec, suggestion.literals);
  const compared = verdict === 'equal' ? { builtin } : {};
  const { literals } = suggestion;
  const result = await runTrials({ ...setup, ...compared, literals, values: spec, count: CHECKED, growth: false });
  const { trials } = result;
  const stopped = result.errors[0];
  if (stopped) return unknown(`its code equals \`${builtin}\`, but it cannot be run: ${stopped.message}`, trials);
  const against = result.disagreement ?? result.splitDisagreement;
  const other = against?.text ?? (await otherAnswer(claim, setup));
  if (other)
    return unknown(`its code equals \`${builtin}\`, but a trial contradicts that: ${other.join('; ')}`, trials);
  const after = rewrite && (await checkAfterRewrite({ ...claim, spec, rewrite }, setup, known));
  if (after?.text !== undefined)
    return unknown(`its code equals \`${builtin}\` after a rewrite, but ${after.text}`, trials);
  /** @type {Proof} */
  const proof = {
    verdict,
    basis: 'proved',
    builtin,
    condition: { text: condition },
    conditionHolds: holds.isNumber,
    ...(holds.isNumber === 'if' && holds.field !== undefined ? { field: holds.field } : {}),
    ...(holds.isNumber === 'if' && holds.open !== undefined ? { conditionOpen: holds.open } : {}),
    ...(rewrite ? { rewrite: { ...rewrite, ...after?.parts } } : {}),
    trials: trials + (after?.trials ?? 0),
    steps: [
      ...steps,
      `Condition: ${condition}.`,
      `${formatCount(trials)} groupings of rows that meet it returned the same${verdict === 'equal' ? ` as \`${builtin}\`` : ''}.`,
      ...(after?.steps ?? []),
    ],
  };
  if (holds.isNumber === 'not') return whereItNeverHolds(proof, setup, observe);
  if (verdict === 'equal' && holds.isNumber === 'if') proof.steps.push(...(await whereItDoesNotHold(claim, setup)));
  return proof;
}

/**
 * @param {Claim & {rewrite: Rewrite}} claim
 * @param {TrialSetup} setup
 * @param {Seen} known
 * @returns {Promise<{trials: number, steps: string[], parts: Partial<Rewrite>, text?: string}>} `text`: where the rewritten view
 *   answers something else
 */
async function checkAfterRewrite({ rewrite, builtin, spec, outside, pattern, holds }, setup, { map, observe }) {
  const view = { ...setup, builtin, rewrite };
  const random = randomFrom(setup.seed);
  const checked = await checkRewrite(view, drawRowLists(spec, random, CHECKED));
  const steps = [`${formatCount(checked.trials)} groupings of rows that meet it returned the same after the rewrite.`];
  if (checked.text !== undefined) return { ...checked, steps: [], parts: {} };
  /** @type {Partial<Rewrite>} */
  const parts = pattern ? { pattern } : {};
  if (outside && holds.isNumber === 'if') {
    const isRounding = pattern === 'rounding';
    const drawn = isRounding ? [outside, outside, outside] : [spec, outside];
    const rows = rowsOf(drawn.map((of) => drawValue(of, random)));
    const apart = (/** @type {TrialRow[]} */ all) => ({ parts: all.map((row) => ({ rows: [row] })) });
    parts.outside = await answersOutside(view, rows, isRounding ? apart : undefined);
  }
  const changes = map !== undefined && rewrite.emitted !== undefined ? changesOfMap(map, rewrite.emitted) : undefined;
  if (!changes || map === undefined) return { trials: checked.trials, steps, parts };
  const observed = await observe();
  const rows = 'families' in observed ? (observed.families[0] ?? []) : [];
  const text = withChanges(map, changes);
  const tried = await checkNewMap({ ...view, map: text }, rows, spec);
  const trials = checked.trials + tried.trials;
  if (tried.text !== undefined) return { trials, steps: [], parts: {}, text: tried.text };
  if (tried.rows < 2) return { trials, steps, parts };
  steps.push(
    `So did ${formatCount(tried.trials)} groupings of ${formatCount(tried.rows)} rows that the new map emits.`,
  );
  return { trials, steps, parts: { ...parts, changes } };
}

/**
 * @param {Claim} claim
 * @param {TrialSetup} setup
 * @returns {Promise<string[] | undefined>} rows for which the reduce answers something else than what it was read as
 */
async function otherAnswer({ form, spec }, { source, sandbox, seed }) {
  const lists = drawRowLists(spec, randomFrom(seed), CHECKED);
  const answers = await sandbox.reduce({ source, trees: lists.map(inOneGo) });
  for (const [at, rows] of lists.entries()) {
    const values = rows.map(({ value }) => value);
    const answer = answers[at];
    if (!answer || !('value' in answer)) continue;
    const expected = evaluateForm(form, values);
    if (!isSameAnswer(answer, { value: expected }, greatestNumber(values))) {
      return [
        `for ${JSON.stringify(values)} it returns ${JSON.stringify(answer.value)}, not ${JSON.stringify(expected)}`,
      ];
    }
  }
  return undefined;
}

/**
 * @param {Proof} proof whose condition no value of the map meets
 * @param {TrialSetup} setup
 * @param {Observe} observe
 * @returns {Promise<Proof>}
 */
async function whereItNeverHolds(proof, setup, observe) {
  const observed = await observe();
  const rows = 'families' in observed ? observed.families[0] : undefined;
  if ('reason' in observed || !rows) return proof;
  const { builtin } = proof;
  /** @type {ValueSpec} */
  const values = { kind: 'emitted', rows };
  const result = await runTrials({ ...setup, ...(builtin ? { builtin } : {}), values, count: LISTS });
  const trials = proof.trials + result.trials;
  const growth = await growthOver(setup, specOfValues(rows.map(({ value }) => value)));
  const few = growth?.grows ? await growthOverFew(setup, observed, rows) : undefined;
  if (result.splitDisagreement || few?.grows) return wrong(result, trials, {}, few);
  const { disagreement: counterexample } = result;
  if (!counterexample) return { ...proof, trials };
  return {
    ...proof,
    counterexample,
    trials,
    steps: [...proof.steps, 'The map emits other values:', ...counterexample.text],
  };
}

/**
 * @param {Claim} claim
 * @param {TrialSetup} setup
 * @returns {Promise<string[]>} an example of what the built-in does where the condition is not met
 */
async function whereItDoesNotHold({ builtin }, setup) {
  for (const value of TRAPS) {
    /** @type {ValueSpec} */
    const values = { kind: 'literal', value };
    const { disagreement } = await runTrials({
      ...setup,
      builtin,
      values,
      count: 1,
      growth: false,
      lengths: [],
      keys: [],
      ids: [],
    });
    if (disagreement) return ['Where it is not met, the results differ:', ...disagreement.text];
  }
  return [];
}
