// Evaluates tests, once each: their value, and what holds of the document where they are true and where they are not.

import { evaluate } from './flow-expressions.js';
import { memberOf } from './flow-members.js';
import { narrow } from './flow-narrow.js';
import { isField, isNothing, isSomething, mayBeFalsy, truthOf, truthyPart, unary } from './flow-operators.js';
import { isDeletion, isOrdinary, ordinaryAnswer } from './flow-ordinary.js';
import { copy, join, replaceState } from './flow-state.js';
import { isOfTypeNumber } from './numbers.js';
import {
  both,
  common,
  NOTHING_KNOWN,
  typeAt,
  withFinite,
  withPresent,
  withTest,
  withTestsOf,
  withType,
} from './path-facts.js';
import { testsFieldsOnly } from './test-subject.js';
import { alternatives, implying, UNDEFINED, unionOf } from './values.js';

/** @import { BinaryExpression, ConditionalExpression, Expression, LogicalExpression } from 'acorn' */
/** @import { Frame, State, FlowWalk } from './flow-state.js' */
/** @import { KnownType, PathFacts } from './path-facts.js' */
/** @import { Value } from './values.js' */

/** @typedef {{value: Value, yes: State | undefined, no: State | undefined}} Answer undefined for an answer it never gives */

/** Types that a JSON value has by `typeof`, or by its constructor. @type {Map<unknown, KnownType>} */
const TYPES = new Map([
  ['number', 'number'],
  ['string', 'string'],
  ['boolean', 'boolean'],
  ['[object Number]', 'number'],
  ['[object String]', 'string'],
  ['[object Boolean]', 'boolean'],
]);

/** What `Object.prototype.toString` says of a list. */
const LIST_NAME = '[object Array]';

/**
 * @param {FlowWalk} walk
 * @param {Expression} node
 * @param {State} state used up
 * @param {Frame} frame
 * @returns {Answer}
 */
export function test(walk, node, state, frame) {
  switch (node.type) {
    case 'ParenthesizedExpression':
      return test(walk, node.expression, state, frame);
    case 'UnaryExpression': {
      if (node.operator !== '!') break;
      const { value, yes, no } = test(walk, node.argument, state, frame);
      return { value: unary('!', value), yes: no, no: yes };
    }
    case 'LogicalExpression':
      return testLogical(walk, node, state, frame);
    case 'ConditionalExpression':
      return testConditional(walk, node, state, frame);
    default:
  }
  const { isOtherTested } = state.pathFacts;
  const value = evaluate(walk, node, state, frame);
  if (state.isOver) return { value, yes: undefined, no: undefined };
  const decided = truthOf(value);
  if (decided !== undefined)
    return decided ? { value, yes: state, no: undefined } : { value, yes: undefined, no: state };
  const yes = copy(walk, state);
  const no = state;
  yes.pathFacts = narrowByTruth(value, true, yes.pathFacts);
  no.pathFacts = narrowByTruth(value, false, no.pathFacts);
  if (!isOtherTested && walk.parameters.includes('oldDoc') && testsFieldsOnly(walk, node, state, frame)) {
    yes.pathFacts = { ...yes.pathFacts, isOtherTested };
    no.pathFacts = { ...no.pathFacts, isOtherTested };
  }
  narrow(node, yes, no, frame);
  return { value, yes, no };
}

/**
 * @param {FlowWalk} walk
 * @param {LogicalExpression} node
 * @param {State} state used up
 * @param {Frame} frame
 * @returns {Answer}
 */
function testLogical(walk, node, state, frame) {
  if (node.operator === '??') return testNothing(walk, node, state, frame);
  const left = test(walk, node.left, state, frame);
  const isAnd = node.operator === '&&';
  const [onward, stopped] = isAnd ? [left.yes, left.no] : [left.no, left.yes];
  if (!onward) return left;
  const right = test(walk, node.right, onward, frame);
  if (!stopped) return right;
  const stops = isAnd
    ? alternatives(left.value).filter(mayBeFalsy)
    : alternatives(left.value).flatMap((item) => truthyPart(item));
  const value = unionOf([...carry(stops, stopped.pathFacts), ...(right.yes || right.no ? carryAll(right) : [])]);
  return isAnd
    ? { value, yes: right.yes, no: join(walk, [stopped, right.no]) }
    : { value, yes: join(walk, [stopped, right.yes]), no: right.no };
}

/**
 * @param {FlowWalk} walk
 * @param {LogicalExpression} node with `??`
 * @param {State} state used up
 * @param {Frame} frame
 * @returns {Answer}
 */
