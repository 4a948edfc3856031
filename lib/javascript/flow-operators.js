// Computes what operators make of values, and what values are by themselves. Does not use the walk.

import { isOfTypeNumber, largestPower, resultBelow, toAddend, toNumber, withoutNaN } from './numbers.js';
import { alternatives, isText, nextNumber, powerOf, UNDEFINED, unionOf, unknown } from './values.js';

/** @import { BinaryExpression } from 'acorn' */
/** @import { Value } from './values.js' */

/** Joined constants longer than this are texts like any other: a function can double one with every statement. */
const LONGEST_CONSTANT = 200;

/** What is left of a deleted document. @type {Value} */
const TOMBSTONE = {
  kind: 'object',
  members: new Map([
    ['_id', /** @type {Value} */ ({ kind: 'typed', type: 'string' })],
    ['_rev', { kind: 'typed', type: 'string' }],
    ['_deleted', { kind: 'constant', value: true }],
  ]),
  open: false,
};

/**
 * @param {string} name what the parameter is
 * @param {number} index
 * @returns {Value}
 */
export function parameterValue(name, index) {
  if (name === 'doc') return { kind: 'document', parameter: index };
  // `oldDoc` is null when a document is created: as a path it may be missing.
  if (name === 'oldDoc') return { kind: 'path', path: 'oldDoc', present: false, place: 'oldDoc' };
  if (name === 'tombstone') return TOMBSTONE;
  // Of the request only the parameters of its query may be missing.
  if (name === 'req') return { kind: 'path', path: 'req', present: true, place: 'req' };
  return unknown(`it is the parameter \`${name}\``);
}

/**
 * @param {Value} value
 * @returns {boolean} whether it is the document or a copy of it
 */
export function isWhole(value) {
  return (value.kind === 'document' && value.parameter === 0) || (value.kind === 'copy' && !value.isText);
}

/**
 * @param {Value} value
 * @param {string} [key] names the element: the same key of the same place is the same element. Left out where it is one of its own
 * @returns {Value} any element of it
 */
export function elementOf(value, key = `#${nextNumber()}`) {
  const elements = alternatives(value).flatMap((item) => elementsOf(item, key));
  return elements.length > 0 ? unionOf(elements) : unknown('it is an element of an array');
}

/**
 * @param {Value} value one alternative
 * @param {string} key
 * @returns {Value[]} none for a list without elements
 */
function elementsOf(value, key) {
  if (value.kind === 'path')
    return [{ kind: 'path', path: `${value.path}[]`, present: true, place: placeBelow(value.place, key) }];
  if (value.kind === 'document')
    return [{ kind: 'path', path: 'doc[]', present: false, place: placeBelow(placeOfParameter(value), key) }];
  if (value.kind === 'array')
    return value.items.length > 0 || !value.open ? [...value.items] : [unknown('it is an element of an array')];
  if (value.kind === 'object')
    return [...value.members.values(), value.open ? unknown('it is a member of an object') : UNDEFINED];
  return [unknown('it is an element of an array')];
}

/**
 * @param {string | undefined} place
 * @param {string} key
 * @returns {string | undefined}
 */
export function placeBelow(place, key) {
  return place === undefined ? undefined : `${place}[${key}]`;
}

/**
 * @param {import('./values.js').DocumentValue} value
 * @returns {string}
 */
export function placeOfParameter({ parameter }) {
  return `parameter ${parameter}`;
}

/**
 * @param {import('acorn').Expression | import('acorn').PrivateIdentifier} key
 * @returns {string | undefined} undefined where it is computed
 */
export function nameOfKey(key) {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' ? String(key.value) : undefined;
}

/**
 * @param {string} operator
 * @param {Value} value
 * @returns {Value}
 */
