// A hash of a function that is the same for functions that differ only in spelling: spaces, comments, quotes, parentheses,
// the function's own name and the names of its variables.

import { createHash } from 'node:crypto';
import { namesIn } from './scope.js';

/** @import { AnyNode, Node, Pattern } from 'acorn' */
/** @import { FunctionNode } from './parse.js' */

/** What a node says of its place and its spelling, not of its meaning. */
const SPELLING = new Set(['start', 'end', 'raw', 'loc', 'range', 'sourceFile', 'parenthesizedExpression']);

/**
 * @param {FunctionNode} fn
 * @returns {string}
 */
export function normalHash(fn) {
  /** @type {Map<string, string>} */
  const names = new Map();
  collectNames(fn, names);
  return createHash('sha256')
    .update(JSON.stringify(normalize(fn, names, true)))
    .digest('hex')
    .slice(0, 16);
}

/**
 * Every name that is declared somewhere in the function gets a number, in the order of appearance. One name that is
 * declared twice gets one number: such functions then differ from others at worst.
 * @param {Node} root
 * @param {Map<string, string>} names
 */
function collectNames(root, names) {
  const node = /** @type {AnyNode} */ (root);
  /** @param {Pattern | null | undefined} pattern */
  const declare = (pattern) => {
    for (const name of pattern ? namesIn(pattern) : []) if (!names.has(name)) names.set(name, `$${names.size}`);
  };
  if (/Function/.test(node.type)) {
    const fn = /** @type {FunctionNode} */ (node);
    for (const param of fn.params) declare(param);
    if (fn.type !== 'ArrowFunctionExpression' && fn.id) declare(fn.id);
  }
  if (node.type === 'VariableDeclarator') declare(node.id);
  if (node.type === 'CatchClause') declare(node.param);
  for (const child of children(node)) collectNames(child, names);
}

/**
 * @param {unknown} value
 * @param {Map<string, string>} names
 * @param {boolean} [isMain]
 * @returns {unknown}
 */
function normalize(value, names, isMain = false) {
  if (Array.isArray(value)) return value.map((item) => normalize(item, names));
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? `${value}n` : value;
  if (value instanceof RegExp) return String(value);
  const node = /** @type {AnyNode} */ (value);
  if (node.type === 'ParenthesizedExpression') return normalize(node.expression, names);
  if (node.type === 'EmptyStatement') return undefined;
  if (node.type === 'Identifier') return { id: names.get(node.name) ?? node.name };
  // The name behind a dot is a name of the data, not of a variable.
  if (node.type === 'MemberExpression' && !node.computed && node.property.type === 'Identifier') {
    return { type: node.type, object: normalize(node.object, names), property: node.property.name };
  }
  if (node.type === 'Property' && !node.computed && node.key.type === 'Identifier') {
    return { type: node.type, key: node.key.name, kind: node.kind, value: normalize(node.value, names) };
  }
  const entries = Object.entries(node).filter(
    ([key]) => !SPELLING.has(key) && !(isMain && (key === 'id' || key === 'type')),
  );
  return Object.fromEntries(entries.map(([key, member]) => [key, normalize(member, names)]));
}

/**
 * @param {Node} node
 * @returns {Node[]}
 */
function children(node) {
  return Object.values(node).flatMap((value) =>
    (Array.isArray(value) ? value : [value]).filter(
      (item) => item !== null && typeof item === 'object' && typeof item.type === 'string',
    ),
  );
}