function testNothing(walk, node, state, frame) {
  const left = evaluate(walk, node.left, state, frame);
  const items = alternatives(left);
  if (items.every(isNothing)) return test(walk, node.right, state, frame);
  if (items.every(isSomething)) return { value: left, yes: state, no: copy(walk, state) };
  const inside = copy(walk, state);
  inside.pathFacts = withTest(inside.pathFacts);
  const right = evaluate(walk, node.right, inside, frame);
  const kept = items
    .filter((item) => !isNothing(item))
    .map((item) => /** @type {Value} */ (item.kind === 'path' ? { ...item, present: true } : item));
  const after = join(walk, [state, inside]);
  const tested = after && { ...after, pathFacts: withTest(after.pathFacts) };
  const value = unionOf(inside.isOver ? kept : [...kept, right]);
  return { value, yes: tested, no: tested && copy(walk, tested) };
}

/**
 * @param {FlowWalk} walk
 * @param {ConditionalExpression} node
 * @param {State} state used up
 * @param {Frame} frame
 * @returns {Answer}
 */
function testConditional(walk, node, state, frame) {
  const { yes, no } = test(walk, node.test, state, frame);
  const consequent = yes && test(walk, node.consequent, yes, frame);
  const alternate = no && test(walk, node.alternate, no, frame);
  if (!consequent || !alternate) return consequent ?? alternate ?? { value: UNDEFINED, yes: undefined, no: undefined };
  return {
    value: unionOf([...carryAll(consequent), ...carryAll(alternate)]),
    yes: join(walk, [consequent.yes, alternate.yes]),
    no: join(walk, [consequent.no, alternate.no]),
  };
}

/**
 * What a branch knows of a field is forgotten behind it: the value takes its type along.
 * @param {readonly Value[]} items
 * @param {PathFacts} pathFacts
 * @returns {Value[]}
 */
function carry(items, pathFacts) {
  return items.map((item) => settled(item, pathFacts));
}

/**
 * @param {Answer} answer
 * @returns {Value[]} none where it always throws
 */
function carryAll({ value, yes, no }) {
  const pathFacts = yes && no ? common(yes.pathFacts, no.pathFacts) : (yes ?? no)?.pathFacts;
  return pathFacts ? carry(alternatives(value), pathFacts) : [];
}

/**
 * @param {Value} item one alternative
 * @param {PathFacts} pathFacts
 * @returns {Value} a field that is known to be of one type as that type, one that `isFinite` has tested with that mark
 */
function settled(item, pathFacts) {
  if (item.kind !== 'path') return item;
  const type = typeAt(pathFacts, item);
  if (type) return { kind: 'typed', type };
  return item.place !== undefined && pathFacts.finite.has(item.place) ? { ...item, isFinite: true } : item;
}

/**
 * @param {Value} value
 * @param {PathFacts} pathFacts
 * @returns {Value} with the types that tests have shown
 */
export function settledValue(value, pathFacts) {
  return unionOf(alternatives(value).map((item) => settled(item, pathFacts)));
}

/**
 * Evaluates a test for its value.
 * @param {FlowWalk} walk
 * @param {Expression} node
 * @param {State} state changed
 * @param {Frame} frame
 * @returns {Value} it represents the test wherever it is stored
 */
export function evaluateTest(walk, node, state, frame) {
  const before = state.pathFacts;
  const { value, yes, no } = test(walk, node, { ...state }, frame);
  const isDecided = !yes || !no;
  replaceState(state, join(walk, [yes, no]));
  if (isDecided) {
    if (node.type === 'LogicalExpression' && value.kind === 'union') forgetDefault(value, state, before);
    return value;
  }
  // Behind `doc.total || 0` nothing is tested.
  state.pathFacts = withTestsOf(state.pathFacts, before);
  return implying(value, yes.pathFacts, no.pathFacts);
}

/**
 * Behind `doc.lines || []` nothing is tested. But `doc.lines` itself is thought of: who goes through what stands for it
 * comes to elements only where it is there.
 * @param {Value} value
 * @param {State} state changed
 * @param {PathFacts} before
 */
function forgetDefault(value, state, before) {
  state.pathFacts = withTestsOf(state.pathFacts, before);
  for (const item of alternatives(value))
    if (item.kind === 'path' && item.present) state.pathFacts = withPresent(state.pathFacts, item.path);
}

/**
 * @param {Value} value
 * @param {boolean} holds whether it is true
 * @param {PathFacts} pathFacts
 * @returns {PathFacts}
 */
export function narrowByTruth(value, holds, pathFacts) {
  const implied = holds ? value.yes : value.no;
  let narrowed = both(pathFacts, implied);
  for (const item of alternatives(value))
    if (item.kind === 'path' && holds) narrowed = withPresent(narrowed, item.path, { byTruth: true });
  if (implied) return narrowed;
  for (const item of alternatives(value)) {
    if (item.kind !== 'constant' && !isOrdinary(item, holds)) narrowed = withTest(narrowed, !isField(item));
  }
  return narrowed;
}

