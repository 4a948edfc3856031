// Evaluates expressions to what reading tells of their values.

import { evaluateCall } from './flow-calls.js';
import { bind, memberOf, noteRead } from './flow-members.js';
import { binary, elementOf, isWhole, mayBeFalsy, nameOfKey, truthOf, truthyPart, unary } from './flow-operators.js';
import { copy, countStep } from './flow-state.js';
import { assume } from './flow-tests.js';
import { alternatives, isNumber, UNDEFINED, unite, unknown } from './values.js';

/** @import { BinaryExpression, Expression, MemberExpression, Pattern, Super } from 'acorn' */
/** @import { Frame, State, Walk } from './flow-state.js' */
/** @import { Value } from './values.js' */

/**
 * @param {Walk} walk
 * @param {Expression | Super | import('acorn').PrivateIdentifier | import('acorn').SpreadElement} node
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
      if (node.value instanceof RegExp || 'regex' in node) return unknown('it is a regular expression');
      if (typeof node.value === 'bigint') return unknown('it is a BigInt');
      return { kind: 'constant', value: node.value ?? null };
    case 'TemplateLiteral':
      for (const item of node.expressions) evaluate(walk, item, state, frame);
      if (node.expressions.length === 0) return { kind: 'constant', value: node.quasis[0]?.value.cooked ?? '' };
      return { kind: 'typed', type: 'string' };
    case 'Identifier':
      return evaluateName(node.name, state, frame);
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return { kind: 'function', node, scope: frame.scope };
    case 'MemberExpression':
      return evaluateMember(walk, node, state, frame, false);
    case 'ChainExpression':
      return evaluate(walk, node.expression, state, frame);
    case 'CallExpression':
      return evaluateCall(walk, node, state, frame);
    case 'NewExpression':
      for (const item of node.arguments) evaluate(walk, item, state, frame);
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date') return { kind: 'typed', type: 'date' };
      return unknown('it is made with new');
    case 'ObjectExpression':
      return evaluateObject(walk, node, state, frame);
    case 'ArrayExpression': {
      let open = false;
      const items = node.elements.map((item) => {
        if (!item) return UNDEFINED;
        if (item.type !== 'SpreadElement') return evaluate(walk, item, state, frame);
        open = true;
        return elementOf(evaluate(walk, item.argument, state, frame));
      });
      return { kind: 'array', items, open };
    }
    case 'AssignmentExpression':
      return evaluateAssignment(walk, node, state, frame);
    case 'UpdateExpression': {
      const old = evaluate(walk, node.argument, state, frame);
      /** @type {Value} */
      const value = { kind: 'typed', type: isNumber(old) ? 'number' : 'maybe-number' };
      bind(walk, /** @type {Pattern} */ (node.argument), value, state, frame);
      return value;
    }
    case 'UnaryExpression':
      return unary(node.operator, evaluate(walk, node.argument, state, frame));
    case 'BinaryExpression':
      return binary(node.operator, evaluate(walk, node.left, state, frame), evaluate(walk, node.right, state, frame));
    case 'LogicalExpression': {
      const left = evaluate(walk, node.left, state, frame);
      const decided = node.operator === '??' ? undefined : truthOf(left);
      if (decided === (node.operator === '||')) return left;
      if (decided !== undefined) return evaluate(walk, node.right, state, frame);
      const right = evaluateBranch(
        walk,
        node.right,
        assume(walk, node.left, node.operator === '&&', copy(state), frame),
        state,
        frame,
      );
      if (node.operator === '&&') return unite([...alternatives(left).filter(mayBeFalsy), right]);
      return unite([...alternatives(left).flatMap(truthyPart), right]);
    }
    case 'ConditionalExpression': {
      const decided = truthOf(evaluate(walk, node.test, state, frame));
      if (decided !== undefined) return evaluate(walk, decided ? node.consequent : node.alternate, state, frame);
      const yes = evaluateBranch(
        walk,
        node.consequent,
        assume(walk, node.test, true, copy(state), frame),
        state,
        frame,
      );
      const no = evaluateBranch(walk, node.alternate, assume(walk, node.test, false, copy(state), frame), state, frame);
      return unite([yes, no]);
    }
    case 'SequenceExpression': {
      /** @type {Value} */
      let value = UNDEFINED;
      for (const item of node.expressions) value = evaluate(walk, item, state, frame);
      return value;
    }
    case 'SpreadElement':
      return evaluate(walk, node.argument, state, frame);
    default:
      return unknown(`it is a ${node.type}`);
  }
}

