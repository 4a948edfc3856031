// Evaluates calls: of emit, of the function's own functions, of what the language and CouchDB provide, of what is
// unknown.

import { MUTATORS, mayChangeArguments, unsettleByClosures } from './assignments.js';
import { changeList, openAll, openState } from './flow-changes.js';
import { evaluate } from './flow-expressions.js';
import { callGlobal, filtered, presence, readsClock } from './flow-globals.js';
import { markWords } from './flow-loops.js';
import { bind, readMember } from './flow-members.js';
import { elementOf, isNothing, truthOf } from './flow-operators.js';
import { isDesignTest, partOfId } from './flow-ordinary.js';
import { copy, GivenUp, join, replaceState } from './flow-state.js';
import { walkBody } from './flow-statements.js';
import { narrowByTruth } from './flow-tests.js';
import { carried, handedBy } from './list-callbacks.js';
import { namesIn } from './names.js';
import { common, NOTHING_KNOWN, withTest } from './path-facts.js';
import { isMethodOfLanguage, resultOfMethod, resultOfSplit } from './query-server.js';
import { Scope } from './scope.js';
import { alternatives, implying, isText, UNDEFINED, unionOf, unknown } from './values.js';

/** @import { CallExpression, MemberExpression, NewExpression, Node, TaggedTemplateExpression } from 'acorn' */
/** @import { Call, Exit, Frame, State, FlowWalk } from './flow-state.js' */
/** @import { PathFacts } from './path-facts.js' */
/** @import { FunctionValue, Value } from './values.js' */

/** Calls of its own functions that are followed one inside the other. */
const DEEPEST_CALL = 20;

/**
 * @param {FlowWalk} walk
 * @param {CallExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
export function evaluateCall(walk, node, state, frame) {
  let { callee } = node;
  while (callee.type === 'ParenthesizedExpression') callee = callee.expression;
  /** @type {Value | undefined} */
  let object;
  /** @type {Value} */
  let target;
  if (callee.type === 'MemberExpression') {
    object = evaluate(walk, callee.object, state, frame);
    target = readMember(walk, callee, object, state, frame);
  } else target = evaluate(walk, callee, state, frame);
  if (callee.type === 'Identifier' && callee.name === 'eval' && !frame.scope.find('eval')) {
    throw new GivenUp('the function uses `eval`');
  }

  // `null?.name(…)` ends before its arguments.
  if (isNothing(target) && (node.optional || (callee.type === 'MemberExpression' && callee.optional))) return UNDEFINED;
  const hasSpread = node.arguments.some((item) => item.type === 'SpreadElement');
  const values = node.arguments.map((item) => evaluate(walk, item, state, frame));
  if (state.isOver) return UNDEFINED;
  const handed = hasSpread ? undefined : values;
  /** @type {Call} */
  const call = { node, name: target.kind === 'global' ? target.name : methodName(callee), values, hasSpread };
  if (target.kind === 'emit') return noteEmit(walk, node, node.arguments, handed, state, frame);
  if (target.kind === 'function') return invoke(walk, target, handed, state, frame);
  if (target.kind === 'global') {
    for (const value of values) follow(walk, value, undefined, state, frame);
    return callGlobal(walk, call, state, frame);
  }
  if (alternatives(target).some(({ kind }) => kind === 'function' || kind === 'emit')) {
    return callOneOf(walk, node, target, handed, state, frame);
  }
  const { name } = call;
  if (object) {
    const through = callThrough(walk, call, object, state, frame);
    if (through) return through;
    if (isDesignTest(callee, call, object))
      return implying({ kind: 'typed', type: 'boolean' }, withTest(NOTHING_KNOWN), NOTHING_KNOWN);
    if (isMethodOfLanguage(name) && !(name in String.prototype) && isText(object)) {
      state.isOver = true;
      return UNDEFINED;
    }
    if (isMethodOfLanguage(name) && !mayHaveOwn(object, name))
      return markWords(node, name, object, callMethod(walk, call, object, state, frame));
  }
  return callUnknown(walk, name || 'a function', object ? [...values, object] : values, state, frame);
}