export function unary(operator, value) {
  if (operator === '!') {
    const truth = truthOf(value);
    return truth === undefined ? { kind: 'typed', type: 'boolean' } : { kind: 'constant', value: !truth };
  }
  if (operator === 'delete') return { kind: 'typed', type: 'boolean' };
  if (operator === 'typeof') {
    const type = typeName(value);
    return type === undefined ? { kind: 'typed', type: 'string', of: value } : { kind: 'constant', value: type };
  }
  if (operator === 'void') return UNDEFINED;
  if (operator === '~') return { kind: 'typed', type: 'number' };
  if (operator === '-' && value.kind === 'constant' && typeof value.value === 'number') {
    return { kind: 'constant', value: -value.value };
  }
  const numbers = [toNumber(value)];
  return resultBelow(numbers, largestPower(numbers), [value]);
}

/**
 * @param {Value} value
 * @returns {string | undefined} what `typeof` says of it
 */
function typeName(value) {
  if (value.kind === 'constant') return typeof value.value;
  if (value.kind === 'function' || value.kind === 'emit') return 'function';
  if (value.kind === 'typed') {
    if (value.type === 'maybe-number') return 'number';
    return value.type === 'date' || value.type === 'error' ? 'object' : value.type;
  }
  if ((value.kind === 'copy' && value.isText) || isIdOrRev(value)) return 'string';
  return ['document', 'copy', 'object', 'array'].includes(value.kind) ? 'object' : undefined;
}

/**
 * @param {BinaryExpression['operator']} operator
 * @param {Value} left
 * @param {Value} right
 * @returns {Value}
 */
export function binary(operator, left, right) {
  if (/^[=!]==?$/.test(operator) && left.kind === 'constant' && right.kind === 'constant') {
    const isLoose = operator.length === 2;
    // biome-ignore lint/suspicious/noDoubleEquals: the operator of the function that is read
    const areEqual = isLoose ? left.value == right.value : left.value === right.value;
    return { kind: 'constant', value: operator.startsWith('=') === areEqual };
  }
  if (/^[=!]==?$/.test(operator) && isNothingBesideSomething(left, right)) {
    return { kind: 'constant', value: operator.startsWith('!') };
  }
  if (/^[<>]=?$/.test(operator)) return compared(operator, left, right);
  if (/^([=!]==?|in|instanceof)$/.test(operator)) return { kind: 'typed', type: 'boolean' };
  if (/^(\||&|\^|<<|>>>?)$/.test(operator)) return { kind: 'typed', type: 'number' };
  if (operator === '+') {
    if (isText(left) || isText(right)) {
      if (left.kind !== 'constant' || right.kind !== 'constant') return { kind: 'typed', type: 'string' };
      const value = `${left.value}${right.value}`;
      return value.length > LONGEST_CONSTANT ? { kind: 'typed', type: 'string' } : { kind: 'constant', value };
    }
    const added = [toAddend(left), toAddend(right)];
    if (!added.every(isOfTypeNumber)) return unknown(whyNoSum([left, right]));
    return resultBelow(added, largestPower(added) + 1, [left, right]);
  }
  const [one, other] = [toNumber(left), toNumber(right)];
  return resultBelow([one, other], powerOfResult(operator, one, other), [left, right]);
}

/**
 * @param {string} operator `<`, `<=`, `>` or `>=`
 * @param {Value} left
 * @param {Value} right
 * @returns {Value}
 */
function compared(operator, left, right) {
  if (left.kind !== 'constant' || right.kind !== 'constant') return { kind: 'typed', type: 'boolean' };
  const [one, other] = [/** @type {number} */ (left.value), /** @type {number} */ (right.value)];
  const isMet = operator.startsWith('<') ? one < other : one > other;
  return {
    kind: 'constant',
    value: isMet || (operator.endsWith('=') && (operator === '<=' ? one <= other : one >= other)),
  };
}

/**
 * @param {string} operator another than `+`
 * @param {Value} left a number
 * @param {Value} right a number
 * @returns {number} the result is a number below 10 to this power; infinite where it may be none
 */
