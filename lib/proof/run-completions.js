// Combines the completions of statements, as ECMA-262 has them (Completion Records, LabelledEvaluation, LoopContinues), where each may depend
// on tests of the rows. Every statement that holds others treats what completes in it through these functions.

import { inBranches } from './run-member.js';
import { EvaluationBailout, mergeStates } from './run-state.js';

/** @import { EvaluationContext } from './run-pass.js' */
/** @import { RunState } from './run-state.js' */
/** @import { Symbol_ } from './symbols.js' */

/**
 * How a statement completes, without a choice; `state` is what holds then.
 * @typedef {{kind: 'normal', state: RunState} | {kind: 'break' | 'continue', label: string | undefined, state: RunState} | {kind: 'return' | 'throw', value: Symbol_, state: RunState}} PlainCompletion
 */
/** One of two by a test of the rows, or a plain one. @typedef {PlainCompletion | {kind: 'choice', test: Symbol_, yes: Completion, no: Completion}} Completion */

/**
 * @param {RunState} state
 * @returns {Completion}
 */
export function normal(state) {
  return { kind: 'normal', state };
}

/**
 * @param {EvaluationContext} context
 * @param {Completion} completion
 * @param {(plain: PlainCompletion) => Completion} change of each that it may be, run as where the tests came to that
 * @returns {Completion}
 */
export function mapCompletion(context, completion, change) {
  if (completion.kind !== 'choice') return change(completion);
  const { test, yes, no } = completion;
  return byTest(context, test, [yes, no], (side) => mapCompletion(context, side, change));
}

/**
 * @template T
 * @param {EvaluationContext} context
 * @param {Symbol_} test
 * @param {[T, T]} sides
 * @param {(side: T) => Completion} run
 * @returns {Completion} a single one where both sides complete in the same way
 */
export function byTest(context, test, sides, run) {
  const [yes, no] = inBranches(context, test, sides, run);
  const isJump = yes.kind === 'break' || yes.kind === 'continue';
  const isSameJump = isJump && yes.kind === no.kind && yes.label === no.label;
  if (isSameJump) return { ...yes, state: mergeStates(test, yes.state, no.state) };
  if (yes.kind === 'normal' && no.kind === 'normal') return normal(mergeStates(test, yes.state, no.state));
  return { kind: 'choice', test, yes, no };
}

/**
 * @param {EvaluationContext} context
 * @param {Completion} completion
 * @param {(state: RunState) => Completion} next what follows where it is normal
 * @returns {Completion}
 */
export function andThen(context, completion, next) {
  return mapCompletion(context, completion, (plain) => (plain.kind === 'normal' ? next(plain.state) : plain));
}

/**
 * @param {EvaluationContext} context
 * @param {Completion} completion of a loop or `switch`
 * @returns {Completion} behind it: a `break` without a label leaves it
 */
export function leaveAtBreak(context, completion) {
  return mapCompletion(context, completion, (plain) =>
    plain.kind === 'break' && plain.label === undefined ? normal(plain.state) : plain,
  );
}

/**
 * @param {EvaluationContext} context
 * @param {Completion} completion of the body of a loop
 * @param {readonly string[]} labels of the loop
 * @returns {Completion} where the next iteration begins: a `continue` without a label, or with one of the loop's, goes on there
 */
export function continueLoop(context, completion, labels) {
  return mapCompletion(context, completion, (plain) => {
    if (plain.kind !== 'continue') return plain;
    if (plain.label === undefined || plain.label === labels.at(-1)) return normal(plain.state);
    // QuickJS refuses a `continue` to any but the last label of a loop (tried on couchjs_mainjs of 3.4.3 and 3.5.0).
    if (labels.includes(plain.label)) throw new EvaluationBailout('a loop has several labels');
    return plain;
  });
}

/**
 * @param {EvaluationContext} context
 * @param {Completion} completion of a loop's body
 * @param {readonly string[]} labels of the loop
 * @returns {RunState} where the next iteration begins
 * @throws {EvaluationBailout} where the loop may be left early
 */
export function nextIteration(context, completion, labels) {
  const next = continueLoop(context, completion, labels);
  if (next.kind !== 'normal') throw new EvaluationBailout('a loop may end early');
  return next.state;
}

/**
 * @param {EvaluationContext} context
 * @param {Completion} completion of the statement behind a label
 * @param {string} label
 * @returns {Completion}
 * @throws {EvaluationBailout} where a `break` without a label leaves a block that has one: ECMAScript leaves the loop around it, the QuickJS of
 *   CouchDB 3.4.3 the block alone (tried on couchjs_mainjs; that of 3.5.0 does as ECMAScript has it)
 */
export function leaveAtLabel(context, completion, label) {
  return mapCompletion(context, completion, (plain) => {
    if (plain.kind !== 'break') return plain;
    if (plain.label === undefined)
      throw new EvaluationBailout('engines differ in what a `break` in a labelled block leaves');
    return plain.label === label ? normal(plain.state) : plain;
  });
}
