// What a test tells of the document where it holds, and where it does not.

import { evaluate } from './flow-expressions.js';
import { memberOf } from './flow-members.js';
import { isField } from './flow-operators.js';
import { copy } from './flow-state.js';
import { common, withPresent, withTest } from './knowledge.js';
import { alternatives, UNDEFINED } from './values.js';

/** @import { BinaryExpression, CallExpression, Expression } from 'acorn' */
/** @import { Frame, State, Walk } from './flow-state.js' */
/** @import { KnownType, Knowledge } from './knowledge.js' */
/** @import { Value } from './values.js' */

/**
 * @param {Walk} walk
 * @param {Expression} test
 * @param {boolean | undefined} holds undefined where its value decides nothing
 * @param {State} state already behind the evaluation of the test
 * @param {Frame} frame
 * @returns {State} with what the answer tells
 */
export function assume(walk, test, holds, state, frame) {
  const knowledge = holds === undefined ? state.knowledge : learn(walk, test, holds, state, frame);
  return knowledge === state.knowledge ? state : { ...state, knowledge };
}

/**
 * @param {Walk} walk
 * @param {Expression} test
 * @param {boolean} holds
 * @param {State} state
 * @param {Frame} frame
 * @returns {Knowledge}
 */
export function learn(walk, test, holds, state, frame) {
  switch (test.type) {
    case 'ParenthesizedExpression':
      return learn(walk, test.expression, holds, state, frame);
    case 'UnaryExpression':
      return test.operator === '!' ? learn(walk, test.argument, !holds, state, frame) : state.knowledge;
    case 'LogicalExpression': {
      const both = test.operator === '&&' ? holds : !holds;
      if (test.operator === '??') return withTest(state.knowledge);
      const first = learn(walk, test.left, holds, both ? state : copy(state), frame);
      if (both) return learn(walk, test.right, holds, { ...state, knowledge: first }, frame);
      const other = learn(walk, test.left, !holds, state, frame);
      const second = learn(walk, test.right, holds, { ...state, knowledge: other }, frame);
      return common(first, second);
    }
    case 'BinaryExpression':
      return learnComparison(walk, test, holds, state, frame);
    case 'CallExpression':
      return learnCall(walk, test, holds, state, frame);
    case 'AssignmentExpression':
    case 'Identifier':
    case 'MemberExpression':
    case 'ChainExpression': {
      const value = peek(walk, test, state, frame);
      let { knowledge } = state;
      for (const item of alternatives(value)) {
        if (item.kind === 'path' && value.kind === 'path' && holds)
          knowledge = withPresent(knowledge, item.path, { byTruth: true });
        if (item.kind !== 'constant') knowledge = withTest(knowledge, !isField(item));
      }
      return knowledge;
    }
    default:
      return withTest(state.knowledge);
  }
}

/**
 * @param {Walk} walk
 * @param {Expression | import('acorn').PrivateIdentifier} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value} its value, with nothing noted and nothing changed
 */
export function peek(walk, node, state, frame) {
  const { reads, emits, throws } = walk;
  walk.reads = new Map(reads);
  walk.emits = [];
  walk.throws = [];
  const value = evaluate(walk, node, copy(state), frame);
  Object.assign(walk, { reads, emits, throws });
  return value;
}

/**
 * @param {Walk} walk
 * @param {BinaryExpression} test
 * @param {boolean} holds
 * @param {State} state
 * @param {Frame} frame
 * @returns {Knowledge}
 */
