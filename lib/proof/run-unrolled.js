// Runs a loop over an array or object whose members are all known, iteration by iteration: names that the function lists, and the
// members of answers in a second pass.

import { Scope } from '../javascript/scope.js';
import { andThen, continueLoop, normal } from './run-completions.js';
import { evaluate } from './run-expression.js';
import { readMember } from './run-member.js';
import { bindPattern } from './run-patterns.js';
import { EvaluationBailout } from './run-state.js';
import { runStatement } from './run-statements.js';
import { constant } from './symbols.js';

/** @import { AnyNode, DoWhileStatement, ForInStatement, ForOfStatement, ForStatement, Statement, WhileStatement } from 'acorn' */
/** @import { Form } from './forms.js' */
/** @import { Completion } from './run-completions.js' */
/** @import { EvaluationContext } from './run-pass.js' */
/** @import { RunState } from './run-state.js' */
/** @import { Symbol_ } from './symbols.js' */

/** Turns of a loop, at most: longer lists are no names of members. */
const MAX_ITERATIONS = 50;

/**
 * @param {EvaluationContext} context
 * @param {ForStatement | ForInStatement | ForOfStatement | WhileStatement | DoWhileStatement} loop
 * @param {Scope} scope
 * @param {RunState} state
 * @param {readonly string[]} labels of the loop
 * @returns {Completion | undefined} undefined where the loop does not go over members that are known; a `break` out of it is left
 */
export function unrollLoop(context, loop, scope, state, labels) {
  if (loop.type === 'ForStatement') return unrollCounted(context, loop, scope, state, labels);
  if (loop.type === 'WhileStatement' || loop.type === 'DoWhileStatement') return undefined;
  const start = state.copy();
  const over = evaluate(context, loop.right, scope, start);
  if (over.kind === 'rows') return undefined;
  const isIn = loop.type === 'ForInStatement';
  const names = isIn ? memberNames(context, over, start) : itemNames(over, start);
  if (!names) return undefined;
  const inner = loopScope(context, loop, loop.left, scope);
  return unroll(context, names.length, start, labels, (at, iteration) => {
    const name = constant(names[at]);
    if (memberNames(context, over, iteration)?.length !== names.length)
      throw new EvaluationBailout('a loop changes what it iterates over');
    bindLoopTarget(context, loop.left, isIn ? name : readMember(context, over, name, iteration), inner, iteration);
    return runStatement(context, loop.body, inner, iteration);
  });
}

/**
 * @param {EvaluationContext} context
 * @param {AnyNode} left of `for … in` or `for … of`
 * @param {Symbol_} value of this iteration
 * @param {Scope} scope
 * @param {RunState} state changed
 */
export function bindLoopTarget(context, left, value, scope, state) {
  const target = left.type === 'VariableDeclaration' ? left.declarations[0]?.id : left;
  if (target) bindPattern(context, target, value, scope, state, left.type !== 'VariableDeclaration');
}

/**
 * @param {EvaluationContext} context
 * @param {number} count
 * @param {RunState} state
 * @param {readonly string[]} labels
 * @param {(at: number, state: RunState) => Completion} run one iteration
 * @returns {Completion}
 */
function unroll(context, count, state, labels, run) {
  /** @param {number} at @param {RunState} start @returns {Completion} */
  const from = (at, start) => {
    if (at === count) return normal(start);
    return andThen(context, continueLoop(context, run(at, start), labels), (after) => from(at + 1, after));
  };
  return from(0, state);
}

/**
 * `for (var i = 0; i < names.length; i++)` over a list that the function made.
 * @param {EvaluationContext} context
 * @param {ForStatement} loop
 * @param {Scope} scope
 * @param {RunState} state
 * @param {readonly string[]} labels
 * @returns {Completion | undefined}
 */
