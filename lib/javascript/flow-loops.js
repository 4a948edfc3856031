// Determines what a loop goes over, and which calls split a text into words: the basis for detecting maps that emit
// many rows.

import { evaluate } from './flow-expressions.js';

/** @import { AnyNode, CallExpression, DoWhileStatement, Expression, ForStatement, Node, WhileStatement } from 'acorn' */
/** @import { Frame, State, FlowWalk } from './flow-state.js' */
/** @import { Value } from './values.js' */

/** Whole patterns that stand between words: `\s+`, `\W`, a space, `[\s,.]+`, `[^a-z]+`. */
const BETWEEN_WORDS =
  /^(?:\\s|\\W|\\b| |\[(?=[^\]]*(?: |\\s|\\W))[^^\]][^\]]*\]|\[\^(?![^\]]*(?: |\\s|\\W))[^\]]+\])[+*]?$/;

/** Whole patterns that are words: `\w+`, `\S+`, `[a-z]{3,}`. */
const WORDS = /^(?:\\b)?(?:\\w|\\S|\[(?!\^)(?![^\]]*(?: |\\s|\\W))[^\]]*[a-zA-Zw][^\]]*\])(?:\+|\{\d+,\d*\})(?:\\b)?$/;

/** A set of separators that people put between tags and keywords, with no mark that ends a sentence. */
const BETWEEN_TAGS = /^\[(?:[^^.!?\\]|\\s)*[,;|](?:[^.!?\\]|\\s)*\]/;

/** Patterns longer than this are not looked at. */
const LONGEST_PATTERN = 100;

/** Methods of lists that give items of the same list, or something made of each. */
const KEEPS_ITEMS = new Set(['filter', 'map', 'slice', 'sort', 'reverse']);

/**
 * @param {FlowWalk} walk
 * @param {ForStatement | WhileStatement | DoWhileStatement} statement
 * @param {State} state where it begins
 * @param {Frame} frame its own
 * @returns {Frame} the same in a further loop, if it is one like `for (var i = 0; i < doc.lines.length; i++)`
 */
export function insideLoop(walk, statement, state, frame) {
  const init = statement.type === 'ForStatement' ? statement.init : undefined;
  const list = listIn(statement.test) ?? listIn(init);
  if (!list) return frame;
  // Looks and notes nothing: the test itself is gone through as any other.
  const apart = { ...walk, emits: [], throws: [], reads: new Map(), mentioned: new Set() };
  const copied = { ...state, values: new Map(state.values) };
  const over = evaluate(apart, /** @type {Expression} */ (list), copied, frame);
  return { ...frame, loops: [...frame.loops, { node: statement, over }] };
}

/**
 * @param {AnyNode | null | undefined} node the test of a loop, or what it begins with
 * @returns {Node | undefined} `doc.lines` of `i < doc.lines.length`: names and members alone, which do nothing
 */
function listIn(node) {
  switch (node?.type) {
    case 'MemberExpression':
      return !node.computed && node.property.type === 'Identifier' && node.property.name === 'length'
        ? plainChain(node.object)
        : undefined;
    case 'BinaryExpression':
      return listIn(node.left) ?? listIn(node.right);
    case 'LogicalExpression':
      return listIn(node.left) ?? listIn(node.right);
    case 'AssignmentExpression':
      return listIn(node.right);
    case 'SequenceExpression':
      return first(node.expressions);
    case 'VariableDeclaration':
      return first(node.declarations.map(({ init }) => init));
    default:
      return undefined;
  }
}

/**
 * @param {(AnyNode | null | undefined)[]} nodes
 * @returns {Node | undefined}
 */
function first(nodes) {
  for (const node of nodes) {
    const list = listIn(node);
    if (list) return list;
  }
  return undefined;
}

/**
 * @param {AnyNode} node
 * @returns {Node | undefined} the node itself, where it is made of names and members
 */
function plainChain(node) {
  let inner = node;
  while (inner.type === 'MemberExpression') {
    if (inner.computed && inner.property.type !== 'Identifier' && inner.property.type !== 'Literal') return undefined;
    inner = inner.object;
  }
  return inner.type === 'Identifier' ? node : undefined;
}

/**
 * @param {CallExpression} node a call of a method
 * @param {string} name of it
 * @param {Value} object what it is called on
 * @param {Value} result
 * @returns {Value} the result, marked where it is the words of a text
 */
export function markWords(node, name, object, result) {
  if (result.kind !== 'array' && result.kind !== 'unknown') return result;
  return cutsWords(name, node.arguments[0]) || (KEEPS_ITEMS.has(name) && hasWords(object))
    ? { ...result, words: true }
    : result;
}

/**
 * @param {Value} value
 * @returns {boolean} whether it may be the words of a text
 */
export function hasWords(value) {
  if (value.kind === 'union') return value.of.some(hasWords);
  return (value.kind === 'array' || value.kind === 'unknown') && value.words === true;
}

/**
 * @param {string} name of a method
 * @param {Node | undefined} given its first argument
 * @returns {boolean}
 */
function cutsWords(name, given) {
  if (given?.type !== 'Literal') return false;
  const { value, regex } = /** @type {import('acorn').Literal} */ (given);
  if (regex && regex.pattern.length > LONGEST_PATTERN) return false;
  if (name === 'split') {
    if (!regex) return value === ' ';
    return BETWEEN_WORDS.test(regex.pattern) && !BETWEEN_TAGS.test(regex.pattern);
  }
  return (
    name === 'match' && regex !== undefined && regex !== null && regex.flags.includes('g') && WORDS.test(regex.pattern)
  );
}
