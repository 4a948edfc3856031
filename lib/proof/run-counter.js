// Finds the variable that counts the rows in the head of a loop, where the loop visits each row once.

import { evaluate } from './run-expression.js';
import { Unclear } from './run-state.js';
import { constant, isSame, UNDEFINED } from './symbols.js';

/** @import { AnyNode, ForStatement, WhileStatement } from 'acorn' */
/** @import { Scope } from '../javascript/scope.js' */
/** @import { Budget } from './run-pass.js' */
/** @import { RunState } from './run-state.js' */
/** @import { ConstantSymbol, Symbol_ } from './symbols.js' */

/**
 * @param {Budget} budget
 * @param {ForStatement | WhileStatement} loop
 * @param {Scope} scope
 * @param {RunState} state
 * @returns {{variable: symbol, from: 0 | 1, step: 1 | -1 | 0, end?: AnyNode, endValue: Symbol_}} `step` 0 where the test itself counts down
 * @throws {Unclear}
 */
export function counterOf(budget, { test }, scope, state) {
  if (!test) throw new Unclear('a loop has no condition');
  const condition = /** @type {AnyNode} */ (test);
  // `while (i--)`, with i the number of rows
  const down =
    condition.type === 'BinaryExpression' && isConstant(condition.right, 0) && condition.operator === '>'
      ? condition.left
      : condition;
  if (
    down.type === 'UpdateExpression' &&
    !down.prefix &&
    down.operator === '--' &&
    down.argument.type === 'Identifier'
  ) {
    const variable = scope.find(down.argument.name);
    const value = variable && state.variables.get(variable);
    if (variable && value?.kind === 'length') return { variable, from: 0, step: 0, endValue: UNDEFINED };
  }
  if (condition.type !== 'BinaryExpression') throw new Unclear('the condition of a loop is not supported');
  const { left, right, operator } = condition;
  const isLeft = left.type === 'Identifier' && /^(<=?|!==?|>=?)$/.test(operator);
  const name = isLeft ? left : right;
  if (name.type !== 'Identifier') throw new Unclear('the condition of a loop is not supported');
  const variable = scope.find(name.name);
  const value = variable && state.variables.get(variable);
  const endNode = /** @type {AnyNode} */ (isLeft ? right : left);
  const end = evaluate(budget, endNode, scope, state);
  if (!variable || !value) throw new Unclear('the condition of a loop is not supported');
  const isUp = isLeft ? operator === '<' || operator.startsWith('!') : operator === '>';
  // `i <= values.length - 1`
  const isToLast = isLeft && operator === '<=' && isLastRow(end);
  if (isToLast && isConstantSymbol(value, 0)) return { variable, from: 0, step: 1, end: endNode, endValue: end };
  if (isUp && end.kind === 'length' && value.kind === 'constant' && (value.value === 0 || value.value === 1)) {
    return { variable, from: value.value, step: 1, end: endNode, endValue: end };
  }
  const isDown =
    isLeft &&
    ((operator === '>=' && isConstantSymbol(end, 0)) ||
      ((operator === '>' || operator.startsWith('!')) && isConstantSymbol(end, -1)));
  if (isLastRow(value) && isDown) return { variable, from: 0, step: -1, end: endNode, endValue: end };
  throw new Unclear('a loop does not cover all rows');
}

/**
 * @param {Symbol_} symbol
 * @returns {boolean} whether it is the number of rows less 1
 */
function isLastRow(symbol) {
  return (
    symbol.kind === 'binary' && symbol.op === '-' && symbol.left.kind === 'length' && isConstantSymbol(symbol.right, 1)
  );
}

/**
 * @param {AnyNode} node
 * @param {number} value
 * @returns {boolean}
 */
function isConstant(node, value) {
  return node.type === 'Literal' && node.value === value;
}

/**
 * @param {Symbol_} symbol
 * @param {ConstantSymbol['value']} value
 * @returns {boolean}
 */
function isConstantSymbol(symbol, value) {
  return isSame(symbol, constant(value));
}

/**
 * @param {Symbol_ | undefined} value
 * @param {1 | -1 | 0} step
 * @returns {boolean} whether it is the number of the next row
 */
export function isStep(value, step) {
  if (step === 0) return value?.kind === 'index';
  if (value?.kind !== 'binary' || value.left.kind !== 'index' || !isConstantSymbol(value.right, 1)) return false;
  return value.op === (step === 1 ? '+' : '-');
}
