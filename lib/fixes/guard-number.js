// Puts a test that the value is a number before the `emit` that emits it.

import { parseFunction } from '../facts/javascript/parse.js';

/** @import { AnyNode, Node } from 'acorn' */
/** @import { Fix } from './index.js' */

/** @type {Fix} */
export const guardNumber = {
  id: 'guard-number',
  title: 'Emit only where the value is a number',
  safe: false,
  apply: ({ subject, item }) => {
    if (subject.kind !== 'view' || !subject.map || item?.start === undefined || item.end === undefined)
      return undefined;
    const { text } = subject.map;
    const parsed = parseFunction(text.text);
    if (!parsed.ok || !parsed.fn) return undefined;
    const statement = statementAround(parsed.fn, item.start, item.end);
    if (!statement) return undefined;
    const value = text.text.slice(item.start, item.end);
    // Whatever has an effect of its own must not run twice.
    if (!/^[\w$.[\]'"]+$/.test(value)) return undefined;
    const edit = text.edit(statement.start, statement.start, `if (typeof ${value} === 'number') `);
    return edit && [edit];
  },
};

/**
 * @param {Node} root
 * @param {number} start
 * @param {number} end
 * @returns {Node | undefined} the innermost expression statement around the stretch, where it is one call
 */
function statementAround(root, start, end) {
  const node = /** @type {AnyNode} */ (root);
  for (const child of Object.values(node).flat()) {
    if (child === null || typeof child !== 'object' || typeof child.type !== 'string') continue;
    if (child.start > start || child.end < end) continue;
    return statementAround(child, start, end) ?? (isCall(child) ? child : undefined);
  }
  return undefined;
}

/**
 * @param {AnyNode} node
 * @returns {boolean}
 */
function isCall(node) {
  return node.type === 'ExpressionStatement' && node.expression.type === 'CallExpression';
}
