// Walks a function as it would run, with values in place of data: which emits it comes to with what, what it reads that may
// be missing, what it returns and throws. Never runs anything, and gives up where it grows too large.

import { bind } from './flow-members.js';
import { parameterValue } from './flow-operators.js';
import { TooLarge } from './flow-state.js';
import { walkBody } from './flow-statements.js';
import { NOTHING_KNOWN } from './knowledge.js';
import { namesIn, Scope } from './scope.js';
import { unknown } from './values.js';

/** @import { CallExpression, Expression, MemberExpression, Node, Pattern } from 'acorn' */
/** @import { Frame, State, Walk } from './flow-state.js' */
/** @import { Knowledge } from './knowledge.js' */
/** @import { FunctionNode } from './parse.js' */
/** @import { Value } from './values.js' */

/** @typedef {{node: CallExpression, key: Value, value: Value, hasValue: boolean, valueNode: Node | undefined, knowledge: Knowledge}} EmitSite */
/** @typedef {{node: MemberExpression | Expression | Pattern, path: string, isCall: boolean, isTested: boolean}} RiskyRead a read below `path`, which may be missing */
/** @typedef {{node: Node, argument: Node | undefined, value: Value}} ReturnSite */
/** @typedef {{node: Node, argument: Expression, value: Value, isCaught: boolean, knowledge: Knowledge}} ThrowSite */

/**
 * @typedef {object} Flow
 * @property {EmitSite[]} emits
 * @property {RiskyRead[]} reads each path once, where it is read first
 * @property {ReturnSite[]} returns of the function itself
 * @property {ThrowSite[]} throws
 * @property {boolean} endsWithoutReturn whether its end can be reached
 * @property {boolean} callsUnknown whether it calls something that is not known: a module, a free name
 * @property {ReadonlySet<string>} mentioned every path that is looked at
 */

/**
 * @param {FunctionNode} fn the main function of a text
 * @param {string[]} parameters what its parameters are: `doc` for the document, `tombstone` for what is left of a deleted
 *   one, `oldDoc` for one that may be missing, other names for what is always there
 * @returns {Flow | {unknown: string}}
 */
export function followFlow(fn, parameters) {
  /** @type {Walk} */
  const walk = {
    parameters,
    emits: [],
    reads: new Map(),
    throws: [],
    mentioned: new Set(),
    callsUnknown: false,
    steps: 0,
  };
  try {
    return run(walk, fn);
  } catch (error) {
    // A RangeError is a stack that ran out, over deeply nested code.
    if (error instanceof TooLarge || error instanceof RangeError)
      return { unknown: 'the function is too large to follow' };
    throw error;
  }
}

/**
 * @param {Walk} walk
 * @param {FunctionNode} fn
 * @returns {Flow}
 */
function run(walk, fn) {
  /** @type {State} */
  const state = { values: new Map(), knowledge: NOTHING_KNOWN };
  /** @type {Frame} */
  const frame = { scope: new Scope(), depth: 0, isCaught: false, returns: [], calls: [fn] };
  fn.params.forEach((param, index) => {
    for (const name of namesIn(param)) frame.scope.declare(name);
    const name = walk.parameters[index];
    bind(
      walk,
      param,
      name === undefined ? unknown('it is a further parameter') : parameterValue(name, index),
      state,
      frame,
    );
  });
  const end = walkBody(walk, fn, state, frame);
  return {
    emits: walk.emits,
    reads: [...walk.reads.values()],
    returns: frame.returns,
    throws: walk.throws,
    endsWithoutReturn: end !== undefined && fn.body.type === 'BlockStatement',
    callsUnknown: walk.callsUnknown,
    mentioned: walk.mentioned,
  };
}
