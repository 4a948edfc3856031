// Finds the names that a section of code assigns, in one pass: what a loop or a callback may have changed before.

import { remember } from '../shared/recent-memory.js';
import { openAll, openState } from './flow-changes.js';
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
/**
 * @typedef {object} Assignments
 * @property {ReadonlyMap<string, Change>} changes by name
 * @property {ReadonlySet<string>} roots names through which members are changed: `rows` of `rows.first.total = 1`
 * @property {boolean} changesAny whether members are changed of something that has another name outside, or none
 */

/** @type {Change[]} */
const STRENGTH = ['member', 'step', 'append', 'other'];

/** Methods that change their list. */
export const MUTATORS = new Set(['push', 'unshift', 'pop', 'shift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin']);

/**
 * @param {FlowWalk} walk
 * @param {Node} node
 * @returns {Assignments}
 */
export function assignmentsIn(walk, node) {
  const known = walk.assignments.get(node);
  if (known) return known;
  const found = new Found();
  /** @type {Node[]} */
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    countStep(walk, 0.1);
    found.look(/** @type {AnyNode} */ (next));
    pushChildren(/** @type {AnyNode} */ (next), /** @type {AnyNode[]} */ (open));
  }
  const { changes, roots } = found;
  // A name that is given a value inside may stand for anything that the code outside has under another name.
  const isAlias = (/** @type {string} */ root) => found.inner.has(root) || changes.get(root) === 'other';
  const assignments = { changes, roots, changesAny: found.changesAny || [...roots].some(isAlias) };
  walk.assignments.set(node, assignments);
  return assignments;
}

class Found {
  /** @type {Map<string, Change>} */
  changes = new Map();
  /** @type {Set<string>} */
  roots = new Set();
  /** Parameters of functions inside. @type {Set<string>} */
  inner = new Set();
  changesAny = false;

  /** @param {AnyNode} item */
  look(item) {
    switch (item.type) {
      case 'AssignmentExpression':
        for (const name of namesIn(item.left)) this.#add(name, changeBy(item));
        this.#changeTarget(item.left);
        break;
      case 'UpdateExpression':
        if (item.argument.type === 'Identifier') this.#add(item.argument.name, 'step');
        this.#changeTarget(item.argument);
        break;
      case 'UnaryExpression':
        if (item.operator === 'delete') this.#changeTarget(item.argument);
        break;
      case 'VariableDeclarator':
        if (item.init) for (const name of namesIn(item.id)) this.#add(name, 'other');
        break;
      case 'ForInStatement':
      case 'ForOfStatement': {
        const left = item.left.type === 'VariableDeclaration' ? item.left.declarations[0]?.id : item.left;
        for (const name of left ? namesIn(left) : []) this.#add(name, 'other');
        if (left) this.#changeTarget(left);
        break;
      }
      case 'CallExpression':
        this.#call(item);
        break;
      case 'NewExpression':
        for (const given of item.arguments) this.#handOut(given);
        break;
      case 'TaggedTemplateExpression':
        for (const given of item.quasi.expressions) this.#handOut(given);
        break;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        for (const param of item.params) for (const name of namesIn(param)) this.inner.add(name);
        break;
      default:
    }
  }

  /** @param {string} name @param {Change} change */
  #add(name, change) {
    addChange(this.changes, name, change);
  }

  /** @param {Node} target that is written to, or in the pattern of an assignment */
  #changeTarget(target) {
    walkNodes([/** @type {AnyNode} */ (target)], (node) => {
      if (node.type === 'MemberExpression') this.#changeMembers(node.object);
    });
  }

  /** @param {AnyNode} holder of the member */
  #changeMembers(holder) {
    let node = holder;
    while (node.type === 'MemberExpression') node = node.object;
    if (node.type !== 'Identifier') {
      this.changesAny = true;
      return;
    }
    this.roots.add(node.name);
    this.#add(node.name, 'member');
  }

  /** @param {import('acorn').CallExpression} node */
  #call({ callee, arguments: given }) {
    if (callee.type === 'MemberExpression') {
      const method = callee.property.type === 'Identifier' && !callee.computed ? callee.property.name : '';
      const isOfLanguage = isMethodOfLanguage(method);
      if (callee.object.type !== 'Super' && (!isOfLanguage || MUTATORS.has(method))) this.#changeMembers(callee.object);
      if (isOfLanguage) return;
    } else if (callee.type === 'Identifier' && (callee.name === 'emit' || isKnownGlobal(callee.name))) return;
    for (const item of given) this.#handOut(item);
  }

  /** @param {AnyNode} given to code that may change members of whatever it can reach from there */
  #handOut(given) {
    walkNodes([given], (node) => {
      if (node.type === 'Identifier') this.#changeMembers(node);
    });
  }
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
 * @param {FlowWalk} walk
 * @param {FunctionNode} fn
 * @returns {Assignments} of names that it does not declare itself
 */
export function assignmentsOf(walk, fn) {
  const { changes: all, roots, changesAny } = assignmentsIn(walk, fn.body);
  const changes = new Map(all);
  walkNodes([/** @type {AnyNode} */ (fn)], (node) => {
    countStep(walk, 0.1);
    if (node.type === 'VariableDeclarator') for (const name of namesIn(node.id)) changes.delete(name);
    if (/Function/.test(node.type)) {
      for (const param of /** @type {FunctionNode} */ (node).params)
        for (const name of namesIn(param)) changes.delete(name);
    }
  });
  return { changes, roots, changesAny: changesAny || [...roots].some((root) => !changes.has(root)) };
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
  const { changes, changesAny } = assignmentsIn(walk, node);
  if (changesAny) openState(walk, state);
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
  if (walk.closuresChangeAny) openState(walk, state);
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
