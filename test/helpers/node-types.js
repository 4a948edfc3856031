// Lists the node types that acorn can return, from the types that it is published with.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { walkNodes } from '../../lib/javascript/walk.js';

/** @import { AnyNode } from 'acorn' */

/** Kinds of comments are types too, and no nodes. */
const COMMENTS = new Set(['Line', 'Block']);

/** @returns {string[]} each once */
export function nodeTypes() {
  const folder = dirname(createRequire(import.meta.url).resolve('acorn'));
  const declared = readFileSync(join(folder, 'acorn.d.ts'), 'utf8').matchAll(/\btype: "(\w+)"/g);
  return [...new Set([...declared].map(([, type = '']) => type))].filter((type) => !COMMENTS.has(type)).sort();
}

/**
 * @param {readonly AnyNode[]} roots
 * @param {Set<string>} found changed: the types of all nodes are added
 */
export function addTypes(roots, found) {
  walkNodes(roots, ({ type }) => {
    found.add(type);
  });
}