/**
 * @param {Value} object
 * @param {string} name
 * @returns {boolean} whether it may have a method of its own of a name that the language uses
 */
function mayHaveOwn(object, name) {
  if (object.kind === 'copy') return object.isChanged === true;
  return object.kind === 'object' && (object.open || object.members.has(name));
}

/**
 * @param {Node} callee
 * @returns {string} empty where it is computed, or no member
 */
function methodName(callee) {
  const { property, computed } = /** @type {MemberExpression} */ (callee);
  return property?.type === 'Identifier' && !computed ? property.name : '';
}

/**
 * @param {FlowWalk} walk
 * @param {CallExpression} node
 * @param {Value} target one of several functions, as the data have it
 * @param {Value[] | undefined} values
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
function callOneOf(walk, node, target, values, state, frame) {
  state.pathFacts = withTest(state.pathFacts);
  /** @type {Value[]} */
  const results = [];
  for (const item of alternatives(target)) {
    if (item.kind === 'emit') noteEmit(walk, node, node.arguments, values, state, frame);
    else if (item.kind === 'function') results.push(...follow(walk, item, values, state, frame));
    else {
      walk.callsUnknown ||= item.kind !== 'constant';
      results.push(unknown('it comes from one of several functions'));
    }
  }
  return unionOf(results);
}

/**
 * A call by `call` or `apply` of a function.
 * @param {FlowWalk} walk
 * @param {Call} call
 * @param {Value} object
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value | undefined} undefined where it is another call
 */
function callThrough(walk, { node, name, values }, object, state, frame) {
  if (name !== 'call' && name !== 'apply') return undefined;
  const handed = name === 'call' ? values.slice(1) : listItems(values[1]);
  if (object.kind === 'emit')
    return noteEmit(walk, node, name === 'call' ? node.arguments.slice(1) : [], handed, state, frame);
  return object.kind === 'function' ? invoke(walk, object, handed, state, frame) : undefined;
}

/**
 * @param {Value | undefined} value
 * @returns {Value[] | undefined} undefined where it is unknown
 */
function listItems(value) {
  return value?.kind === 'array' && !value.open ? [...value.items] : undefined;
}

