// Computes strings that expressions put together, each character with its place: templates, sums, `join` and
// `toString`. Reads and never runs.

import { MappedText } from '../../shared/mapped-text.js';

/** @import { AnyNode, BinaryExpression, CallExpression, TemplateLiteral } from 'acorn' */
/** @import { StringNode, UnknownNode, ValueNode } from '../record.js' */
/** @import { ValueReader } from './javascript-values.js' */

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
  /** @type {MappedText[]} */
  const parts = [];
  for (const [index, quasi] of node.quasis.entries()) {
    const cooked = quasi.value.cooked ?? '';
    const range = { start: 0, length: cooked.length, file, fileStart: quasi.start, fileEnd: quasi.end };
    parts.push(new MappedText(cooked, [{ ...range, encoding: 'javascript', quote: '`' }]));
    const expression = node.expressions[index];
    if (!expression) continue;
    const text = asText(reader, reader.read(expression, depth), expression);
    if (typeof text === 'string') return reader.unknown(node, text);
    parts.push(text);
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
  /** @type {MappedText[]} */
  const parts = [];
  let hasString = false;
  for (const operand of operands.reverse()) {
    const value = reader.read(operand, depth);
    if (value.type === 'string') hasString = true;
    // `1 + 2 + 'a'` adds numbers first.
    else if (!hasString && parts.length > 0) return reader.unknown(node, COMPUTED);
    const text = asText(reader, value, operand);
    if (typeof text === 'string') return reader.unknown(node, text);
    parts.push(text);
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
  const text = asText(reader, value, operand);
  return typeof text === 'string' ? reader.unknown(node, text) : createString(reader, node, [text]);
}

/**
 * @param {ValueReader} reader
 * @param {CallExpression} node `lines.join('\n')`
 * @param {number} depth
 * @returns {StringNode | UnknownNode}
 */
export function readJoin(reader, node, depth) {
  const [first] = node.arguments;
  const lines = node.callee.type === 'MemberExpression' ? reader.read(node.callee.object, depth) : undefined;
  if (lines?.type !== 'array') return reader.unknown(node, 'it is the result of a call');
  const separator = first ? reader.read(first, depth) : undefined;
  if (separator && separator.type !== 'string') return reader.unknown(node, 'it is concatenated with an unknown value');
  /** @type {MappedText[]} */
  const parts = [];
  for (const [index, item] of lines.items.entries()) {
    const text = asText(reader, item, node);
    if (typeof text === 'string') return reader.unknown(node, text);
    if (index > 0) parts.push(MappedText.opaque(separator?.value ?? ',', reader.file, item.start, item.start));
    parts.push(text);
  }
  const joined = createString(reader, node, parts);
  return joined.type === 'string' ? { ...joined, lines: true } : joined;
}

/**
 * @param {ValueReader} reader
 * @param {ValueNode} value
 * @param {AnyNode} node where it is used
 * @returns {MappedText | string} what the value gives as a string; the reason where that is not known
 */
function asText(reader, value, node) {
  if (value.type === 'string') return value.text;
  if (value.type === 'unknown') return value.reason;
  if (value.type === 'object' || value.type === 'array') return 'an object is converted to a string';
  const text = value.type === 'null' ? 'null' : String(value.value);
  return MappedText.opaque(text, reader.file, node.start, node.end);
}

/**
 * @param {ValueReader} reader
 * @param {AnyNode} node
 * @param {MappedText[]} parts
 * @returns {StringNode | UnknownNode}
 */
function createString(reader, node, parts) {
  const length = parts.reduce((sum, part) => sum + part.text.length, 0);
  if (length > MAX_LENGTH) return reader.unknown(node, 'it is too long to be evaluated');
  const filled = parts.filter((part) => part.text !== '');
  const text = MappedText.concat(filled.length > 0 ? filled : parts.slice(0, 1));
  // Raw text in a program is that of a function: `'' + map` is the function and no more.
  const isFunction = text.pieces.length === 1 && text.pieces[0]?.encoding === 'raw';
  return {
    ...reader.base(node),
    type: 'string',
    value: text.text,
    text,
    ...(isFunction ? { isFunction, isConverted: true } : {}),
  };
}