function unrollCounted(context, loop, scope, state, labels) {
  const { init, test, update, body } = loop;
  if (test?.type !== 'BinaryExpression' || !init || !update) return undefined;
  const inner = loopScope(context, loop, init, scope);
  const start = state.copy();
  const begun = runHead(context, init, inner, start);
  const isKnown = (/** @type {RunState} */ at) =>
    [test.left, test.right].every((side) => evaluate(context, side, inner, at.copy()).kind === 'constant');
  if (!isKnown(begun)) return undefined;
  let iterations = 0;
  /** @param {RunState} at @returns {Completion} */
  const from = (at) => {
    const condition = evaluate(context, test, inner, at);
    if (condition.kind !== 'constant') throw new EvaluationBailout('the end of a loop is unknown');
    if (!condition.value) return normal(at);
    iterations += 1;
    if (iterations > MAX_ITERATIONS) throw new EvaluationBailout('a loop has too many iterations');
    return andThen(context, continueLoop(context, runStatement(context, body, inner, at), labels), (after) => {
      evaluate(context, update, inner, after);
      return from(after);
    });
  };
  return from(begun);
}

/**
 * @param {EvaluationContext} context
 * @param {AnyNode} init
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {RunState}
 */
function runHead(context, init, scope, state) {
  if (init.type !== 'VariableDeclaration') {
    evaluate(context, init, scope, state);
    return state;
  }
  const completion = runStatement(context, /** @type {Statement} */ (init), scope, state);
  return completion.kind === 'normal' ? completion.state : state;
}

/**
 * @param {EvaluationContext} context
 * @param {ForStatement | ForInStatement | ForOfStatement} loop
 * @param {AnyNode | null | undefined} head of it
 * @param {Scope} scope
 * @returns {Scope} the one of its own that a loop has whose variables are its own
 */
export function loopScope({ names }, loop, head, scope) {
  if (head?.type !== 'VariableDeclaration' || head.kind === 'var') return scope;
  return new Scope(scope).declareNamesOf(names, loop);
}

/**
 * @param {EvaluationContext} context
 * @param {Symbol_} object
 * @param {RunState} state
 * @returns {string[] | undefined} names of its members as `for … in` and `Object.keys` give them; undefined where they are not
 *   all known
 */
export function memberNames({ answers }, object, state) {
  const made = object.kind === 'reference' ? state.heap.get(object.id) : undefined;
  if (made) return made.kind === 'array' || !hasNumber([...made.members.keys()]) ? [...made.members.keys()] : undefined;
  if (object.kind !== 'element' || !answers) return undefined;
  const form = object.path.reduce(memberOf, /** @type {Form | undefined} */ (answers));
  if (!form || !('shape' in form)) return undefined;
  const names = form.members.map(([name]) => name);
  return form.shape === 'array' || !hasNumber(names) ? names : undefined;
}

/** @param {Form | undefined} form @param {string} name @returns {Form | undefined} */
function memberOf(form, name) {
  return form && 'shape' in form ? form.members.find(([other]) => other === name)?.[1] : undefined;
}

/** @param {string[]} names @returns {boolean} whether engines put some of them first, whatever the order they were written in */
function hasNumber(names) {
  return names.some((name) => /^\d+$/.test(name));
}

/**
 * @param {Symbol_} list
 * @param {RunState} state
 * @returns {string[] | undefined} the indexes of a list that the function made
 */
function itemNames(list, state) {
  const made = list.kind === 'reference' ? state.heap.get(list.id) : undefined;
  return made?.kind === 'array' ? [...made.members.keys()] : undefined;
}

/**
 * `names.forEach(…)` over a list that the function made.
 * @param {EvaluationContext} context
 * @param {Symbol_} list
 * @param {RunState} state changed
 * @param {(given: Symbol_[], state: RunState) => void} run the callback
 * @returns {boolean} whether it is such a list
 */
export function forEachItem(context, list, state, run) {
  const names = itemNames(list, state);
  if (!names) return false;
  for (const name of names) {
    run([readMember(context, list, constant(name), state), constant(Number(name)), list], state);
  }
  if (itemNames(list, state)?.length !== names.length)
    throw new EvaluationBailout('a loop changes what it iterates over');
  return true;
}
