// What operators make of values, and what values are by themselves. Asks nothing of the walk.

import { isNumber, isText, UNDEFINED, unite, unknown } from './values.js';

/** @import { BinaryExpression } from 'acorn' */
/** @import { Value } from './values.js' */

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
  if (name === 'oldDoc') return { kind: 'path', path: 'oldDoc', present: false };
  if (name === 'tombstone') return TOMBSTONE;
  return unknown(`it is the parameter \`${name}\``);
}

/**
 * @param {Value} value
 * @returns {boolean} whether it is the document or a copy of it
 */
export function isWhole(value) {
  return (value.kind === 'document' && value.parameter === 0) || value.kind === 'copy';
}

/**
 * @param {Value} value
 * @returns {Value} any element of it
 */
export function elementOf(value) {
  if (value.kind === 'path') return { kind: 'path', path: `${value.path}[]`, present: true };
  if (value.kind === 'document') return { kind: 'path', path: 'doc[]', present: false };
  if (value.kind === 'array' && value.items.length > 0) return unite([...value.items]);
  return unknown('it is an element of a list');
}

/**
 * @param {import('acorn').Expression | import('acorn').PrivateIdentifier} key
 * @param {boolean} computed
 * @returns {string | undefined}
 */
export function nameOfKey(key, computed) {
  if (!computed && key.type === 'Identifier') return key.name;
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
    const isPlain = value.kind === 'constant' && value.value !== null;
    return isPlain ? { kind: 'constant', value: typeof value.value } : { kind: 'typed', type: 'string' };
  }
  if (operator === 'void') return UNDEFINED;
  if (operator === '~') return { kind: 'typed', type: 'number' };
  if (operator === '-' && value.kind === 'constant' && typeof value.value === 'number') {
    return { kind: 'constant', value: -value.value };
  }
  return { kind: 'typed', type: isNumber(value) ? 'number' : 'maybe-number' };
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
  if (/^([=!]==?|[<>]=?|in|instanceof)$/.test(operator)) return { kind: 'typed', type: 'boolean' };
  if (/^(\||&|\^|<<|>>>?)$/.test(operator)) return { kind: 'typed', type: 'number' };
  const areNumbers = isNumber(left) && isNumber(right);
  if (operator === '+') {
    if (isText(left) || isText(right)) {
      const areConstant = left.kind === 'constant' && right.kind === 'constant';
      return areConstant
        ? { kind: 'constant', value: `${left.value}${right.value}` }
        : { kind: 'typed', type: 'string' };
    }
    return areNumbers ? { kind: 'typed', type: 'number' } : unknown('it is a sum or a text, as the document has it');
  }
  if (operator === '/' || operator === '%' || operator === '**') {
    const isSafe = areNumbers && right.kind === 'constant' && right.value !== 0;
    return { kind: 'typed', type: isSafe ? 'number' : 'maybe-number' };
  }
  return { kind: 'typed', type: areNumbers ? 'number' : 'maybe-number' };
}

/**
 * @param {Value} value
 * @returns {boolean | undefined} whether a test of it holds; undefined where that depends on the data
 */
export function truthOf(value) {
  if (value.kind === 'constant') return Boolean(value.value);
  return value.kind === 'object' || value.kind === 'array' || value.kind === 'function' ? true : undefined;
}

/**
 * @param {Value} value
 * @returns {boolean} whether `&&` may stop at it
 */
export function mayBeFalsy(value) {
  return !(
    value.kind === 'object' ||
    value.kind === 'array' ||
    value.kind === 'document' ||
    value.kind === 'copy' ||
    value.kind === 'function' ||
    (value.kind === 'constant' && Boolean(value.value))
  );
}

/**
 * @param {Value} value
 * @returns {Value[]} what of it `||` may stop at
 */
export function truthyPart(value) {
  if (value.kind === 'path') return [{ ...value, present: true }];
  return value.kind === 'constant' && !value.value ? [] : [value];
}

/**
 * @param {Value} value
 * @returns {boolean} whether it is a field of the document
 */
export function isField(value) {
  return value.kind === 'path' && value.path.startsWith('doc');
}
