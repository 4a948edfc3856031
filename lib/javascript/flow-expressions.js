// Evaluates expressions to what reading the code shows of their values.

import { evaluateCall, evaluateNew, evaluateTagged } from './flow-calls.js';
import { followClass } from './flow-classes.js';
import { assignMember, bind, evaluateMember } from './flow-members.js';
import {
  binary,
  elementOf,
  isInherited,
  isNothing,
  isSomething,
  isWhole,
  mayBeFalsy,
  nameOfKey,
  truthOf,
  truthyPart,
  unary,
  whyNoSum,
} from './flow-operators.js';
import { copy, countStep, join, replaceState } from './flow-state.js';
import { compare, evaluateTest, narrowByTruth, settledValue } from './flow-tests.js';
import { asMoment } from './numbers.js';
import { bare } from './parse.js';
import { isKnownGlobal } from './query-server.js';
import { Scope } from './scope.js';
import { alternatives, implying, isNumber, numberBelow, powerOf, UNDEFINED, unionOf, unknown } from './values.js';
import { walkNodes } from './walk.js';

/** @import { ArrayExpression, AssignmentExpression, BinaryExpression, ChainExpression, Expression, Identifier, ObjectExpression, UnaryExpression, UpdateExpression } from 'acorn' */
/** @import { Evaluated, Frame, State, FlowWalk } from './flow-state.js' */
/** @import { Value } from './values.js' */

/**
 * @param {FlowWalk} walk
 * @param {Evaluated} node
 * @param {State} state changed by assignments, and by what reads show
 * @param {Frame} frame
 * @returns {Value}
 */
export function evaluate(walk, node, state, frame) {
  countStep(walk);
  switch (node.type) {
    case 'ParenthesizedExpression':
      return evaluate(walk, node.expression, state, frame);
    case 'Literal':
      if ('regex' in node) return unknown('it is a regular expression');
      if (typeof node.value === 'bigint') return unknown('it is a BigInt');
      return { kind: 'constant', value: /** @type {string | number | boolean | null} */ (node.value) };
    case 'TemplateLiteral':
      for (const item of node.expressions) evaluate(walk, item, state, frame);
      if (node.expressions.length === 0) return { kind: 'constant', value: node.quasis[0]?.value.cooked ?? '' };
      return { kind: 'typed', type: 'string' };
    case 'Identifier':
      return evaluateName(walk, node, state, frame);
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return evaluateFunction(node, state, frame);
    case 'ClassExpression':
      return followClass(walk, node, state, frame);
    case 'MemberExpression':
      return evaluateMember(walk, node, state, frame);
    case 'ChainExpression':
      return evaluateChain(walk, node, state, frame);
    case 'CallExpression':
      return evaluateCall(walk, node, state, frame);
    case 'NewExpression':
      return evaluateNew(walk, node, state, frame);
    case 'TaggedTemplateExpression':
      return evaluateTagged(walk, node, state, frame);
    case 'ObjectExpression':
      return evaluateObject(walk, node, state, frame);
    case 'ArrayExpression':
      return evaluateArray(walk, node, state, frame);
    case 'AssignmentExpression':
      return evaluateAssignment(walk, node, state, frame);
    case 'UpdateExpression':
      return evaluateUpdate(walk, node, state, frame);
    case 'UnaryExpression':
      return evaluateUnary(walk, node, state, frame);
    case 'BinaryExpression':
      return evaluateBinary(walk, node, state, frame);
    case 'LogicalExpression':
    case 'ConditionalExpression':
      return evaluateTest(walk, node, state, frame);
    case 'SequenceExpression': {
      /** @type {Value} */
      let value = UNDEFINED;
      for (const item of node.expressions) value = evaluate(walk, item, state, frame);
      return value;
    }
    case 'SpreadElement':
    case 'AwaitExpression':
      return elementOf(evaluate(walk, node.argument, state, frame));
    case 'YieldExpression':
      if (node.argument) evaluate(walk, node.argument, state, frame);
      return unknown('it is passed to a generator');
    default:
      return unknown(`it is a ${node.type}`);
  }
}

