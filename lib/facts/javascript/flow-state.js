// Where a walk through a function stands: the values of its variables and what is known of the document.

import { common } from './knowledge.js';
import { namesIn } from './scope.js';
import { UNDEFINED, unite } from './values.js';

/** @import { AnyNode, Node, Pattern } from 'acorn' */
/** @import { EmitSite, RiskyRead, ReturnSite, ThrowSite } from './flow.js' */
/** @import { Knowledge } from './knowledge.js' */
/** @import { FunctionNode } from './parse.js' */
/** @import { Scope } from './scope.js' */
/** @import { Value } from './values.js' */

/** Steps after which a function is too large to follow. */
const MOST_STEPS = 20_000;

/** Thrown where the work is too much. */
export class TooLarge extends Error {}

/** @typedef {{values: Map<symbol, Value>, knowledge: Knowledge}} State what holds at one point of the function */
/** @typedef {{scope: Scope, depth: number, isCaught: boolean, returns: ReturnSite[], calls: FunctionNode[]}} Frame what it is inside of */

/**
 * @typedef {object} Walk What a whole walk gathers.
 * @property {string[]} parameters
 * @property {EmitSite[]} emits
 * @property {Map<string, RiskyRead>} reads by path
 * @property {ThrowSite[]} throws
 * @property {Set<string>} mentioned
 * @property {boolean} callsUnknown
 * @property {number} steps
 */

/** @param {Walk} walk @throws {TooLarge} */
export function countStep(walk) {
  walk.steps += 1;
  if (walk.steps > MOST_STEPS) throw new TooLarge();
}

/**
 * @param {State} state
 * @returns {State}
 */
export function copy(state) {
  return { values: new Map(state.values), knowledge: state.knowledge };
}

/**
 * @param {State | undefined} first
 * @param {State | undefined} second
 * @returns {State | undefined} what holds after either
 */
export function join(first, second) {
  if (!first || !second) return first ?? second;
  const values = new Map(first.values);
  for (const [variable, value] of second.values) {
    const other = values.get(variable);
    if (other !== value) values.set(variable, unite([other ?? UNDEFINED, value]));
  }
  return { values, knowledge: common(first.knowledge, second.knowledge) };
}

/** Children of a node, whatever it is. @param {Node} node @returns {Node[]} */
export function children(node) {
  return Object.values(node).flatMap((value) =>
    (Array.isArray(value) ? value : [value]).filter(
      (item) => item !== null && typeof item === 'object' && typeof item.type === 'string',
    ),
  );
}

/**
 * @param {Node} node
 * @returns {Set<string>} names that are assigned anywhere in it
 */
export function assignedIn(node) {
  /** @type {Set<string>} */
  const names = new Set();
  /** @type {Node[]} */
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    const item = /** @type {AnyNode} */ (next);
    if (item.type === 'AssignmentExpression')
      for (const name of namesIn(/** @type {Pattern} */ (item.left))) names.add(name);
    if (item.type === 'UpdateExpression' && item.argument.type === 'Identifier') names.add(item.argument.name);
    if (
      item.type === 'AssignmentExpression' &&
      item.left.type === 'MemberExpression' &&
      item.left.object.type === 'Identifier'
    )
      names.add(item.left.object.name);
    open.push(...children(item));
  }
  return names;
}

/**
 * @param {Node} node
 * @param {string} name
 * @returns {boolean} whether the variable is given anything but a step up or down
 */
export function assignsOther(node, name) {
  /** @type {Node[]} */
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    const item = /** @type {AnyNode} */ (next);
    if (item.type === 'AssignmentExpression' && namesIn(/** @type {Pattern} */ (item.left)).includes(name)) {
      const isStep =
        /^[+-]=$/.test(item.operator) && item.right.type === 'Literal' && typeof item.right.value === 'number';
      if (!isStep) return true;
    }
    open.push(...children(item));
  }
  return false;
}

/**
 * @param {AnyNode} node
 * @returns {boolean} whether a break of the switch around it stands in it
 */
export function holdsBreak(node) {
  if (node.type === 'BreakStatement') return true;
  if (/^(For|ForIn|ForOf|While|DoWhile|Switch)Statement$|Function/.test(node.type)) return false;
  return children(node).some((child) => holdsBreak(/** @type {AnyNode} */ (child)));
}
