// Runs the statements of a reduce that branch: `if`, `switch`, `try`. Both branches are run, each knowing the test.

import { Scope } from '../javascript/scope.js';
import { operate, truthOf } from './operate.js';
import { andThen, byTest, leaveAtBreak, mapCompletion, normal } from './run-completions.js';
import { evaluate } from './run-expression.js';
import { bindPattern } from './run-patterns.js';
import { runStatement, runStatements } from './run-statements.js';

/** @import { CatchClause, IfStatement, Statement, SwitchStatement, TryStatement } from 'acorn' */
/** @import { Completion } from './run-completions.js' */
/** @import { EvaluationContext } from './run-pass.js' */
/** @import { RunState } from './run-state.js' */
/** @import { Symbol_ } from './symbols.js' */

/**
 * @param {EvaluationContext} context
 * @param {IfStatement} statement
 * @param {Scope} scope
 * @param {RunState} state
 * @returns {Completion}
 */
export function runIf(context, { test, consequent, alternate }, scope, state) {
  const condition = evaluate(context, test, scope, state);
  const truth = truthOf(condition);
  if (truth === true) return runStatement(context, consequent, scope, state);
  if (truth === false) return alternate ? runStatement(context, alternate, scope, state) : normal(state);
  const other = state.copy();
  return byTest(context, condition, [true, false], (isYes) => {
    if (isYes) return runStatement(context, consequent, scope, state);
    return alternate ? runStatement(context, alternate, scope, other) : normal(other);
  });
}

/**
 * @param {EvaluationContext} context
 * @param {SwitchStatement} statement
 * @param {Scope} outer
 * @param {RunState} start
 * @returns {Completion}
 */
export function runSwitch(context, statement, outer, start) {
  const { discriminant, cases } = statement;
  const value = evaluate(context, discriminant, outer, start);
  const scope = new Scope(outer).declareNamesOf(context.names, statement);
  /** @param {number} at @param {RunState} state @returns {Completion} of the statements of a case and those behind it */
  const runFrom = (at, state) => {
    /** @type {Statement[]} */
    const statements = cases.slice(at).flatMap(({ consequent }) => consequent);
    return leaveAtBreak(context, runStatements(context, statements, scope, state));
  };
  /** @param {number} at @param {RunState} state @returns {Completion} of the cases from this one on */
  const chooseFrom = (at, state) => {
    const test = cases[at]?.test;
    if (at === cases.length) {
      const fallback = cases.findIndex((item) => !item.test);
      return fallback === -1 ? normal(state) : runFrom(fallback, state);
    }
    if (!test) return chooseFrom(at + 1, state);
    const condition = operate('===', value, evaluate(context, test, scope, state));
    const truth = truthOf(condition);
    if (truth !== undefined) return truth ? runFrom(at, state) : chooseFrom(at + 1, state);
    const other = state.copy();
    return byTest(context, condition, [true, false], (isYes) =>
      isYes ? runFrom(at, state) : chooseFrom(at + 1, other),
    );
  };
  return chooseFrom(0, start);
}

/**
 * A `throw` is caught; what may throw for some values is noted as used, or ends the run: under the condition that comes of it nothing else
 * is thrown. What `finally` completes with, if not normally, replaces what came before (ECMA-262, TryStatement).
 * @param {EvaluationContext} context
 * @param {TryStatement} statement
 * @param {Scope} scope
 * @param {RunState} state
 * @returns {Completion}
 */
export function runTry(context, { block, handler, finalizer }, scope, state) {
  const tried = runStatement(context, block, scope, state);
  const caught = handler
    ? mapCompletion(context, tried, (plain) =>
        plain.kind === 'throw' ? runCatch(context, handler, plain.value, scope, plain.state) : plain,
      )
    : tried;
  if (!finalizer) return caught;
  return mapCompletion(context, caught, (plain) =>
    andThen(context, runStatement(context, finalizer, scope, plain.state), (after) => ({ ...plain, state: after })),
  );
}

/**
 * @param {EvaluationContext} context
 * @param {CatchClause} handler
 * @param {Symbol_} value what was thrown
 * @param {Scope} outer
 * @param {RunState} state
 * @returns {Completion}
 */
function runCatch(context, handler, value, outer, state) {
  const scope = new Scope(outer).declareNamesOf(context.names, handler);
  if (handler.param) bindPattern(context, handler.param, value, scope, state);
  return runStatement(context, handler.body, scope, state);
}