function powerOfResult(operator, left, right) {
  const power = powerOf(left);
  const constant = right.kind === 'constant' ? Number(right.value) : undefined;
  switch (operator) {
    case '-':
      return Math.max(power, powerOf(right)) + 1;
    case '*':
      return power + powerOf(right);
    case '/':
      return constant ? power - Math.min(0, Math.log10(Math.abs(constant))) : Number.POSITIVE_INFINITY;
    case '%':
      return constant ? power : Number.POSITIVE_INFINITY;
    default:
      // A root of a negative number is none, and 0 to a negative power is infinite.
      return constant !== undefined && Number.isInteger(constant) && constant >= 0
        ? power * constant
        : Number.POSITIVE_INFINITY;
  }
}

/**
 * @param {Value[]} parts of a sum, or what is added to it
 * @returns {string} why the sum is not a number for certain
 */
export function whyNoSum(parts) {
  for (const item of parts.flatMap(alternatives)) {
    if (item.kind === 'path') return `\`${item.path}\` may be a string, which is concatenated and not added`;
    if (item.kind === 'unknown') return item.reason;
  }
  return 'a part of the sum may not be a number';
}

/**
 * @param {Value} value
 * @returns {boolean | undefined} whether a test of it holds; undefined where that depends on the data
 */
export function truthOf(value) {
  if (value.kind === 'constant') return Boolean(value.value);
  if (value.kind === 'union') {
    const [first, ...others] = value.of.map(truthOf);
    return others.every((other) => other === first) ? first : undefined;
  }
  return mayBeFalsy(value) ? undefined : true;
}

/**
 * @param {Value} value
 * @returns {boolean} whether `&&` may stop at it
 */
export function mayBeFalsy(value) {
  if (value.kind === 'constant') return !value.value;
  if (value.kind === 'typed') return value.type !== 'date' && value.type !== 'error';
  return !['object', 'array', 'document', 'copy', 'function', 'emit'].includes(value.kind) && !isIdOrRev(value);
}

/**
 * @param {Value} value one alternative
 * @returns {boolean} whether it is the id or the revision that the document has: neither is ever missing or empty
 */
function isIdOrRev(value) {
  return value.kind === 'path' && value.present && /^doc\._(?:id|rev)$/.test(value.path);
}

/**
 * @param {Value} value one alternative
 * @returns {boolean} whether it is neither null nor undefined, whatever the document holds
 */
export function isSomething(value) {
  if (value.kind === 'constant') return !isNothing(value);
  return isIdOrRev(value) || /^(?:document|copy|object|array|function|emit|typed)$/.test(value.kind);
}

/**
 * @param {Value} left
 * @param {Value} right
 * @returns {boolean} whether one of them is null or undefined and the other certainly neither
 */
function isNothingBesideSomething(left, right) {
  return (
    (isNothing(left) && alternatives(right).every(isSomething)) ||
    (isNothing(right) && alternatives(left).every(isSomething))
  );
}

/** Members that objects inherited in SpiderMonkey 1.8.5. */
const OLD_INHERITED = new Set(['toSource', 'unwatch', 'watch']);

/**
 * @param {string} name
 * @returns {boolean} whether every object has such a member, its own or inherited
 */
export function isInherited(name) {
  return name in Object.prototype || OLD_INHERITED.has(name);
}

/**
 * @param {Value} value one alternative
 * @returns {Value[]} what of it `||` may stop at
 */
export function truthyPart(value) {
  if (value.kind === 'path') return [{ ...value, present: true }];
  // NaN is false, Infinity is not: a number that may be infinite stays one.
  return value.kind === 'constant' && !value.value ? [] : [withoutNaN(value)];
}

/**
 * @param {Value} value one alternative
 * @returns {boolean} whether it is null or undefined
 */
export function isNothing(value) {
  return value.kind === 'constant' && (value.value === null || value.value === undefined);
}

/**
 * @param {Value} value
 * @returns {boolean} whether it is a field of the document, or the type of one. The revision is none: a test of it
 *   is about the history of the document. A deletion is one: what replication deletes need not have been there before
 */
export function isField(value) {
  if (value.kind === 'typed' && value.of) return isField(value.of);
  return value.kind === 'path' && /^doc(?!\._rev)/.test(value.path);
}
