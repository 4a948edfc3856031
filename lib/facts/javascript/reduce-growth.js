// Finds the places where the result of a reduce plainly grows with every row. A loop counts only where it plainly goes
// over all rows.

import { isFunction, onlyValueOf } from '../../javascript/names.js';
import { someNode } from '../../javascript/walk.js';

/** @import { AnyNode, Expression, Node } from 'acorn' */
/** @import { Uses } from './reduce-structure.js' */

/** The names of the parameters. @typedef {{keys: string | undefined, values: string | undefined, rereduce: string | undefined}} Parameters */

/** Methods that shorten a list, or pick from it: a list they are used on may be bounded. */
const BOUNDING_METHODS = new Set(['slice', 'splice', 'pop', 'shift', 'filter']);
/** Methods that call a function with each item. */
const EACH = new Set(['forEach', 'map', 'reduce', 'reduceRight', 'flatMap']);

/**
 * @param {Uses} uses
 * @param {Parameters} parameters
 * @returns {[Node, string][]}
 */
export function growthOf(uses, parameters) {
  const { keys, values } = parameters;
  /** @type {[Node, string][]} */
  const found = [];
  // A `return` among others may be there for few rows.
  const [only, ...others] = uses.returns;
  if (only?.value.type === 'Identifier' && others.length === 0) {
    const { value } = only;
    if (value.name === values || value.name === keys) found.push([value, `returns \`${value.name}\` unchanged`]);
  }
  if (uses.nodes.some(isBounding)) return found;
  const additions = uses.nodes.flatMap((node) => additionIn(node, uses) ?? []);
  for (const { node, name, text } of additions) {
    const choice = choiceAround(node, uses, parameters);
    if (choice === 'data') continue;
    // Where the function tests whether it rereduces, its result grows if it grows either way.
    const isOnBothWays =
      choice === undefined ||
      additions.some((other) => {
        const otherChoice = other.name === name ? choiceAround(other.node, uses, parameters) : undefined;
        return typeof otherChoice === 'object' && otherChoice.at === choice.at && otherChoice.isThen !== choice.isThen;
      });
    if (isOnBothWays && (choice === undefined || choice.isThen)) found.push([node, text]);
  }
  return found;
}

/**
 * @param {AnyNode} node
 * @param {Uses} uses
 * @returns {{node: Node, name: string, text: string} | undefined} where it adds to a list or string that is returned
 */
function additionIn(node, uses) {
  if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
    const { object, property } = node.callee;
    if (object.type !== 'Identifier' || property.type !== 'Identifier' || property.name !== 'push') return undefined;
    const { name } = object;
    const isList = uses.returned.has(name) && uses.accumulators.get(name) === 'list';
    return isList ? { node, name, text: `adds to \`${name}\` for every value` } : undefined;
  }
  if (node.type !== 'AssignmentExpression' || node.left.type !== 'Identifier') return undefined;
  const { name } = node.left;
  if (!uses.returned.has(name)) return undefined;
  const kind = uses.accumulators.get(name);
  if (kind === 'list' && isConcatOf(node.right, name)) {
    return { node, name, text: `adds to \`${name}\` for every value` };
  }
  if (kind !== 'text' || node.operator !== '+=') return undefined;
  return { node, name, text: `adds to the string \`${name}\` for every value` };
}

/**
 * What decides whether a statement runs for every value.
 * @param {Node} node
 * @param {Uses} uses
 * @param {Parameters} parameters
 * @returns {'data' | {at: Node, isThen: boolean} | undefined} undefined where nothing does; `data` where an `if`, `&&` or
 *   `switch` stands between it and its loop, which could keep the result small (distinct members, for one), or no loop around it
 *   plainly goes over all rows; else the one branch that it stands in of a test of `rereduce`
 */
function choiceAround(node, uses, parameters) {
  const parents = uses.parentsOf(node);
  let isOverRows = false;
  /** @type {{at: Node, isThen: boolean} | undefined} */
  let choice;
  for (const [index, parent] of parents.entries()) {
    const call = parents[index - 1];
    const isCallback = call !== undefined && isFunction(parent);
    if ((isLoop(parent) || isCallback) && canBeLeft(parent)) return 'data';
    isOverRows ||= isLoop(parent) && goesOverRows(parent, uses, parameters);
    isOverRows ||= isCallback && callsForRows(call, parameters);
    if (parent.type === 'IfStatement' && !choice && isTestOf(parent.test, parameters.rereduce)) {
      choice = { at: parent, isThen: parents[index + 1] === parent.consequent || node === parent.consequent };
    } else if (
      /^(IfStatement|ConditionalExpression|LogicalExpression|SwitchStatement|TryStatement)$/.test(parent.type)
    ) {
      return 'data';
    }
  }
  return isOverRows ? choice : 'data';
}

