// Calls: of emit, of the function's own functions, of what the language and CouchDB give, of what is not known.

import { evaluate, propertyName } from './flow-expressions.js';
import { bind, noteRead } from './flow-members.js';
import { elementOf, isWhole } from './flow-operators.js';
import { assignedIn, copy } from './flow-state.js';
import { walkBody } from './flow-statements.js';
import { withTest } from './knowledge.js';
import { namesIn, Scope } from './scope.js';
import { isNumber, UNDEFINED, unite, unknown } from './values.js';

/** @import { CallExpression, Expression, MemberExpression } from 'acorn' */
/** @import { Frame, State, Walk } from './flow-state.js' */
/** @import { FunctionValue, Value } from './values.js' */

/** Calls of its own functions that are followed one inside the other. */
const DEEPEST_CALL = 6;

/** Array methods that call back with each element. */
const ELEMENT_CALLBACKS = new Set(['forEach', 'map', 'filter', 'some', 'every', 'find', 'findIndex', 'flatMap']);

const TEXT_RESULTS = new Set([
  'toString',
  'toLowerCase',
  'toUpperCase',
  'trim',
  'join',
  'substr',
  'substring',
  'toISOString',
  'toJSON',
  'toFixed',
  'charAt',
  'padStart',
  'padEnd',
  'replace',
  'toLocaleString',
  'toDateString',
  'toUTCString',
  'repeat',
]);

const NUMBER_RESULTS = new Set(['indexOf', 'lastIndexOf', 'search', 'localeCompare']);

const MAYBE_NUMBER_RESULTS = new Set([
  'getTime',
  'valueOf',
  'getFullYear',
  'getMonth',
  'getDate',
  'getDay',
  'getHours',
  'getMinutes',
  'getUTCFullYear',
  'getUTCMonth',
  'getUTCDate',
  'getUTCDay',
  'getUTCHours',
  'getUTCMinutes',
  'charCodeAt',
]);

const BOOLEAN_RESULTS = new Set(['hasOwnProperty', 'test', 'includes', 'startsWith', 'endsWith', 'some', 'every']);

/** Globals of the query server and of the language that change nothing and throw nothing for us. */
const KNOWN_GLOBALS = new Set([
  'Object',
  'Array',
  'JSON',
  'Math',
  'Date',
  'Number',
  'String',
  'Boolean',
  'RegExp',
  'parseInt',
  'parseFloat',
  'isNaN',
  'isFinite',
  'isArray',
  'toJSON',
  'sum',
  'log',
  'undefined',
  'NaN',
  'Infinity',
  'Error',
  'encodeURIComponent',
  'decodeURIComponent',
  'encodeURI',
  'decodeURI',
  'Set',
  'Map',
  'Symbol',
  'TypeError',
]);

/**
 * @param {Walk} walk
 * @param {CallExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
export function evaluateCall(walk, node, state, frame) {
  const { callee } = node;
  if (callee.type === 'MemberExpression') return evaluateMethodCall(walk, node, callee, state, frame);
  const target = callee.type === 'Super' ? unknown('it is super') : evaluate(walk, callee, state, frame);
  if (target.kind === 'emit') {
    noteEmit(walk, node, state, frame);
    return UNDEFINED;
  }
  const values = node.arguments.map((item) => evaluate(walk, item, state, frame));
  if (target.kind === 'function') return invoke(walk, target, values, state, frame);
  const global = callee.type === 'Identifier' && !frame.scope.find(callee.name) ? callee.name : undefined;
  return callUnknown(walk, global, values, node, state, frame);
}

/**
 * @param {Walk} walk
 * @param {string | undefined} global the free name that is called, where it is one
 * @param {Value[]} values
 * @param {CallExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
export function callUnknown(walk, global, values, node, state, frame) {
  for (const value of values) followCallback(walk, value, [], state, frame);
  switch (global) {
    case 'Number':
    case 'parseInt':
    case 'parseFloat': {
      const [first] = values;
      return { kind: 'typed', type: first && isNumber(first) ? 'number' : 'maybe-number' };
    }
    case 'String':
    case 'toJSON':
    case 'Date':
      return { kind: 'typed', type: 'string' };
    case 'Boolean':
    case 'isArray':
    case 'isNaN':
    case 'isFinite':
      return { kind: 'typed', type: 'boolean' };
    case 'sum':
      return { kind: 'typed', type: 'maybe-number' };
    default:
  }
  if (global === undefined || !KNOWN_GLOBALS.has(global)) {
    walk.callsUnknown = true;
    // What is not known may have tested the document, or thrown: nothing after it is plainly unguarded.
    state.knowledge = withTest(state.knowledge);
    forget(node, values, state, frame);
  }
  return unknown(`it comes from a call of \`${global ?? 'a function'}\``);
}

/**
 * What is handed to a function that is not known may be changed by it.
 * @param {CallExpression} node
 * @param {Value[]} values
 * @param {State} state changed
 * @param {Frame} frame
 */
