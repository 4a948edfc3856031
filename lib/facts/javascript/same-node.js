// Compares two values of design documents by what they say, however they are written.

import { member } from '../../sources/record.js';

/** @import { ObjectNode, ValueNode } from '../../sources/record.js' */

/**
 * @param {ValueNode} first
 * @param {ValueNode} second
 * @param {string} key
 * @returns {boolean} whether both have equal members of that name, or neither has one
 */
export function sameValue(first, second, key) {
  return sameNode(member(first, key), member(second, key));
}

/**
 * @param {ValueNode | undefined} first
 * @param {ValueNode | undefined} second
 * @returns {boolean} false where either is unknown
 */
function sameNode(first, second) {
  if (!first || !second) return first === second;
  if (first.type === 'unknown' || first.type !== second.type) return false;
  if (first.type === 'object') return sameMembers(first, /** @type {ObjectNode} */ (second));
  if (first.type === 'array') {
    const items = second.type === 'array' ? second.items : [];
    return first.items.length === items.length && first.items.every((item, index) => sameNode(item, items[index]));
  }
  if (first.type === 'null') return true;
  return 'value' in second && first.value === second.value;
}

/**
 * @param {ObjectNode} first
 * @param {ObjectNode} second
 * @returns {boolean}
 */
function sameMembers(first, second) {
  if (first.entries.length !== second.entries.length) return false;
  return first.entries.every(({ key, node }) => sameNode(node, member(second, key)));
}
