// Names of members that a map puts together of a word and a number: `doc['Task' + i]`. Runs nothing.

import { onlyValueOf } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';

/** @import { AnyNode, Identifier } from 'acorn' */
/** @import { Names } from '../../javascript/names.js' */

/** Numbers where no loop shows which, and how many names at most. */
const FEW = 4;
const MAX_NAMES = 24;

/**
 * @param {AnyNode} given what stands in the brackets
 * @param {Names} names
 * @returns {string[]} `Task1`, `Task2`, as far as a loop counts; none where it is no such name
 */
export function numberedNames(given, names) {
  const inner = bare(given);
  const binding = inner.type === 'Identifier' ? names.byNode.get(inner)?.binding : undefined;
  const node = bare((binding && onlyValueOf(binding, names)) ?? inner);
  const parts = node.type === 'TemplateLiteral' ? ofTemplate(node) : ofSum(node);
  if (!parts) return [];
  const [before, counter, after] = parts;
  const { from, to } = rangeOf(counter, names);
  const count = Math.max(0, Math.min(to - from + 1, MAX_NAMES));
  return Array.from({ length: count }, (_, at) => `${before}${from + at}${after}`);
}

/**
 * @param {AnyNode} node
 * @returns {[before: string, counter: Identifier, after: string] | undefined} of `'Task' + i` and `i + 'Task'`
 */
function ofSum(node) {
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const [left, right] = [bare(/** @type {AnyNode} */ (node.left)), bare(node.right)];
  if (left.type === 'Literal' && typeof left.value === 'string' && right.type === 'Identifier')
    return [left.value, right, ''];
  return right.type === 'Literal' && typeof right.value === 'string' && left.type === 'Identifier'
    ? ['', left, right.value]
    : undefined;
}

/**
 * @param {Extract<AnyNode, {type: 'TemplateLiteral'}>} node
 * @returns {[before: string, counter: Identifier, after: string] | undefined} of `Task${i}`
 */
function ofTemplate({ quasis, expressions }) {
  const [counter] = expressions;
  if (expressions.length !== 1 || counter?.type !== 'Identifier') return undefined;
  const [before = '', after = ''] = quasis.map(({ value }) => value.cooked ?? '');
  return before + after === '' ? undefined : [before, counter, after];
}

/**
 * @param {Identifier} counter
 * @param {Names} names
 * @returns {{from: number, to: number}} of the loop that counts it: from what it starts with to what it is compared with
 */
function rangeOf(counter, names) {
  const binding = names.byNode.get(counter)?.binding;
  let [from, to] = [0, Number.NaN];
  for (const { node } of binding?.references ?? []) {
    const parent = names.parents.get(node);
    if (parent?.type === 'VariableDeclarator' || parent?.type === 'AssignmentExpression')
      from = numberOf(parent.type === 'VariableDeclarator' ? parent.init : parent.right) ?? from;
    if (parent?.type !== 'BinaryExpression' || parent.left !== node) continue;
    const end = numberOf(parent.right);
    if (end === undefined) continue;
    if (parent.operator === '<') to = end - 1;
    else if (parent.operator === '<=') to = end;
  }
  return { from, to: Number.isNaN(to) ? from + FEW : to };
}

/** @param {AnyNode | null | undefined} node @returns {number | undefined} */
function numberOf(node) {
  const value = node && bare(node);
  return value?.type === 'Literal' && typeof value.value === 'number' ? value.value : undefined;
}