/**
 * @param {FlowWalk} walk
 * @param {ArrayExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
function evaluateArray(walk, { elements }, state, frame) {
  let open = false;
  const items = elements.map((item) => {
    if (!item) return UNDEFINED;
    if (item.type !== 'SpreadElement') return evaluate(walk, item, state, frame);
    open = true;
    return elementOf(evaluate(walk, item.argument, state, frame));
  });
  return { kind: 'array', items, open };
}

/**
 * @param {FlowWalk} walk
 * @param {UpdateExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
function evaluateUpdate(walk, { argument }, state, frame) {
  const old = evaluate(walk, argument, state, frame);
  /** @type {Value} */
  const value = isNumber(old) ? numberBelow(powerOf(old) + 1) : { kind: 'typed', type: 'maybe-number' };
  bind(walk, argument, value, state, frame);
  return value;
}

/**
 * @param {FlowWalk} walk
 * @param {Identifier} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
function evaluateName(walk, node, state, frame) {
  const { name } = node;
  const variable = frame.scope.find(name);
  if (variable) return state.values.get(variable) ?? UNDEFINED;
  if (name === walk.emitter) return { kind: 'emit' };
  if (name === 'undefined') return UNDEFINED;
  if (name === 'NaN' || name === 'Infinity') return { kind: 'typed', type: 'maybe-number' };
  if (isKnownGlobal(name)) return { kind: 'global', name };
  if (!state.isOver) walk.undeclared.add(node);
  return unknown(`\`${name}\` is not declared in the function`);
}

/**
 * @param {import('acorn').FunctionExpression | import('acorn').ArrowFunctionExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
function evaluateFunction(node, state, frame) {
  if (!node.id) return { kind: 'function', node, scope: frame.scope };
  const scope = new Scope(frame.scope);
  /** @type {Value} */
  const value = { kind: 'function', node, scope };
  state.values.set(scope.declare(node.id.name), value);
  return value;
}

/**
 * @param {FlowWalk} walk
 * @param {ChainExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
function evaluateChain(walk, node, state, frame) {
  const before = state.pathFacts;
  const inside = copy(walk, state);
  const value = evaluate(walk, node.expression, inside, frame);
  replaceState(state, join(walk, [state, inside]));
  state.pathFacts = { ...before, assigned: inside.pathFacts.assigned };
  // A path says by itself that it may be missing.
  return unionOf([...alternatives(value), ...(value.kind === 'path' ? [] : [UNDEFINED])]);
}

/**
 * @param {FlowWalk} walk
 * @param {UnaryExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
function evaluateUnary(walk, node, state, frame) {
  if (node.operator === '!') return evaluateTest(walk, node, state, frame);
  if (node.operator === 'delete') {
    const target = bare(node.argument);
    if (target.type === 'MemberExpression') assignMember(walk, target, undefined, state, frame);
    // `delete name` reads nothing.
    else if (target.type !== 'Identifier') evaluate(walk, node.argument, state, frame);
    return { kind: 'typed', type: 'boolean' };
  }
  const value = settledValue(evaluate(walk, node.argument, state, frame), state.pathFacts);
  return unary(node.operator, /^[+-]$/.test(node.operator) ? asMoment(node.argument, value) : value);
}

/**
 * @param {FlowWalk} walk
 * @param {BinaryExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
function evaluateBinary(walk, node, state, frame) {
  const { operator } = node;
  const left = evaluate(walk, node.left, state, frame);
  const right = evaluate(walk, node.right, state, frame);
  if (operator === 'in' && right.kind === 'object' && !right.open && left.kind === 'constant') {
    const name = String(left.value);
    return { kind: 'constant', value: right.members.has(name) || isInherited(name) };
  }
  const value = binary(operator, settledValue(left, state.pathFacts), settledValue(right, state.pathFacts));
  if (value.kind !== 'typed' || value.type !== 'boolean') return value;
  const { yes, no } = compare(walk, operator, left, right, state);
  return implying(value, yes, no);
}

/**
 * @param {FlowWalk} walk
 * @param {ObjectExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
function evaluateObject(walk, node, state, frame) {
  /** @type {Map<string, Value>} */
  const members = new Map();
  let open = false;
  /** @type {Value | undefined} */
  let copied;
  for (const item of node.properties) {
    if (item.type === 'SpreadElement') {
      const value = evaluate(walk, item.argument, state, frame);
      if (isWhole(value)) copied = value;
      else if (value.kind === 'object') {
        for (const [key, member] of value.members) members.set(key, member);
        open ||= value.open;
      } else if (!isNothing(value)) open = true;
      continue;
    }
    const key = item.computed ? evaluate(walk, item.key, state, frame) : undefined;
    const value =
      item.kind === 'init' ? evaluate(walk, item.value, state, frame) : unknown('it is computed by a getter');
    // A getter may do anything when it is read.
    if (item.kind !== 'init') walk.callsUnknown = true;
    const name =
      key === undefined
        ? nameOfKey(item.key)
        : key.kind === 'constant' && (typeof key.value === 'string' || typeof key.value === 'number')
          ? String(key.value)
          : undefined;
    if (name === undefined || name === '__proto__') open = true;
    else members.set(name, value);
  }
  if (!copied) return { kind: 'object', members, open };
  const isChanged = node.properties.length > 1 || (copied.kind === 'copy' && copied.isChanged === true);
  return { kind: 'copy', isText: false, isChanged };
}