export function forget(node, values, state, frame) {
  node.arguments.forEach((item, index) => {
    const value = values[index];
    if (item.type !== 'Identifier' || !value) return;
    const variable = frame.scope.find(item.name);
    if (!variable || (value.kind !== 'object' && value.kind !== 'array')) return;
    state.values.set(variable, value.kind === 'object' ? { ...value, open: true } : { ...value, open: true });
  });
}

/**
 * @param {Walk} walk
 * @param {CallExpression} node
 * @param {MemberExpression} callee
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
export function evaluateMethodCall(walk, node, callee, state, frame) {
  const object = callee.object.type === 'Super' ? unknown('it is super') : evaluate(walk, callee.object, state, frame);
  if (!callee.optional) noteRead(walk, callee, object, state, frame, true);
  const name = propertyName(walk, callee, state, frame) ?? '';
  const global = callee.object.type === 'Identifier' && !frame.scope.find(callee.object.name) ? callee.object.name : '';
  const values = node.arguments.map((item) => evaluate(walk, item, state, frame));
  const [first] = values;

  if (global === 'Object' && name === 'assign') {
    return values.slice(1).some(isWhole) || (first && isWhole(first))
      ? { kind: 'copy' }
      : unknown('it is assembled by Object.assign');
  }
  if (global === 'Object' && (name === 'keys' || name === 'entries' || name === 'values') && first) {
    noteRead(walk, /** @type {Expression} */ (node.arguments[0]), first, state, frame, true);
    const item =
      name === 'keys'
        ? /** @type {Value} */ ({ kind: 'typed', type: 'string' })
        : unknown('it is a member of an object');
    return { kind: 'array', items: [item], open: true };
  }
  if (global === 'JSON') {
    if (name === 'stringify') return first && isWhole(first) ? { kind: 'copy' } : { kind: 'typed', type: 'string' };
    return first?.kind === 'copy' ? first : unknown('it is parsed from text');
  }
  if (global === 'Math')
    return {
      kind: 'typed',
      type: values.every(isNumber) && name !== 'sqrt' && name !== 'log' ? 'number' : 'maybe-number',
    };
  if (global === 'Date') return { kind: 'typed', type: name === 'now' ? 'number' : 'maybe-number' };
  if (global === 'Array' && name === 'isArray') return { kind: 'typed', type: 'boolean' };
  if (object.kind === 'function' && (name === 'call' || name === 'apply')) {
    return invoke(walk, object, name === 'call' ? values.slice(1) : [], state, frame);
  }
  const element = elementOf(object);
  for (const value of values) {
    followCallback(
      walk,
      value,
      name === 'reduce' ? [unknown('it is carried along'), element] : [element, { kind: 'typed', type: 'number' }],
      state,
      frame,
    );
  }
  if (name === 'push' && callee.object.type === 'Identifier') {
    const variable = frame.scope.find(callee.object.name);
    if (variable && object.kind === 'array')
      state.values.set(variable, { kind: 'array', items: [...object.items, ...values], open: true });
    return { kind: 'typed', type: 'number' };
  }
  if (ELEMENT_CALLBACKS.has(name) && name !== 'some' && name !== 'every')
    return name === 'forEach' ? UNDEFINED : unknown(`it comes from \`${name}\``);
  if (TEXT_RESULTS.has(name)) return { kind: 'typed', type: 'string' };
  if (NUMBER_RESULTS.has(name)) return { kind: 'typed', type: 'number' };
  if (MAYBE_NUMBER_RESULTS.has(name)) return { kind: 'typed', type: 'maybe-number' };
  if (BOOLEAN_RESULTS.has(name)) return { kind: 'typed', type: 'boolean' };
  if (name === 'split') return { kind: 'array', items: [{ kind: 'typed', type: 'string' }], open: true };
  if (object.kind === 'unknown' && !KNOWN_GLOBALS.has(global)) {
    walk.callsUnknown = true;
    state.knowledge = withTest(state.knowledge);
    forget(node, values, state, frame);
  }
  return unknown(`it comes from a call of \`${name || 'a method'}\``);
}