/**
 * An expression that is reached on one branch only: what it learns stays there, what it assigns may hold afterwards.
 * @param {Walk} walk
 * @param {Expression} node
 * @param {State} inside
 * @param {State} outside changed
 * @param {Frame} frame
 * @returns {Value}
 */
export function evaluateBranch(walk, node, inside, outside, frame) {
  const value = evaluate(walk, node, inside, frame);
  for (const [variable, other] of inside.values) {
    const before = outside.values.get(variable);
    if (before !== other) outside.values.set(variable, before ? unite([before, other]) : other);
  }
  // What the branch knows of a field is forgotten behind it: the value takes its type along.
  return unite(
    alternatives(value).map((item) => {
      const type = item.kind === 'path' ? inside.knowledge.types.get(item.path) : undefined;
      return type ? { kind: 'typed', type } : item;
    }),
  );
}

/**
 * @param {string} name
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
export function evaluateName(name, state, frame) {
  const variable = frame.scope.find(name);
  if (variable) return state.values.get(variable) ?? UNDEFINED;
  if (name === 'emit') return { kind: 'emit' };
  if (name === 'undefined') return UNDEFINED;
  if (name === 'NaN' || name === 'Infinity') return { kind: 'typed', type: 'maybe-number' };
  return unknown(`\`${name}\` is declared nowhere in the function`);
}

/**
 * @param {Walk} walk
 * @param {import('acorn').ObjectExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
export function evaluateObject(walk, node, state, frame) {
  /** @type {Map<string, Value>} */
  const members = new Map();
  let open = false;
  let isCopy = false;
  for (const item of node.properties) {
    if (item.type === 'SpreadElement') {
      const value = evaluate(walk, item.argument, state, frame);
      if (isWhole(value)) isCopy = true;
      else if (value.kind === 'object') for (const [key, member] of value.members) members.set(key, member);
      else open = true;
      continue;
    }
    const value = evaluate(walk, /** @type {Expression} */ (item.value), state, frame);
    const name = nameOfKey(item.key, item.computed);
    if (name === undefined) open = true;
    else members.set(name, value);
  }
  return isCopy ? { kind: 'copy' } : { kind: 'object', members, open };
}

/**
 * @param {Walk} walk
 * @param {import('acorn').AssignmentExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
export function evaluateAssignment(walk, node, state, frame) {
  let value = evaluate(walk, node.right, state, frame);
  if (node.operator !== '=') {
    const old = evaluate(walk, /** @type {Expression} */ (node.left), state, frame);
    const operator = node.operator.slice(0, -1);
    value = /^(&&|\|\||\?\?)$/.test(operator)
      ? unite([old, value])
      : binary(/** @type {BinaryExpression['operator']} */ (operator), old, value);
  }
  bind(walk, node.left, value, state, frame);
  return value;
}

/**
 * @param {Walk} walk
 * @param {MemberExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @param {boolean} isCall whether it is what is called
 * @returns {Value}
 */
export function evaluateMember(walk, node, state, frame, isCall) {
  const object = node.object.type === 'Super' ? unknown('it is super') : evaluate(walk, node.object, state, frame);
  if (!node.optional) noteRead(walk, node, object, state, frame, isCall);
  const name = propertyName(walk, node, state, frame);
  if (name === undefined) return elementOf(object);
  return memberOf(walk, object, name, state);
}

/**
 * @param {Walk} walk
 * @param {MemberExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {string | undefined} the name of the member, where it is written or constant
 */
export function propertyName(walk, node, state, frame) {
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : undefined;
  const value = evaluate(walk, node.property, state, frame);
  return value.kind === 'constant' && typeof value.value === 'string' ? value.value : undefined;
}
