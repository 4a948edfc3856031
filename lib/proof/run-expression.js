// Evaluates an expression of a reduce to the symbol it represents. What is not understood is opaque; what may change
// things in a way that is not followed ends the run.

import { choose, operate, operateOne, truthOf } from './operate.js';
import { call } from './run-call.js';
import { inBranches, memberName, noteUse, readMember, write } from './run-member.js';
import { countStep } from './run-pass.js';
import { mergeStates, Unclear } from './run-state.js';
import { constant, opaque, UNDEFINED } from './symbols.js';

/** @import { AnyNode, AssignmentExpression, Expression, LogicalExpression, Super, PrivateIdentifier, SpreadElement } from 'acorn' */
/** @import { Scope } from '../javascript/scope.js' */
/** @import { Budget } from './run-pass.js' */
/** @import { RunState } from './run-state.js' */
/** @import { Symbol_ } from './symbols.js' */

/** Names that are there in a query server and change nothing (share/server/loop.js, 3.5.0). */
export const GLOBALS = new Set([
  'Math',
  'JSON',
  'Number',
  'String',
  'Boolean',
  'Object',
  'Array',
  'parseFloat',
  'parseInt',
  'isNaN',
  'isFinite',
  'sum',
  'log',
  'isArray',
  'toJSON',
  'undefined',
  'NaN',
  'Infinity',
]);

/** Operators that make a number or a truth of two values, and nothing else. */
const BINARY = new Set([
  '+',
  '-',
  '*',
  '/',
  '%',
  '<',
  '>',
  '<=',
  '>=',
  '===',
  '!==',
  '==',
  '!=',
  '|',
  '&',
  '^',
  '<<',
  '>>',
  '>>>',
  '**',
]);

/**
 * @param {Budget} budget
 * @param {AnyNode | Expression | Super | PrivateIdentifier | SpreadElement} given
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 * @throws {Unclear}
 */
export function evaluate(budget, given, scope, state) {
  countStep(budget);
  const node = /** @type {AnyNode} */ (given);
  switch (node.type) {
    case 'ParenthesizedExpression':
      return evaluate(budget, node.expression, scope, state);
    case 'Literal':
      if (node.regex || node.bigint) return opaque('a literal');
      return constant(/** @type {string | number | boolean | null} */ (node.value));
    case 'TemplateLiteral':
      for (const item of node.expressions) noteUse(budget, evaluate(budget, item, scope, state));
      return node.expressions.length === 0 ? constant(node.quasis[0]?.value.cooked ?? '') : opaque('a text');
    case 'Identifier':
      return readName(node.name, scope, state);
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return { kind: 'function', node, scope };
    case 'ArrayExpression':
    case 'ObjectExpression':
      return makeShape(budget, node, scope, state);
    case 'UnaryExpression': {
      if (node.operator === 'delete') throw new Unclear('it deletes a member');
      const of = evaluate(budget, node.argument, scope, state);
      if (node.operator !== '!' && node.operator !== 'typeof') noteUse(budget, of);
      return operateOne(node.operator, of);
    }
    case 'BinaryExpression': {
      const [left, right] = [evaluate(budget, node.left, scope, state), evaluate(budget, node.right, scope, state)];
      return operateNoted(budget, node.operator, left, right);
    }
    case 'LogicalExpression':
      return evaluateLogical(budget, node, scope, state);
    case 'ConditionalExpression': {
      const test = evaluate(budget, node.test, scope, state);
      const truth = truthOf(test);
      if (truth !== undefined) return evaluate(budget, truth ? node.consequent : node.alternate, scope, state);
      const other = state.copy();
      const [yes, no] = inBranches(budget, test, [node.consequent, node.alternate], (side) =>
        evaluate(budget, side, scope, side === node.consequent ? state : other),
      );
      state.become(mergeStates(test, state.copy(), other));
      return choose(test, yes, no);
    }
    case 'SequenceExpression':
      return node.expressions.map((item) => evaluate(budget, item, scope, state)).at(-1) ?? UNDEFINED;
    case 'AssignmentExpression':
      return assign(budget, node, scope, state);
    case 'UpdateExpression': {
      const before = evaluate(budget, node.argument, scope, state);
      noteUse(budget, before);
      const number = before.kind === 'index' || before.kind === 'accumulator' ? before : operateOne('+', before);
      const one = number.kind === 'unary' && number.op === 'Number' ? number.of : number;
      const after = operate(node.operator === '++' ? '+' : '-', before.kind === 'constant' ? number : one, constant(1));
      write(budget, node.argument, after, scope, state);
      return node.prefix ? after : before;
    }
    case 'MemberExpression':
      return readMember(
        budget,
        evaluate(budget, node.object, scope, state),
        memberName(budget, node, scope, state),
        state,
      );
    case 'CallExpression':
      return call(budget, node, scope, state);
    default:
      throw new Unclear(`a ${node.type} is not supported`);
  }
}

