// Reads what a call gives, where that is plain from the text: a function made a string, lines joined, an object frozen, and a
// helper of the same file whose last statement returns its result. Never runs it.

import { boundIn, isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { withoutAccess } from '../../javascript/typescript.js';
import { walkNodes } from '../../javascript/walk.js';
import { readJoin, readString } from './javascript-strings.js';

/** @import { AnyNode, CallExpression, Identifier } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Entry, ObjectNode, ValueNode } from '../record.js' */
/** @import { Holder } from './javascript-names.js' */
/** @import { ValueReader } from './javascript-values.js' */

const RESULT_OF_CALL = 'it is the result of a call';
/** The reason of a value that is `undefined`: JSON has no member for it. */
const ABSENT = 'it is undefined';

/**
 * @param {ValueNode} node
 * @returns {boolean} whether the value is known to be `undefined`
 */
export function isAbsent(node) {
  return node.type === 'unknown' && node.reason === ABSENT;
}

/**
 * @param {ValueReader} reader
 * @param {AnyNode} node
 * @returns {ValueNode} `undefined`
 */
export function absent(reader, node) {
  return reader.unknown(node, ABSENT);
}

/**
 * @param {ValueReader} reader
 * @param {CallExpression} node
 * @param {number} depth
 * @returns {ValueNode}
 */
export function readCall(reader, node, depth) {
  const callee = bare(node.callee);
  const [first] = node.arguments;
  if (callee.type === 'Identifier' && !reader.names.holderOf(callee)) {
    if (callee.name === 'require') {
      return reader.unknown(node, `${first ? reader.source(first) : 'another file'} is loaded when the program runs`);
    }
    if (callee.name === 'String' && first && node.arguments.length === 1) return readString(reader, node, first, depth);
  }
  if (callee.type === 'MemberExpression' && !callee.computed && callee.property.type === 'Identifier') {
    const { name } = callee.property;
    if (name === 'toString' && !first) return readString(reader, node, callee.object, depth);
    if (name === 'join') return readJoin(reader, node, callee.object, depth);
    const object = bare(callee.object);
    if (object.type === 'Identifier' && object.name === 'Object') {
      if (name === 'freeze' && first && first.type !== 'SpreadElement') return reader.read(first, depth);
      if (name === 'assign' && first) return readAssign(reader, node, depth);
    }
  }
  const helper = reader.names.helperOf(callee);
  return (helper && reader.readHelper(node, helper, depth)) ?? reader.unknown(node, RESULT_OF_CALL);
}

/**
 * @param {ValueReader} reader
 * @param {CallExpression} node `Object.assign({}, base, {…})`
 * @param {number} depth
 * @returns {ValueNode}
 */
function readAssign(reader, node, depth) {
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  for (const argument of node.arguments) {
    const value = argument.type === 'SpreadElement' ? undefined : reader.read(argument, depth);
    if (value?.type !== 'object') return reader.unknown(node, RESULT_OF_CALL);
    if (value.entries.length > 0) reader.spreadObjects.add(value.start);
    for (const entry of value.entries) entries.set(entry.key, entry);
  }
  return { ...reader.base(node), type: 'object', entries: [...entries.values()] };
}

/**
 * @param {FunctionNode} helper
 * @returns {AnyNode | undefined} the only result it can have
 */
export function resultOf(helper) {
  if (helper.generator) return undefined;
  if (helper.body.type !== 'BlockStatement') return bare(helper.body);
  const last = helper.body.body.at(-1);
  if (last?.type !== 'ReturnStatement' || !last.argument) return undefined;
  let returns = 0;
  /** Functions inside have results of their own. */
  let inside = 0;
  walkNodes(helper.body.body, (node) => {
    if (node.start < inside) return;
    if (isFunction(node)) inside = node.end;
    else if (node.type === 'ReturnStatement') returns += 1;
  });
  return returns === 1 ? bare(last.argument) : undefined;
}

/**
 * @param {ValueReader} reader
 * @param {CallExpression} call
 * @param {FunctionNode} helper
 * @param {number} depth
 * @returns {Map<Holder, ValueNode>} the parameters with what they are given, where that is plain
 */
export function argumentsOf(reader, call, helper, depth) {
  /** @type {Map<Holder, ValueNode>} */
  const given = new Map();
  const spread = call.arguments.findIndex(({ type }) => type === 'SpreadElement');
  for (const [at, parameter] of helper.params.entries()) {
    const argument = spread === -1 || at < spread ? call.arguments[at] : call.arguments[spread];
    const value = argument && reader.read(argument, depth);
    const reason = value?.type === 'unknown' ? value.reason : RESULT_OF_CALL;
    for (const id of boundIn(parameter)) {
      const holder = reader.names.holderOf(id);
      if (holder) given.set(holder, reader.unknown(call, reason));
    }
    if (parameter.type === 'ObjectPattern') {
      if (value?.type === 'object') addMembers(reader, parameter, value, given);
      continue;
    }
    const hasDefault = parameter.type === 'AssignmentPattern';
    const name = withoutAccess(hasDefault ? parameter.left : parameter);
    const holder = name.type === 'Identifier' ? reader.names.holderOf(name) : undefined;
    if (!holder) continue;
    if (hasDefault && (!value || isAbsent(value))) given.set(holder, reader.read(parameter.right, depth));
    else given.set(holder, value ?? absent(reader, call));
  }
  return given;
}

/**
 * @param {ValueReader} reader
 * @param {import('acorn').ObjectPattern} pattern `{ name, map }`
 * @param {ObjectNode} value
 * @param {Map<Holder, ValueNode>} given added to
 */
function addMembers(reader, pattern, value, given) {
  for (const property of pattern.properties) {
    if (property.type !== 'Property' || property.computed || property.key.type !== 'Identifier') continue;
    const { key } = property;
    const target = /** @type {Identifier} */ (property.value);
    const holder = target.type === 'Identifier' ? reader.names.holderOf(target) : undefined;
    if (!holder) continue;
    const entry = value.entries.findLast((candidate) => candidate.key === key.name);
    given.set(holder, entry?.node ?? absent(reader, pattern));
  }
}

/**
 * @param {{start: number, end: number}} inner
 * @param {{start: number, end: number}} outer
 * @returns {boolean}
 */
export function isInside(inner, outer) {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/**
 * @param {ValueNode} node
 * @param {FunctionNode} helper that gave it
 * @returns {boolean} whether code in it comes from the arguments of a call
 */
export function isMadeOfArguments(node, helper) {
  if (node.type === 'object') return node.entries.some((entry) => isMadeOfArguments(entry.node, helper));
  return node.type === 'string' && node.value.includes('(') && !isInside(node, helper);
}

/**
 * Two documents of one helper stand where it was called for them, not at the one object in it.
 * @param {ObjectNode} object as the helper makes it
 * @param {CallExpression} call
 * @param {FunctionNode} helper
 * @returns {ObjectNode} placed at the call, and so are its id and the names of its views, where the call says what they are
 */
export function placeAtCall(object, call, helper) {
  const entries = object.entries.map((entry) => {
    const { key, node } = entry;
    if (key === '_id' && isInside(node, helper)) {
      const { start, end } = argumentOfId(node, call);
      return { ...entry, node: { ...node, start, end } };
    }
    if (key !== 'views' || node.type !== 'object') return entry;
    const views = node.entries.map((view) => {
      const map = view.node.type === 'object' ? view.node.entries.find((item) => item.key === 'map')?.node : view.node;
      // Without a place of its own a view stands where its map does.
      return map && !isInside(map, helper) ? { ...view, keyStart: map.start, keyEnd: map.start } : view;
    });
    return { ...entry, node: { ...node, entries: views } };
  });
  return { ...object, start: call.start, end: call.end, entries };
}

/**
 * @param {ValueNode} id
 * @param {CallExpression} call
 * @returns {{start: number, end: number}} the argument that a part of the id comes from, or what is called
 */
function argumentOfId(id, call) {
  const pieces = id.type === 'string' ? id.text.pieces : [];
  const argument = call.arguments.find((node) =>
    pieces.some(({ fileStart, fileEnd }) => fileStart >= node.start && fileEnd <= node.end),
  );
  return argument ?? call.callee;
}
