// Interprets `try` statements: whatever way the block or its handler completes, the finalizer runs next (ECMA-262, TryStatement).

import { unsettle } from './assignments.js';
import { bind } from './flow-members.js';
import { copy, join } from './flow-state.js';
import { newTarget, walkStatement } from './flow-statements.js';
import { Scope } from './scope.js';
import { unknown } from './values.js';

/** @import { AnyNode, BlockStatement, TryStatement } from 'acorn' */
/** @import { Exit, Frame, State, Target, FlowWalk } from './flow-state.js' */
/** @import { Value } from './values.js' */

/**
 * @param {FlowWalk} walk
 * @param {TryStatement} statement
 * @param {State} state used up
 * @param {Frame} frame
 * @returns {State | undefined}
 */
export function walkTry(walk, { block, handler, finalizer }, state, frame) {
  const throwsBefore = walk.throws.length;
  // What leaves the block or its handler comes to the finalizer first.
  const inner = finalizer ? { ...frame, exits: [], targets: frame.targets.map(withoutLeaving) } : frame;
  const isCaught = frame.isCaught || Boolean(handler && !throwsOn(handler));
  let thrown = thrownWithin(walk, block, state, frame);
  const tried = walkStatement(walk, block, state, { ...inner, isCaught }, []);
  /** @type {State | undefined} */
  let caught;
  if (handler) {
    const within = { ...inner, scope: new Scope(frame.scope).declareNamesOf(walk.names, handler) };
    if (handler.param) bind(walk, handler.param, unknown('it was thrown'), thrown, within);
    const start = thrown;
    thrown = thrownWithin(walk, handler.body, start, within);
    caught = walkStatement(walk, handler.body, start, within, []);
  }
  const normal = join(walk, [tried, caught]);
  if (!finalizer) return normal;
  const left = inner.targets.flatMap(({ breaks, continues }) => [...breaks, ...continues]);
  const start = join(walk, [normal, thrown, ...inner.exits.map((exit) => exit.state), ...left]);
  const end = start && walkStatement(walk, finalizer, copy(walk, start), frame, []);
  if (end) leaveBehind(walk, inner, end, frame);
  // A finalizer that leaves by itself replaces what was thrown.
  else for (const site of walk.throws.slice(throwsBefore)) site.isCaught = true;
  return normal && end;
}

/** @param {Target} target @returns {Target} the same, which nothing leaves to yet */
function withoutLeaving({ kind, labels }) {
  return newTarget(kind, labels);
}

/**
 * Goes on to where the block of a `try` or its handler was leaving, behind the finalizer.
 * @param {FlowWalk} walk
 * @param {Frame} inner
 * @param {State} end of the finalizer
 * @param {Frame} frame
 */
function leaveBehind(walk, inner, end, frame) {
  for (const exit of inner.exits) frame.exits.push({ ...exit, value: changedBehind(exit), state: copy(walk, end) });
  inner.targets.forEach(({ breaks, continues }, at) => {
    if (breaks.length > 0) frame.targets[at]?.breaks.push(copy(walk, end));
    if (continues.length > 0) frame.targets[at]?.continues.push(copy(walk, end));
  });
}

/** @param {Exit} exit @returns {Value} what is returned: the finalizer may change its members, and what is known of places was known before it */
function changedBehind({ value }) {
  return value.kind === 'constant' || value.kind === 'typed' ? value : unknown('it is returned before a `finally`');
}

/**
 * @param {FlowWalk} walk
 * @param {BlockStatement} block
 * @param {State} state where it begins
 * @param {Frame} frame
 * @returns {State} what holds wherever in the block something is thrown
 */
function thrownWithin(walk, block, state, frame) {
  const thrown = copy(walk, state);
  unsettle(walk, block, thrown, frame.scope);
  return thrown;
}

/**
 * @param {import('acorn').CatchClause} handler
 * @returns {boolean} whether it always throws on what it caught: then nothing is caught
 */
function throwsOn({ param, body }) {
  const last = body.body.at(-1);
  if (param?.type !== 'Identifier' || last?.type !== 'ThrowStatement') return false;
  const isSame = last.argument.type === 'Identifier' && last.argument.name === param.name;
  // Only `log(e); throw e;`: what stands before it neither leaves nor gives the name another value.
  return isSame && body.body.slice(0, -1).every(isPlainCall);
}

/**
 * @param {AnyNode} statement
 * @returns {boolean}
 */
function isPlainCall(statement) {
  return statement.type === 'ExpressionStatement' && statement.expression.type === 'CallExpression';
}
