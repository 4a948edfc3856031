// Evaluates an expression of a reduce to the symbol it represents. What is not understood is opaque; what may change
// things in a way that is not followed ends the run.

import { bare } from '../javascript/parse.js';
import { someNode } from '../javascript/walk.js';
import { choose, operate, operateOne, truthOf } from './operate.js';
import { call } from './run-call.js';
import { inBranches, memberName, noteUse, readMember, write, writeTo } from './run-member.js';
import { countStep } from './run-pass.js';
import { bindPattern } from './run-patterns.js';
import { EvaluationBailout, mergeStates } from './run-state.js';
import { constant, opaque, UNDEFINED } from './symbols.js';

/** @import { AnyNode, AssignmentExpression, ConditionalExpression, Expression, LogicalExpression, Super, PrivateIdentifier, SpreadElement, UpdateExpression } from 'acorn' */
/** @import { Scope } from '../javascript/scope.js' */
/** @import { EvaluationContext } from './run-pass.js' */
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
 * @param {EvaluationContext} context
 * @param {AnyNode | Expression | Super | PrivateIdentifier | SpreadElement} given
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 * @throws {EvaluationBailout}
 */
export function evaluate(context, given, scope, state) {
  countStep(context);
  const node = /** @type {AnyNode} */ (given);
  switch (node.type) {
    case 'ParenthesizedExpression':
      return evaluate(context, node.expression, scope, state);
    case 'Literal':
      if (node.bigint) throw new EvaluationBailout('it uses a bigint');
      if (node.regex) return opaque('a literal');
      return constant(/** @type {string | number | boolean | null} */ (node.value));
    case 'TemplateLiteral':
      for (const item of node.expressions) noteUse(context, evaluate(context, item, scope, state));
      return node.expressions.length === 0 ? constant(node.quasis[0]?.value.cooked ?? '') : opaque('a text');
    case 'Identifier':
      return readName(node.name, scope, state);
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return { kind: 'function', node, scope };
    case 'ArrayExpression':
      return makeArrayOf(context, node, scope, state);
    case 'ObjectExpression':
      return makeObject(context, node, scope, state);
    case 'UnaryExpression': {
      if (node.operator === 'delete') throw new EvaluationBailout('it deletes a member');
      const of = evaluate(context, node.argument, scope, state);
      if (node.operator !== '!' && node.operator !== 'typeof') noteUse(context, of);
      return operateOne(node.operator, of);
    }
    case 'BinaryExpression': {
      const [left, right] = [evaluate(context, node.left, scope, state), evaluate(context, node.right, scope, state)];
      return operateNoted(context, node.operator, left, right);
    }
    case 'LogicalExpression':
      return evaluateLogical(context, node, scope, state);
    case 'ConditionalExpression':
      return evaluateConditional(context, node, scope, state);
    case 'SequenceExpression':
      return node.expressions.map((item) => evaluate(context, item, scope, state)).at(-1) ?? UNDEFINED;
    case 'AssignmentExpression':
      return assign(context, node, scope, state);
    case 'UpdateExpression':
      return update(context, node, scope, state);
    case 'MemberExpression':
      return readMember(
        context,
        evaluate(context, node.object, scope, state),
        memberName(context, node, scope, state),
        state,
      );
    case 'CallExpression':
      return call(context, node, scope, state);
    case 'NewExpression':
      return makeError(context, node, scope, state);
    default:
      throw new EvaluationBailout(`a ${node.type} is not supported`);
  }
}

/**
 * @param {EvaluationContext} context
 * @param {ConditionalExpression} node
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function evaluateConditional(context, node, scope, state) {
  const test = evaluate(context, node.test, scope, state);
  const truth = truthOf(test);
  if (truth !== undefined) return evaluate(context, truth ? node.consequent : node.alternate, scope, state);
  return chooseBetween(context, test, state, [
    (at) => evaluate(context, node.consequent, scope, at),
    (at) => evaluate(context, node.alternate, scope, at),
  ]);
}

/**
 * @param {EvaluationContext} context
 * @param {UpdateExpression} node
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function update(context, node, scope, state) {
  // It is gone through twice: what it changes would change twice.
  if (someNode(node.argument, ({ type }) => /Update|Assignment|Call|New|Yield|Await|Template/.test(type)))
    throw new EvaluationBailout('the target of an assignment has side effects');
  const before = evaluate(context, node.argument, scope, state);
  noteUse(context, before);
  const number = before.kind === 'index' || before.kind === 'accumulator' ? before : operateOne('+', before);
  const one = number.kind === 'unary' && number.op === 'Number' ? number.of : number;
  const after = operate(node.operator === '++' ? '+' : '-', before.kind === 'constant' ? number : one, constant(1));
  write(context, node.argument, after, scope, state);
  return node.prefix ? after : before;
}

/**
 * @param {EvaluationContext} context
 * @param {Symbol_} test
 * @param {RunState} state changed
 * @param {[(state: RunState) => Symbol_, (state: RunState) => Symbol_]} sides
 * @returns {Symbol_} what the one or the other evaluates to
 */
export function chooseBetween(context, test, state, sides) {
  const states = [state, state.copy()];
  const [yes, no] = inBranches(context, test, [0, 1], (side) =>
    /** @type {(state: RunState) => Symbol_} */ (sides[side])(/** @type {RunState} */ (states[side])),
  );
  state.become(mergeStates(test, state.copy(), /** @type {RunState} */ (states[1])));
  return choose(test, yes, no);
}

