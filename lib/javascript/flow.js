// Abstract interpretation of a map, filter or validation function: which emits it reaches with what, what it reads that may be missing, what
// it returns and throws. Never runs anything, and ends in a bailout where it grows too large.

import { bailoutReason } from '../shared/bailout.js';
import { namesOf } from './analyse.js';
import { addChange, assignmentsIn, assignmentsOf, mayChangeArguments } from './assignments.js';
import { bind } from './flow-members.js';
import { parameterValue } from './flow-operators.js';
import { GivenUp } from './flow-state.js';
import { walkBody, walkStatements } from './flow-statements.js';
import { isFunction, namesIn } from './names.js';
import { NOTHING_KNOWN } from './path-facts.js';
import { isKnownGlobal, isMethodOfLanguage } from './query-server.js';
import { Scope } from './scope.js';
import { unknown } from './values.js';
import { walkNodes } from './walk.js';

/** @import { AnyNode, AssignmentExpression, Expression, MemberExpression, Node } from 'acorn' */
/** @import { Assignments } from './assignments.js' */
/** @import { Frame, Loop, State, FlowWalk } from './flow-state.js' */
/** @import { PathFacts } from './path-facts.js' */
/** @import { FunctionNode, ParsedFunction } from './parse.js' */
/** @import { Value } from './values.js' */

/** Walks through one function, the last of which takes no sum for a number. */
const MAX_WALKS = 4;

/** @typedef {{node: Node | undefined, key: Value, value: Value, hasValue: boolean, keyNode: Node | undefined, valueNode: Node | undefined, pathFacts: PathFacts, loops: readonly Loop[], values: Value[] | undefined, isCaught: boolean}} EmitSite
 *  without a node where `emit` is handed to another function; `loops` that it stands in, the outermost first; `values` of all arguments,
 *  where these are written one by one; `isCaught`: what it throws is caught */
/** @typedef {{node: Node, path: string, missing: Node | undefined, isTested: boolean}} RiskyRead a read below `path`, or a loop over it, where
 *  it may be missing; `missing`: how it is written there */
/** @typedef {{node: Node, argument: Node | undefined, value: Value}} ReturnSite */
/** @typedef {{node: Node, argument: Expression, value: Value, isCaught: boolean}} ThrowSite */

/**
 * @typedef {object} Flow
 * @property {EmitSite[]} emits
 * @property {RiskyRead[]} reads each path once, where it is read first
 * @property {ReturnSite[]} returns of the function itself
 * @property {ThrowSite[]} throws
 * @property {boolean} endsWithoutReturn whether its end can be reached
 * @property {boolean} callsUnknown whether it calls something that is not known: a module, a free name
 * @property {ReadonlySet<Node>} undeclared names that it reaches, and that neither its text nor the list of known names has
 * @property {ReadonlySet<string>} mentioned every path that is looked at
 */

/**
 * @param {ParsedFunction} parsed
 * @param {string[]} parameters what the parameters of its main function are: `doc` for the document, `tombstone` for what
 *   is left of a deleted one, `oldDoc` for one that may be missing, other names for what is always there
 * @param {string} [emitter] the function of the query server whose calls are the `emits`: `index` for a search index
 * @returns {Flow | {unknown: string, limit?: string}} `limit`: the one that it exceeds
 */
export function followFlow(parsed, parameters, emitter = 'emit') {
  const { fn } = parsed;
  if (!fn) return { unknown: 'the source text is not a function' };
  if (fn.async || fn.generator) return { unknown: 'the function is async or a generator' };
  if (definesUnseenCalls(parsed))
    return {
      unknown:
        'the function replaces a built-in method, or defines one that runs implicitly, such as a getter or `toString`',
    };
  /** @type {FlowWalk['noSums']} */
  const noSums = new Map();
  // What grows by `+=` is taken for a number until a walk shows that it is none: then it is walked again, knowing that.
  for (let count = 1; ; count += 1) {
    const before = noSums.size;
    const flow = followOnce(parsed, fn, { parameters, emitter, noSums, trustsSums: count < MAX_WALKS });
    if ('unknown' in flow || noSums.size === before) return flow;
  }
}

/** Methods that the language calls by itself, where it makes a string or a number of an object, or JSON. */
const CALLED_UNSEEN = new Set(['toString', 'valueOf', 'toJSON', '__proto__']);
/** Names by which such methods, getters and setters can be given to an object. */
const DEFINERS = new Set([
  'Symbol',
  'Proxy',
  'Reflect',
  'defineProperty',
  'defineProperties',
  '__defineGetter__',
  '__defineSetter__',
]);

/**
 * @param {ParsedFunction} parsed
 * @returns {boolean} whether reading a member, adding to a string, writing JSON or a call of a built-in method may run a function of the text
 */
function definesUnseenCalls({ roots, text }) {
  let defines = false;
  walkNodes(roots, (node) => {
    if (node.type === 'Property' || node.type === 'MethodDefinition')
      defines ||= node.kind === 'get' || node.kind === 'set' || CALLED_UNSEEN.has(nameOf(node.key));
    else if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression')
      defines ||=
        CALLED_UNSEEN.has(nameOf(node.left.property)) || (replacesBuiltIn(node.left) && !isPolyfill(node, text));
    else if (node.type === 'Identifier') defines ||= DEFINERS.has(node.name);
  });
  return defines;
}

/**
 * @param {MemberExpression} target
 * @returns {boolean} whether it is a method of the language: `Array.prototype.map`, `Math.max`
 */
