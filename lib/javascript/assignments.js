// Finds the names that a section of code assigns, in one pass: what a loop or a callback may have changed before.

import { remember } from '../shared/recent-memory.js';
import { openAll } from './flow-changes.js';
import { countStep } from './flow-state.js';
import { namesIn } from './names.js';
import { isKnownGlobal, isMethodOfLanguage } from './query-server.js';
import { isNumber, isText, unknown } from './values.js';
import { childrenOf, pushChildren, someNode, walkNodes } from './walk.js';

/** @import { AnyNode, Node } from 'acorn' */
/** @import { State, FlowWalk } from './flow-state.js' */
/** @import { FunctionNode } from './parse.js' */
/** @import { Scope } from './scope.js' */
/** @import { Value } from './values.js' */

/**
 * How a name is changed, the stronger over the weaker: its members only (`member`), by a number that is added (`step`), by
 * what is added (`append`), to anything (`other`).
 * @typedef {'member' | 'step' | 'append' | 'other'} Change
 */
/** @typedef {ReadonlyMap<string, Change>} Assignments */

/** @type {Change[]} */
const STRENGTH = ['member', 'step', 'append', 'other'];

/** Methods that change their list. */
export const MUTATORS = new Set(['push', 'unshift', 'pop', 'shift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin']);

/**
 * @param {FlowWalk} walk
 * @param {Node} node
 * @returns {Assignments} by name
 */
function assignmentsIn(walk, node) {
  const known = walk.assignments.get(node);
  if (known) return known;
  /** @type {Map<string, Change>} */
  const changes = new Map();
  /** @param {string} name @param {Change} change */
  const add = (name, change) => addChange(changes, name, change);
  /** @type {Node[]} */
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    countStep(walk, 0.1);
    const item = /** @type {AnyNode} */ (next);
    if (item.type === 'AssignmentExpression') {
      for (const name of namesIn(item.left)) add(name, changeBy(item));
      addRoot(item.left, add);
    } else if (item.type === 'UpdateExpression') {
      if (item.argument.type === 'Identifier') add(item.argument.name, 'step');
      addRoot(item.argument, add);
    } else if (item.type === 'UnaryExpression' && item.operator === 'delete') addRoot(item.argument, add);
    else if (item.type === 'VariableDeclarator' && item.init) for (const name of namesIn(item.id)) add(name, 'other');
    else if (item.type === 'ForInStatement' || item.type === 'ForOfStatement') {
      const left = item.left.type === 'VariableDeclaration' ? item.left.declarations[0]?.id : item.left;
      for (const name of left ? namesIn(left) : []) add(name, 'other');
    } else if (item.type === 'CallExpression') {
      for (const name of namesChangedBy(item)) add(name, 'member');
    }
    pushChildren(item, /** @type {AnyNode[]} */ (open));
  }
  walk.assignments.set(node, changes);
  return changes;
}

/**
 * @param {Map<string, Change>} changes changed
 * @param {string} name
 * @param {Change} change
 */
export function addChange(changes, name, change) {
  const before = changes.get(name);
  if (!before || STRENGTH.indexOf(before) < STRENGTH.indexOf(change)) changes.set(name, change);
}

/**
 * @param {import('acorn').CallExpression} node
 * @returns {string[]} names whose objects it may change
 */
function namesChangedBy({ callee, arguments: given }) {
  /** @type {string[]} */
  const names = [];
  if (callee.type === 'MemberExpression') {
    const method = callee.property.type === 'Identifier' && !callee.computed ? callee.property.name : '';
    if (!isMethodOfLanguage(method) || MUTATORS.has(method)) addRoot(callee, (name) => names.push(name));
    if (isMethodOfLanguage(method)) return names;
  } else if (callee.type === 'Identifier' && (callee.name === 'emit' || isKnownGlobal(callee.name))) return names;
  return names.concat(given.flatMap((item) => (item.type === 'Identifier' ? [item.name] : [])));
}

/**
 * @param {import('acorn').AssignmentExpression} node
 * @returns {Change}
 */
