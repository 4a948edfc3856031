// Runs a loop over an array or object whose members are all known, turn by turn: names that the function lists, and the
// members of answers in a second pass.

import { Scope } from '../javascript/scope.js';
import { goOn, leaveAtBreak } from './run-branches.js';
import { evaluate } from './run-expression.js';
import { readMember } from './run-member.js';
import { runStatement } from './run-pass.js';
import { Unclear } from './run-state.js';
import { constant } from './symbols.js';

/** @import { AnyNode, ForInStatement, ForOfStatement, ForStatement, Statement, WhileStatement } from 'acorn' */
/** @import { Form } from './forms.js' */
/** @import { Budget, Ending } from './run-pass.js' */
/** @import { RunState } from './run-state.js' */
/** @import { Symbol_ } from './symbols.js' */

/** Turns of a loop, at most: longer lists are no names of members. */
const MAX_TURNS = 50;

/**
 * @param {Budget} budget
 * @param {ForStatement | ForInStatement | ForOfStatement | WhileStatement} loop
 * @param {Scope} scope
 * @param {RunState} state
 * @returns {Ending | undefined} undefined where the loop does not go over members that are known
 */
export function unrollLoop(budget, loop, scope, state) {
  if (loop.type === 'ForStatement') return unrollCounted(budget, loop, scope, state);
  if (loop.type === 'WhileStatement') return undefined;
  const start = state.copy();
  const over = evaluate(budget, loop.right, scope, start);
  if (over.kind === 'rows') return undefined;
  const isIn = loop.type === 'ForInStatement';
  const names = isIn ? memberNames(budget, over, start) : itemNames(over, start);
  if (!names) return undefined;
  const inner = loopScope(budget, loop, loop.left, scope);
  const target = loop.left.type === 'VariableDeclaration' ? loop.left.declarations[0]?.id : loop.left;
  if (target?.type !== 'Identifier') throw new Unclear('a loop destructures its variable');
  const variable = inner.find(target.name) ?? inner.declare(target.name);
  return unroll(budget, names.length, start, (at, turn) => {
    const name = constant(names[at]);
    if (memberNames(budget, over, turn)?.length !== names.length)
      throw new Unclear('a loop changes what it iterates over');
    turn.variables.set(variable, isIn ? name : readMember(budget, over, name, turn));
    return runStatement(budget, loop.body, inner, turn);
  });
}

/**
 * @param {Budget} budget
 * @param {number} count
 * @param {RunState} state
 * @param {(at: number, state: RunState) => Ending} run one turn
 * @returns {Ending}
 */
function unroll(budget, count, state, run) {
  /** @param {number} at @param {RunState} start @returns {Ending} */
  const from = (at, start) => {
    if (at === count) return { kind: 'next', state: start };
    return goOn(budget, untilNextTurn(budget, run(at, start)), (after) => from(at + 1, after));
  };
  return leaveAtBreak(budget, from(0, state));
}

/**
 * @param {Budget} budget
 * @param {Ending} ending of a turn
 * @returns {Ending} where a `continue` goes on
 */
function untilNextTurn(budget, ending) {
  if (ending.kind === 'continue') return { kind: 'next', state: ending.state };
  if (ending.kind !== 'choice') return ending;
  const [yes, no] = [untilNextTurn(budget, ending.yes), untilNextTurn(budget, ending.no)];
  return goOn(budget, { ...ending, yes, no }, (state) => ({ kind: 'next', state }));
}

/**
 * `for (var i = 0; i < names.length; i++)` over a list that the function made.
 * @param {Budget} budget
 * @param {ForStatement} loop
 * @param {Scope} scope
 * @param {RunState} state
 * @returns {Ending | undefined}
 */
function unrollCounted(budget, loop, scope, state) {
  const { init, test, update, body } = loop;
  if (test?.type !== 'BinaryExpression' || !init || !update) return undefined;
  const inner = loopScope(budget, loop, init, scope);
  const start = state.copy();
  const begun = runHead(budget, init, inner, start);
  const isKnown = (/** @type {RunState} */ at) =>
    [test.left, test.right].every((side) => evaluate(budget, side, inner, at.copy()).kind === 'constant');
  if (!isKnown(begun)) return undefined;
  let turns = 0;
  /** @param {RunState} at @returns {Ending} */
  const from = (at) => {
    const condition = evaluate(budget, test, inner, at);
    if (condition.kind !== 'constant') throw new Unclear('the end of a loop is unknown');
    if (!condition.value) return { kind: 'next', state: at };
    turns += 1;
    if (turns > MAX_TURNS) throw new Unclear('a loop has too many iterations');
    return goOn(budget, untilNextTurn(budget, runStatement(budget, body, inner, at)), (after) => {
      evaluate(budget, update, inner, after);
      return from(after);
    });
  };
  return leaveAtBreak(budget, from(begun));
}

/**
 * @param {Budget} budget
 * @param {AnyNode} init
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {RunState}
 */
function runHead(budget, init, scope, state) {
  if (init.type !== 'VariableDeclaration') {
    evaluate(budget, init, scope, state);
    return state;
  }
  const ending = runStatement(budget, /** @type {Statement} */ (init), scope, state);
  return ending.kind === 'next' ? ending.state : state;
}

/**
 * @param {Budget} budget
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
 * @param {Budget} budget
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
 * @param {Budget} budget
 * @param {Symbol_} list
 * @param {RunState} state changed
 * @param {(given: Symbol_[], state: RunState) => void} run the callback
 * @returns {boolean} whether it is such a list
 */
export function forEachItem(budget, list, state, run) {
  const names = itemNames(list, state);
  if (!names) return false;
  for (const name of names) {
    run([readMember(budget, list, constant(name), state), constant(Number(name)), list], state);
  }
  if (itemNames(list, state)?.length !== names.length) throw new Unclear('a loop changes what it iterates over');
  return true;
}
