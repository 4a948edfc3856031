// Computes strings that expressions put together, each character with its place: templates, sums, `join` and
// `toString`. Reads and never runs.

import { MappedText } from '../../shared/mapped-text.js';

/** @import { AnyNode, BinaryExpression, CallExpression, TemplateLiteral } from 'acorn' */
/** @import { StringNode, UnknownNode, ValueNode } from '../record.js' */
/** @import { ValueReader } from './javascript-values.js' */

/** A piece of a string. @typedef {Pick<StringNode, 'text' | 'isFunction' | 'inlinable'>} Part */

/** Characters of one string that is put together. Names of names can double it without end. */
const MAX_LENGTH = 16_000_000;

const COMPUTED = 'it is computed when the program runs';

/**
 * @param {ValueReader} reader
 * @param {TemplateLiteral} node
 * @param {number} depth
 * @returns {StringNode | UnknownNode}
 */
export function readTemplate(reader, node, depth) {
  const { file } = reader;
  /** @type {Part[]} */
  const parts = [];
  for (const [index, quasi] of node.quasis.entries()) {
    const cooked = quasi.value.cooked ?? '';
    const range = { start: 0, length: cooked.length, file, fileStart: quasi.start, fileEnd: quasi.end };
    parts.push({ text: new MappedText(cooked, [{ ...range, encoding: 'javascript', quote: '`' }]) });
    const expression = node.expressions[index];
    if (!expression) continue;
    const part = asPart(reader, reader.read(expression, depth), expression);
    if (typeof part === 'string') return reader.unknown(node, part);
    parts.push(part);
  }
  return createString(reader, node, parts);
}

/**
 * Strings put together with `+`.
 * @param {ValueReader} reader
 * @param {BinaryExpression} node
 * @param {number} depth
 * @returns {StringNode | UnknownNode}
 */
export function readSum(reader, node, depth) {
  /** @type {AnyNode[]} */
  const operands = [];
  /** @type {AnyNode} */
  let at = node;
  // A sum of many lines leans to the left, as deep as it has lines.
  while (at.type === 'BinaryExpression') {
    if (at.operator !== '+') return reader.unknown(node, COMPUTED);
    operands.push(at.right);
    at = at.left;
  }
  operands.push(at);
  /** @type {Part[]} */
  const parts = [];
  let hasString = false;
  for (const operand of operands.reverse()) {
    const value = reader.read(operand, depth);
    if (value.type === 'string') hasString = true;
    // `1 + 2 + 'a'` adds numbers first.
    else if (!hasString && parts.length > 0) return reader.unknown(node, COMPUTED);
    const part = asPart(reader, value, operand);
    if (typeof part === 'string') return reader.unknown(node, part);
    parts.push(part);
  }
  return hasString ? createString(reader, node, parts) : reader.unknown(node, COMPUTED);
}

/**
 * @param {ValueReader} reader
 * @param {CallExpression} node `String(x)` or `x.toString()`
 * @param {AnyNode} operand `x`
 * @param {number} depth
 * @returns {StringNode | UnknownNode}
 */
export function readString(reader, node, operand, depth) {
  const value = reader.read(operand, depth);
  if (value.type === 'string') return value.isFunction ? { ...value, isConverted: true } : value;
  const part = asPart(reader, value, operand);
  return typeof part === 'string' ? reader.unknown(node, part) : createString(reader, node, [part]);
}

/**
 * @param {ValueReader} reader
 * @param {CallExpression} node `lines.join('\n')`
 * @param {AnyNode} array `lines`
 * @param {number} depth
 * @returns {StringNode | UnknownNode}
 */
export function readJoin(reader, node, array, depth) {
  const [first] = node.arguments;
  const lines = reader.read(array, depth);
  if (lines.type !== 'array') return reader.unknown(node, 'it is the result of a call');
  const separator = first ? reader.read(first, depth) : undefined;
  if (separator && separator.type !== 'string') return reader.unknown(node, 'it is concatenated with an unknown value');
  /** @type {Part[]} */
  const parts = [];
  for (const [index, item] of lines.items.entries()) {
    const part = asPart(reader, item, node);
    if (typeof part === 'string') return reader.unknown(node, part);
    if (index > 0)
      parts.push({ text: MappedText.opaque(separator?.value ?? ',', reader.file, item.start, item.start) });
    parts.push(part);
  }
  const joined = createString(reader, node, parts);
  return joined.type === 'string' ? { ...joined, lines: true } : joined;
}

/**
 * @param {ValueReader} reader
 * @param {ValueNode} value
 * @param {AnyNode} node where it is used
 * @returns {Part | string} what the value gives as a string; the reason where that is not known
 */
function asPart(reader, value, node) {
  if (value.type === 'string') return value;
  if (value.type === 'unknown') return value.reason;
  if (value.type === 'object' || value.type === 'array') return 'an object is converted to a string';
  const text = value.type === 'null' ? 'null' : String(value.value);
  return { text: MappedText.opaque(text, reader.file, node.start, node.end) };
}

/**
 * @param {ValueReader} reader
 * @param {AnyNode} node
 * @param {Part[]} parts
 * @returns {StringNode | UnknownNode}
 */
function createString(reader, node, parts) {
  const length = parts.reduce((sum, { text }) => sum + text.text.length, 0);
  if (length > MAX_LENGTH) return reader.unknown(node, 'it is too long to be evaluated');
  const filled = parts.filter(({ text }) => text.text !== '');
  const text = MappedText.concat((filled.length > 0 ? filled : parts.slice(0, 1)).map((part) => part.text));
  // `'' + map` is the function and no more.
  const isFunction = filled.length === 1 && filled[0]?.isFunction === true;
  const inlinable = parts.find((part) => part.inlinable)?.inlinable;
  return {
    ...reader.base(node),
    type: 'string',
    value: text.text,
    text,
    ...(isFunction ? { isFunction, isConverted: true } : {}),
    ...(inlinable ? { inlinable } : {}),
  };
}
