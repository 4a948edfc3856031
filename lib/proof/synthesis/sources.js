// Determines which parts of the document an expression was made from, and how: `doc._id.split(':')[0]` is the first
// piece of the id. Runs nothing.

import { onlyValueOf } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { literalValue, methodOf } from './literals.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Names } from '../../javascript/names.js' */
/** @import { Need } from './need.js' */
/** @import { Places } from './document-places.js' */

/**
 * @typedef {object} Source
 * @property {Need[]} needs
 * @property {'whole' | 'start' | 'piece' | 'length' | 'type'} how `start`: some characters from `at`; `piece`: number `at` of what is split by `separator`
 * @property {number} [at]
 * @property {string} [separator]
 */

/** Methods and functions that give the same value in other clothes. */
const CLOTHES = new Set(['toLowerCase', 'toUpperCase', 'trim', 'toString', 'valueOf', 'normalize', 'toFixed']);
const CONVERSIONS = new Set(['String', 'Number', 'parseInt', 'parseFloat', 'Boolean']);
const CUTS = new Set(['substr', 'substring', 'slice', 'charAt']);

const DEEPEST = 12;

/**
 * @param {AnyNode} given
 * @param {{names: Names, places: Places}} context
 * @param {number} [depth]
 * @returns {Source | undefined}
 */
export function sourceOf(given, context, depth = 0) {
  if (depth > DEEPEST) return undefined;
  const node = bare(given);
  const needs = context.places.of(node);
  if (needs.length > 0) return { needs, how: 'whole' };
  const inner = (/** @type {AnyNode} */ next) => sourceOf(next, context, depth + 1);
  if (node.type === 'Identifier') return ofName(node, context, inner);
  if (node.type === 'UnaryExpression') {
    const source = inner(node.argument);
    if (node.operator === 'typeof') return source && { ...source, how: 'type' };
    return node.operator === '+' ? source : undefined;
  }
  if (node.type === 'LogicalExpression') return inner(node.operator === '&&' ? node.right : node.left);
  if (node.type === 'MemberExpression') return ofMember(node, context, inner);
  return node.type === 'CallExpression' ? ofCall(node, context, inner) : undefined;
}

/** @typedef {(node: AnyNode) => Source | undefined} Follow */

/**
 * @param {Extract<AnyNode, {type: 'Identifier'}>} node
 * @param {{names: Names, places: Places}} context
 * @param {Follow} inner
 * @returns {Source | undefined}
 */
function ofName(node, { names }, inner) {
  const binding = names.byNode.get(node)?.binding;
  const value = binding && onlyValueOf(binding, names);
  if (value) return inner(value);
  // `const [kind, number] = doc._id.split(':')`
  const write = binding?.references.find(({ declares }) => declares)?.node;
  const pattern = write && names.parents.get(write);
  const declarator = pattern && names.parents.get(pattern);
  if (pattern?.type !== 'ArrayPattern' || declarator?.type !== 'VariableDeclarator' || !declarator.init)
    return undefined;
  const source = inner(declarator.init);
  return source?.how === 'piece'
    ? { ...source, at: /** @type {unknown[]} */ (pattern.elements).indexOf(write) }
    : undefined;
}

/**
 * @param {Extract<AnyNode, {type: 'MemberExpression'}>} node
 * @param {{names: Names, places: Places}} context
 * @param {Follow} inner
 * @returns {Source | undefined}
 */
function ofMember(node, { names }, inner) {
  const source = inner(node.object);
  if (!source) return undefined;
  if (!node.computed) {
    return node.property.type === 'Identifier' && node.property.name === 'length' && source.how === 'whole'
      ? { ...source, how: 'length' }
      : undefined;
  }
  const at = literalValue(/** @type {AnyNode} */ (node.property), names);
  if (typeof at !== 'number') return undefined;
  if (source.how === 'piece') return { ...source, at };
  return source.how === 'whole' ? { ...source, how: 'start', at } : undefined;
}

/**
 * @param {Extract<AnyNode, {type: 'CallExpression'}>} node
 * @param {{names: Names, places: Places}} context
 * @param {Follow} inner
 * @returns {Source | undefined}
 */
function ofCall(node, { names }, inner) {
  const callee = bare(node.callee);
  const [first] = node.arguments;
  if (callee.type === 'Identifier') return CONVERSIONS.has(callee.name) && first ? inner(first) : undefined;
  const method = methodOf(node) ?? '';
  if (callee.type !== 'MemberExpression') return undefined;
  const source = inner(callee.object);
  if (!source || CLOTHES.has(method)) return source;
  const value = first ? literalValue(first, names) : undefined;
  if (method === 'split' && source.how === 'whole' && typeof value === 'string') {
    return { ...source, how: 'piece', separator: value, at: 0 };
  }
  if (source.how === 'piece')
    return method === 'shift' ? { ...source, at: 0 } : method === 'pop' ? { ...source, at: 1 } : undefined;
  if (!CUTS.has(method) || source.how !== 'whole' || (value !== undefined && typeof value !== 'number'))
    return undefined;
  return { ...source, how: 'start', at: value ?? 0 };
}
