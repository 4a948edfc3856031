// Evaluates calls of what the language and the query server provide, as far as they show something about the document.

import { isJson } from '../shared/parse-json.js';
import { openAll, openState } from './flow-changes.js';
import { memberOf, noteRead } from './flow-members.js';
import { elementOf, isWhole } from './flow-operators.js';
import { isDeletion } from './flow-ordinary.js';
import { finiteIf, narrowByTruth, presentIf, settledValue } from './flow-tests.js';
import { asMoment } from './numbers.js';
import { NOTHING_KNOWN, withPresent, withTest } from './path-facts.js';
import { resultOfGlobal } from './query-server.js';
import { alternatives, implying, UNDEFINED, unionOf, unknown } from './values.js';

/** @import { CallExpression, Node } from 'acorn' */
/** @import { Call, Frame, State, FlowWalk } from './flow-state.js' */
/** @import { Value } from './values.js' */

/** Functions that throw where their argument is missing, and give a list of what it holds. */
const LISTS = /^(Object\.(keys|values|entries)|Array\.from)$/;

/** Functions that may change what they are given: `Array.prototype.push.apply`, `Object.defineProperty`. */
const CHANGES = /^(?:Object|Reflect)\.|\.(?:apply|bind|call)$/;

/** @type {Value} */
const FLAG = { kind: 'typed', type: 'boolean' };

/**
 * @param {FlowWalk} walk
 * @param {Call} call of a function that the language gives: `Object.keys`
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
export function callGlobal(walk, { node, name, values, hasSpread }, state, frame) {
  const [first, second] = values;
  if (/^(?:[A-Z]\w*)?Error$/.test(name)) return { kind: 'typed', type: 'error' };
  if (!first && /^(?:JSON\.stringify|toJSON)$/.test(name)) return UNDEFINED;
  if (!first) return resultOfGlobal(name, values) ?? unknown(`it comes from \`${name}\``);
  if (LISTS.test(name)) {
    const list = /** @type {Node} */ (node.arguments[0]);
    noteRead(walk, list, first, state, frame, list);
    return { kind: 'array', items: [itemOfList(name, values)], open: true };
  }
  switch (name) {
    case 'Object.assign':
      openState(walk, state);
      for (const value of values) openAll(walk, state, value);
      return assigned(first, values);
    case 'Object.freeze':
    case 'Object.seal':
      return first;
    case 'Object':
      return asObject(first);
    case 'JSON.stringify':
    case 'toJSON':
      return isWhole(first) && values.length === 1 ? { kind: 'copy', isText: true } : textOf(first);
    case 'JSON.parse':
      // `undefined` is no JSON (ECMA-262, 25.5.1).
      noteRead(walk, /** @type {Node} */ (node.arguments[0]), first, state, frame, node.arguments[0]);
      if (first.kind === 'constant' && !isJson(String(first.value))) {
        state.isOver = true;
        return UNDEFINED;
      }
      return first.kind === 'copy' && values.length === 1
        ? { kind: 'copy', isText: false }
        : unknown('it is parsed from a string');
    case 'isArray':
    case 'Array.isArray':
      return implying(FLAG, presentIf(first, withTest(NOTHING_KNOWN), undefined, true), withTest(NOTHING_KNOWN));
    case 'Number.isFinite':
    case 'Number.isInteger':
    case 'Number.isSafeInteger':
      return implying(FLAG, presentIf(first, withTest(NOTHING_KNOWN), 'number'), withTest(NOTHING_KNOWN));
    case 'isFinite':
      return implying(FLAG, finiteIf(first, withTest(NOTHING_KNOWN)), withTest(NOTHING_KNOWN));
    case 'Object.hasOwn':
    case 'Object.prototype.hasOwnProperty.call':
      return presence(walk, first, second, state);
    case 'Object.prototype.toString.call':
      return { kind: 'typed', type: 'string', of: first };
    default: {
      const given = name === 'Number' ? [asMoment(node.arguments[0], first)] : values;
      const settled = hasSpread ? [] : given.map((value) => settledValue(value, state.pathFacts));
      const result = resultOfGlobal(name, settled);
      if (result) return result;
      if (CHANGES.test(name)) {
        openState(walk, state);
        for (const value of values) openAll(walk, state, value);
      }
      return unknown(`it comes from \`${name}\``);
    }
  }
}