function changeBy({ operator, left, right }) {
  if (left.type !== 'Identifier') return 'other';
  if (operator === '=') {
    // `total = total + line.price` is `total += line.price`.
    /** @type {AnyNode} */
    let first = right;
    while (first.type === 'BinaryExpression' && first.operator === '+') first = first.left;
    return first !== right && first.type === 'Identifier' && first.name === left.name ? 'append' : 'other';
  }
  const isNumberLiteral = right.type === 'Literal' && typeof right.value === 'number';
  if (isNumberLiteral && (operator === '+=' || operator === '-=')) return 'step';
  return operator === '+=' ? 'append' : 'other';
}

/**
 * @param {Node} target `rows.first.total`
 * @param {(name: string, change: Change) => void} add called with `rows`
 */
function addRoot(target, add) {
  let node = /** @type {AnyNode} */ (target);
  if (node.type !== 'MemberExpression') return;
  while (node.type === 'MemberExpression') node = node.object;
  if (node.type === 'Identifier') add(node.name, 'member');
}

/**
 * @param {FlowWalk} walk
 * @param {FunctionNode} fn
 * @returns {Assignments} of names that it does not declare itself
 */
export function assignmentsOf(walk, fn) {
  const changes = new Map(assignmentsIn(walk, fn.body));
  walkNodes([/** @type {AnyNode} */ (fn)], (node) => {
    countStep(walk, 0.1);
    if (node.type === 'VariableDeclarator') for (const name of namesIn(node.id)) changes.delete(name);
    if (/Function/.test(node.type)) {
      for (const param of /** @type {FunctionNode} */ (node).params)
        for (const name of namesIn(param)) changes.delete(name);
    }
  });
  return changes;
}

/** Whether it may give its parameters other values through `arguments`, which holds the same variables in sloppy code. */
export const mayChangeArguments = remember((/** @type {FunctionNode} */ fn) =>
  someNode(fn, (node) => {
    if (node.type === 'MemberExpression' && isArguments(node.object)) return false;
    if (node.type === 'AssignmentExpression' || node.type === 'UpdateExpression' || node.type === 'UnaryExpression') {
      const target = node.type === 'AssignmentExpression' ? node.left : node.argument;
      if (target.type === 'MemberExpression' && isArguments(target.object)) return true;
    }
    return childrenOf(node).some(isArguments);
  }),
);

/**
 * @param {Node} node
 * @returns {boolean}
 */
function isArguments(node) {
  return node.type === 'Identifier' && /** @type {import('acorn').Identifier} */ (node).name === 'arguments';
}

/**
 * Forgets what a stretch of code may have changed when it runs once more.
 * @param {FlowWalk} walk
 * @param {Node} node
 * @param {State} state changed
 * @param {Scope} scope
 */
export function unsettle(walk, node, state, scope) {
  const changes = assignmentsIn(walk, node);
  for (const [name, change] of changes) forgetName(walk, name, change, state, scope);
  unsettleByClosures(walk, state, scope);
}

/**
 * Forgets what inner functions may have changed, when one of them runs at some time, or any number of times: it may call
 * the others.
 * @param {FlowWalk} walk
 * @param {State} state changed
 * @param {Scope} scope the function stands in
 */
export function unsettleByClosures(walk, state, scope) {
  for (const [name, change] of walk.assignedByClosures) forgetName(walk, name, change, state, scope);
}

/**
 * @param {FlowWalk} walk
 * @param {string} name
 * @param {Change} change
 * @param {State} state changed
 * @param {Scope} scope
 */
function forgetName(walk, name, change, state, scope) {
  const variable = scope.find(name);
  if (!variable) return;
  const value = state.values.get(variable);
  // Whatever else it is, its members may be changed before.
  if (value) openAll(walk, state, value);
  if (change !== 'member') state.values.set(variable, changed(walk, name, value, change));
}

/**
 * @param {FlowWalk} walk
 * @param {string} name
 * @param {Value | undefined} value
 * @param {Change} change
 * @returns {Value}
 */
function changed(walk, name, value, change) {
  // Counters stay numbers, and texts that are added to stay texts.
  if (value && change === 'step' && isNumber(value)) return { kind: 'typed', type: 'number' };
  if (value && change === 'append' && isText(value)) return { kind: 'typed', type: 'string' };
  if (value && change === 'append' && isNumber(value) && walk.trustsSums) {
    const reason = walk.noSums.get(name);
    if (reason !== undefined) return unknown(reason);
    walk.sums.add(name);
    return { kind: 'typed', type: 'number' };
  }
  return unknown(`\`${name}\` is assigned in a loop or by another function`);
}
