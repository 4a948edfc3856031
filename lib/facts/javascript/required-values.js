// Determines which constants fields of the document must equal for an expression to be reached, from the tests around
// it and from tests before it that leave the function. What cannot be determined is left out.

import { isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { pathIn, resolveIn } from './plain-map.js';

/** @import { AnyNode, Statement, SwitchStatement } from 'acorn' */
/** @import { Binding, Names } from '../../javascript/names.js' */

/** Names that lead to a field, as JSON, with the constants that it may be; all have to hold. @typedef {ReadonlyMap<string, ReadonlySet<string>>} Required */
/** @typedef {{names: Names, doc: Binding}} Context */

/** A text that `==` takes for no number, flag or list of one item that people write. */
const PLAIN_WORD = /[^\d\s.+-]/;

/** @type {Required} */
export const NOTHING_REQUIRED = new Map();

/** What the id has to be. */
export const ID = JSON.stringify(['_id']);

/**
 * @param {AnyNode} node
 * @param {Context} context
 * @returns {Required}
 */
export function requiredValues(node, context) {
  const { parents } = context.names;
  let required = NOTHING_REQUIRED;
  let at = node;
  for (let parent = parents.get(at); parent; parent = parents.get(at)) {
    required = both(required, requiredBy(parent, at, context));
    // Where a declared function is called is not followed.
    if (parent.type === 'FunctionDeclaration') return required;
    at = parent;
  }
  return required;
}

/**
 * @param {Required} first
 * @param {Required} second
 * @returns {boolean} whether no document meets both
 */
export function excludeEachOther(first, second) {
  return [...first].some(([path, values]) => {
    const others = second.get(path);
    return others !== undefined && [...values].every((value) => !others.has(value));
  });
}

/**
 * @param {AnyNode} parent
 * @param {AnyNode} node one of its children
 * @param {Context} context
 * @returns {Required} where the child is reached
 */
function requiredBy(parent, node, context) {
  switch (parent.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return parent.test === node ? NOTHING_REQUIRED : requiredFor(parent.test, parent.consequent === node, context);
    case 'LogicalExpression':
      if (parent.right !== node || parent.operator === '??') return NOTHING_REQUIRED;
      return requiredFor(parent.left, parent.operator === '&&', context);
    case 'SwitchCase': {
      const whole = context.names.parents.get(parent);
      return whole?.type === 'SwitchStatement' && parent.test !== node
        ? ofCase(whole, parent, context)
        : NOTHING_REQUIRED;
    }
    case 'BlockStatement':
    case 'StaticBlock':
    case 'Program':
      return ofStatementsBefore(/** @type {Statement[]} */ (parent.body), node, context);
    default:
      return NOTHING_REQUIRED;
  }
}

/**
 * @param {Statement[]} statements
 * @param {AnyNode} node one of them
 * @param {Context} context
 * @returns {Required}
 */
function ofStatementsBefore(statements, node, context) {
  let required = NOTHING_REQUIRED;
  for (const statement of statements) {
    if (statement === node) break;
    if (statement.type !== 'IfStatement' || statement.alternate || !leaves(statement.consequent)) continue;
    required = both(required, requiredFor(statement.test, false, context));
  }
  return required;
}

/**
 * @param {Statement} statement
 * @returns {boolean} whether nothing behind it is run after it
 */
export function leaves(statement) {
  if (statement.type === 'BlockStatement') return statement.body.some(leaves);
  return /^(?:Return|Throw|Continue|Break)Statement$/.test(statement.type);
}

/**
 * @param {SwitchStatement} whole
 * @param {AnyNode} part
 * @param {Context} context
 * @returns {Required}
 */
function ofCase({ discriminant, cases }, part, { names, doc }) {
  const path = pathIn(names, doc, discriminant);
  /** @type {Set<string>} */
  const values = new Set();
  const index = cases.findIndex((item) => item.start === part.start);
  for (let at = index; at >= 0; at -= 1) {
    const item = cases[at];
    // One that does not leave goes on in the next.
    if (!item || (at < index && item.consequent.some(leaves))) break;
    const value = item.test ? constantOf(resolveIn(names, item.test)) : undefined;
    if (value === undefined) return NOTHING_REQUIRED;
    values.add(value);
  }
  return path && path.length > 0 ? new Map([[JSON.stringify(path), values]]) : NOTHING_REQUIRED;
}

/**
 * @param {AnyNode} given a test
 * @param {boolean} holds
 * @param {Context} context
 * @returns {Required}
 */
function requiredFor(given, holds, context) {
  const node = resolveIn(context.names, bare(given));
  if (node.type === 'UnaryExpression' && node.operator === '!') return requiredFor(node.argument, !holds, context);
  if (node.type === 'LogicalExpression' && node.operator !== '??') {
    const [left, right] = [node.left, node.right].map((part) => requiredFor(part, holds, context));
    if (!left || !right) return NOTHING_REQUIRED;
    return (node.operator === '&&') === holds ? both(left, right) : either(left, right);
  }
  if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(node.operator)) return NOTHING_REQUIRED;
  if (node.operator.startsWith('=') !== holds) return NOTHING_REQUIRED;
  return ofEquality(node.left, node.right, context) ?? ofEquality(node.right, node.left, context) ?? NOTHING_REQUIRED;
}

/**
 * @param {AnyNode} field
 * @param {AnyNode} other
 * @param {Context} context
 * @returns {Required | undefined}
 */
function ofEquality(field, other, { names, doc }) {
  const path = pathIn(names, doc, field);
  const value = constantOf(resolveIn(names, other));
  return path && path.length > 0 && value !== undefined
    ? new Map([[JSON.stringify(path), new Set([value])]])
    : undefined;
}

/**
 * @param {AnyNode} node
 * @returns {string | undefined} a text that nothing else is equal to, be it by `==`
 */
function constantOf(node) {
  return node.type === 'Literal' && typeof node.value === 'string' && PLAIN_WORD.test(node.value)
    ? node.value
    : undefined;
}

/**
 * @param {Required} first
 * @param {Required} second
 * @returns {Required} what both say
 */
function both(first, second) {
  if (second.size === 0) return first;
  const joined = new Map(first);
  for (const [path, values] of second) {
    const others = joined.get(path);
    joined.set(path, others ? new Set([...values].filter((value) => others.has(value))) : values);
  }
  return joined;
}

/**
 * @param {Required} first
 * @param {Required} second
 * @returns {Required} what holds if one of them does
 */
function either(first, second) {
  return new Map(
    [...first].flatMap(([path, values]) => {
      const others = second.get(path);
      return others ? [[path, new Set([...values, ...others])]] : [];
    }),
  );
}

/**
 * @param {AnyNode} node
 * @param {Names} names
 * @returns {boolean} whether it is reached only where something was thrown
 */
export function isInCatch(node, { parents }) {
  for (let at = parents.get(node); at && !(isFunction(at) && at.type === 'FunctionDeclaration'); at = parents.get(at)) {
    if (at.type === 'CatchClause') return true;
  }
  return false;
}