/**
 * @param {FlowWalk} walk
 * @param {AssignmentExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
function evaluateAssignment(walk, node, state, frame) {
  const { operator, left } = node;
  let value;
  if (operator === '=') value = evaluate(walk, node.right, state, frame);
  else {
    const old = evaluate(walk, /** @type {Expression} */ (left), state, frame);
    if (operator === '&&=' || operator === '||=' || operator === '??=') {
      if (keeps(operator, old)) return old;
      const inside = copy(walk, state);
      inside.pathFacts = narrowByTruth(old, operator === '&&=', inside.pathFacts);
      value = unionOf([...alternatives(old).flatMap(KEPT[operator]), evaluate(walk, node.right, inside, frame)]);
      replaceState(state, join(walk, [state, inside]));
    } else {
      const right = evaluate(walk, node.right, state, frame);
      const plain = /** @type {BinaryExpression['operator']} */ (operator.slice(0, -1));
      value = binary(plain, settledValue(old, state.pathFacts), settledValue(right, state.pathFacts));
    }
  }
  if (left.type === 'MemberExpression') return assignMember(walk, left, value, state, frame);
  if (left.type === 'Identifier' && walk.sums.has(left.name) && !walk.noSums.has(left.name)) {
    if (!isNumber(value)) walk.noSums.set(left.name, whyNoSum([value]));
    else if (countMentions(node.right, left.name) > (operator === '=' ? 1 : 0))
      walk.noSums.set(left.name, `\`${left.name}\` is added to itself, so it may exceed the largest number`);
  }
  bind(walk, left, value, state, frame);
  return value;
}

/** What of one alternative stays where nothing is assigned. */
const KEPT = {
  '&&=': (/** @type {Value} */ item) => (mayBeFalsy(item) ? [item] : []),
  '||=': truthyPart,
  '??=': (/** @type {Value} */ item) => (isNothing(item) ? [] : [item]),
};

/**
 * @param {AssignmentExpression['operator']} operator `&&=`, `||=` or `??=`
 * @param {Value} old
 * @returns {boolean} whether nothing is assigned, whatever the document holds
 */
function keeps(operator, old) {
  if (operator === '??=') return alternatives(old).every(isSomething);
  return truthOf(old) === (operator === '||=');
}

/**
 * @param {Expression} node
 * @param {string} name
 * @returns {number}
 */
function countMentions(node, name) {
  let count = 0;
  walkNodes([node], (inner) => {
    if (inner.type === 'Identifier' && inner.name === name) count += 1;
  });
  return count;
}