/**
 * A method of the language.
 * @param {FlowWalk} walk
 * @param {Call} call
 * @param {Value} object
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
function callMethod(walk, { node, name, values }, object, state, frame) {
  const element = elementOf(object);
  const isEmpty = object.kind === 'array' && !object.open && object.items.length === 0;
  // Nothing is called for an element of an empty list.
  const give = isEmpty ? undefined : handedBy(walk, name, values);
  const inside = give ? { ...frame, loops: [...frame.loops, { node, over: object }] } : frame;
  const results = values.flatMap((value) => follow(walk, value, give?.(element), state, inside));
  // What is not known may have a method of its own under that name.
  const isUnknown = alternatives(object).some(({ kind }) => kind === 'unknown');
  if (MUTATORS.has(name)) {
    const changed = alternatives(object).map((item) => changeList(walk, name, item, values, state));
    if (/^(?:push|unshift)$/.test(name) && !isUnknown) return { kind: 'typed', type: 'number' };
    // These give the very list that they change.
    if (/^(?:sort|reverse|fill|copyWithin)$/.test(name)) return unionOf(changed);
  }
  if (name === 'forEach') return UNDEFINED;
  if (name === 'hasOwnProperty') return presence(walk, object, values[0], state);
  if (name === 'map') return { kind: 'array', items: results, open: true };
  if (name === 'filter') return filtered(walk, node, { element, callback: values[0], results }, state, frame);
  const part = partOfId(name, object, values);
  if (part) return part;
  if (name === 'reduce' || name === 'reduceRight') return carried(walk, values, results);
  if (name === 'split') return resultOfSplit(values, isUnknown);
  if (object.kind === 'array' && name === 'slice') return { ...object, open: true, hasFirst: false };
  if (readsClock(node, name, object)) return { kind: 'typed', type: 'number' };
  return (isUnknown ? undefined : resultOfMethod(name)) ?? unknown(`it comes from \`${name}\``);
}

/**
 * Something that is not known is called: it may call what it is given, change it, test the document, and throw.
 * @param {FlowWalk} walk
 * @param {string} name
 * @param {Value[]} values what it gets hold of
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
function callUnknown(walk, name, values, state, frame) {
  walk.callsUnknown = true;
  // Nothing after it is plainly unguarded.
  state.pathFacts = withTest(state.pathFacts);
  for (const value of values) follow(walk, value, undefined, state, frame);
  openState(walk, state);
  for (const value of values) openAll(walk, state, value);
  // It may call what was handed out before.
  unsettleByClosures(walk, state, frame.scope);
  return unknown(`it comes from a call of \`${name}\``);
}

/**
 * Calls the tag of a template with the list of its texts and with what stands between them.
 * @param {FlowWalk} walk
 * @param {TaggedTemplateExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
export function evaluateTagged(walk, node, state, frame) {
  const tag = evaluate(walk, node.tag, state, frame);
  const values = node.quasi.expressions.map((item) => evaluate(walk, item, state, frame));
  /** @type {Value} */
  const texts = { kind: 'array', items: [unknown('it is a text of a template')], open: true };
  if (tag.kind === 'function') return invoke(walk, tag, [texts, ...values], state, frame);
  if (tag.kind === 'emit') return noteEmit(walk, node, [], [texts, ...values], state, frame);
  return callUnknown(walk, 'a tag', [tag, ...values], state, frame);
}

/**
 * @param {FlowWalk} walk
 * @param {NewExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
export function evaluateNew(walk, node, state, frame) {
  const target = evaluate(walk, node.callee, state, frame);
  const values = node.arguments.map((item) => evaluate(walk, item, state, frame));
  if (target.kind !== 'global') {
    callUnknown(walk, 'new', [target, ...values], state, frame);
    return unknown('it is created with `new`');
  }
  if (target.name === 'Date') return { kind: 'typed', type: 'date' };
  return target.name.endsWith('Error') ? { kind: 'typed', type: 'error' } : unknown(`it is a new ${target.name}`);
}

/**
 * Follows the functions in a value that is handed to another function, which may call them any number of times.
 * @param {FlowWalk} walk
 * @param {Value} value
 * @param {Value[] | undefined} values what they are given, where that is known
 * @param {State} state changed
 * @param {Frame} frame
 * @returns {Value[]} what they return
 */
export function follow(walk, value, values, state, frame) {
  switch (value.kind) {
    case 'emit': {
      const handed = unknown('`emit` is passed to a function');
      walk.emits.push({
        node: undefined,
        key: handed,
        value: handed,
        hasValue: true,
        keyNode: undefined,
        valueNode: undefined,
        pathFacts: state.pathFacts,
        loops: frame.loops,
        values: undefined,
        isCaught: frame.isCaught,
      });
      return [];
    }
    case 'union':
      return value.of.flatMap((item) => follow(walk, item, values, state, frame));
    case 'array':
      return value.items.flatMap((item) => follow(walk, item, undefined, state, frame));
    case 'object':
      return [...value.members.values()].flatMap((item) => follow(walk, item, undefined, state, frame));
    case 'function': {
      const { pathFacts } = state;
      unsettleByClosures(walk, state, value.scope);
      const inside = copy(walk, state);
      // Who gets hold of it need not call it, and then it reads no name.
      const { undeclared } = walk;
      if (!values) walk.undeclared = new Set();
      const result = invoke(walk, value, values, inside, frame);
      walk.undeclared = undeclared;
      const after = join(walk, [state, inside]);
      // What the function tests holds inside of it alone, what it assigns afterwards too.
      replaceState(state, after && { ...after, pathFacts: { ...pathFacts, assigned: after.pathFacts.assigned } });
      return [result];
    }
    default:
      return [];
  }
}

