// Lists the members whose type is compared with 'object', which null has too (ECMA-262, 13.5.3).

import { onlyValueOf } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Names } from '../../javascript/names.js' */

/**
 * @param {Names} names
 * @returns {Set<string>} their names, without what they are members of
 */
export function typeofObjectMembers(names) {
  const found = names.nodes.flatMap((node) => {
    if (node.type !== 'BinaryExpression' || !/^[=!]==?$/.test(node.operator)) return [];
    const sides = [node.left, node.right].map((side) => bare(/** @type {AnyNode} */ (side)));
    const test = sides.find((side) => side.type === 'UnaryExpression' && side.operator === 'typeof');
    const isObject = sides.some((side) => side.type === 'Literal' && side.value === 'object');
    if (!isObject || test?.type !== 'UnaryExpression') return [];
    return nameOf(bare(test.argument), names) ?? [];
  });
  return new Set(found);
}

/**
 * @param {AnyNode} node
 * @param {Names} names
 * @returns {string | undefined} of the member that it is, also by a variable that holds nothing else
 */
function nameOf(node, names) {
  if (node.type === 'MemberExpression') return memberName(node);
  const binding = node.type === 'Identifier' ? names.byNode.get(node)?.binding : undefined;
  const value = binding && onlyValueOf(binding, names);
  return value && bare(value).type === 'MemberExpression' ? nameOf(bare(value), names) : undefined;
}
