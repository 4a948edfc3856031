// Rewrites the text of a map so that it emits a different value instead of its present one; undefined where a value is
// emitted in a way that cannot be changed here. Reads the syntax tree; runs nothing.

import { parseFunction } from '../javascript/parse.js';
import { walkNodes } from '../javascript/walk.js';

/** @import { AnyNode, ObjectExpression } from 'acorn' */

/** One change of a text: what stands from `start` to `end` becomes `text`. @typedef {{start: number, end: number, text: string}} Change */

/**
 * @param {string} source
 * @param {string} emitted an expression of `value`
 * @returns {Change[] | undefined} in the order of the text
 */
export function changesOfMap(source, emitted) {
  const tree = parseFunction(source);
  if (!tree.ok || !tree.fn) return undefined;
  const [param] = tree.fn.params;
  const doc = param?.type === 'Identifier' ? param.name : undefined;
  /** @type {Change[]} */
  const changes = [];
  let isClear = true;
  let names = 0;
  walkNodes(tree.roots, (node) => {
    if (node.type === 'Identifier' && node.name === 'emit') names += 1;
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'emit') return;
    const value = /** @type {AnyNode | undefined} */ (node.arguments[1]);
    const isPlain = node.arguments.length === 2 && node.arguments.every(({ type }) => type !== 'SpreadElement');
    // What an emit inside of the value of another would become is not followed.
    const isNested = changes.some(({ start, end }) => node.start >= start && node.end <= end);
    if (!value || !isPlain || isNested) isClear = false;
    else changes.push({ start: value.start, end: value.end, text: newValue(source, value, emitted, doc) });
  });
  // `emit` under another name, or given to a function, is no call that is seen here.
  return isClear && changes.length > 0 && names === changes.length
    ? changes.sort((one, other) => one.start - other.start)
    : undefined;
}

/**
 * @param {string} source
 * @param {Change[]} changes in the order of the text
 * @returns {string}
 */
export function withChanges(source, changes) {
  let text = '';
  let done = 0;
  for (const { start, end, text: now } of changes) {
    text += source.slice(done, start) + now;
    done = end;
  }
  return text + source.slice(done);
}

/**
 * @param {string} source
 * @param {AnyNode} value that is emitted
 * @param {string} emitted
 * @param {string | undefined} doc the name of the document
 * @returns {string}
 */
function newValue(source, value, emitted, doc) {
  const textOf = (/** @type {AnyNode} */ node) => source.slice(node.start, node.end);
  if (isSimple(value, doc)) return replaceValue(emitted, () => textOf(value)) ?? textOf(value);
  const members = value.type === 'ObjectExpression' ? simpleMembers(value, doc) : undefined;
  const direct =
    members &&
    replaceValue(emitted, (name) => {
      const member = name === undefined ? undefined : members.get(name);
      return member && textOf(member);
    });
  return direct ?? `(function (value) { return ${emitted}; })(${textOf(value)})`;
}

/**
 * @param {ObjectExpression} object
 * @param {string | undefined} doc
 * @returns {Map<string, AnyNode> | undefined} its members, where all can be written elsewhere too
 */
function simpleMembers({ properties }, doc) {
  /** @type {Map<string, AnyNode>} */
  const members = new Map();
  for (const property of properties) {
    if (property.type !== 'Property' || property.computed || property.kind !== 'init') return undefined;
    const { key } = property;
    const value = /** @type {AnyNode} */ (property.value);
    if ((key.type !== 'Identifier' && key.type !== 'Literal') || !isSimple(value, doc)) return undefined;
    members.set(key.type === 'Identifier' ? key.name : String(key.value), value);
  }
  return members;
}

/**
 * @param {AnyNode} node
 * @param {string | undefined} doc
 * @returns {boolean} whether it may be evaluated twice, or not at all: a name, a constant, a member of the document. Of
 *   anything else reading a member may throw, and then the document has no row.
 */
function isSimple(node, doc) {
  if (node.type === 'Identifier') return true;
  if (node.type === 'Literal') return !('regex' in node && node.regex);
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier' || node.object.name !== doc) return false;
  return !node.computed || node.property.type === 'Literal';
}

/**
 * @param {string} emitted
 * @param {(name: string | undefined) => string | undefined} textOf of `value`, or of a member of it
 * @returns {string | undefined} undefined where there is none of one of them
 */
function replaceValue(emitted, textOf) {
  const before = 'function (value) { return ';
  const tree = parseFunction(`${before}${emitted}; }`);
  if (!tree.ok || !tree.fn) return undefined;
  /** @type {Change[]} */
  const changes = [];
  /** @type {Set<AnyNode>} */
  const names = new Set();
  let isWhole = true;
  const replace = (/** @type {AnyNode} */ { start, end }, /** @type {string | undefined} */ text) => {
    if (text === undefined) isWhole = false;
    else changes.push({ start, end, text });
  };
  const isOne = textOf(undefined) !== undefined;
  walkNodes([tree.fn.body], (node) => {
    if (node.type === 'Property' && !node.computed) names.add(node.key);
    if (node.type === 'MemberExpression') {
      const { object, property, computed } = node;
      if (!computed) names.add(property);
      if (!isOne && object.type === 'Identifier' && object.name === 'value') {
        names.add(object);
        const isNamed = property.type === 'Identifier' && !computed;
        replace(node, textOf(isNamed ? property.name : property.type === 'Literal' ? String(property.value) : ''));
      }
    }
    if (node.type === 'Identifier' && node.name === 'value' && !names.has(node)) replace(node, textOf(undefined));
  });
  if (!isWhole) return undefined;
  const sorted = changes.sort((one, other) => one.start - other.start);
  return withChanges(tree.text, sorted).slice(before.length, -'; }'.length);
}
