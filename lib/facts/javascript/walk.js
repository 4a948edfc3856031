// Visits every node of a tree, parents before children. Goes without recursion, so that no nesting is too deep for it.

import { pushChildren } from './children.js';

/** @import { AnyNode } from 'acorn' */

/**
 * @param {readonly AnyNode[]} roots
 * @param {(node: AnyNode) => void} visit called with each node, in the order of the text
 */
export function walkNodes(roots, visit) {
  const open = [...roots].reverse();
  for (let node = open.pop(); node; node = open.pop()) {
    visit(node);
    const from = open.length;
    pushChildren(node, open);
    turnAround(open, from);
  }
}

/**
 * @param {unknown[]} list
 * @param {number} from the items from here to the end change their order
 */
export function turnAround(list, from) {
  for (let low = from, high = list.length - 1; low < high; low += 1, high -= 1) {
    const item = list[low];
    list[low] = list[high];
    list[high] = item;
  }
}
