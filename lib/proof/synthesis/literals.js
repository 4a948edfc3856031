// Collects the words and numbers that a map compares with from its text. Runs nothing.

import { onlyValueOf, resolveNames } from '../../javascript/names.js';
import { bare, parseFunction } from '../../javascript/parse.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Names } from '../../javascript/names.js' */

/** @typedef {string | number} Literal */

const COMPARISONS = new Set(['==', '===', '!=', '!==', '<', '<=', '>', '>=', 'in']);
/** Methods whose arguments are looked for in a text or a list. */
const LOOKING = new Set(['indexOf', 'lastIndexOf', 'includes', 'startsWith', 'endsWith', 'hasOwnProperty']);

/**
 * @param {string} map
 * @returns {Set<Literal>} empty where the text cannot be read; names of types are left out (`typeof doc.total === 'number'`)
 */
export function literalsOf(map) {
  const parsed = parseFunction(map);
  /** @type {Set<Literal>} */
  const found = new Set();
  if (!parsed.ok) return found;
  const names = resolveNames(parsed.roots);
  const add = (/** @type {AnyNode} */ node) => {
    const value = literalValue(node, names);
    if (typeof value === 'string' || typeof value === 'number') found.add(value);
  };
  for (const node of names.nodes) {
    if (node.type === 'BinaryExpression' && COMPARISONS.has(node.operator)) {
      if (isTypeof(node.left) || isTypeof(node.right)) continue;
      add(node.left);
      add(node.right);
    } else if (node.type === 'SwitchCase' && node.test) add(node.test);
    else if (node.type === 'CallExpression' && LOOKING.has(methodOf(node) ?? '')) {
      for (const argument of node.arguments) add(argument);
      const { callee } = node;
      if (callee.type === 'MemberExpression') for (const value of listedIn(callee.object, names)) found.add(value);
    } else if (node.type === 'MemberExpression' && node.computed) {
      for (const key of keysOf(node.object, names)) found.add(key);
    }
  }
  return found;
}

/**
 * @param {AnyNode} node
 * @param {Names} names
 * @returns {string | number | boolean | null | undefined} undefined where it is no literal, nor a name that holds one
 */
export function literalValue(node, names) {
  const inner = settled(node, names);
  if (inner.type === 'Literal') {
    const { value } = inner;
    return value === null || ['string', 'number', 'boolean'].includes(typeof value)
      ? /** @type {string | number | boolean | null} */ (inner.regex ? undefined : value)
      : undefined;
  }
  if (inner.type === 'TemplateLiteral' && inner.expressions.length === 0) {
    return inner.quasis[0]?.value.cooked ?? undefined;
  }
  if (inner.type === 'UnaryExpression' && inner.operator === '-') {
    const value = literalValue(inner.argument, names);
    return typeof value === 'number' ? -value : undefined;
  }
  return undefined;
}

/**
 * @param {AnyNode} node
 * @param {Names} names
 * @returns {AnyNode} the node, or what the variable that it names is always
 */
function settled(node, names) {
  const inner = bare(node);
  if (inner.type !== 'Identifier') return inner;
  const binding = names.byNode.get(inner)?.binding;
  const value = binding && onlyValueOf(binding, names);
  return value ? bare(value) : inner;
}

/**
 * @param {AnyNode} node
 * @param {Names} names
 * @returns {Literal[]} the words and numbers of a list that is written out
 */
export function listedIn(node, names) {
  const list = settled(node, names);
  if (list.type !== 'ArrayExpression') return [];
  return list.elements.flatMap((item) => {
    const value = item ? literalValue(item, names) : undefined;
    return typeof value === 'string' || typeof value === 'number' ? [value] : [];
  });
}

/**
 * @param {AnyNode} node
 * @param {Names} names
 * @returns {string[]} the names of members of an object that is written out
 */
export function keysOf(node, names) {
  const object = settled(node, names);
  if (object.type !== 'ObjectExpression') return [];
  return object.properties.flatMap((property) => {
    if (property.type !== 'Property' || property.computed) return [];
    const { key } = property;
    if (key.type === 'Identifier') return [key.name];
    return key.type === 'Literal' ? [String(key.value)] : [];
  });
}

/**
 * @param {AnyNode} call
 * @returns {string | undefined} the name of the method that it calls
 */
export function methodOf(call) {
  if (call.type !== 'CallExpression') return undefined;
  const callee = bare(call.callee);
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return undefined;
  return callee.property.name;
}

/** @param {AnyNode} node @returns {boolean} */
function isTypeof(node) {
  const inner = bare(node);
  return inner.type === 'UnaryExpression' && inner.operator === 'typeof';
}