function replacesBuiltIn({ object, property }) {
  if (object.type === 'Identifier') return isKnownGlobal(object.name);
  const isPrototype = object.type === 'MemberExpression' && nameOf(object.property) === 'prototype';
  return isPrototype && isMethodOfLanguage(nameOf(property));
}

/**
 * @param {AssignmentExpression} assignment
 * @param {string} text
 * @returns {boolean} whether it defines only what the engine lacks: `Array.isArray = Array.isArray || function …`
 */
function isPolyfill({ left, right }, text) {
  if (right.type !== 'LogicalExpression' || right.operator !== '||') return false;
  return text.slice(left.start, left.end) === text.slice(right.left.start, right.left.end);
}

/** @param {AnyNode} key @returns {string} */
function nameOf(key) {
  return key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '';
}

/**
 * @param {ParsedFunction} parsed
 * @param {FunctionNode} fn
 * @param {Pick<FlowWalk, 'parameters' | 'emitter' | 'noSums' | 'trustsSums'>} how `noSums` is added to
 * @returns {Flow | {unknown: string, limit?: string}}
 */
function followOnce(parsed, fn, how) {
  /** @type {FlowWalk} */
  const walk = {
    ...how,
    names: namesOf(parsed),
    emits: [],
    reads: new Map(),
    throws: [],
    mentioned: new Set(),
    callsUnknown: false,
    undeclared: new Set(),
    steps: 0,
    sums: new Set(),
    assignments: new Map(),
    assignedByClosures: new Map(),
    closuresChangeAny: false,
  };
  try {
    return run(walk, fn, parsed);
  } catch (error) {
    if (error instanceof GivenUp) return { unknown: error.message };
    const limit = bailoutReason(error);
    if (limit !== undefined) return { unknown: limit, limit };
    throw error;
  }
}

/**
 * @param {FlowWalk} walk
 * @param {FunctionNode} fn
 * @param {ParsedFunction} parsed
 * @returns {Flow}
 */
function run(walk, fn, parsed) {
  const { names } = walk;
  for (const node of names.scopes.keys())
    if (isFunction(node) && isInside(node, fn)) addClosure(walk, assignmentsOf(walk, node));
  walkNodes([fn.body], (node) => {
    if (node.type === 'PropertyDefinition' && node.value) addClosure(walk, assignmentsIn(walk, node.value));
  });
  /** @type {State} */
  const state = { values: new Map(), pathFacts: NOTHING_KNOWN, isOver: false };
  const outer = new Scope();
  surround(walk, fn, parsed.roots, state, outer);
  // What is assigned here and declared outside, or nowhere, keeps its value from one document to the next.
  for (const { name, node, binding, writes } of names.references) {
    if (!writes || (binding && binding.scope.node !== undefined) || !isInside(node, fn)) continue;
    const reason = `\`${name}\` is ${binding ? 'kept from one call to the next' : 'not declared'}`;
    state.values.set(outer.declare(name), unknown(reason));
  }

  /** @type {Frame} */
  const frame = { scope: new Scope(outer), isCaught: false, exits: [], calls: [fn], targets: [], loops: [] };
  if (fn.id) state.values.set(frame.scope.declare(fn.id.name), { kind: 'function', node: fn, scope: outer });
  for (const param of fn.params) for (const name of namesIn(param)) frame.scope.declare(name);
  fn.params.forEach((param, index) => {
    const name = walk.parameters[index];
    const value =
      name === undefined || mayChangeArguments(fn)
        ? unknown('it is an extra parameter, or is changed through `arguments`')
        : parameterValue(name, index);
    bind(walk, param, value, state, frame);
  });
  const end = walkBody(walk, fn, state, frame);
  const exits = frame.exits.filter((exit) => !exit.state.isOver);
  return {
    emits: walk.emits,
    reads: [...walk.reads.values()],
    returns: exits.map(({ node, argument, value }) => ({ node, argument, value })),
    throws: walk.throws,
    endsWithoutReturn: end !== undefined && !end.isOver && fn.body.type === 'BlockStatement',
    callsUnknown: walk.callsUnknown,
    undeclared: walk.undeclared,
    mentioned: walk.mentioned,
  };
}

/**
 * @param {FlowWalk} walk changed
 * @param {Assignments} assignments of code that may run at any time
 */
function addClosure(walk, { changes, changesAny }) {
  walk.closuresChangeAny ||= changesAny;
  for (const [name, change] of changes) addChange(walk.assignedByClosures, name, change);
}

/**
 * @param {Node} node
 * @param {Node} whole
 * @returns {boolean} whether it is a part of the whole, and not all of it
 */
function isInside(node, whole) {
  return node !== whole && node.start >= whole.start && node.end <= whole.end;
}

/**
 * Walks what stands around the function in its text: helper functions and constants.
 * @param {FlowWalk} walk
 * @param {FunctionNode} fn
 * @param {AnyNode[]} roots
 * @param {State} state changed
 * @param {Scope} scope
 */
function surround(walk, fn, roots, state, scope) {
  const others = roots.filter((root) => root.start > fn.start || root.end < fn.end);
  if (others.length === 0) return;
  for (const { name, declarations, isThereOnEntry } of walk.names.top.bindings.values()) {
    if (isThereOnEntry && declarations.some((id) => others.some((root) => isInside(id, root)))) scope.declare(name);
  }
  // What it does when it is loaded it does not do for a document.
  const apart = { ...walk, emits: [], throws: [], reads: new Map(), undeclared: new Set() };
  const end = walkStatements(apart, others, state, {
    scope,
    isCaught: true,
    exits: [],
    calls: [],
    targets: [],
    loops: [],
  });
  if (end && end !== state) Object.assign(state, end);
  state.pathFacts = NOTHING_KNOWN;
}
