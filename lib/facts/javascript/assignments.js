// Which names a stretch of code assigns, found by looking at it once: what a loop or a callback may have changed before.

import { countStep } from './flow-state.js';
import { namesIn } from './scope.js';
import { isNumber, isText, opened, unknown } from './values.js';
import { childrenOf, walkNodes } from './walk.js';

/** @import { AnyNode, Node } from 'acorn' */
/** @import { State, Walk } from './flow-state.js' */
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
export const MUTATORS = new Set(['push', 'unshift', 'pop', 'shift', 'splice', 'sort', 'reverse', 'fill']);

/**
 * @param {Walk} walk
 * @param {Node} node
 * @returns {Assignments} by name
 */
export function assignmentsIn(walk, node) {
  const known = walk.assignments.get(node);
  if (known) return known;
  /** @type {Map<string, Change>} */
  const changes = new Map();
  /** @param {string} name @param {Change} change */
  const add = (name, change) => {
    const before = changes.get(name);
    if (!before || STRENGTH.indexOf(before) < STRENGTH.indexOf(change)) changes.set(name, change);
  };
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
    } else if (item.type === 'CallExpression' && item.callee.type === 'MemberExpression') {
      const { property } = item.callee;
      if (property.type === 'Identifier' && MUTATORS.has(property.name)) addRoot(item.callee, add);
    }
    open.push(...childrenOf(item));
  }
  walk.assignments.set(node, changes);
  return changes;
}

/**
 * @param {import('acorn').AssignmentExpression} node
 * @returns {Change}
 */
function changeBy({ operator, left, right }) {
  if (left.type !== 'Identifier') return 'other';
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
 * @param {Walk} walk
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

/**
 * Forgets what a stretch of code may have changed when it runs once more.
 * @param {Walk} walk
 * @param {Node} node
 * @param {State} state changed
 * @param {Scope} scope
 */
export function unsettle(walk, node, state, scope) {
  const changes = assignmentsIn(walk, node);
  for (const [name, change] of changes) forgetName(name, change, state, scope);
  for (const [name, change] of walk.assignedByClosures) forgetName(name, change, state, scope);
}

/**
 * Forgets what a function may have changed that runs at some time, or any number of times.
 * @param {Walk} walk
 * @param {FunctionNode} fn
 * @param {State} state changed
 * @param {Scope} scope the function stands in
 */
export function unsettleBy(walk, fn, state, scope) {
  for (const [name, change] of assignmentsOf(walk, fn)) forgetName(name, change, state, scope);
}

/**
 * @param {string} name
 * @param {Change} change
 * @param {State} state changed
 * @param {Scope} scope
 */
function forgetName(name, change, state, scope) {
  const variable = scope.find(name);
  if (!variable) return;
  const value = state.values.get(variable);
  state.values.set(variable, changed(name, value, change));
}

/**
 * @param {string} name
 * @param {Value | undefined} value
 * @param {Change} change
 * @returns {Value}
 */
function changed(name, value, change) {
  if (value && change === 'member') return opened(value);
  // Counters stay numbers, and texts that are added to stay texts.
  if (value && change === 'step' && isNumber(value)) return { kind: 'typed', type: 'number' };
  if (value && change === 'append' && isText(value)) return { kind: 'typed', type: 'string' };
  return unknown(`\`${name}\` is assigned in a loop or by another function`);
}
