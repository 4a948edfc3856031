// Holds the state of a walk through a function: the values of its variables and what is known of the document.

import { Bailout, TOO_LARGE } from '../shared/bailout.js';
import { common } from './path-facts.js';
import { renumbered, UNDEFINED, unionOf } from './values.js';

/** @import { CallExpression, Expression, Node, PrivateIdentifier, SpreadElement, Super } from 'acorn' */
/** @import { Assignments, Change } from './assignments.js' */
/** @import { EmitSite, RiskyRead, ThrowSite } from './flow.js' */
/** @import { PathFacts } from './path-facts.js' */
/** @import { FunctionNode } from './parse.js' */
/** @import { Names } from './names.js' */
/** @import { Scope } from './scope.js' */
/** @import { Value } from './values.js' */

/** Steps after which a function is too large to follow. One step is some microseconds of work. */
const MAX_STEPS = 40_000;

/** Values of variables that are copied, joined or searched for the price of one step. */
export const VALUES_PER_STEP = 16;

/** Thrown where a function cannot be followed. */
export class GivenUp extends Error {}

/** @typedef {Expression | Super | PrivateIdentifier | SpreadElement} Evaluated */

/** @typedef {{values: Map<symbol, Value>, pathFacts: PathFacts, isOver: boolean}} State what holds at one point of the
 *  function; `isOver` where an expression always throws */
/** @typedef {{node: Node, argument: Node | undefined, value: Value, state: State}} Exit a return, and what holds there */
/** @typedef {{labels: string[], kind: 'loop' | 'switch' | 'labelled', breaks: State[], continues: State[]}} Target of `break` and `continue` */
/** @typedef {{scope: Scope, isCaught: boolean, exits: Exit[], calls: FunctionNode[], targets: Target[], loops: readonly Loop[]}} Frame what it is inside of */
/** @typedef {{node: Node, over: Value}} Loop a loop, or a call with a callback for each element, and what it goes over */

/**
 * @typedef {object} Call
 * @property {CallExpression} node
 * @property {string} name of the method or of the global function; empty where it is computed, or none
 * @property {Value[]} values of the arguments
 * @property {boolean} hasSpread whether some of them are spread: how many there are is then not known
 */

/**
 * @typedef {object} FlowWalk What a whole walk gathers.
 * @property {Names} names of the whole text
 * @property {string[]} parameters
 * @property {string} emitter `emit`, or `index` in the function of a search index
 * @property {EmitSite[]} emits
 * @property {Map<string, RiskyRead>} reads by path
 * @property {ThrowSite[]} throws
 * @property {Set<string>} mentioned
 * @property {boolean} callsUnknown
 * @property {Set<Node>} undeclared names that it reaches, and that neither the text nor the list of known names has
 * @property {number} steps
 * @property {Map<string | Node, string>} noSums names, and callbacks of `reduce`, of which a walk has shown that the number
 *   that grows there does not stay one, with the reason; kept for the next walk, which then does not take it for one
 * @property {boolean} trustsSums whether it takes numbers that grow for numbers at all
 * @property {Set<string>} sums names that this walk takes for numbers that grow and stay numbers
 * @property {Map<Node, Assignments>} assignments by the node they stand in
 * @property {Map<string, Change>} assignedByClosures names that inner functions assign outside of themselves
 * @property {boolean} closuresChangeAny whether they change members of what they are given, or of what has no name
 */

/**
 * @param {FlowWalk} walk
 * @param {number} [cost]
 * @throws {Bailout}
 */
export function countStep(walk, cost = 1) {
  walk.steps += cost;
  if (walk.steps > MAX_STEPS) throw new Bailout(TOO_LARGE);
}

/**
 * @param {FlowWalk} walk
 * @param {State} state whose values are gone through
 */
export function countValues(walk, state) {
  countStep(walk, 1 + state.values.size / VALUES_PER_STEP);
}

/**
 * @param {FlowWalk} walk
 * @param {State} state
 * @returns {State}
 */
export function copy(walk, state) {
  countValues(walk, state);
  return { ...state, values: new Map(state.values) };
}

/**
 * @param {FlowWalk} walk
 * @param {(State | undefined)[]} states those that are over, or undefined, do not count
 * @returns {State | undefined} what holds after any of them
 */
export function join(walk, states) {
  const [first, ...others] = states.filter((state) => state !== undefined && !state.isOver);
  if (!first || others.length === 0) return first;
  const values = new Map(first.values);
  let { pathFacts } = first;
  for (const other of others) {
    if (!other) continue;
    countValues(walk, first);
    countValues(walk, other);
    for (const [variable, value] of values) {
      const second = other.values.get(variable);
      // Which of the two it holds is not known, although they may look the same.
      if (second !== value) values.set(variable, renumbered(unionOf([value, second ?? UNDEFINED])));
    }
    for (const [variable, value] of other.values) {
      if (!values.has(variable)) values.set(variable, renumbered(unionOf([UNDEFINED, value])));
    }
    pathFacts = common(pathFacts, other.pathFacts);
  }
  return { values, pathFacts, isOver: false };
}

/**
 * Replaces a state by the one that was reached; it is over where none was.
 * @param {State} state changed
 * @param {State | undefined} reached
 */
export function replaceState(state, reached) {
  if (!reached) state.isOver = true;
  else if (reached !== state) Object.assign(state, reached);
}
