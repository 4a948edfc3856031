// Detects maps whose key is the document id, or leading parts of it, and whose tests look only at the start of the id.
// Takes plain maps; reports nothing.

import { memberName } from '../../javascript/parse.js';

/** @import { AnyNode, BinaryExpression, CallExpression } from 'acorn' */
/** @import { PlainMap } from './plain-map.js' */

/** @typedef {'whole' | 'parts' | 'other'} IdKey */
/** @typedef {{kind: 'none' | 'prefix' | 'other', prefix: string}} IdFilter */
/** @typedef {{prefix: string, holds: boolean}} PrefixTest the id starts so, or does not */

/** What texts give from one position to another, or to the end. */
const CUTS = new Set(['substr', 'substring', 'slice']);

/** What a regular expression means by itself. */
const PLAIN_PATTERN = /^\^((?:[^\\^$.*+?()[\]{}|]|\\[^\w])+)(?:\.\*)?$/;

/**
 * @param {PlainMap} map
 * @param {IdFilter} filter of the same map
 * @returns {IdKey} `whole` for the id itself, `parts` for what is cut out of it from the left, in the order it has there
 */
export function idKey(map, { prefix }) {
  const { key } = map;
  if (!key) return 'other';
  if (isId(map, key)) return 'whole';
  if (key.type !== 'ArrayExpression') return isStartingPart(map, key, prefix) ? 'parts' : 'other';
  const parts = key.elements.map((item) => item && partOf(map, item));
  const [first] = parts;
  if (!first) return 'other';
  const isInOrder = parts.every(
    (part, position) => part && part.separator === first.separator && part.index === first.index + position,
  );
  return isInOrder && first.index <= partsIn(prefix, first.separator) ? 'parts' : 'other';
}

/**
 * @param {PlainMap} map
 * @param {AnyNode} key one that is no list
 * @param {string} prefix that the id has
 * @returns {boolean} whether it is the list of the parts, the first of them, or the text from the start or behind the prefix
 */
function isStartingPart(map, key, prefix) {
  if (separatorOf(map, key) !== undefined) return true;
  const part = partOf(map, key);
  if (part) return part.index <= partsIn(prefix, part.separator);
  const cut = callOn(map, key);
  if (!cut || !isId(map, cut.object) || !CUTS.has(cut.name)) return false;
  const [from, to] = cut.call.arguments.map((item) => constantOf(map, item));
  if (from === 0) return typeof to === 'number' && to > 0;
  return typeof from === 'number' && from === prefix.length && cut.call.arguments.length === 1;
}

/**
 * @param {PlainMap} map
 * @param {AnyNode} node
 * @returns {{separator: string, index: number} | undefined} of `doc._id.split(':')[1]`
 */
function partOf(map, node) {
  const member = map.resolve(node);
  if (member.type !== 'MemberExpression' || !member.computed) return undefined;
  const index = constantOf(map, member.property);
  const separator = separatorOf(map, member.object);
  return separator !== undefined && typeof index === 'number' && Number.isInteger(index) && index >= 0
    ? { separator, index }
    : undefined;
}

/**
 * @param {PlainMap} map
 * @param {AnyNode} node
 * @returns {string | undefined} what `doc._id.split(':')` splits at
 */
function separatorOf(map, node) {
  const split = callOn(map, node);
  if (split?.name !== 'split' || !isId(map, split.object) || split.call.arguments.length !== 1) return undefined;
  const [separator] = split.call.arguments.map((item) => constantOf(map, item));
  return typeof separator === 'string' && separator !== '' ? separator : undefined;
}

/**
 * @param {string} prefix
 * @param {string} separator
 * @returns {number} how many whole parts it holds: they are the same for every document that has it
 */
function partsIn(prefix, separator) {
  return prefix.split(separator).length - 1;
}

/**
 * @param {PlainMap} map
 * @returns {IdFilter} which documents it emits: every one, those whose id has the prefix, or others. Tests that every
 *   document passes that a map is given, as that it is no design document, are none
 */
export function idFilter(map) {
  /** @type {(PrefixTest | undefined)[]} */
  const tests = [];
  for (const { test, holds } of map.guards) addTests(map, test, holds, tests);
  const prefixes = tests.filter((test) => !test || test.holds);
  const [first, ...others] = prefixes;
  if (prefixes.length === 0) return { kind: 'none', prefix: '' };
  return first && others.length === 0 ? { kind: 'prefix', prefix: first.prefix } : { kind: 'other', prefix: '' };
}

/**
 * @param {PlainMap} map
 * @param {AnyNode} test
 * @param {boolean} holds
 * @param {(PrefixTest | undefined)[]} tests added to: undefined for one that tests something else
 */
