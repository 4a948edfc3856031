// Evaluates an expression of a reduce to the symbol it represents. What is not understood is opaque; what may change
// things in a way that is not followed ends the run.

import { bare } from '../javascript/parse.js';
import { someNode } from '../javascript/walk.js';
import { choose, operate, operateOne, truthOf } from './operate.js';
import { call } from './run-call.js';
import { inBranches, memberName, noteUse, readMember, write, writeTo } from './run-member.js';
import { countStep } from './run-pass.js';
import { bindPattern } from './run-patterns.js';
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
      if (node.bigint) throw new Unclear('it uses a bigint');
      if (node.regex) return opaque('a literal');
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
      return makeArrayOf(budget, node, scope, state);
    case 'ObjectExpression':
      return makeObject(budget, node, scope, state);
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
      return chooseBetween(budget, test, state, [
        (at) => evaluate(budget, node.consequent, scope, at),
        (at) => evaluate(budget, node.alternate, scope, at),
      ]);
    }
    case 'SequenceExpression':
      return node.expressions.map((item) => evaluate(budget, item, scope, state)).at(-1) ?? UNDEFINED;
    case 'AssignmentExpression':
      return assign(budget, node, scope, state);
    case 'UpdateExpression': {
      // It is gone through twice: what it changes would change twice.
      if (someNode(node.argument, ({ type }) => /Update|Assignment|Call|New|Yield|Await|Template/.test(type)))
        throw new Unclear('the target of an assignment has side effects');
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
    case 'NewExpression':
      return makeError(budget, node, scope, state);
    default:
      throw new Unclear(`a ${node.type} is not supported`);
  }
}

/**
 * @param {Budget} budget
 * @param {Symbol_} test
 * @param {RunState} state changed
 * @param {[(state: RunState) => Symbol_, (state: RunState) => Symbol_]} sides
 * @returns {Symbol_} what the one or the other evaluates to
 */
export function chooseBetween(budget, test, state, sides) {
  const states = [state, state.copy()];
  const [yes, no] = inBranches(budget, test, [0, 1], (side) =>
    /** @type {(state: RunState) => Symbol_} */ (sides[side])(/** @type {RunState} */ (states[side])),
  );
  state.become(mergeStates(test, state.copy(), /** @type {RunState} */ (states[1])));
  return choose(test, yes, no);
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

/** What engines call without a call that is written: where a value becomes a number or a string, or JSON. */
const CALLED_UNSEEN = new Set(['valueOf', 'toString', 'toJSON', '__proto__']);

/**
 * @param {Budget} budget
 * @param {import('acorn').ObjectExpression} node
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function makeObject(budget, { properties }, scope, state) {
  /** @type {Map<string, Symbol_>} */
  const members = new Map();
  for (const property of properties) {
    if (property.type !== 'Property' || property.computed || property.kind !== 'init') {
      throw new Unclear('an object is built from other objects');
    }
    const { key } = property;
    if (key.type !== 'Identifier' && key.type !== 'Literal') throw new Unclear('a member has a computed name');
    const name = key.type === 'Identifier' ? key.name : String(key.value);
    if (CALLED_UNSEEN.has(name)) throw new Unclear(`an object has a \`${name}\` of its own`);
    members.set(name, evaluate(budget, property.value, scope, state));
  }
  return addToHeap(budget, { kind: 'object', members }, state);
}

/**
 * @param {Budget} budget
 * @param {import('acorn').ArrayExpression} node
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function makeArrayOf(budget, { elements }, scope, state) {
  const [first] = elements;
  if (elements.length === 1 && first?.type === 'SpreadElement') {
    const list = evaluate(budget, first.argument, scope, state);
    // A copy of the rows is as good as them: neither is changed.
    if (list.kind === 'rows' || list.kind === 'chosen') return list;
  }
  const items = elements.map((item) => {
    if (!item || item.type === 'SpreadElement') throw new Unclear('an array is built from other arrays');
    return evaluate(budget, item, scope, state);
  });
  return makeArray(budget, items, state);
}

/**
 * @param {Budget} budget
 * @param {Symbol_[]} items
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
export function makeArray(budget, items, state) {
  const members = new Map(items.map((item, at) => [String(at), item]));
  return addToHeap(budget, { kind: 'array', members }, state);
}

/**
 * @param {Budget} budget
 * @param {import('./run-state.js').Made} made
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function addToHeap(budget, made, state) {
  const id = budget.nextId;
  budget.nextId += 1;
  state.heap.set(id, made);
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
  const left = bare(/** @type {AnyNode} */ (node.left));
  // ECMA-262 evaluates the object and the name of the target before what is assigned.
  const object = left.type === 'MemberExpression' ? evaluate(budget, left.object, scope, state) : undefined;
  const name = left.type === 'MemberExpression' ? memberName(budget, left, scope, state) : undefined;
  const store = (/** @type {Symbol_} */ value) => {
    if (object && name) writeTo(budget, object, name, value, state);
    else bindPattern(budget, left, value, scope, state, true);
    return value;
  };
  if (operator === '=') return store(evaluate(budget, node.right, scope, state));
  const before = object && name ? readMember(budget, object, name, state) : evaluate(budget, left, scope, state);
  return store(operateNoted(budget, operator.slice(0, -1), before, evaluate(budget, node.right, scope, state)));
}

const ERRORS = new Set(['Error', 'TypeError', 'RangeError']);

/**
 * @param {Budget} budget
 * @param {import('acorn').NewExpression} node
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 * @throws {Unclear} of anything but an error
 */
function makeError(budget, { callee, arguments: given }, scope, state) {
  if (callee.type !== 'Identifier' || !ERRORS.has(callee.name) || scope.find(callee.name))
    throw new Unclear('a NewExpression is not supported');
  for (const item of given) noteUse(budget, evaluate(budget, item, scope, state));
  return opaque('an error');
}