export function learnComparison(walk, test, holds, state, frame) {
  const { operator } = test;
  const areFields = [test.left, test.right].every((side) => {
    const value = peek(walk, side, state, frame);
    return (
      value.kind === 'constant' ||
      isField(value) ||
      (side.type === 'UnaryExpression' && isField(peek(walk, side.argument, state, frame)))
    );
  });
  const knowledge = withTest(state.knowledge, !areFields);
  if (operator === 'in') {
    const key = peek(walk, test.left, state, frame);
    const object = peek(walk, test.right, state, frame);
    const member =
      key.kind === 'constant' && typeof key.value === 'string' ? memberOf(walk, object, key.value, state) : UNDEFINED;
    return holds && member.kind === 'path' ? withPresent(knowledge, member.path) : knowledge;
  }
  if (operator === 'instanceof')
    return holds ? presentIf(walk, /** @type {Expression} */ (test.left), knowledge, state, frame) : knowledge;
  for (const [side, other] of [
    [test.left, test.right],
    [test.right, test.left],
  ]) {
    const left = /** @type {Expression} */ (side);
    const right = peek(walk, /** @type {Expression} */ (other), state, frame);
    if (right.kind !== 'constant') continue;
    const isEqual = operator === '===' || operator === '==';
    const isUnequal = operator === '!==' || operator === '!=';
    if (left.type === 'UnaryExpression' && left.operator === 'typeof') {
      const equal = (isEqual && holds) || (isUnequal && !holds);
      const unequal = (isEqual && !holds) || (isUnequal && holds);
      if (equal && right.value !== 'undefined') {
        const type =
          right.value === 'number' || right.value === 'string' || right.value === 'boolean' ? right.value : undefined;
        return presentIf(walk, left.argument, knowledge, state, frame, type);
      }
      // `typeof x !== 'undefined'` lets null through; who writes it means that the member is there.
      return unequal && right.value === 'undefined'
        ? presentIf(walk, left.argument, knowledge, state, frame)
        : knowledge;
    }
    if (isEqual || isUnequal) {
      const equal = isEqual === holds;
      const isNothing = right.value === null || right.value === undefined;
      if (equal !== isNothing) return presentIf(walk, left, knowledge, state, frame);
      return knowledge;
    }
    // undefined compares false with every number.
    if (holds) return presentIf(walk, left, knowledge, state, frame);
  }
  return knowledge;
}

/**
 * @param {Walk} walk
 * @param {CallExpression} test
 * @param {boolean} holds
 * @param {State} state
 * @param {Frame} frame
 * @returns {Knowledge}
 */
export function learnCall(walk, test, holds, state, frame) {
  const knowledge = withTest(state.knowledge);
  const { callee } = test;
  const [first, second] = test.arguments;
  const name =
    callee.type === 'Identifier'
      ? callee.name
      : callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
        ? callee.property.name
        : '';
  if (!first || first.type === 'SpreadElement') return knowledge;
  if (name === 'isArray' && holds) return presentIf(walk, first, knowledge, state, frame);
  if ((name === 'isNaN' && !holds) || ((name === 'isFinite' || name === 'isInteger') && holds)) {
    // The global isNaN takes "12" for a number, and null.
    const isStrict = callee.type === 'MemberExpression';
    return isStrict && name !== 'isNaN' ? presentIf(walk, first, knowledge, state, frame, 'number') : knowledge;
  }
  if (name === 'hasOwnProperty' && holds && callee.type === 'MemberExpression' && callee.object.type !== 'Super') {
    return presentMember(walk, peek(walk, callee.object, state, frame), first, knowledge, state, frame);
  }
  if ((name === 'hasOwn' || name === 'call') && holds && second && second.type !== 'SpreadElement') {
    return presentMember(walk, peek(walk, first, state, frame), second, knowledge, state, frame);
  }
  return knowledge;
}

/**
 * @param {Walk} walk
 * @param {Value} object
 * @param {Expression} key
 * @param {Knowledge} knowledge
 * @param {State} state
 * @param {Frame} frame
 * @returns {Knowledge}
 */
export function presentMember(walk, object, key, knowledge, state, frame) {
  const name = peek(walk, key, state, frame);
  if (name.kind !== 'constant' || typeof name.value !== 'string') return knowledge;
  const member = memberOf(walk, object, name.value, state);
  return member.kind === 'path' ? withPresent(knowledge, member.path) : knowledge;
}

/**
 * @param {Walk} walk
 * @param {Expression} node
 * @param {Knowledge} knowledge
 * @param {State} state changed where a variable is found to be of one type
 * @param {Frame} frame
 * @param {KnownType} [type]
 * @returns {Knowledge}
 */
function presentIf(walk, node, knowledge, state, frame, type) {
  const value = peek(walk, node, state, frame);
  if (type && node.type === 'Identifier') {
    const variable = frame.scope.find(node.name);
    // NaN cannot come from JSON: what a document holds and is a number, is a finite one.
    if (variable && value.kind !== 'constant') state.values.set(variable, { kind: 'typed', type });
  }
  return value.kind === 'path' ? withPresent(knowledge, value.path, { type }) : knowledge;
}