function addTests(map, test, holds, tests) {
  const node = map.resolve(test);
  if (node.type === 'UnaryExpression' && node.operator === '!') {
    addTests(map, node.argument, !holds, tests);
    return;
  }
  if (node.type === 'LogicalExpression' && node.operator === (holds ? '&&' : '||')) {
    addTests(map, node.left, holds, tests);
    addTests(map, node.right, holds, tests);
    return;
  }
  const path = map.pathOf(node);
  // The document and its id are always there, and what was deleted is never given to a map.
  const isAlways = path && (holds ? path.length === 0 || isIdPath(path) : path.join() === '_deleted');
  if (isAlways) return;
  const found = node.type === 'BinaryExpression' ? comparisonOf(map, node) : answerOf(map, node);
  const tested = found && { prefix: found.prefix, holds: found.holds === holds };
  // A document that is no design document, which is what a map is given.
  if (tested && !tested.holds && /^_(?:d|$)/.test(tested.prefix)) return;
  tests.push(tested?.holds ? tested : undefined);
}

/**
 * @param {PlainMap} map
 * @param {BinaryExpression} node
 * @returns {PrefixTest | undefined}
 */
function comparisonOf(map, { operator, left, right }) {
  if (!/^[!=]==?$/.test(operator) || left.type === 'PrivateIdentifier') return undefined;
  const holds = operator.startsWith('=');
  const [side, constant] =
    constantOf(map, left) === undefined ? [left, constantOf(map, right)] : [right, constantOf(map, left)];
  const member = map.resolve(side);
  const call = callOn(map, member);
  if (typeof constant === 'string') {
    const part = partOf(map, member);
    if (part?.index === 0) return { prefix: constant + part.separator, holds };
    return startLength(map, member) === constant.length && constant !== '' ? { prefix: constant, holds } : undefined;
  }
  if (constant !== 0 || !call || !isId(map, call.object)) return undefined;
  const [prefix, from] = call.call.arguments.map((item) => constantOf(map, item));
  const testsPrefix = (call.name === 'indexOf' && from === undefined) || (call.name === 'lastIndexOf' && from === 0);
  return testsPrefix && typeof prefix === 'string' && prefix !== '' ? { prefix, holds } : undefined;
}

/**
 * @param {PlainMap} map
 * @param {AnyNode} node
 * @returns {number | undefined} how many characters of the start of the id it is: `doc._id.slice(0, 6)`, `doc._id[0]`
 */
function startLength(map, node) {
  if (node.type === 'MemberExpression' && node.computed)
    return isId(map, node.object) && constantOf(map, node.property) === 0 ? 1 : undefined;
  const call = callOn(map, node);
  if (!call || !isId(map, call.object)) return undefined;
  const [from, to] = call.call.arguments.map((item) => constantOf(map, item));
  if (call.name === 'charAt') return from === 0 ? 1 : undefined;
  return CUTS.has(call.name) && from === 0 && typeof to === 'number' ? to : undefined;
}

/**
 * @param {PlainMap} map
 * @param {AnyNode} node what is tested for its truth
 * @returns {PrefixTest | undefined}
 */
function answerOf(map, node) {
  const call = callOn(map, node);
  const [first, ...others] = call?.call.arguments ?? [];
  if (!call || !first || others.length > 0) return undefined;
  if (call.name === 'test') return isId(map, first) ? patternTest(map, call.object) : undefined;
  if (!isId(map, call.object)) return undefined;
  if (call.name === 'match') return patternTest(map, first);
  const prefix = constantOf(map, first);
  if (typeof prefix !== 'string' || prefix === '') return undefined;
  // A position of 0 is false.
  if (call.name === 'indexOf') return { prefix, holds: false };
  return call.name === 'startsWith' ? { prefix, holds: true } : undefined;
}

/**
 * @param {PlainMap} map
 * @param {AnyNode} pattern
 * @returns {PrefixTest | undefined} of `/^order:/`
 */
function patternTest(map, pattern) {
  const node = map.resolve(pattern);
  if (node.type !== 'Literal' || !node.regex || node.regex.flags !== '') return undefined;
  const prefix = PLAIN_PATTERN.exec(node.regex.pattern)?.[1];
  return prefix === undefined ? undefined : { prefix: prefix.replaceAll(/\\(.)/g, '$1'), holds: true };
}

/**
 * @param {PlainMap} map
 * @param {AnyNode} node
 * @returns {{call: CallExpression, object: AnyNode, name: string} | undefined} of `object.name(…)`
 */
function callOn(map, node) {
  const call = map.resolve(node);
  if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return undefined;
  const name = memberName(call.callee);
  return name === undefined ? undefined : { call, object: call.callee.object, name };
}

/**
 * @param {PlainMap} map
 * @param {AnyNode} node
 * @returns {boolean}
 */
function isId(map, node) {
  return isIdPath(map.pathOf(node));
}

/**
 * @param {string[] | undefined} path
 * @returns {boolean}
 */
function isIdPath(path) {
  return path?.length === 1 && path[0] === '_id';
}

/**
 * @param {PlainMap} map
 * @param {AnyNode} node
 * @returns {string | number | undefined}
 */
function constantOf(map, node) {
  const literal = map.resolve(node);
  if (literal.type !== 'Literal') return undefined;
  return typeof literal.value === 'string' || typeof literal.value === 'number' ? literal.value : undefined;
}
