// Reads what cannot be seen in the values of options: regular expressions, which JSON does not have, and whether a `skip` grows from page to page.

import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { member } from '../record.js';
import { nameOfCallee } from './turns.js';

/** @import { AnyNode, Identifier } from 'acorn' */
/** @import { ValueNode } from '../record.js' */
/** @import { Code } from './code.js' */
/** @import { CallRecord, WrittenRegExp } from './record.js' */

/** Names that are followed from one to the next. */
const MAX_NAMES = 5;
/** Functions that make a number of their argument. */
const TO_NUMBER = new Set(['Number', 'parseInt', 'parseFloat']);

/**
 * @param {ValueNode | null} options
 * @param {Code} code
 * @returns {WrittenRegExp[]} in the order of the text
 */
export function regExpsIn(options, code) {
  /** @type {WrittenRegExp[]} */
  const found = [];
  const visit = (/** @type {ValueNode} */ value, /** @type {string} */ key) => {
    if (value.type === 'object') for (const entry of value.entries) visit(entry.node, entry.key);
    else if (value.type === 'array') for (const item of value.items) visit(item, key);
    else if (value.type === 'unknown') {
      const node = value.file === code.file ? nodeAt(value, code) : undefined;
      const written = node && writtenRegExp(node, code);
      if (written) found.push({ key, start: value.start, end: value.end, ...written });
    }
  };
  const selector = options && member(options, 'selector');
  if (selector) visit(selector, 'selector');
  return found;
}

/**
 * @param {AnyNode} node
 * @param {Code} code
 * @returns {Pick<WrittenRegExp, 'pattern' | 'flags' | 'from'> | undefined}
 */
function writtenRegExp(node, code) {
  if (node.type === 'Literal' && node.regex) return { ...node.regex, from: null };
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return undefined;
  const { callee } = node;
  if (callee.type !== 'Identifier' || callee.name !== 'RegExp' || bindingAt(callee, code.resolved)) return undefined;
  const [pattern, flags] = node.arguments;
  if (!pattern || pattern.type === 'SpreadElement') return undefined;
  const written = flags ? (flags.type === 'Literal' && typeof flags.value === 'string' ? flags.value : null) : '';
  return { pattern: null, flags: written, from: { text: code.source(pattern), isText: isText(pattern) } };
}

/** @param {AnyNode} node @returns {boolean} whether it is certainly a string */
function isText(node) {
  return (
    (node.type === 'Literal' && typeof node.value === 'string') ||
    node.type === 'TemplateLiteral' ||
    (node.type === 'BinaryExpression' && node.operator === '+' && (isText(node.left) || isText(node.right)))
  );
}

/**
 * @param {ValueNode | null} options
 * @param {Code} code
 * @returns {CallRecord['skip']}
 */
export function skipOf(options, code) {
  const value = options && member(options, 'skip');
  if (!value) return 'none';
  if (value.type !== 'unknown') return 'constant';
  const node = value.file === code.file ? nodeAt(value, code) : undefined;
  if (!node) return 'unknown';
  const growth = growthOf(node, code, 0);
  // Pages by key begin behind the last row of the page before, with a `skip` of 1.
  const isByKey = ['startkey', 'start_key', 'startKey'].some((key) => member(options, key));
  return isByKey && growth === 'grows' && !/[*+]/.test(code.source(node)) && !isAdvanced(node, code)
    ? 'unknown'
    : growth;
}

/**
 * @param {AnyNode} whole
 * @param {Code} code
 * @param {number} names that were followed to it
 * @returns {'constant' | 'grows' | 'unknown'}
 */