/**
 * @param {Value} first
 * @param {Value[]} values all arguments
 * @returns {Value} what `Object.assign` makes of them
 */
function assigned(first, values) {
  if (!values.some(isWhole)) return unknown('it is built by `Object.assign`');
  const isEmpty = first.kind === 'object' && first.members.size === 0 && !first.open;
  return { kind: 'copy', isText: false, isChanged: !isEmpty || values.length !== 2 };
}

/**
 * @param {Value} value
 * @returns {Value} what `Object` makes of it: an object is returned as it is, and nothing becomes an empty one
 */
function asObject(value) {
  const items = alternatives(value).map((item) => {
    if (item.kind === 'path') return /** @type {Value} */ ({ ...item, present: true, place: undefined });
    const isHeld = /^(?:document|object|array|copy)$/.test(item.kind);
    return isHeld ? item : unknown('it comes from `Object`');
  });
  return unionOf(items);
}

/**
 * @param {string} name of a function that gives a list
 * @param {Value[]} values of its arguments
 * @returns {Value} any item of that list
 */
function itemOfList(name, [first, second]) {
  /** @type {Value} */
  const key = { kind: 'typed', type: 'string' };
  if (name === 'Object.keys') return key;
  if (second) return unknown(`it comes from a function in \`${name}\``);
  const element = elementOf(/** @type {Value} */ (first));
  return name === 'Object.entries' ? { kind: 'array', items: [key, element], open: false } : element;
}

/**
 * @param {Value} value
 * @returns {Value} its JSON: undefined, and functions, have none
 */
function textOf(value) {
  /** @type {Value} */
  const text = { kind: 'typed', type: 'string' };
  const hasAlways = alternatives(value).every(
    (item) =>
      (item.kind === 'constant' && item.value !== undefined) ||
      /^(?:typed|object|array|document|copy)$/.test(item.kind),
  );
  return hasAlways ? text : unionOf([text, UNDEFINED]);
}

/**
 * @param {FlowWalk} walk
 * @param {Value} object
 * @param {Value | undefined} key
 * @param {State} state
 * @returns {Value} whether the object has the member
 */
export function presence(walk, object, key, state) {
  const tested = withTest(NOTHING_KNOWN);
  if (key?.kind !== 'constant' || typeof key.value !== 'string') return implying(FLAG, tested, tested);
  if (object.kind === 'object' && !object.open) return { kind: 'constant', value: object.members.has(key.value) };
  const member = memberOf(walk, object, key.value, state);
  if (member.kind !== 'path') return implying(FLAG, tested, tested);
  return implying(FLAG, withPresent(tested, member.path), isDeletion(member) ? NOTHING_KNOWN : tested);
}

/** Tests of numbers that are handed to `filter` by their name. */
const NUMBER_TEST = /^(?:isFinite|Number\.is(?:Finite|(?:Safe)?Integer))$/;

/**
 * @param {FlowWalk} walk
 * @param {CallExpression} node of `filter`
 * @param {{element: Value, callback: Value | undefined, results: Value[]}} given `results`: what the callback returns for the element
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value} what it keeps, with the type that the callback tests
 */
export function filtered(walk, node, { element, callback, results }, state, frame) {
  const isNumberTest = callback?.kind === 'global' && NUMBER_TEST.test(callback.name);
  const result = isNumberTest
    ? callGlobal(walk, { node, name: callback.name, values: [element], hasSpread: false }, state, frame)
    : callback?.kind === 'function' && results.length === 1 && results[0];
  const kept = result ? settledValue(element, narrowByTruth(result, true, NOTHING_KNOWN)) : element;
  return { kind: 'array', items: [kept], open: true };
}

/**
 * @param {CallExpression} node
 * @param {string} name of the method
 * @param {Value} object
 * @returns {boolean} whether it reads a part of the current moment, from a date that nothing has changed
 */
export function readsClock({ callee }, name, object) {
  if (!/^get[A-Z]|^valueOf$/.test(name) || callee.type !== 'MemberExpression') return false;
  return asMoment(callee.object, object) !== object;
}
