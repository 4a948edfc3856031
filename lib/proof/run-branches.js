// Runs the statements of a reduce that branch: `if`, `switch`, `try`. Both branches are run, each knowing the test.

import { Scope } from '../javascript/scope.js';
import { operate, truthOf } from './operate.js';
import { evaluate } from './run-expression.js';
import { inBranches } from './run-member.js';
import { runStatement, runStatements } from './run-pass.js';
import { mergeStates, Unclear } from './run-state.js';

/** @import { IfStatement, Statement, SwitchStatement, TryStatement } from 'acorn' */
/** @import { Budget, Ending } from './run-pass.js' */
/** @import { RunState } from './run-state.js' */
/** @import { Symbol_ } from './symbols.js' */

/**
 * @param {Budget} budget
 * @param {Ending} ending
 * @param {(state: RunState) => Ending} then what follows
 * @returns {Ending}
 */
export function goOn(budget, ending, then) {
  if (ending.kind === 'next') return then(ending.state);
  if (ending.kind !== 'choice') return ending;
  return either(budget, ending.test, [ending.yes, ending.no], (side) => goOn(budget, side, then));
}

/**
 * @template T
 * @param {Budget} budget
 * @param {Symbol_} test
 * @param {[T, T]} sides
 * @param {(side: T) => Ending} run
 * @returns {Ending} one way to go on, where both sides go on
 */
function either(budget, test, sides, run) {
  const [yes, no] = inBranches(budget, test, sides, run);
  if (yes.kind === 'next' && no.kind === 'next') {
    return { kind: 'next', state: mergeStates(test, yes.state, no.state) };
  }
  return { kind: 'choice', test, yes, no };
}

/**
 * @param {Budget} budget
 * @param {IfStatement} statement
 * @param {Scope} scope
 * @param {RunState} state
 * @returns {Ending}
 */
export function runIf(budget, { test, consequent, alternate }, scope, state) {
  const condition = evaluate(budget, test, scope, state);
  const truth = truthOf(condition);
  if (truth === true) return runStatement(budget, consequent, scope, state);
  if (truth === false) return alternate ? runStatement(budget, alternate, scope, state) : { kind: 'next', state };
  const other = state.copy();
  return either(budget, condition, [true, false], (isYes) => {
    if (isYes) return runStatement(budget, consequent, scope, state);
    return alternate ? runStatement(budget, alternate, scope, other) : { kind: 'next', state: other };
  });
}

/**
 * @param {Budget} budget
 * @param {SwitchStatement} statement
 * @param {Scope} outer
 * @param {RunState} start
 * @returns {Ending}
 */
export function runSwitch(budget, statement, outer, start) {
  const { discriminant, cases } = statement;
  const value = evaluate(budget, discriminant, outer, start);
  const scope = new Scope(outer).declareNamesOf(budget.names, statement);
  /** @param {number} at @param {RunState} state @returns {Ending} of the statements of a case and those behind it */
  const runFrom = (at, state) => {
    /** @type {Statement[]} */
    const statements = cases.slice(at).flatMap(({ consequent }) => consequent);
    return leaveAtBreak(budget, runStatements(budget, statements, scope, state));
  };
  /** @param {number} at @param {RunState} state @returns {Ending} of the cases from this one on */
  const chooseFrom = (at, state) => {
    const test = cases[at]?.test;
    if (at === cases.length) {
      const fallback = cases.findIndex((item) => !item.test);
      return fallback === -1 ? { kind: 'next', state } : runFrom(fallback, state);
    }
    if (!test) return chooseFrom(at + 1, state);
    const condition = operate('===', value, evaluate(budget, test, scope, state));
    const truth = truthOf(condition);
    if (truth !== undefined) return truth ? runFrom(at, state) : chooseFrom(at + 1, state);
    const other = state.copy();
    return either(budget, condition, [true, false], (isYes) =>
      isYes ? runFrom(at, state) : chooseFrom(at + 1, other),
    );
  };
  return chooseFrom(0, start);
}

/**
 * @param {Budget} budget
 * @param {Ending} ending of a loop's turn or a `switch`
 * @returns {Ending} what it is behind that
 */
export function leaveAtBreak(budget, ending) {
  if (ending.kind === 'break') return { kind: 'next', state: ending.state };
  if (ending.kind !== 'choice') return ending;
  return either(budget, ending.test, [ending.yes, ending.no], (side) => leaveAtBreak(budget, side));
}

/**
 * What may throw is noted as used, or ends the run: under the condition that comes of it nothing is caught.
 * @param {Budget} budget
 * @param {TryStatement} statement
 * @param {Scope} scope
 * @param {RunState} state
 * @returns {Ending}
 */
export function runTry(budget, { block, finalizer }, scope, state) {
  const ending = runStatement(budget, block, scope, state);
  if (throws(ending)) throw new Unclear('an exception is thrown and caught');
  if (!finalizer) return ending;
  if (ending.kind !== 'next') throw new Unclear('a `finally` block follows code that may return or break');
  return runStatement(budget, finalizer, scope, ending.state);
}

/** @param {Ending} ending @returns {boolean} */
function throws(ending) {
  return ending.kind === 'throw' || (ending.kind === 'choice' && (throws(ending.yes) || throws(ending.no)));
}
