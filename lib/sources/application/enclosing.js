// Finds what stands around a node or is written in a class: the function, the class or object of `this`, members that are assigned.

import { isFunction } from '../../javascript/names.js';
import { propertyName } from './code.js';

/** @import { AnyNode, Class, Identifier, ObjectExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { Value } from './value.js' */

/** By function. @type {WeakMap<FunctionNode, AnyNode[]>} */
const RETURNS = new WeakMap();

/**
 * @param {FunctionNode} fn
 * @param {Code} code
 * @returns {AnyNode[]} what its return statements return
 */
export function returnsOf(fn, code) {
  let found = RETURNS.get(fn);
  if (!found) {
    found = code
      .nodesWithin(fn)
      .flatMap((node) =>
        node.type === 'ReturnStatement' && node.argument && functionAround(node, code) === fn ? node.argument : [],
      );
    RETURNS.set(fn, found);
  }
  return found;
}

/**
 * @param {AnyNode} node
 * @param {Code} code
 * @returns {FunctionNode | undefined}
 */
export function functionAround(node, code) {
  for (let at = code.parentOf(node); at; at = code.parentOf(at)) if (isFunction(at)) return at;
  return undefined;
}

/** @param {AnyNode} node @param {AnyNode} outer @returns {boolean} whether it is the other one or stands in it */
export function isWithin(node, outer) {
  return node.start >= outer.start && node.end <= outer.end;
}

/** What is written to a member. @typedef {{value: AnyNode} | {parameter: Identifier}} Assigned */

/** By class or object. @type {WeakMap<object, Map<string, Assigned[]>>} */
const ASSIGNED = new WeakMap();

/**
 * @param {Class | ObjectExpression} node
 * @param {Code} code
 * @returns {Map<string, Assigned[]>} by name, what `this.name = value` in it assigns, and parameters that are members
 */
export function assignedMembers(node, code) {
  const known = ASSIGNED.get(node);
  if (known) return known;
  /** @type {Map<string, Assigned[]>} */
  const found = new Map();
  ASSIGNED.set(node, found);
  const add = (/** @type {string} */ key, /** @type {Assigned} */ item) => {
    found.set(key, [...(found.get(key) ?? []), item]);
  };
  for (const inner of code.nodesWithin(/** @type {AnyNode} */ (node))) {
    const { type } = /** @type {{type: string}} */ (inner);
    if (type === 'TSParameterProperty') {
      const { parameter } = /** @type {{parameter: AnyNode}} */ (/** @type {unknown} */ (inner));
      const id = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
      if (id.type === 'Identifier') add(id.name, { parameter: id });
    } else if (inner.type === 'AssignmentExpression' && inner.left.type === 'MemberExpression') {
      const key = inner.left.object.type === 'ThisExpression' ? propertyName(inner.left) : undefined;
      if (key !== undefined && !isNothing(inner.right)) add(key, { value: inner.right });
    }
  }
  return found;
}

/**
 * @param {AnyNode} node `this`
 * @param {Code} code
 * @returns {Value | undefined} the class or object whose method it stands in
 */
export function enclosingObject(node, code) {
  for (let at = code.parentOf(node), inner = node; at; inner = at, at = code.parentOf(at)) {
    if (at.type === 'ClassDeclaration' || at.type === 'ClassExpression') {
      return { is: 'instance', code, node: /** @type {Class} */ (at) };
    }
    if (at.type === 'Property' && at.value === inner && isFunction(inner) && inner.type === 'FunctionExpression') {
      const object = code.parentOf(at);
      return object?.type === 'ObjectExpression' ? { is: 'object', code, node: object } : undefined;
    }
  }
  return undefined;
}

/** @param {AnyNode} node @returns {boolean} whether it is `null` or `undefined` */
export function isNothing(node) {
  return (node.type === 'Literal' && node.raw === 'null') || (node.type === 'Identifier' && node.name === 'undefined');
}
