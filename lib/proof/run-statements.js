// Runs the statements of a reduce in their order; each completes as ECMA-262 has it.

import { takesLabels } from '../javascript/completions.js';
import { Scope } from '../javascript/scope.js';
import { runIf, runSwitch, runTry } from './run-branches.js';
import { andThen, leaveAtBreak, leaveAtLabel, normal } from './run-completions.js';
import { evaluate } from './run-expression.js';
import { runLoop } from './run-loop.js';
import { countStep } from './run-pass.js';
import { bindPattern } from './run-patterns.js';
import { EvaluationBailout } from './run-state.js';
import { unrollLoop } from './run-unrolled.js';
import { UNDEFINED } from './symbols.js';

/** @import { LabeledStatement, Statement, VariableDeclaration } from 'acorn' */
/** @import { Completion } from './run-completions.js' */
/** @import { EvaluationContext } from './run-pass.js' */
/** @import { RunState } from './run-state.js' */

/**
 * @param {EvaluationContext} context
 * @param {Statement[]} statements
 * @param {Scope} scope
 * @param {RunState} state
 * @returns {Completion}
 */
export function runStatements(context, statements, scope, state) {
  const [first, ...rest] = statements;
  if (!first) return normal(state);
  return andThen(context, runStatement(context, first, scope, state), (after) => {
    return runStatements(context, rest, scope, after);
  });
}

/**
 * @param {EvaluationContext} context
 * @param {Statement} statement
 * @param {Scope} scope
 * @param {RunState} state
 * @param {readonly string[]} [labels] that stand before it
 * @returns {Completion}
 */
export function runStatement(context, statement, scope, state, labels = []) {
  countStep(context);
  switch (statement.type) {
    case 'EmptyStatement':
    case 'FunctionDeclaration':
      return normal(state);
    case 'ExpressionStatement':
      evaluate(context, statement.expression, scope, state);
      return normal(state);
    case 'VariableDeclaration':
      declare(context, statement, scope, state);
      return normal(state);
    case 'ReturnStatement': {
      const value = statement.argument ? evaluate(context, statement.argument, scope, state) : UNDEFINED;
      return { kind: 'return', value, state };
    }
    case 'ThrowStatement':
      return { kind: 'throw', value: evaluate(context, statement.argument, scope, state), state };
    case 'BlockStatement':
      return runStatements(context, statement.body, new Scope(scope).declareNamesOf(context.names, statement), state);
    case 'IfStatement':
      return runIf(context, statement, scope, state);
    case 'SwitchStatement':
      return runSwitch(context, statement, scope, state);
    case 'TryStatement':
      return runTry(context, statement, scope, state);
    case 'LabeledStatement':
      return runLabeled(context, statement, scope, state, labels);
    case 'BreakStatement':
      return { kind: 'break', label: statement.label?.name, state };
    case 'ContinueStatement':
      return { kind: 'continue', label: statement.label?.name, state };
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'DoWhileStatement':
    case 'WhileStatement': {
      const unrolled = unrollLoop(context, statement, scope, state, labels);
      return unrolled ? leaveAtBreak(context, unrolled) : normal(runLoop(context, statement, scope, state, labels));
    }
    default:
      throw new EvaluationBailout(`a ${statement.type} is not supported`);
  }
}

/**
 * @param {EvaluationContext} context
 * @param {LabeledStatement} statement
 * @param {Scope} scope
 * @param {RunState} state
 * @param {readonly string[]} labels
 * @returns {Completion}
 */
function runLabeled(context, { label, body }, scope, state, labels) {
  const inner = takesLabels(body) ? [...labels, label.name] : [];
  return leaveAtLabel(context, runStatement(context, body, scope, state, inner), label.name);
}

/**
 * @param {EvaluationContext} context
 * @param {VariableDeclaration} declaration
 * @param {Scope} scope
 * @param {RunState} state changed
 */
function declare(context, { declarations, kind }, scope, state) {
  for (const { id, init } of declarations) {
    // `var sum = sum(values)` reads the variable, which holds nothing yet; `var x;` keeps what it holds.
    if (init) bindPattern(context, id, evaluate(context, init, scope, state), scope, state);
    else if (id.type === 'Identifier') {
      const variable = scope.find(id.name) ?? scope.declare(id.name);
      if (kind !== 'var' || !state.variables.has(variable)) state.variables.set(variable, UNDEFINED);
    }
  }
}
