// A call that changes an array of the frozen document in, the edit that makes it change a copy out. Only where nothing but
// the value of the call is used: elsewhere the change itself was meant, and a copy would lose it.

import { namesOf, parsed } from '../facts/javascript/analyse.js';
import { propertyName } from '../facts/javascript/apis.js';

/** @import { AnyNode, CallExpression, MemberExpression } from 'acorn' */
/** @import { FunctionSubject } from '../facts/fact.js' */
/** @import { Names } from '../facts/javascript/references.js' */
/** @import { Fix } from './index.js' */

/** Methods whose value is the array that they change (ECMA-262, 23.1.3). */
const GIVING_THE_ARRAY = new Set(['sort', 'reverse', 'fill', 'copyWithin']);

/** @type {Fix} */
export const copyBeforeMutating = {
  id: 'copy-before-mutating',
  title: 'Copy the array first',
  safe: true,
  apply({ subject, item }) {
    if (subject.kind !== 'function' || item?.start === undefined || item.end === undefined) return undefined;
    const method = methodCalled(subject, item.start, item.end);
    if (!method) return undefined;
    const at = method.object.end;
    const edit = subject.text.edit(at, at, method.optional ? '?.slice()' : '.slice()');
    return edit && [edit];
  },
};

/**
 * @param {FunctionSubject} subject
 * @param {number} start of the call
 * @param {number} end
 * @returns {MemberExpression | undefined} what is called, where its array is used nowhere behind it
 */
function methodCalled(subject, start, end) {
  const tree = parsed(subject);
  if (!tree.ok) return undefined;
  const names = namesOf(tree);
  const call = names.nodes.find((node) => node.type === 'CallExpression' && node.start === start && node.end === end);
  if (call?.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return undefined;
  const { callee } = call;
  if (callee.object.type === 'Super' || !GIVING_THE_ARRAY.has(propertyName(callee) ?? '')) return undefined;
  if (names.parents.get(outermost(call, names))?.type === 'ExpressionStatement') return undefined;
  const array = tree.text.slice(callee.object.start, callee.object.end);
  const isUsedAgain = names.nodes.some(
    (node) => node.start >= end && node.type === callee.object.type && tree.text.slice(node.start, node.end) === array,
  );
  return isUsedAgain ? undefined : callee;
}

/**
 * @param {CallExpression} call
 * @param {Names} names
 * @returns {AnyNode} the call with the parentheses and the optional chain around it
 */
function outermost(call, { parents }) {
  /** @type {AnyNode} */
  let node = call;
  for (let parent = parents.get(node); parent; parent = parents.get(node)) {
    if (parent.type !== 'ParenthesizedExpression' && parent.type !== 'ChainExpression') break;
    node = parent;
  }
  return node;
}
