// Visits every node of a tree, parents before children. Goes without recursion, so that no nesting is too deep for it.

import { childrenOf } from './references.js';

export { childrenOf };

/** @import { AnyNode } from 'acorn' */

/**
 * @param {readonly AnyNode[]} roots
 * @param {(node: AnyNode) => void} visit called with each node, in the order of the text
 */
export function walkNodes(roots, visit) {
  const open = [...roots].reverse();
  for (let node = open.pop(); node; node = open.pop()) {
    visit(node);
    open.push(...childrenOf(node).reverse());
  }
}