/**
 * @param {Budget} budget
 * @param {string} operator
 * @param {Symbol_} left
 * @param {Symbol_} right
 * @returns {Symbol_}
 */
function operateNoted(budget, operator, left, right) {
  if (!BINARY.has(operator)) throw new Unclear(`it uses the operator ${operator}`);
  // No value is too odd to be compared with a string.
  const isCompared = /^[!=]=$/.test(operator) && [left, right].some(isString);
  if (operator !== '===' && operator !== '!==' && !isCompared) {
    noteUse(budget, left);
    noteUse(budget, right);
  }
  return operate(operator, left, right);
}

/** @param {Symbol_} symbol @returns {boolean} */
function isString(symbol) {
  return symbol.kind === 'constant' && typeof symbol.value === 'string';
}

/**
 * @param {string} name
 * @param {Scope} scope
 * @param {RunState} state
 * @returns {Symbol_}
 */
function readName(name, scope, state) {
  const variable = scope.find(name);
  if (variable) {
    const value = state.variables.get(variable);
    if (!value) throw new Unclear(`\`${name}\` may not be initialized yet`);
    return value;
  }
  if (name === 'undefined') return UNDEFINED;
  if (name === 'NaN') return constant(Number.NaN);
  if (name === 'Infinity') return constant(Number.POSITIVE_INFINITY);
  if (GLOBALS.has(name)) return { kind: 'global', name };
  throw new Unclear(`\`${name}\` is unknown`);
}

/**
 * @param {Budget} budget
 * @param {import('acorn').ArrayExpression | import('acorn').ObjectExpression} node
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function makeShape(budget, node, scope, state) {
  /** @type {Map<string, Symbol_>} */
  const members = new Map();
  if (node.type === 'ArrayExpression') {
    for (const [at, item] of node.elements.entries()) {
      if (!item || item.type === 'SpreadElement') throw new Unclear('an array is built from other arrays');
      members.set(String(at), evaluate(budget, item, scope, state));
    }
  } else {
    for (const property of node.properties) {
      if (property.type !== 'Property' || property.computed || property.kind !== 'init') {
        throw new Unclear('an object is built from other objects');
      }
      const { key } = property;
      if (key.type !== 'Identifier' && key.type !== 'Literal') throw new Unclear('a member has a computed name');
      const name = key.type === 'Identifier' ? key.name : String(key.value);
      if (name === '__proto__') throw new Unclear('an object sets its prototype');
      members.set(name, evaluate(budget, property.value, scope, state));
    }
  }
  const id = budget.nextId;
  budget.nextId += 1;
  state.heap.set(id, { kind: node.type === 'ArrayExpression' ? 'array' : 'object', members });
  return { kind: 'reference', id };
}

/**
 * @param {Budget} budget
 * @param {LogicalExpression} node
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function evaluateLogical(budget, node, scope, state) {
  const { operator } = node;
  const left = evaluate(budget, node.left, scope, state);
  if (operator === '??') throw new Unclear('it uses the operator ??');
  const truth = truthOf(left);
  if (truth !== undefined) return truth === (operator === '&&') ? evaluate(budget, node.right, scope, state) : left;
  const other = state.copy();
  const { path } = budget;
  budget.path = [...path, [left, operator === '&&']];
  const right = evaluate(budget, node.right, scope, state);
  budget.path = path;
  const [yes, no] = operator === '&&' ? [state.copy(), other] : [other, state.copy()];
  state.become(mergeStates(left, yes, no));
  return operator === '&&' ? choose(left, right, left) : choose(left, left, right);
}

/**
 * @param {Budget} budget
 * @param {AssignmentExpression} node
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function assign(budget, node, scope, state) {
  const { operator } = node;
  if (operator === '=') {
    const value = evaluate(budget, node.right, scope, state);
    write(budget, node.left, value, scope, state);
    return value;
  }
  const plain = operator.slice(0, -1);
  const before = evaluate(budget, node.left, scope, state);
  const value = operateNoted(budget, plain, before, evaluate(budget, node.right, scope, state));
  write(budget, node.left, value, scope, state);
  return value;
}