/**
 * Follows a function that is handed to another, which may call it.
 * @param {Walk} walk
 * @param {Value} value
 * @param {Value[]} parameters
 * @param {State} state
 * @param {Frame} frame
 */
export function followCallback(walk, value, parameters, state, frame) {
  if (value.kind === 'emit') {
    walk.emits.push({
      node: /** @type {CallExpression} */ (/** @type {unknown} */ (undefined)),
      key: unknown('emit is handed to a function'),
      value: unknown('emit is handed to a function'),
      hasValue: true,
      valueNode: undefined,
      knowledge: state.knowledge,
    });
  }
  if (value.kind !== 'function') return;
  for (const name of assignedIn(value.node.body)) {
    const variable = value.scope.find(name);
    if (variable && state.values.has(variable))
      state.values.set(variable, unknown(`\`${name}\` is assigned in a callback`));
  }
  invoke(walk, value, parameters, copy(state), frame);
}

/**
 * @param {Walk} walk
 * @param {FunctionValue} target
 * @param {Value[]} values
 * @param {State} state changed
 * @param {Frame} frame
 * @returns {Value}
 */
export function invoke(walk, { node, scope }, values, state, frame) {
  if (frame.calls.includes(node)) return unknown('it comes from a function that calls itself');
  if (frame.depth >= DEEPEST_CALL) return unknown('it comes from functions that call each other');
  /** @type {Frame} */
  const inner = {
    scope: new Scope(scope),
    depth: frame.depth + 1,
    isCaught: frame.isCaught,
    returns: [],
    calls: [...frame.calls, node],
  };
  node.params.forEach((param, index) => {
    for (const name of namesIn(param)) inner.scope.declare(name);
    bind(walk, param, values[index] ?? (values.length === 0 ? unknown('it is handed in') : UNDEFINED), state, inner);
  });
  const end = walkBody(walk, node, state, inner);
  const results = inner.returns.map(({ value }) => value);
  if (end && node.body.type === 'BlockStatement') results.push(UNDEFINED);
  return results.length > 0 ? unite(results) : UNDEFINED;
}

/**
 * @param {Walk} walk
 * @param {CallExpression} node
 * @param {State} state
 * @param {Frame} frame
 */
export function noteEmit(walk, node, state, frame) {
  const hasSpread = node.arguments.some((item) => item.type === 'SpreadElement');
  const values = node.arguments.map((item) => evaluate(walk, item, state, frame));
  const spread = unknown('the arguments are spread');
  walk.emits.push({
    node,
    key: hasSpread ? spread : (values[0] ?? UNDEFINED),
    value: hasSpread ? spread : (values[1] ?? UNDEFINED),
    hasValue: hasSpread || node.arguments.length > 1,
    valueNode: node.arguments[1],
    knowledge: state.knowledge,
  });
}
