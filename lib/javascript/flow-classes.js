// Evaluates classes: what runs where they are defined (ECMA-262, ClassDefinitionEvaluation), and what may run later.

import { follow } from './flow-calls.js';
import { evaluate } from './flow-expressions.js';
import { copy, join, replaceState } from './flow-state.js';
import { walkStatements } from './flow-statements.js';
import { withTest } from './path-facts.js';
import { Scope } from './scope.js';
import { unknown } from './values.js';

/** @import { Class, Expression } from 'acorn' */
/** @import { Frame, State, FlowWalk } from './flow-state.js' */
/** @import { Value } from './values.js' */

/**
 * @param {FlowWalk} walk
 * @param {Class} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
export function followClass(walk, node, state, frame) {
  if (node.superClass) evaluate(walk, node.superClass, state, frame);
  for (const item of node.body.body) {
    if (item.type === 'StaticBlock') {
      const scope = new Scope(frame.scope).declareNamesOf(walk.names, item);
      replaceState(state, walkStatements(walk, item.body, copy(walk, state), { ...frame, scope, targets: [] }));
      continue;
    }
    if (item.computed) evaluate(walk, /** @type {Expression} */ (item.key), state, frame);
    if (!item.value) continue;
    if (item.type === 'PropertyDefinition' && item.static) evaluate(walk, item.value, state, frame);
    else followLater(walk, item.value, state, frame);
  }
  return unknown('it is a class');
}

/**
 * Follows a method, or what makes a member of each object of a class: whether and when it runs is not known.
 * @param {FlowWalk} walk
 * @param {Expression} node
 * @param {State} state changed
 * @param {Frame} frame
 */
function followLater(walk, node, state, frame) {
  const before = state.pathFacts;
  const inside = copy(walk, state);
  inside.pathFacts = withTest(before);
  follow(walk, evaluate(walk, node, inside, frame), undefined, inside, frame);
  replaceState(state, join(walk, [state, inside]));
  state.pathFacts = { ...before, assigned: inside.pathFacts.assigned };
}
