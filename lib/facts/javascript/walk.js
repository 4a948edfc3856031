// A syntax tree in, each of its nodes out with its parents, in the order of the text. Knows no kind of node by name.

/** @import { AnyNode } from 'acorn' */

/**
 * @param {AnyNode} node
 * @returns {AnyNode[]} the nodes directly below it
 */
export function childrenOf(node) {
  /** @type {AnyNode[]} */
  const children = [];
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) children.push(item);
    } else if (isNode(value)) {
      children.push(value);
    }
  }
  return children;
}

/**
 * Visits every node once, parents first. Uses no stack of calls, so that nesting cannot exhaust it.
 * @param {readonly AnyNode[]} roots
 * @param {(node: AnyNode) => void} visit
 */
export function walkNodes(roots, visit) {
  const open = [...roots].reverse();
  for (let node = open.pop(); node; node = open.pop()) {
    visit(node);
    for (const child of childrenOf(node).reverse()) open.push(child);
  }
}

/**
 * @param {readonly AnyNode[]} roots
 * @returns {Map<AnyNode, AnyNode>} the parent of each node but the roots
 */
export function parentsIn(roots) {
  /** @type {Map<AnyNode, AnyNode>} */
  const parents = new Map();
  walkNodes(roots, (node) => {
    for (const child of childrenOf(node)) parents.set(child, node);
  });
  return parents;
}

/**
 * @param {unknown} value
 * @returns {value is AnyNode}
 */
function isNode(value) {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