/**
 * @param {FlowWalk} walk
 * @param {FunctionValue} target
 * @param {Value[] | undefined} values undefined where it is not known what it is given
 * @param {State} state changed
 * @param {Frame} frame
 * @returns {Value}
 */
function invoke(walk, { node, scope }, values, state, frame) {
  const depth = frame.calls.filter((call) => call === node).length;
  if (depth > 1 || frame.calls.length >= DEEPEST_CALL) {
    if (depth <= 1) walk.callsUnknown = true;
    unsettleByClosures(walk, state, scope);
    return unknown('it comes from functions that call each other');
  }
  const isLater = node.async || node.generator;
  /** @type {Frame} */
  const inner = {
    scope: new Scope(scope),
    // What an async function throws, or a generator, comes out elsewhere.
    isCaught: frame.isCaught || isLater,
    exits: [],
    calls: [...frame.calls, node],
    targets: [],
    loops: frame.loops,
  };
  // Where a function calls itself, its arguments then represent those of all further calls.
  const given = depth > 0 || mayChangeArguments(node) ? undefined : values;
  for (const param of node.params) for (const name of namesIn(param)) inner.scope.declare(name);
  node.params.forEach((param, index) => {
    const isRest = param.type === 'RestElement';
    const value = isRest ? restOf(given, index) : given ? (given[index] ?? UNDEFINED) : unknown('it is passed in');
    bind(walk, isRest ? param.argument : param, value, state, inner);
  });
  const before = state.pathFacts;
  const { undeclared } = walk;
  if (isLater) walk.undeclared = new Set();
  const end = walkBody(walk, node, copy(walk, state), inner);
  walk.undeclared = undeclared;
  const exits = inner.exits.filter((exit) => !exit.state.isOver);
  if (end && !end.isOver && node.body.type === 'BlockStatement') {
    exits.push({ node, argument: undefined, value: UNDEFINED, state: end });
  }
  const ends = exits.map((exit) => exit.state);
  replaceState(state, join(walk, ends));
  if (isLater) {
    state.isOver = false;
    state.pathFacts = before;
    return unknown('it comes from an async function or a generator');
  }
  const result = unionOf(exits.map(({ value }) => value));
  return exits.length > 0 ? implying(result, impliedBy(exits, true), impliedBy(exits, false)) : result;
}

/**
 * @param {Value[] | undefined} values
 * @param {number} index
 * @returns {Value}
 */
function restOf(values, index) {
  return values
    ? { kind: 'array', items: values.slice(index), open: false }
    : { kind: 'array', items: [unknown('it is passed in')], open: true };
}

/**
 * @param {Exit[]} exits
 * @param {boolean} holds
 * @returns {PathFacts | undefined} what holds of the document where what they return is true, or is not
 */
function impliedBy(exits, holds) {
  const [first, ...others] = exits
    .filter(({ value }) => truthOf(value) !== !holds)
    .map(({ value, state }) => narrowByTruth(value, holds, state.pathFacts));
  return first && others.reduce(common, first);
}

/**
 * @param {FlowWalk} walk
 * @param {CallExpression | TaggedTemplateExpression} node
 * @param {readonly Node[]} shown its arguments, where they are written one by one
 * @param {Value[] | undefined} values undefined where they are spread
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
function noteEmit(walk, node, shown, values, state, frame) {
  const spread = unknown('it spreads the arguments');
  walk.emits.push({
    node,
    key: values ? (values[0] ?? UNDEFINED) : spread,
    value: values ? (values[1] ?? UNDEFINED) : spread,
    hasValue: !values || values.length > 1,
    keyNode: values && shown[0],
    valueNode: values && shown[1],
    pathFacts: state.pathFacts,
    loops: frame.loops,
    values,
    isCaught: frame.isCaught,
  });
  return UNDEFINED;
}
