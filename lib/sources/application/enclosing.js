// Finds what stands around a node or is written in a class: the function, the class or object of `this`, members that are assigned.

import { isFunction } from '../../javascript/names.js';
import { propertyName } from './code.js';

/** @import { AnyNode, Class, Identifier } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { Value } from './value.js' */

/**
 * @param {FunctionNode} fn
 * @param {Code} code
 * @returns {AnyNode[]} what its return statements return
 */
export function returnsOf(fn, code) {
  /** @type {AnyNode[]} */
  const found = [];
  for (const node of code.nodesWithin(fn)) {
    if (node.type === 'ReturnStatement' && node.argument && functionAround(node, code) === fn)
      found.push(node.argument);
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

/**
 * @param {Class} node
 * @param {string} key
 * @param {Code} code
 * @returns {({value: AnyNode} | {parameter: Identifier})[]} what `this.key = value` in it assigns, and parameters that are members
 */
export function assignedMembers(node, key, code) {
  /** @type {({value: AnyNode} | {parameter: Identifier})[]} */
  const found = [];
  for (const inner of code.nodesWithin(/** @type {AnyNode} */ (node))) {
    const { type } = /** @type {{type: string}} */ (inner);
    if (type === 'TSParameterProperty') {
      const { parameter } = /** @type {{parameter: AnyNode}} */ (/** @type {unknown} */ (inner));
      const id = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
      if (id.type === 'Identifier' && id.name === key) found.push({ parameter: id });
    } else if (inner.type === 'AssignmentExpression' && inner.left.type === 'MemberExpression') {
      const { left } = inner;
      if (left.object.type === 'ThisExpression' && propertyName(left) === key) found.push({ value: inner.right });
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
