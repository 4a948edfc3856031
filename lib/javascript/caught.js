// Determines what becomes of a throw: whether it is caught, and whether the `catch` makes up for it.

import { isFunction } from './names.js';
import { someNode } from './walk.js';

/** @import { AnyNode, CatchClause, TryStatement } from 'acorn' */
/** @import { Names } from './names.js' */

/**
 * `lost`: it is not caught, or what would follow is lost all the same. `other result`: the `catch` emits or returns something else. `made up for`:
 * what the `catch` does may be as good.
 * @typedef {'lost' | 'other result' | 'made up for'} Aftermath
 */

/**
 * @param {AnyNode} node
 * @param {Names['parents']} parents
 * @returns {Aftermath} of a throw of the node
 */
export function aftermathOf(node, parents) {
  for (let at = handledTry(node, parents); at; at = handledTry(at, parents)) {
    const leaves = idleExit(at.handler.body.body);
    if (leaves === 'throw') continue;
    const block = someNode(at.block, (part) => isResult(part, parents) && part.end >= node.end);
    if (leaves === undefined) {
      return block && someNode(at.handler, (part) => isResult(part, parents)) ? 'other result' : 'made up for';
    }
    return block || (leaves === 'return' && hasResultAfter(at, parents)) ? 'lost' : 'made up for';
  }
  return 'lost';
}

/**
 * @param {AnyNode} node
 * @param {Names['parents']} parents
 * @returns {(TryStatement & {handler: CatchClause}) | undefined} the innermost that catches a throw of the node, if it stands in the text around it
 */
export function handledTry(node, parents) {
  for (let at = node, parent = parents.get(at); parent; at = parent, parent = parents.get(at)) {
    if (parent.type === 'TryStatement' && parent.block === at && parent.handler) {
      return /** @type {TryStatement & {handler: CatchClause}} */ (parent);
    }
  }
  return undefined;
}

/**
 * @param {AnyNode[]} statements of a `catch`
 * @returns {'throw' | 'return' | 'end' | undefined} how it is left; undefined where it does more than writing to the log
 */
function idleExit(statements) {
  for (const statement of statements) {
    if (statement.type === 'ThrowStatement') return 'throw';
    if (statement.type === 'ReturnStatement' && !statement.argument) return 'return';
    const expression = statement.type === 'ExpressionStatement' ? statement.expression : undefined;
    const isLog =
      expression?.type === 'CallExpression' &&
      expression.callee.type === 'Identifier' &&
      expression.callee.name === 'log';
    if (statement.type !== 'EmptyStatement' && !isLog) return undefined;
  }
  return 'end';
}

/** @param {AnyNode} node @param {Names['parents']} parents @returns {boolean} whether the function around it emits or returns a value behind it */
function hasResultAfter(node, parents) {
  const owner = ownerOf(node, parents);
  return owner !== undefined && someNode(owner, (part) => isResult(part, parents) && part.start >= node.end);
}

/**
 * @param {AnyNode} node
 * @param {Names['parents']} parents
 * @returns {boolean} whether it emits a row, or returns a value of the whole function
 */
function isResult(node, parents) {
  if (node.type === 'CallExpression') return node.callee.type === 'Identifier' && node.callee.name === 'emit';
  if (node.type !== 'ReturnStatement' || !node.argument) return false;
  const owner = ownerOf(node, parents);
  return owner === undefined || ownerOf(owner, parents) === undefined;
}

/** @param {AnyNode} node @param {Names['parents']} parents @returns {AnyNode | undefined} the function that it stands in */
export function ownerOf(node, parents) {
  let at = parents.get(node);
  while (at && !isFunction(at)) at = parents.get(at);
  return at;
}
