// Determines whether a loop is certain to end once a given node in it has run.

import { isFunction } from '../../javascript/names.js';
import { memberName } from '../../javascript/parse.js';

/** @import { AnyNode, BreakStatement } from 'acorn' */
/** @import { Names } from '../../javascript/names.js' */

/** Methods of lists that stop at what their callback returns. */
const STOPPABLE = new Set(['some', 'every', 'find', 'findIndex', 'findLast', 'findLastIndex']);
const JUMP = /^(?:Return|Break|Continue|Throw)Statement$/;
const BREAKABLE = /^(?:For|While|DoWhile|Switch)/;

/**
 * @param {AnyNode} loop a loop, or a call with a callback for each element
 * @param {AnyNode} node in it
 * @param {Names} names
 * @returns {boolean} whether the node is run once at most: the loop is left behind it, whatever comes
 */
export function isRunOnce(loop, node, { parents }) {
  let at = node;
  for (let parent = parents.get(at); parent && at !== loop; parent = parents.get(at)) {
    const jump = at.type === 'ReturnStatement' ? at : jumpBehind(at, parent);
    if (jump && leaves(jump, loop, parents)) return true;
    at = parent;
  }
  return false;
}

/**
 * @param {AnyNode} node
 * @param {AnyNode} parent
 * @returns {AnyNode | undefined} the first statement behind it that always goes elsewhere
 */
function jumpBehind(node, parent) {
  const statements =
    parent.type === 'BlockStatement' ? parent.body : parent.type === 'SwitchCase' ? parent.consequent : [];
  const behind = statements.slice(statements.findIndex(({ start }) => start === node.start) + 1);
  return firstJump(behind);
}

/**
 * @param {readonly AnyNode[]} statements
 * @returns {AnyNode | undefined}
 */
function firstJump(statements) {
  for (const statement of statements) {
    const jump = statement.type === 'BlockStatement' ? firstJump(statement.body) : statement;
    if (jump && JUMP.test(jump.type)) return jump;
  }
  return undefined;
}

/**
 * @param {AnyNode} jump
 * @param {AnyNode} loop
 * @param {Names['parents']} parents
 * @returns {boolean}
 */
function leaves(jump, loop, parents) {
  if (jump.type === 'BreakStatement') return breaksOut(jump, loop, parents);
  if (jump.type !== 'ReturnStatement') return false;
  for (let at = parents.get(jump); at; at = parents.get(at)) {
    if (at === loop) return true;
    if (isFunction(at)) return parents.get(at) === loop && isStoppable(loop);
  }
  return false;
}

/**
 * @param {BreakStatement} jump
 * @param {AnyNode} loop
 * @param {Names['parents']} parents
 * @returns {boolean}
 */
function breaksOut(jump, loop, parents) {
  const { label } = jump;
  let isInLoop = true;
  for (let at = parents.get(jump); at && !isFunction(at); at = parents.get(at)) {
    if (!label && BREAKABLE.test(at.type)) return at === loop;
    if (at === loop) isInLoop = false;
    if (label && at.type === 'LabeledStatement' && at.label.name === label.name) return !isInLoop;
  }
  return false;
}

/** @param {AnyNode} loop @returns {boolean} */
function isStoppable(loop) {
  if (loop.type !== 'CallExpression' || loop.callee.type !== 'MemberExpression') return false;
  return STOPPABLE.has(memberName(loop.callee) ?? '');
}
