// Counts the operations of one pass through a section of code: a measure of work that is the same on every machine.

import { pushChildren } from '../../javascript/walk.js';

/** @import { AnyNode } from 'acorn' */

/** Types of nodes that do something: read a member, call, compute, assign, make an object, a list, a text or a function. */
const OPERATIONS = new Set([
  'ArrayExpression',
  'ArrowFunctionExpression',
  'AssignmentExpression',
  'AwaitExpression',
  'BinaryExpression',
  'CallExpression',
  'ConditionalExpression',
  'FunctionExpression',
  'LogicalExpression',
  'MemberExpression',
  'NewExpression',
  'ObjectExpression',
  'SpreadElement',
  'TaggedTemplateExpression',
  'TemplateLiteral',
  'UnaryExpression',
  'UpdateExpression',
  'YieldExpression',
]);

/**
 * @param {AnyNode} node
 * @returns {boolean}
 */
export function isOperation(node) {
  return OPERATIONS.has(node.type) || (node.type === 'VariableDeclarator' && node.init !== null);
}

/**
 * @param {AnyNode} node
 * @returns {number} operations of the node, without what is only sometimes evaluated (right of `&&`, the branches of `?:`) and without
 *   the insides of functions
 */
export function countOperations(node) {
  let count = 0;
  /** @type {AnyNode[]} */
  const waiting = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (isOperation(next)) count += 1;
    if (next.type === 'ConditionalExpression') waiting.push(next.test);
    else if (next.type === 'LogicalExpression') waiting.push(next.left);
    else if (next.type !== 'FunctionExpression' && next.type !== 'ArrowFunctionExpression') pushChildren(next, waiting);
  }
  return count;
}
