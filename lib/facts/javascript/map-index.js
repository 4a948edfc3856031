// Writes a plain map as a Mango index of the same fields, where one has the same rows except for documents that lack a
// field.

import { all } from './selector-parts.js';

/** @import { AnyNode, BinaryExpression } from 'acorn' */
/** @import { Guard, PlainMap } from './plain-map.js' */
/** @import { Selector } from './selector-parts.js' */

/** Names that an index would take for something else, members of CouchDB's own, and what lists and texts have. */
const NO_FIELD = /[.\\]|^[$_]|^length$|^\d+$|^$/;

/** Types that `typeof` and `$type` call by the same name, and mean the same by. */
const SAME_TYPES = ['number', 'string', 'boolean'];

/** What JavaScript takes for false, as far as JSON has it. */
const FALSY = [null, false, 0, ''];

/** A text that `==` takes for no number, flag or list of one item that people write. */
const PLAIN_WORD = /[^\d\s.+-]/;

/** @typedef {{fields: string[], partial_filter_selector?: Selector}} MangoIndex */

/** Thrown inside this module at what has no such index. */
class NoIndex extends Error {}

/**
 * @param {PlainMap} map
 * @returns {{index: MangoIndex} | {unknown: string}}
 */
export function mangoIndexOf(map) {
  try {
    const { key, value } = map;
    if (value && !isNothing(map, value)) throw new NoIndex('the map emits a value, and a Mango index stores none');
    if (map.guards.length === 0)
      throw new NoIndex('the map also emits a row for documents without the field, and a Mango index leaves them out');
    const keys = key?.type === 'ArrayExpression' ? key.elements : [key];
    const fields = keys.map((item) => (item ? fieldOf(map, item) : undefined) ?? refuseKey());
    if (fields.length === 0 || new Set(fields).size < fields.length) refuseKey();
    const conditions = map.guards.flatMap((guard) => conditionsOf(map, guard, fields));
    const selector = all(conditions.filter((condition) => !saysLessThan(conditions, condition)));
    return { index: typeof selector === 'boolean' ? { fields } : { fields, partial_filter_selector: selector } };
  } catch (error) {
    if (error instanceof NoIndex) return { unknown: error.message };
    if (error instanceof RangeError) return { unknown: 'the conditions of the map are nested too deeply' };
    throw error;
  }
}

/**
 * @param {Selector[]} conditions
 * @param {Selector} condition one of them
 * @returns {boolean} whether it tests the truth of a field that has to be equal to something true, as in
 *   `doc.type && doc.type === 'order'`
 */
function saysLessThan(conditions, condition) {
  const [field = ''] = Object.keys(condition);
  const { $nin } = /** @type {{$nin?: unknown}} */ (condition[field]);
  return $nin === FALSY && conditions.some((other) => other[field] && typeof other[field] !== 'object');
}

/** @returns {never} */
function refuseKey() {
  throw new NoIndex('the key of the map is not made of different document fields only');
}

/** @returns {never} */
function refuseTest() {
  throw new NoIndex('the map tests more than the presence and types of fields and constants');
}

/**
 * @param {PlainMap} map
 * @param {Guard} guard
 * @param {string[]} fields of the index, which has no row for a document that lacks one
 * @returns {Selector[]} what the index has to require besides that
 */
function conditionsOf(map, { test, holds }, fields) {
  const node = map.resolve(test);
  if (node.type === 'UnaryExpression' && node.operator === '!')
    return conditionsOf(map, { test: node.argument, holds: !holds }, fields);
  if (node.type === 'LogicalExpression' && node.operator === (holds ? '&&' : '||'))
    return [node.left, node.right].flatMap((part) => conditionsOf(map, { test: part, holds }, fields));
  if (node.type === 'BinaryExpression') return comparison(map, node, holds, fields);
  const path = map.pathOf(node);
  // `doc && …`, and that nothing is given that was deleted, are so for each document.
  if (path && (holds ? path.length === 0 : path.join() === '_deleted')) return [];
  const field = fieldOf(map, node);
  if (field === undefined || !holds) return refuseTest();
  return isImplied(field, fields) ? [] : [{ [field]: { $nin: FALSY } }];
}

/**
 * @param {PlainMap} map
 * @param {BinaryExpression} node
 * @param {boolean} holds
 * @param {string[]} fields
 * @returns {Selector[]}
 */
function comparison(map, { operator, left, right }, holds, fields) {
  if (!/^[!=]==?$/.test(operator) || left.type === 'PrivateIdentifier') return refuseTest();
  const isEqual = operator.startsWith('=') === holds;
  const isStrict = operator.length === 3;
  const [side, other] = isConstant(map, left) ? [right, map.resolve(left)] : [left, map.resolve(right)];
  const operand = map.resolve(side);
  const constant = other.type === 'Literal' ? other.value : undefined;
  if (operand.type === 'UnaryExpression' && operand.operator === 'typeof') {
    const field = fieldOf(map, operand.argument) ?? refuseTest();
    if (constant === 'undefined' && !isEqual) return there(field, fields);
    if (typeof constant !== 'string' || !SAME_TYPES.includes(constant) || !isEqual) return refuseTest();
    return [{ [field]: { $type: constant } }];
  }
  const field = fieldOf(map, operand) ?? refuseTest();
  if (isNothing(map, other)) {
    // `!== null` lets what is missing through.
    if (isEqual || (isStrict && constant === null)) return refuseTest();
    return isStrict || isImplied(field, fields) ? there(field, fields) : [{ [field]: { $ne: null } }];
  }
  if (!isEqual) return refuseTest();
  const isPlain = typeof constant === 'string' && (isStrict || PLAIN_WORD.test(constant));
  const isExact = isStrict && (typeof constant === 'number' || typeof constant === 'boolean');
  return isPlain || isExact ? [{ [field]: constant }] : refuseTest();
}

/**
 * @param {string} field
 * @param {string[]} fields
 * @returns {Selector[]} that it is there
 */
function there(field, fields) {
  return isImplied(field, fields) ? [] : [{ [field]: { $exists: true } }];
}

/**
 * @param {string} field
 * @param {string[]} fields
 * @returns {boolean} whether each document with all the fields has it: it is one of them, or holds one
 */
function isImplied(field, fields) {
  return fields.some((name) => name === field || name.startsWith(`${field}.`));
}

/**
 * @param {PlainMap} map
 * @param {AnyNode} node
 * @returns {string | undefined} `address.town` for `doc.address.town`
 */
function fieldOf(map, node) {
  const path = map.pathOf(node);
  return !path || path.length === 0 || path.some((name) => NO_FIELD.test(name)) ? undefined : path.join('.');
}

/**
 * @param {PlainMap} map
 * @param {AnyNode} node
 * @returns {boolean}
 */
function isConstant(map, node) {
  const resolved = map.resolve(node);
  return resolved.type === 'Literal' || isNothing(map, resolved);
}

/**
 * @param {PlainMap} map
 * @param {AnyNode} node
 * @returns {boolean} whether it is null or undefined, as it is written
 */
function isNothing(map, node) {
  const resolved = map.resolve(node);
  if (resolved.type === 'Literal') return resolved.value === null && !resolved.regex && !resolved.bigint;
  return resolved.type === 'Identifier' && resolved.name === 'undefined';
}
