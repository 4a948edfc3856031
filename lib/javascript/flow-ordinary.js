// Recognizes tests that only separate ordinary documents from deleted ones and from design documents. A document that
// passes them can still be any document: they promise nothing about its shape.

import { alternatives } from './values.js';

/** @import { BinaryExpression } from 'acorn' */
/** @import { Value } from './values.js' */

/** Comparisons by what they say of a number and another. @type {Record<string, (first: number, second: number) => boolean>} */
const HOLDS = {
  '===': (first, second) => first === second,
  '==': (first, second) => first === second,
  '!==': (first, second) => first !== second,
  '!=': (first, second) => first !== second,
  '<': (first, second) => first < second,
  '<=': (first, second) => first <= second,
  '>': (first, second) => first > second,
  '>=': (first, second) => first >= second,
};
const MIRRORED = /** @type {Record<string, string>} */ ({ '<': '>', '<=': '>=', '>': '<', '>=': '<=' });

/** What texts of the language give of the start of a text, by where they start and how. */
const STARTS = new Set(['substr', 'substring', 'slice', 'charAt', 'at']);

/**
 * @param {Value} value
 * @returns {boolean} whether it is the flag of a deletion
 */
export function isDeletion(value) {
  return value.kind === 'path' && value.path === 'doc._deleted';
}

/**
 * @param {Value} item one alternative of what is tested for its truth
 * @param {boolean} holds
 * @returns {boolean} whether that answer is one of any ordinary document
 */
export function isOrdinary(item, holds) {
  if (isDeletion(item)) return !holds;
  // `doc._id.indexOf('_design/')` is 0, which is false, for a design document.
  return item.kind === 'typed' && item.ofId === 'position' && holds;
}

/**
 * @param {BinaryExpression['operator']} operator
 * @param {Value} left
 * @param {Value} right
 * @returns {boolean | undefined} the answer of ordinary documents; undefined where the comparison tests something else
 */
export function ordinaryAnswer(operator, left, right) {
  return answerOf(operator, left, right) ?? answerOf(MIRRORED[operator] ?? operator, right, left);
}

/**
 * @param {string} operator
 * @param {Value} side
 * @param {Value} other
 * @returns {boolean | undefined}
 */
function answerOf(operator, side, other) {
  const holds = HOLDS[operator];
  if (!holds || other.kind !== 'constant') return undefined;
  const { value } = other;
  const isEquality = /^[=!]/.test(operator);
  const isEqual = operator.startsWith('=');
  if (isEquality && isDeletion(side)) return isEqual !== Boolean(value);
  if (isEquality && side.kind === 'typed' && side.of && isDeletion(side.of)) return isEqual === (value === 'undefined');
  if (isEquality && isStart(side)) return typeof value === 'string' && value.startsWith('_') ? !isEqual : undefined;
  if (side.kind !== 'typed' || side.ofId !== 'position' || typeof value !== 'number') return undefined;
  const ordinary = holds(-1, value);
  return ordinary === holds(0, value) ? undefined : ordinary;
}

/**
 * @param {Value} value
 * @returns {boolean} whether it is the start of the id: `doc._id[0]`
 */
function isStart(value) {
  return (value.kind === 'typed' && value.ofId === 'start') || (value.kind === 'path' && value.path === 'doc._id[]');
}

/**
 * @param {string} name of a method of texts
 * @param {Value} object
 * @param {Value[]} values of its arguments
 * @returns {Value | undefined} what it gives of the id of the document, where that separates design documents from others
 */
export function partOfId(name, object, values) {
  if (object.kind !== 'path' || object.path !== 'doc._id') return undefined;
  const [first] = values;
  if (name === 'split')
    return { kind: 'array', items: [{ kind: 'typed', type: 'string', ofId: 'start' }], open: true, hasFirst: true };
  if (first?.kind !== 'constant') return undefined;
  if (STARTS.has(name) && (first.value === 0 || first.value === undefined))
    return { kind: 'typed', type: 'string', ofId: 'start' };
  const isUnderscore = typeof first.value === 'string' && first.value.startsWith('_');
  return isUnderscore && /^(?:last)?indexOf$/i.test(name)
    ? { kind: 'typed', type: 'number', ofId: 'position' }
    : undefined;
}

/**
 * @param {string} name of a method
 * @param {import('acorn').Node | undefined} pattern a regular expression, or what stands in its place
 * @param {Value | undefined} text
 * @returns {boolean} whether the call tests for the ids of design documents
 */
function testsForDesign(name, pattern, text) {
  if (!text || !alternatives(text).every((item) => item.kind === 'path' && item.path === 'doc._id')) return false;
  const literal = /** @type {import('acorn').Literal | undefined} */ (
    pattern?.type === 'Literal' ? pattern : undefined
  );
  if (name === 'startsWith') return typeof literal?.value === 'string' && literal.value.startsWith('_');
  return /^(?:test|match)$/.test(name) && literal?.regex?.pattern.startsWith('^_') === true;
}

/**
 * @param {import('acorn').Node} callee
 * @param {import('./flow-state.js').Call} call
 * @param {Value} object
 * @returns {boolean} whether it tests for ids of design documents: `/^_design/.test(doc._id)`
 */
export function isDesignTest(callee, { node, name, values }, object) {
  const { object: pattern } = /** @type {import('acorn').MemberExpression} */ (callee);
  return name === 'test' ? testsForDesign(name, pattern, values[0]) : testsForDesign(name, node.arguments[0], object);
}
