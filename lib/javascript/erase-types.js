// Finds the types in a TypeScript function: what is left without them is JavaScript that means the same. Compiles nothing:
// where TypeScript makes other code (an enum, a namespace), there is no answer.

import { Parser } from 'acorn';
import { isTypeNode, unwrapType } from './typescript.js';
import { walkNodes } from './walk.js';

/** @import { AnyNode } from 'acorn' */

/** @typedef {{start: number, end: number}} Range */

/**
 * Fields that acorn-typescript adds to nodes of acorn.
 * @typedef {object} TypedNode
 * @property {string} type
 * @property {number} start
 * @property {number} end
 * @property {string} [name]
 * @property {boolean} [optional]
 * @property {Range} [typeAnnotation]
 * @property {Range} [typeParameters]
 * @property {Range} [typeArguments]
 * @property {Range} [returnType]
 * @property {AnyNode[]} [params]
 */

/** What compiles to code of its own, or is not found inside a function that a query server could run. */
const COMPILED = /^(?:Class|JSX|TSEnum|TSModule|TSParameterProperty|TSImportEquals|TSExportAssignment)/;

/** Where a range is cut out between two characters of one kind, they would run together: `a!in b`, `+<any>+a`. */
const JOINED = /[\w$]{2}|[-+*/%&|<>=!]{2}/;

/**
 * @param {string} source of the file
 * @param {AnyNode} node a function or a method of an object, as acorn-typescript parsed it
 * @returns {Range[] | undefined} the parts that are not types, in the order of the text, an empty range where a space must keep
 *   two of them apart; undefined where what is left is not the same code
 */
export function withoutTypes(source, node) {
  /** @type {Range[]} */
  const types = [];
  let isPlain = true;
  walkNodes([node], (inner) => {
    if (COMPILED.test(inner.type)) isPlain = false;
    else addTypes(source, inner, types);
  });
  if (!isPlain) return undefined;
  const parts = partsBetween(source, node, types);
  return types.length === 0 || isSameCode(node, textOf(source, parts)) ? parts : undefined;
}

/**
 * @param {string} source
 * @param {readonly Range[]} parts as `withoutTypes` gives them
 * @returns {string}
 */
function textOf(source, parts) {
  return parts.map(({ start, end }) => (start === end ? ' ' : source.slice(start, end))).join('');
}

/**
 * @param {string} source
 * @param {AnyNode} inner
 * @param {Range[]} types the types that belong to the node alone are added
 */
function addTypes(source, inner, types) {
  const node = /** @type {TypedNode} */ (/** @type {unknown} */ (inner));
  const value = unwrapType(inner);
  if (isTypeNode(inner)) types.push({ start: node.start, end: node.end });
  else if (value) addWrapper(source, node, value, types);
  for (const part of [node.typeParameters, node.typeArguments, node.returnType]) if (part) types.push(part);
  if (node.type === 'Identifier' && (node.typeAnnotation || node.optional)) {
    // With the `?` or `!` behind the name.
    const start = node.start + (node.name ?? '').length;
    types.push({ start, end: node.typeAnnotation?.end ?? source.indexOf('?', start) + 1 });
  } else if (node.typeAnnotation && !value) types.push(node.typeAnnotation);
  const [first, second] = node.params ?? [];
  if (first?.type === 'Identifier' && first.name === 'this') {
    types.push({ start: first.start, end: second?.start ?? first.end });
  }
}

/**
 * @param {string} source
 * @param {TypedNode} node `value as T`, `value!`, `<T>value`, `value satisfies T`
 * @param {AnyNode} value
 * @param {Range[]} types added to
 */
function addWrapper(source, { type, start, end, typeAnnotation }, value, types) {
  if (type === 'TSNonNullExpression') types.push({ start: end - 1, end });
  if (!typeAnnotation) return;
  if (type === 'TSTypeAssertion') {
    types.push({ start, end: source.indexOf('>', typeAnnotation.end) + 1 });
    return;
  }
  // The value may stand in parentheses, which are no nodes.
  const between = source.slice(value.end, typeAnnotation.start);
  types.push({ start: value.end + between.search(/[ \t]*\b(?:as|satisfies)\b[^)]*$/), end });
}

/**
 * @param {string} source
 * @param {Range} whole
 * @param {Range[]} types in any order; one may lie in another
 * @returns {Range[]}
 */
function partsBetween(source, whole, types) {
  /** @type {Range[]} */
  const parts = [];
  let at = whole.start;
  for (const { start, end } of types.sort((a, b) => a.start - b.start)) {
    if (end <= at) continue;
    if (start > at) parts.push({ start: at, end: start });
    at = Math.max(at, end);
    const around = source.slice(Math.max(whole.start, start - 1), start) + source.slice(at, at + 1);
    if (JOINED.test(around)) parts.push({ start: at, end: at });
  }
  if (at < whole.end) parts.push({ start: at, end: whole.end });
  return parts;
}

/**
 * Types at the end of a line without a semicolon are the trap: what follows may then go on with the line.
 * @param {AnyNode} node
 * @param {string} text of it without its types
 * @returns {boolean} whether the text is read as the same code
 */
function isSameCode(node, text) {
  const isMethod = node.type === 'Property';
  try {
    const { body } = Parser.parse(isMethod ? `({${text}})` : `(${text}\n)`, { ecmaVersion: 'latest' });
    const statement = body[0];
    if (body.length !== 1 || statement?.type !== 'ExpressionStatement') return false;
    const { expression } = statement;
    const again = isMethod && expression.type === 'ObjectExpression' ? expression.properties[0] : expression;
    return again !== undefined && kindsOf(node) === kindsOf(again);
  } catch {
    return false;
  }
}

/**
 * @param {AnyNode} node a function
 * @returns {string} the kinds of the nodes in it and the names, in the order of the text
 */
function kindsOf(node) {
  /** @type {string[]} */
  const kinds = [];
  walkNodes([node], (inner) => {
    if (inner === node || inner.type.startsWith('TS')) return;
    // In JavaScript `this` is never a name.
    if (inner.type === 'Identifier') kinds.push(inner.name === 'this' ? '' : inner.name);
    else kinds.push(inner.type);
  });
  return kinds.filter((kind) => kind !== '').join(' ');
}
