// Hashes functions so that those that differ only in spelling have one hash: spaces, comments, quotes, parentheses, the
// function's own name and the names of its variables do not count.

import { resolveNames } from '../../javascript/names.js';
import { hashText } from '../../shared/hash-text.js';

/** @import { AnyNode } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */

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
    /** @type {string[]} */
    const words = [];
    write(fn, collectNames(fn), fn, words);
    return hashText(words.join('\n'));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Nodes that functions of one hash may have or not. */
const FREE_IN_SPELLING = new Set([
  'Identifier',
  'Literal',
  'EmptyStatement',
  'BlockStatement',
  'ParenthesizedExpression',
]);

/**
 * A quick look at a function, which shows whether its hash is worth the time: functions of one hash have one quick hash.
 * @param {FunctionNode} fn
 * @param {readonly AnyNode[]} nodes of the text, in its order
 * @returns {number}
 */
export function quickHash(fn, nodes) {
  let types = 0;
  // `doc.date` may be spelled `doc['date']`, so words are added up wherever they stand.
  let words = 0;
  for (const node of nodes) {
    if (node.start < fn.start || node.end > fn.end) continue;
    if (node !== fn && !FREE_IN_SPELLING.has(node.type)) types = Math.imul(types + quickHashOfWord(node.type), 31);
    if (node.type === 'Literal' && typeof node.value === 'string') words += quickHashOfWord(node.value);
    if (node.type === 'MemberExpression' && !node.computed) words += quickHashOfName(node.property);
    if (node.type === 'Property' && !node.computed) words += quickHashOfName(node.key);
  }
  return (types ^ words) | 0;
}

/**
 * @param {AnyNode} name of a member
 * @returns {number} nothing for a literal, which is looked at in its turn
 */
function quickHashOfName(name) {
  return name.type === 'Identifier' ? quickHashOfWord(name.name) : 0;
}

/**
 * @param {string} word
 * @returns {number}
 */
function quickHashOfWord(word) {
  const { length } = word;
  if (length === 0) return 1;
  // Three characters distinguish most words.
  const last = word.charCodeAt(length - 1);
  return Math.imul(Math.imul(length * 31 + word.charCodeAt(0), 31) + word.charCodeAt(length >> 1), 31) + last;
}

/**
 * Every name that is declared somewhere in the function gets a number, in the order of appearance. One name that is
 * declared twice gets one number: such functions then differ from others at worst.
 * @param {FunctionNode} fn
 * @returns {Map<string, number>}
 */
function collectNames(fn) {
  const { declared } = resolveNames([/** @type {AnyNode} */ (fn)]);
  const ids = [...declared.keys()].filter((id) => id !== fn.id).sort((first, second) => first.start - second.start);
  /** @type {Map<string, number>} */
  const names = new Map();
  for (const { name } of ids) if (!names.has(name)) names.set(name, names.size);
  return names;
}

/**
 * @param {unknown} value
 * @param {ReadonlyMap<string, number>} names
 * @param {FunctionNode} main
 * @param {string[]} out the value's own words are added to it
 */
function write(value, names, main, out) {
  if (Array.isArray(value)) {
    out.push('[');
    for (const item of value) if (item?.type !== 'EmptyStatement') write(item, names, main, out);
    out.push(']');
    return;
  }
  if (value === null || typeof value !== 'object' || value instanceof RegExp) {
    out.push(typeof value, String(value));
    return;
  }
  const node = /** @type {AnyNode} */ (value);
  switch (node.type) {
    case 'ParenthesizedExpression':
      write(node.expression, names, main, out);
      return;
    case 'BlockStatement': {
      // `{ emit(…); }` is `emit(…);`, where nothing is declared in it.
      const [only, other] = node.body.filter((item) => item.type !== 'EmptyStatement');
      if (node !== main.body && only?.type === 'ExpressionStatement' && !other) {
        write(only, names, main, out);
        return;
      }
      break;
    }
    case 'Identifier':
      out.push('name', String(names.get(node.name) ?? `free ${node.name}`));
      return;
    case 'MemberExpression':
      // The name behind a dot is a name of the data, not of a variable.
      out.push(node.optional ? '?.' : '.');
      write(node.object, names, main, out);
      writeKey(node.property, node.computed, names, main, out);
      return;
    case 'Property':
      out.push('property', node.kind);
      writeKey(node.key, node.computed, names, main, out);
      write(node.value, names, main, out);
      return;
    default:
  }
  if (node !== main) out.push(node.type);
  for (const key in node) {
    if (SPELLING.has(key) && !(key === 'expression' && WITH_EXPRESSION.has(node.type))) continue;
    if (key === 'type' || (node === main && key === 'id')) continue;
    out.push(key);
    write(/** @type {Record<string, unknown>} */ (/** @type {unknown} */ (node))[key], names, main, out);
  }
}

/**
 * @param {unknown} key
 * @param {boolean} computed
 * @param {ReadonlyMap<string, number>} names
 * @param {FunctionNode} main
 * @param {string[]} out the name is added to it, where it is plain: `doc['date']` is `doc.date`
 */
function writeKey(key, computed, names, main, out) {
  const node = /** @type {AnyNode} */ (key);
  if (!computed && node.type === 'Identifier') out.push('key', node.name);
  else if (node.type === 'Literal' && typeof node.value === 'string') out.push('key', node.value);
  else {
    out.push('computed');
    write(key, names, main, out);
  }
}
