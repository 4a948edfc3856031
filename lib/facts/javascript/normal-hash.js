// A hash of a function that is the same for functions that differ only in spelling: spaces, comments, quotes, parentheses,
// the function's own name and the names of its variables.

import { hashText } from '../../shared/hash-text.js';
import { namesIn } from './scope.js';
import { walkNodes } from './walk.js';

/** @import { AnyNode, Pattern } from 'acorn' */
/** @import { FunctionNode } from './parse.js' */

/** What a node says of its place and its spelling, not of its meaning. */
const SPELLING = new Set([
  'start',
  'end',
  'raw',
  'loc',
  'range',
  'sourceFile',
  'regex',
  'bigint',
  'shorthand',
  'expression',
]);

/** Nodes whose `expression` is a part of them, and not a flag. */
const WITH_EXPRESSION = new Set(['ExpressionStatement', 'ChainExpression', 'ParenthesizedExpression']);

/**
 * @param {FunctionNode} fn
 * @returns {string | undefined} undefined for a function that is nested too deeply
 */
export function normalHash(fn) {
  try {
    return hashText(JSON.stringify(normalize(fn, collectNames(fn), fn)));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Every name that is declared somewhere in the function gets a number, in the order of appearance. One name that is
 * declared twice gets one number: such functions then differ from others at worst.
 * @param {FunctionNode} fn
 * @returns {Map<string, number>}
 */
function collectNames(fn) {
  /** @type {Map<string, number>} */
  const names = new Map();
  /** @param {Pattern | null | undefined} pattern */
  const declare = (pattern) => {
    for (const name of pattern ? namesIn(pattern) : []) if (!names.has(name)) names.set(name, names.size);
  };
  walkNodes([/** @type {AnyNode} */ (fn)], (node) => {
    if (/Function|Class/.test(node.type) && node !== fn && 'id' in node)
      declare(/** @type {Pattern | null} */ (node.id));
    if (/Function/.test(node.type)) for (const param of /** @type {FunctionNode} */ (node).params) declare(param);
    if (node.type === 'VariableDeclarator') declare(node.id);
    if (node.type === 'CatchClause') declare(node.param);
  });
  return names;
}

/**
 * @param {unknown} value
 * @param {ReadonlyMap<string, number>} names
 * @param {FunctionNode} main
 * @returns {unknown}
 */
function normalize(value, names, main) {
  if (Array.isArray(value)) {
    return value.filter((item) => item?.type !== 'EmptyStatement').map((item) => normalize(item, names, main));
  }
  if (typeof value === 'bigint') return { bigint: String(value) };
  if (value instanceof RegExp) return { regex: String(value) };
  if (value === null || typeof value !== 'object') return value;
  const node = /** @type {AnyNode} */ (value);
  switch (node.type) {
    case 'ParenthesizedExpression':
      return normalize(node.expression, names, main);
    case 'BlockStatement': {
      // `{ emit(…); }` is `emit(…);`, where nothing is declared in it.
      const [only, other] = node.body.filter((item) => item.type !== 'EmptyStatement');
      if (node !== main.body && only?.type === 'ExpressionStatement' && !other) return normalize(only, names, main);
      break;
    }
    case 'Identifier':
      return { name: names.get(node.name) ?? node.name };
    case 'MemberExpression':
      // The name behind a dot is a name of the data, not of a variable.
      return {
        type: node.type,
        object: normalize(node.object, names, main),
        property: keyOf(node.property, node.computed, names, main),
        optional: node.optional,
      };
    case 'Property':
      return {
        type: node.type,
        kind: node.kind,
        key: keyOf(node.key, node.computed, names, main),
        value: normalize(node.value, names, main),
      };
    default:
  }
  const isMain = node === main;
  const entries = Object.entries(node).filter(([key]) => {
    if (key === 'expression') return WITH_EXPRESSION.has(node.type);
    return !SPELLING.has(key) && !(isMain && (key === 'id' || key === 'type'));
  });
  return Object.fromEntries(entries.map(([key, member]) => [key, normalize(member, names, main)]));
}

/**
 * @param {unknown} key
 * @param {boolean} computed
 * @param {ReadonlyMap<string, number>} names
 * @param {FunctionNode} main
 * @returns {unknown} the name, where it is plain: `doc['date']` is `doc.date`
 */
function keyOf(key, computed, names, main) {
  const node = /** @type {AnyNode} */ (key);
  if (!computed && node.type === 'Identifier') return node.name;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  return { computed: normalize(key, names, main) };
}