/**
 * @param {FlowWalk} walk
 * @param {BinaryExpression['operator']} operator
 * @param {Value} left
 * @param {Value} right
 * @param {State} state
 * @returns {{yes: PathFacts, no: PathFacts}} what a comparison shows
 */
export function compare(walk, operator, left, right, state) {
  const isOther = ![left, right].every((side) => side.kind === 'constant' || side.kind === 'global' || isField(side));
  const ordinary = ordinaryAnswer(operator, left, right);
  let yes = ordinary === true ? NOTHING_KNOWN : withTest(NOTHING_KNOWN, isOther);
  let no = ordinary === false ? NOTHING_KNOWN : withTest(NOTHING_KNOWN, isOther);
  if (operator === 'in') {
    const member =
      left.kind === 'constant' && typeof left.value === 'string' ? memberOf(walk, right, left.value, state) : left;
    if (member.kind !== 'path' || member === left) return { yes, no };
    return { yes: withPresent(yes, member.path), no: isDeletion(member) ? NOTHING_KNOWN : no };
  }
  if (operator === 'instanceof') return { yes: presentIf(left, yes, undefined, isArrayConstructor(right)), no };
  for (const [side, other] of /** @type {const} */ ([
    [left, right],
    [right, left],
  ])) {
    if (/^[=!]==?$/.test(operator)) {
      const isEqual = operator.startsWith('=');
      yes = narrowByEquality(side, other, isEqual, yes);
      no = narrowByEquality(side, other, !isEqual, no);
      // What is strictly equal to a number is one: `doc.n === +doc.n`.
      if (operator.length === 3 && isOfTypeNumber(other)) {
        if (isEqual) yes = presentIf(side, yes, 'number');
        else no = presentIf(side, no, 'number');
      }
    } else if (other.kind === 'constant') yes = presentIf(side, yes); // undefined compares false with every number.
  }
  return { yes, no };
}

/**
 * @param {Value} value
 * @param {Value} other
 * @param {boolean} isEqual
 * @param {PathFacts} pathFacts
 * @returns {PathFacts} nothing is narrowed where the other is no constant
 */
export function narrowByEquality(value, other, isEqual, pathFacts) {
  if (other.kind === 'constant' && typeof other.value === 'boolean' && (value.yes || value.no)) {
    return both(pathFacts, isEqual === other.value ? value.yes : value.no);
  }
  if (value.kind === 'typed' && value.of) {
    if (other.kind !== 'constant') return pathFacts;
    // `typeof x !== 'undefined'` lets null through; who writes it means that the member is there.
    if (other.value === 'undefined') return isEqual ? pathFacts : presentIf(value.of, pathFacts);
    return isEqual ? presentIf(value.of, pathFacts, TYPES.get(other.value), other.value === LIST_NAME) : pathFacts;
  }
  if (other.kind === 'global') {
    const isConstructor = value.kind === 'path' && value.path.endsWith('.constructor');
    if (!isConstructor || !isEqual) return pathFacts;
    const path = value.path.slice(0, -'.constructor'.length);
    const place = value.place?.slice(0, -'["constructor"]'.length);
    /** @type {Value} */
    const parent = { kind: 'path', path, present: true, place };
    return presentIf(parent, pathFacts, TYPES.get(other.name.toLowerCase()), isArrayConstructor(other));
  }
  if (other.kind !== 'constant') return pathFacts;
  return isEqual !== isNothing(other) ? presentIf(value, pathFacts) : pathFacts;
}

/**
 * @param {Value} value
 * @param {PathFacts} pathFacts
 * @param {KnownType} [type]
 * @param {boolean} [isList]
 * @returns {PathFacts}
 */
export function presentIf(value, pathFacts, type, isList) {
  let narrowed = pathFacts;
  for (const item of alternatives(value)) {
    if (item.kind === 'path') narrowed = withPresent(narrowed, item.path);
  }
  // Of several values it is not known which one was tested, unless the others are nothing.
  const [only, other] = alternatives(value).filter((item) => !isNothing(item));
  return only?.kind === 'path' && !other ? withType(narrowed, only, { type, isList }) : narrowed;
}

/**
 * @param {Value} value for which `isFinite` gives true
 * @param {PathFacts} pathFacts
 * @returns {PathFacts} nothing is narrowed where it may be one of several values: null is finite too
 */
export function finiteIf(value, pathFacts) {
  return value.kind === 'path' ? withFinite(pathFacts, value) : pathFacts;
}

/**
 * @param {Value} value
 * @returns {boolean}
 */
function isArrayConstructor(value) {
  return value.kind === 'global' && value.name === 'Array';
}
