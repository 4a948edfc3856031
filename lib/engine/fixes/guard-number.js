// Fix: emits a value only after a test that it is a number.

import { parseFunction } from '../../javascript/parse.js';

/** @import { AnyNode, Node } from 'acorn' */
/** @import { Fix } from './index.js' */

/** @type {Fix} */
export const guardNumber = {
  id: 'guard-number',
  title: 'Emit only if the value is a number',
  safe: false,
  apply: ({ subject, item }) => {
    if (subject.kind !== 'view' || !subject.map || item?.start === undefined || item.end === undefined)
      return undefined;
    const { text } = subject.map;
    const parsed = parseFunction(text.text);
    if (!parsed.ok || !parsed.fn) return undefined;
    const found = emitStatement(parsed.fn, item.start, item.end);
    if (!found) return undefined;
    const value = text.text.slice(item.start, item.end);
    // Whatever has an effect of its own must not run twice.
    if (!/^[\w$.[\]'"]+$/.test(value)) return undefined;
    const { statement, isAlone } = found;
    // Outside a block a new `if` would take the `else` of the one around it.
    const [open, close] = isAlone ? ['', ''] : ['{ ', ' }'];
    const before = text.edit(statement.start, statement.start, `${open}if (typeof ${value} === 'number') `);
    const after = close === '' ? undefined : text.edit(statement.end, statement.end, close);
    if (!before || (close !== '' && !after)) return undefined;
    return after ? [before, after] : [before];
  },
};

/**
 * @param {Node} root
 * @param {number} start
 * @param {number} end
 * @returns {{statement: Node, isAlone: boolean} | undefined} the statement that is nothing but a call with the stretch as
 *   one of its arguments, and whether it stands in a list of statements
 */
function emitStatement(root, start, end) {
  let node = /** @type {AnyNode} */ (root);
  let parent = node;
  for (;;) {
    if (node.type === 'ExpressionStatement' && node.expression.type === 'CallExpression') {
      if (node.expression.arguments.some((argument) => argument.start === start && argument.end === end)) {
        return { statement: node, isAlone: parent.type === 'BlockStatement' || parent.type === 'SwitchCase' };
      }
    }
    const next = childAround(node, start, end);
    if (!next) return undefined;
    parent = node;
    node = next;
  }
}

/**
 * @param {AnyNode} node
 * @param {number} start
 * @param {number} end
 * @returns {AnyNode | undefined}
 */
function childAround(node, start, end) {
  return Object.values(node)
    .flat()
    .find((child) => typeof child?.type === 'string' && child.start <= start && child.end >= end);
}
