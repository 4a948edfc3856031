// Finds what a reduce depends on besides its parameters: of such a function trials alone show little.

import { resolveNames } from '../javascript/names.js';

/** @import { AnyNode } from 'acorn' */
/** @import { FunctionNode } from '../javascript/parse.js' */

/** Names that are the same in every query server, and do the same each time. */
const PLAIN = new Set(
  (
    'Math JSON Number String Boolean Object Array RegExp parseFloat parseInt isNaN isFinite undefined NaN Infinity ' +
    'sum log isArray toJSON arguments Error TypeError RangeError'
  ).split(' '),
);

/**
 * @param {FunctionNode} fn
 * @returns {string | undefined} undefined where it looks at nothing else, and changes nothing else
 */
export function foreignTie(fn) {
  const names = resolveNames([/** @type {AnyNode} */ (fn)]);
  for (const { name, binding, reads, writes } of names.references) {
    if (binding) continue;
    if (writes) return `it assigns to \`${name}\`, which is not declared`;
    if (reads && !PLAIN.has(name)) return `it uses \`${name}\``;
  }
  for (const node of names.nodes) {
    if (node.type === 'ThisExpression') return 'it uses `this`';
    if (node.type === 'MemberExpression' && isRandom(node)) return 'it uses `Math.random`';
    const target =
      node.type === 'AssignmentExpression' ? node.left : node.type === 'UpdateExpression' ? node.argument : undefined;
    const root = target?.type === 'MemberExpression' ? rootOf(target) : undefined;
    if (root?.type !== 'Identifier') continue;
    if (!names.byNode.get(root)?.binding) return `it changes \`${root.name}\``;
  }
  return undefined;
}

/** @param {AnyNode} node @returns {boolean} */
function isRandom(node) {
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier' || node.object.name !== 'Math')
    return false;
  // `Math[name]` may be it.
  return node.computed || (node.property.type === 'Identifier' && node.property.name === 'random');
}

/** @param {AnyNode} node @returns {AnyNode} what stands before all dots */
function rootOf(node) {
  let at = node;
  while (at.type === 'MemberExpression') at = at.object;
  return at;
}
