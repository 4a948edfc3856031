// Narrows variables by a test of the variable itself: `if (typeof n === 'number')`, `if (!isNaN(n))`.

import { truthyPart } from './flow-operators.js';
import { withoutNaN } from './numbers.js';
import { bare } from './parse.js';
import { alternatives, implying, unionOf } from './values.js';

/** @import { Expression } from 'acorn' */
/** @import { Frame, State } from './flow-state.js' */
/** @import { Value } from './values.js' */

/**
 * Takes from a variable the values that the answer to a test of that very variable rules out.
 * @param {Expression} node
 * @param {State} yes changed
 * @param {State} no changed
 * @param {Frame} frame
 */
export function narrow(node, yes, no, frame) {
  if (node.type === 'Identifier') return change(node.name, yes, frame, truthyPart);
  if (node.type === 'AssignmentExpression' && node.left.type === 'Identifier') {
    return change(node.left.name, yes, frame, truthyPart);
  }
  if (node.type === 'CallExpression') {
    const first = node.arguments[0] && bare(node.arguments[0]);
    if (first?.type !== 'Identifier') return;
    const name =
      node.callee.type === 'MemberExpression' && node.callee.property.type === 'Identifier'
        ? node.callee.property.name
        : node.callee.type === 'Identifier' && node.callee.name;
    const [root] = node.callee.type === 'MemberExpression' ? [node.callee.object] : [node.callee];
    const isGlobal = root.type === 'Identifier' && /^(?:is|Number$)/.test(root.name) && !frame.scope.find(root.name);
    if (!isGlobal) return;
    if (/^is(?:Finite|(?:Safe)?Integer)$/.test(String(name))) change(first.name, yes, frame, certain);
    // What is not NaN may still be infinite.
    if (name === 'isNaN') change(first.name, no, frame, (item) => [withoutNaN(item)]);
    return;
  }
  if (node.type !== 'BinaryExpression' || !/^[=!]==?$/.test(node.operator)) return;
  const state = node.operator.startsWith('=') ? yes : no;
  for (const [side, other] of /** @type {const} */ ([
    [node.left, node.right],
    [node.right, node.left],
  ])) {
    const operand = bare(side);
    const type = bare(other);
    if (operand.type !== 'UnaryExpression' || operand.operator !== 'typeof') continue;
    const of = bare(operand.argument);
    if (of.type !== 'Identifier' || type.type !== 'Literal' || type.value !== 'number') continue;
    change(of.name, state, frame, numberPart);
  }
}

/**
 * @param {string} name
 * @param {State} state changed
 * @param {Frame} frame
 * @param {(item: Value) => Value[]} keep what is left of one alternative
 */
function change(name, state, frame, keep) {
  const variable = frame.scope.find(name);
  const value = variable && state.values.get(variable);
  if (!variable || !value || value.kind === 'path') return;
  const kept = alternatives(value).flatMap(keep);
  if (kept.length > 0) state.values.set(variable, implying(unionOf(kept), value.yes, value.no));
}

/**
 * @param {Value} item
 * @returns {Value[]} with NaN ruled out
 */
function certain(item) {
  return item.kind === 'typed' && item.type === 'maybe-number' ? [{ kind: 'typed', type: 'number' }] : [item];
}

/**
 * @param {Value} item
 * @returns {Value[]} what of it is a number by `typeof`
 */
function numberPart(item) {
  // NaN cannot come from JSON: a field that is a number is a finite one.
  if (item.kind === 'path') return [{ kind: 'typed', type: 'number' }];
  if (item.kind === 'typed') return item.type === 'number' || item.type === 'maybe-number' ? [item] : [];
  if (item.kind === 'constant') return typeof item.value === 'number' ? [item] : [];
  return item.kind === 'unknown' ? [{ kind: 'typed', type: 'maybe-number' }] : [];
}
