// Finds which names of a piece of code depend on others: on the variables of a loop, or on a parameter.

import { bindingAt, boundIn, isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';

/** @import { AnyNode, Identifier } from 'acorn' */
/** @import { Binding } from '../../javascript/names.js' */
/** @import { Code } from './code.js' */

/**
 * @param {readonly AnyNode[]} patterns that names are declared or assigned in
 * @param {AnyNode} body where these are used
 * @param {Code} code
 * @returns {Set<Binding>} the names in the patterns, and those that get their values from them
 */
export function dependentNames(patterns, body, code) {
  /** @type {Set<Binding>} */
  const found = new Set();
  const add = (/** @type {AnyNode} */ pattern) => {
    for (const id of boundIn(pattern)) {
      const binding = bindingAt(id, code.resolved);
      if (binding) found.add(binding);
    }
  };
  for (const pattern of patterns) add(pattern);
  if (found.size === 0) return found;
  const nodes = code.nodesWithin(body);
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const node of nodes) {
      if (node.type === 'VariableDeclarator' && node.init && mentions(node.init, found, code)) add(node.id);
      else if (node.type === 'AssignmentExpression' && mentions(node.right, found, code)) add(rootOf(node.left));
      else if (node.type === 'ForOfStatement' && mentions(node.right, found, code)) {
        add(node.left.type === 'VariableDeclaration' ? (node.left.declarations[0]?.id ?? node.left) : node.left);
      } else if (isFunction(node)) {
        const parent = code.parentOf(node);
        // `db.get(id).then((order) => …)`: what the function is given comes from the call.
        if (
          parent?.type === 'CallExpression' &&
          (mentions(parent.callee, found, code) ||
            parent.arguments.some((item) => item !== node && mentions(item, found, code)))
        ) {
          for (const param of node.params) add(param);
        }
      }
    }
  }
  return found;
}

/**
 * @param {AnyNode} pattern of a parameter
 * @param {AnyNode} body
 * @param {Code} code
 * @returns {Set<Binding>} its names, and constants that are made from it without waiting for an answer: `const id = order._id`
 */
export function directNames(pattern, body, code) {
  /** @type {Set<Binding>} */
  const found = new Set();
  const add = (/** @type {AnyNode} */ names) => {
    for (const id of boundIn(names)) {
      const binding = bindingAt(id, code.resolved);
      if (binding) found.add(binding);
    }
  };
  add(pattern);
  for (const node of code.nodesWithin(body)) {
    if (node.type !== 'VariableDeclarator' || !node.init || !mentions(node.init, found, code)) continue;
    const isAwaited = [node.init, ...code.nodesWithin(node.init)].some(({ type }) => type === 'AwaitExpression');
    const isConstant = boundIn(node.id).every((id) => {
      return bindingAt(id, code.resolved)?.references.every(({ writes, declares }) => !writes || declares) ?? false;
    });
    if (!isAwaited && isConstant) add(node.id);
  }
  return found;
}

/** @param {AnyNode} node @returns {AnyNode} the name that a chain of members begins with */
function rootOf(node) {
  let at = bare(node);
  while (at.type === 'MemberExpression') at = bare(at.object);
  return at;
}

/**
 * @param {AnyNode} node
 * @param {ReadonlySet<Binding>} bindings
 * @param {Code} code
 * @returns {boolean} whether one of these names is used in it
 */
export function mentions(node, bindings, code) {
  return bindings.size > 0 && namesIn(node, code).some(({ binding }) => bindings.has(binding));
}

/**
 * @param {AnyNode} node
 * @param {Code} code
 * @returns {{id: Identifier, binding: Binding}[]} the names that are used in it and declared in the file
 */
export function namesIn(node, code) {
  return [node, ...code.nodesWithin(node)].flatMap((inner) => {
    if (inner.type !== 'Identifier') return [];
    const binding = code.resolved.byNode.get(inner)?.binding;
    return binding ? [{ id: inner, binding }] : [];
  });
}