/** @param {AnyNode} node @returns {boolean} */
function isLoop({ type }) {
  return /^(For|ForIn|ForOf|While|DoWhile)Statement$/.test(type);
}

/**
 * @param {AnyNode} loop or what is called for each item
 * @returns {boolean} whether something in it may end it, or one turn of it, early
 */
function canBeLeft(loop) {
  return someNode(loop, ({ type }) => /^(Break|Continue|Return|Throw)Statement$/.test(type));
}

/**
 * @param {AnyNode} loop
 * @param {Uses} uses
 * @param {Parameters} parameters
 * @returns {boolean} whether it plainly goes over all rows: `for (i in values)`, `i < values.length`, `i = values.length; i--`
 */
function goesOverRows(loop, uses, parameters) {
  if (loop.type === 'ForInStatement' || loop.type === 'ForOfStatement') return areRows(loop.right, parameters);
  if (loop.type === 'ForStatement') {
    const heads = [loop.init, loop.test].flatMap((head) => (head ? [head] : []));
    return !heads.some(mayBound) && heads.some((head) => countsRows(head, uses, parameters));
  }
  if (loop.type !== 'WhileStatement' && loop.type !== 'DoWhileStatement') return false;
  return !mayBound(loop.test) && countsRows(loop.test, uses, parameters);
}

/**
 * @param {AnyNode} call that a function is an argument of
 * @param {Parameters} parameters
 * @returns {boolean} whether it calls the function for every row
 */
function callsForRows(call, parameters) {
  if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return false;
  const { object, property } = call.callee;
  return property.type === 'Identifier' && EACH.has(property.name) && areRows(object, parameters);
}

/**
 * @param {AnyNode} node
 * @param {Parameters} parameters
 * @returns {boolean} whether it is the values or the keys
 */
function areRows(node, parameters) {
  const { keys, values } = parameters;
  if (node.type === 'ParenthesizedExpression') return areRows(node.expression, parameters);
  return node.type === 'Identifier' && (node.name === values || node.name === keys);
}

/**
 * @param {AnyNode} head
 * @returns {boolean} whether something else than the number of rows may end the loop
 */
function mayBound(head) {
  return someNode(head, ({ type }) => /^(Call|Logical|Conditional|New)Expression$/.test(type));
}

/**
 * @param {AnyNode} head
 * @param {Uses} uses
 * @param {Parameters} parameters
 * @returns {boolean} whether it holds the number of rows, or a name that means just that
 */
function countsRows(head, uses, parameters) {
  return someNode(head, (node) => {
    if (isLengthOfRows(node, parameters)) return true;
    const binding = node.type === 'Identifier' ? uses.names.byNode.get(node)?.binding : undefined;
    const value = binding && onlyValueOf(binding, uses.names);
    return value !== undefined && isLengthOfRows(value, parameters);
  });
}

/**
 * @param {AnyNode} node
 * @param {Parameters} parameters
 * @returns {boolean}
 */
function isLengthOfRows(node, parameters) {
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return false;
  return node.property.name === 'length' && areRows(node.object, parameters);
}

/**
 * @param {Expression} node
 * @param {string | undefined} name
 * @returns {boolean} whether it is the name alone, or `!name`, or a comparison of it with a constant
 */
function isTestOf(node, name) {
  if (node.type === 'ParenthesizedExpression') return isTestOf(node.expression, name);
  if (node.type === 'UnaryExpression' && node.operator === '!') return isTestOf(node.argument, name);
  if (node.type === 'BinaryExpression' && node.left.type !== 'PrivateIdentifier') {
    return isTestOf(node.left, name) && node.right.type === 'Literal';
  }
  return node.type === 'Identifier' && node.name === name;
}

/**
 * @param {AnyNode} node
 * @param {string} name
 * @returns {boolean} whether it is `name.concat(…)`
 */
function isConcatOf(node, name) {
  return (
    node.type === 'CallExpression' &&
    node.callee.type === 'MemberExpression' &&
    node.callee.object.type === 'Identifier' &&
    node.callee.object.name === name &&
    node.callee.property.type === 'Identifier' &&
    node.callee.property.name === 'concat'
  );
}

/**
 * @param {AnyNode} node
 * @returns {boolean} whether it may keep a list short: a call, or a length that is set
 */
function isBounding(node) {
  if (node.type === 'AssignmentExpression') {
    const { left } = node;
    return left.type === 'MemberExpression' && left.property.type === 'Identifier' && left.property.name === 'length';
  }
  return (
    node.type === 'CallExpression' &&
    node.callee.type === 'MemberExpression' &&
    node.callee.property.type === 'Identifier' &&
    BOUNDING_METHODS.has(node.callee.property.name)
  );
}