/**
 * @param {EvaluationContext} context
 * @param {string} operator
 * @param {Symbol_} left
 * @param {Symbol_} right
 * @returns {Symbol_}
 */
function operateNoted(context, operator, left, right) {
  if (!BINARY.has(operator)) throw new EvaluationBailout(`it uses the operator ${operator}`);
  // No value is too odd to be compared with a string.
  const isCompared = /^[!=]=$/.test(operator) && [left, right].some(isString);
  if (operator !== '===' && operator !== '!==' && !isCompared) {
    noteUse(context, left);
    noteUse(context, right);
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
    if (!value) throw new EvaluationBailout(`\`${name}\` may not be initialized yet`);
    return value;
  }
  if (name === 'undefined') return UNDEFINED;
  if (name === 'NaN') return constant(Number.NaN);
  if (name === 'Infinity') return constant(Number.POSITIVE_INFINITY);
  if (GLOBALS.has(name)) return { kind: 'global', name };
  throw new EvaluationBailout(`\`${name}\` is unknown`);
}

/** What engines call without a call that is written: where a value becomes a number or a string, or JSON. */
const CALLED_UNSEEN = new Set(['valueOf', 'toString', 'toJSON', '__proto__']);

/**
 * @param {EvaluationContext} context
 * @param {import('acorn').ObjectExpression} node
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function makeObject(context, { properties }, scope, state) {
  /** @type {Map<string, Symbol_>} */
  const members = new Map();
  for (const property of properties) {
    if (property.type !== 'Property' || property.computed || property.kind !== 'init') {
      throw new EvaluationBailout('an object is built from other objects');
    }
    const { key } = property;
    if (key.type !== 'Identifier' && key.type !== 'Literal')
      throw new EvaluationBailout('a member has a computed name');
    const name = key.type === 'Identifier' ? key.name : String(key.value);
    if (CALLED_UNSEEN.has(name)) throw new EvaluationBailout(`an object has a \`${name}\` of its own`);
    members.set(name, evaluate(context, property.value, scope, state));
  }
  return addToHeap(context, { kind: 'object', members }, state);
}

/**
 * @param {EvaluationContext} context
 * @param {import('acorn').ArrayExpression} node
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function makeArrayOf(context, { elements }, scope, state) {
  const [first] = elements;
  if (elements.length === 1 && first?.type === 'SpreadElement') {
    const list = evaluate(context, first.argument, scope, state);
    // A copy of the rows is as good as them: neither is changed.
    if (list.kind === 'rows' || list.kind === 'chosen') return list;
  }
  const items = elements.map((item) => {
    if (!item || item.type === 'SpreadElement') throw new EvaluationBailout('an array is built from other arrays');
    return evaluate(context, item, scope, state);
  });
  return makeArray(context, items, state);
}

/**
 * @param {EvaluationContext} context
 * @param {Symbol_[]} items
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
export function makeArray(context, items, state) {
  const members = new Map(items.map((item, at) => [String(at), item]));
  return addToHeap(context, { kind: 'array', members }, state);
}

/**
 * @param {EvaluationContext} context
 * @param {import('./run-state.js').Made} made
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function addToHeap(context, made, state) {
  const id = context.nextId;
  context.nextId += 1;
  state.heap.set(id, made);
  return { kind: 'reference', id };
}

/**
 * @param {EvaluationContext} context
 * @param {LogicalExpression} node
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function evaluateLogical(context, node, scope, state) {
  const { operator } = node;
  const left = evaluate(context, node.left, scope, state);
  if (operator === '??') throw new EvaluationBailout('it uses the operator ??');
  const truth = truthOf(left);
  if (truth !== undefined) return truth === (operator === '&&') ? evaluate(context, node.right, scope, state) : left;
  const other = state.copy();
  const { path } = context;
  context.path = [...path, [left, operator === '&&']];
  const right = evaluate(context, node.right, scope, state);
  context.path = path;
  const [yes, no] = operator === '&&' ? [state.copy(), other] : [other, state.copy()];
  state.become(mergeStates(left, yes, no));
  return operator === '&&' ? choose(left, right, left) : choose(left, left, right);
}

/**
 * @param {EvaluationContext} context
 * @param {AssignmentExpression} node
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function assign(context, node, scope, state) {
  const { operator } = node;
  const left = bare(/** @type {AnyNode} */ (node.left));
  // ECMA-262 evaluates the object and the name of the target before what is assigned.
  const object = left.type === 'MemberExpression' ? evaluate(context, left.object, scope, state) : undefined;
  const name = left.type === 'MemberExpression' ? memberName(context, left, scope, state) : undefined;
  const store = (/** @type {Symbol_} */ value) => {
    if (object && name) writeTo(context, object, name, value, state);
    else bindPattern(context, left, value, scope, state, true);
    return value;
  };
  if (operator === '=') return store(evaluate(context, node.right, scope, state));
  const before = object && name ? readMember(context, object, name, state) : evaluate(context, left, scope, state);
  return store(operateNoted(context, operator.slice(0, -1), before, evaluate(context, node.right, scope, state)));
}

const ERRORS = new Set(['Error', 'TypeError', 'RangeError']);

/**
 * @param {EvaluationContext} context
 * @param {import('acorn').NewExpression} node
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 * @throws {EvaluationBailout} of anything but an error
 */
function makeError(context, { callee, arguments: given }, scope, state) {
  if (callee.type !== 'Identifier' || !ERRORS.has(callee.name) || scope.find(callee.name))
    throw new EvaluationBailout('a NewExpression is not supported');
  for (const item of given) noteUse(context, evaluate(context, item, scope, state));
  return opaque('an error');
}