function growthOf(whole, code, names) {
  const node = bare(whole);
  if (names > MAX_NAMES) return 'unknown';
  switch (node.type) {
    case 'Literal':
      return 'constant';
    case 'ConditionalExpression':
      return joined([node.consequent, node.alternate], code, names);
    case 'LogicalExpression':
      return joined(node.operator === '&&' ? [node.right] : [node.left, node.right], code, names);
    case 'BinaryExpression':
      if (node.operator === '*') return 'grows';
      return joined([node.left, node.right], code, names);
    case 'CallExpression': {
      const [first] = node.arguments;
      const name = node.callee.type === 'Super' ? undefined : nameOfCallee(node.callee);
      return first && TO_NUMBER.has(name ?? '') ? growthOf(first, code, names) : 'unknown';
    }
    case 'MemberExpression':
      if (isAdvanced(node, code)) return 'grows';
      return isOfRequest(node.object) ? 'grows' : 'unknown';
    case 'Identifier':
      return ofName(node, code, names);
    default:
      return 'unknown';
  }
}

/**
 * @param {AnyNode[]} nodes
 * @param {Code} code
 * @param {number} names
 * @returns {'constant' | 'grows' | 'unknown'}
 */
function joined(nodes, code, names) {
  const all = nodes.map((node) => growthOf(node, code, names));
  if (all.includes('grows')) return 'grows';
  return all.every((growth) => growth === 'constant') ? 'constant' : 'unknown';
}

/**
 * @param {Identifier} id
 * @param {Code} code
 * @param {number} names
 * @returns {'constant' | 'grows' | 'unknown'}
 */
function ofName(id, code, names) {
  if (id.name === 'undefined') return 'constant';
  if (isAdvanced(id, code)) return 'grows';
  const binding = bindingAt(id, code.resolved);
  if (!binding) return 'unknown';
  for (const node of binding.declarations) {
    const holder = patternHolder(node, code);
    // `list(skip, limit)`: what its callers want.
    if (holder && isFunction(holder)) return /^(?:skip|offset)$/i.test(id.name) ? 'grows' : 'unknown';
    // `const { skip } = req.query`
    if (holder?.type === 'VariableDeclarator' && holder.id !== node && holder.init && isOfRequest(holder.init))
      return 'grows';
  }
  for (const { node } of binding.references) {
    const declarator = code.parentOf(/** @type {AnyNode} */ (node));
    if (declarator?.type === 'VariableDeclarator' && declarator.id === node && declarator.init)
      return growthOf(declarator.init, code, names + 1);
  }
  return 'unknown';
}

/** @param {AnyNode | import('acorn').Super} node @returns {boolean} whether it is `req.query`, `ctx.request.body` or the like: what the client of the server wants */
function isOfRequest(node) {
  return (
    node.type === 'MemberExpression' &&
    /^(?:query|params|body|args|queryStringParameters)$/.test(memberName(node) ?? '')
  );
}

/** @param {AnyNode} id @param {Code} code @returns {AnyNode | undefined} the function whose parameter it is, or the declaration that it is taken out of */
function patternHolder(id, code) {
  let at = code.parentOf(id);
  while (at && ['AssignmentPattern', 'ObjectPattern', 'Property'].includes(at.type)) at = code.parentOf(at);
  return at;
}

/**
 * @param {AnyNode} target
 * @param {Code} code
 * @returns {boolean} whether the program adds to it: `skip += 50`, `skip = skip + rows.length`
 */
function isAdvanced(target, code) {
  const text = code.source(target);
  const binding = target.type === 'Identifier' ? bindingAt(target, code.resolved) : undefined;
  return code.resolved.nodes.some((node) => {
    if (node.type !== 'AssignmentExpression' || code.source(node.left) !== text) return false;
    if (node.left.type === 'Identifier' && bindingAt(node.left, code.resolved) !== binding) return false;
    if (node.operator === '+=') return true;
    const { right } = node;
    return (
      node.operator === '=' &&
      right.type === 'BinaryExpression' &&
      right.operator === '+' &&
      [right.left, right.right].some((side) => code.source(side) === text)
    );
  });
}

/**
 * @param {ValueNode} value
 * @param {Code} code
 * @returns {AnyNode | undefined} the expression that it was read from; of `{ skip }` the value, which follows its key
 */
function nodeAt({ start, end }, code) {
  return code.resolved.nodes.findLast((node) => node.start === start && node.end === end && node.type !== 'Property');
}
