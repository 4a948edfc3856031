// A call that changes an array in, where a copy of the array would do out: where nothing but the value of the call is used.
// Elsewhere the change itself was meant, and a copy would lose it.

import { propertyName } from './apis.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Names } from './references.js' */

/** Methods whose value is the array that they change (ECMA-262, 23.1.3). */
const GIVING_THE_ARRAY = new Set(['sort', 'reverse', 'fill', 'copyWithin']);

/**
 * @param {AnyNode} call
 * @param {Names} names
 * @param {string} text
 * @returns {{arrayEnd: number, optional: boolean} | undefined} where the array ends in the text, and whether it may be
 *   missing (`?.`)
 */
export function copyableArray(call, names, text) {
  if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return undefined;
  const { callee } = call;
  if (callee.object.type === 'Super' || !GIVING_THE_ARRAY.has(propertyName(callee) ?? '')) return undefined;
  if (names.parents.get(outermost(call, names))?.type === 'ExpressionStatement') return undefined;
  const array = text.slice(callee.object.start, callee.object.end);
  const isUsedAgain = names.nodes.some(
    (node) => node.start >= call.end && node.type === callee.object.type && text.slice(node.start, node.end) === array,
  );
  return isUsedAgain ? undefined : { arrayEnd: callee.object.end, optional: callee.optional };
}

/**
 * @param {AnyNode} call
 * @param {Names} names
 * @returns {AnyNode} the call with the parentheses and the optional chain around it
 */
function outermost(call, { parents }) {
  let node = call;
  for (let parent = parents.get(node); parent; parent = parents.get(node)) {
    if (parent.type !== 'ParenthesizedExpression' && parent.type !== 'ChainExpression') break;
    node = parent;
  }
  return node;
}
