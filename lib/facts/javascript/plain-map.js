// Recognizes a plain map, which is nothing but tests of the document and one call of `emit`, and returns its tests, key
// and value. A map with anything more, such as a loop or a second emit, is no plain map.

import { namesOf } from '../../javascript/analyse.js';
import { bindingAt, onlyValueOf } from '../../javascript/names.js';
import { memberName } from '../../javascript/parse.js';

/** @import { AnyNode, CallExpression, Expression, Statement } from 'acorn' */
/** @import { ParsedFunction } from '../../javascript/parse.js' */
/** @import { Binding, Names } from '../../javascript/names.js' */

/** Variables that are aliases of one another, followed so far. */
const LONGEST_CHAIN = 20;

/** @typedef {{test: Expression, holds: boolean}} Guard a test, and which answer of it leads to the emit */

/**
 * @typedef {object} PlainMap
 * @property {CallExpression} call of `emit`
 * @property {Guard[]} guards all of them are met where it emits, in the order they are tested
 * @property {AnyNode | undefined} key as it is computed: a variable is replaced by its value
 * @property {AnyNode | undefined} value
 * @property {(node: AnyNode) => AnyNode} resolve what a node means: without parentheses, and with the value of a
 *   variable that has but one
 * @property {(node: AnyNode) => string[] | undefined} pathOf the names of `doc.address.town`: `address`, `town`; none for
 *   the document itself, undefined for anything else
 */

/**
 * @param {ParsedFunction} parsed
 * @returns {PlainMap | {unknown: string}}
 */
export function plainMap(parsed) {
  const { fn } = parsed;
  const [param] = fn?.params ?? [];
  if (!fn || fn.async || fn.generator || parsed.roots.length !== 1 || param?.type !== 'Identifier')
    return { unknown: 'the map is not one plain function of a document' };
  const names = namesOf(parsed);
  const emits = names.references.filter(({ name }) => name === 'emit');
  const doc = bindingAt(param, names);
  if (emits.length !== 1 || emits[0]?.binding) return { unknown: 'the map does not have exactly one `emit`' };
  if (!doc || doc.references.some(({ writes }) => writes)) return { unknown: 'the map assigns to `doc`' };

  /** @type {Guard[]} */
  const guards = [];
  const call =
    fn.body.type === 'BlockStatement'
      ? callAfter(fn.body.body, guards)
      : callIn(/** @type {Expression} */ (fn.body), guards);
  const [key, value, ...others] = call?.arguments ?? [];
  if (!call || others.length > 0 || key?.type === 'SpreadElement' || value?.type === 'SpreadElement')
    return { unknown: 'the map does more than test the document and emit' };
  const resolve = (/** @type {AnyNode} */ node) => resolveIn(names, node);
  return {
    call,
    guards,
    key: key && resolve(key),
    value: value && resolve(value),
    resolve,
    pathOf: (node) => pathIn(names, doc, node),
  };
}

/**
 * @param {readonly Statement[]} statements
 * @param {Guard[]} guards added to
 * @returns {CallExpression | undefined} the emit, where there is nothing else
 */
function callAfter(statements, guards) {
  for (const [index, statement] of statements.entries()) {
    const isLast = statements.slice(index + 1).every(isIdle);
    switch (statement.type) {
      case 'EmptyStatement':
      case 'VariableDeclaration':
        continue;
      case 'BlockStatement':
        return isLast ? callAfter(statement.body, guards) : undefined;
      case 'ExpressionStatement':
        // `'use strict'` tests nothing and does nothing.
        if (statement.expression.type === 'Literal') continue;
        return isLast ? callIn(statement.expression, guards) : undefined;
      case 'ReturnStatement':
        return statement.argument ? callIn(statement.argument, guards) : undefined;
      case 'IfStatement':
        if (statement.alternate) return undefined;
        if (isIdle(statement.consequent)) {
          if (!endsFunction(statement.consequent)) return undefined;
          guards.push({ test: statement.test, holds: false });
          continue;
        }
        guards.push({ test: statement.test, holds: true });
        return isLast ? callAfter([statement.consequent], guards) : undefined;
      default:
        return undefined;
    }
  }
  return undefined;
}

/**
 * @param {Expression} node
 * @param {Guard[]} guards added to
 * @returns {CallExpression | undefined} of `emit(…)`, or of `test && emit(…)`
 */
function callIn(node, guards) {
  if (node.type === 'ParenthesizedExpression') return callIn(node.expression, guards);
  if (node.type === 'LogicalExpression' && node.operator === '&&') {
    guards.push({ test: node.left, holds: true });
    return callIn(node.right, guards);
  }
  const isEmit = node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'emit';
  return isEmit ? node : undefined;
}

/**
 * @param {Statement} statement
 * @returns {boolean} whether it does nothing: `return;` and what has nothing else in it
 */
function isIdle(statement) {
  if (statement.type === 'BlockStatement') return statement.body.every(isIdle);
  if (statement.type === 'ReturnStatement') return !statement.argument || statement.argument.type === 'Literal';
  return statement.type === 'EmptyStatement';
}

/**
 * @param {Statement} statement
 * @returns {boolean} whether nothing of the function runs after it
 */
function endsFunction(statement) {
  return statement.type === 'BlockStatement' ? statement.body.some(endsFunction) : statement.type === 'ReturnStatement';
}

/**
 * @param {Names} names
 * @param {AnyNode} node
 * @returns {AnyNode} what it means: without parentheses, and with the value of a variable that has but one
 */
export function resolveIn(names, node) {
  let current = node;
  for (let count = 0; count < LONGEST_CHAIN; count += 1) {
    while (current.type === 'ParenthesizedExpression' || current.type === 'ChainExpression')
      current = current.expression;
    if (current.type !== 'Identifier') return current;
    const binding = names.byNode.get(current)?.binding;
    const value = binding && onlyValueOf(binding, names);
    if (!value) return current;
    current = value;
  }
  return current;
}

/**
 * @param {Names} names
 * @param {Binding} doc
 * @param {AnyNode} node
 * @returns {string[] | undefined} the names of `doc.address.town`; undefined for what is no field of the document
 */
export function pathIn(names, doc, node) {
  /** @type {string[]} */
  const path = [];
  let current = resolveIn(names, node);
  while (current.type === 'MemberExpression') {
    const name = memberName(current);
    if (name === undefined) return undefined;
    path.unshift(name);
    current = resolveIn(names, current.object);
  }
  return current.type === 'Identifier' && names.byNode.get(current)?.binding === doc ? path : undefined;
}
