// Determines what becomes of a value where it is converted to a number, and what arithmetic makes of numbers (ECMA-262, 7.1.4 and 13.15.3).

import { bare } from './parse.js';
import { alternatives, isNumber, maybeNumber, numberBelow, powerOf, unionOf } from './values.js';

/** @import { AnyNode, Node } from 'acorn' */
/** @import { TypedValue, Value } from './values.js' */

/** @type {TypedValue} */
const NUMBER = { kind: 'typed', type: 'number' };
/** The moment of a date is at most 8.64e15 (ECMA-262, 21.4.1.1), and NaN if there is no such date. @type {TypedValue} */
export const NAN_OR_FINITE = { kind: 'typed', type: 'maybe-number', isBounded: true };

/**
 * @param {Value} value
 * @returns {Value} what `Number` makes of it
 */
export function toNumber(value) {
  return unionOf(alternatives(value).map(convert));
}

/**
 * @param {Value} item one alternative
 * @returns {Value}
 */
function convert(item) {
  switch (item.kind) {
    case 'constant': {
      const number = Number(item.value);
      if (Number.isFinite(number)) return { kind: 'constant', value: number };
      return Number.isNaN(number) ? NAN_OR_FINITE : maybeNumber(item);
    }
    case 'typed':
      if (item.type === 'number' || item.type === 'maybe-number') return item;
      if (item.type === 'boolean') return NUMBER;
      return item.type === 'date' ? NAN_OR_FINITE : maybeNumber(item);
    case 'path':
      return item.isFinite ? NUMBER : maybeNumber(item);
    default:
      return maybeNumber(item);
  }
}

/**
 * @param {Node | undefined} node
 * @param {Value} value of the node
 * @returns {Value} a number for `new Date()`, which is a moment that exists as long as nothing else has hold of it
 */
export function asMoment(node, value) {
  const made = node && bare(/** @type {AnyNode} */ (node));
  const isNow = made?.type === 'NewExpression' && made.arguments.length === 0;
  return isNow && value.kind === 'typed' && value.type === 'date' ? NUMBER : value;
}

/**
 * @param {Value} value an operand of `+`
 * @returns {Value} what is added: booleans and null count as numbers, anything else may be concatenated
 */
export function toAddend(value) {
  const items = alternatives(value).map((item) => {
    const isCounted =
      (item.kind === 'typed' && item.type === 'boolean') ||
      (item.kind === 'constant' && (typeof item.value === 'boolean' || item.value === null));
    return isCounted ? convert(item) : item;
  });
  return unionOf(items);
}

/**
 * @param {Value} value
 * @returns {boolean} whether it is a number that is finite or NaN, whatever the document holds
 */
function isBounded(value) {
  return alternatives(value).every((item) => isNumber(item) || (item.kind === 'typed' && item.isBounded === true));
}

/**
 * @param {Value[]} numbers what is computed with, converted
 * @param {number} power the absolute value of the result is below 10 to this power if all of them are finite
 * @param {Value[]} operands as they were before that
 * @returns {Value} the result
 */
export function resultBelow(numbers, power, operands) {
  const result = numberBelow(power);
  if (numbers.every(isNumber)) return result;
  const open = /** @type {TypedValue} */ (maybeNumber(...operands));
  const isBelow = result.kind === 'typed' && result.type === 'number';
  return isBelow && numbers.every(isBounded) ? { ...open, ...result, type: 'maybe-number', isBounded: true } : open;
}

/**
 * @param {Value[]} numbers converted
 * @returns {number} each is below 10 to this power
 */
export function largestPower(numbers) {
  return Math.max(...numbers.map(powerOf));
}

/**
 * @param {Value} item one alternative, which is not NaN
 * @returns {Value} a finite number where it was finite or NaN
 */
export function withoutNaN(item) {
  if (item.kind !== 'typed' || !item.isBounded) return item;
  return item.power === undefined ? NUMBER : { ...NUMBER, power: item.power };
}

/**
 * @param {Value} value
 * @returns {boolean} whether `typeof` says `number` of it, whatever the document holds
 */
export function isOfTypeNumber(value) {
  return alternatives(value).every(
    (item) =>
      (item.kind === 'typed' && (item.type === 'number' || item.type === 'maybe-number')) ||
      (item.kind === 'constant' && typeof item.value === 'number'),
  );
}
