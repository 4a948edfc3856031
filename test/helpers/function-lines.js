// Measures how long the functions of a module are, as people count: lines that hold code.

import { parse } from 'acorn';
import { fullAncestor } from 'acorn-walk';

/** @import { Comment } from 'acorn' */

/**
 * @param {string} text of a module
 * @returns {{name: string, lines: number}[]} each function with its lines without comments and blank lines, in the order they begin
 */
export function measureFunctions(text) {
  /** @type {Comment[]} */
  const comments = [];
  const options = /** @type {const} */ ({ ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
  const program = parse(text, { ...options, onComment: comments });
  let code = text;
  for (const { start, end } of comments) {
    code = code.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + code.slice(end);
  }
  /** @type {{name: string, start: number, lines: number}[]} */
  const found = [];
  fullAncestor(program, (node, _, ancestors) => {
    if (!/Function/.test(node.type)) return;
    const { start, end } = node;
    const lines = code
      .slice(start, end)
      .split('\n')
      .filter((line) => line.trim() !== '').length;
    const line = text.slice(0, start).split('\n').length;
    found.push({ name: nameOf(node, ancestors.at(-2)) ?? `line ${line}`, start, lines });
  });
  return found.sort((first, second) => first.start - second.start).map(({ name, lines }) => ({ name, lines }));
}

/**
 * @param {any} node a function
 * @param {any} parent
 * @returns {string | undefined} its own name, or that of the variable, member or method it is the value of
 */
function nameOf(node, parent) {
  if (node.id) return node.id.name;
  const named = parent?.value === node ? parent.key : parent?.init === node ? parent.id : undefined;
  return named && (named.type === 'PrivateIdentifier' ? `#${named.name}` : named.name);
}
