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
  const program = parse(text, { ...options, locations: true, onComment: comments });
  let code = '';
  for (const { start, end } of comments) {
    code += text.slice(code.length, start) + text.slice(start, end).replace(/[^\n]/g, ' ');
  }
  code += text.slice(code.length);
  /** How many lines with code there are up to each line. */
  const counts = [0];
  for (const line of code.split('\n')) counts.push(Number(counts.at(-1)) + Number(line.trim() !== ''));
  /** @type {{name: string, start: number, lines: number}[]} */
  const found = [];
  fullAncestor(program, (node, _, ancestors) => {
    if (!/Function/.test(node.type)) return;
    const { start, loc } = node;
    const first = loc?.start.line ?? 0;
    const lines = Number(counts[loc?.end.line ?? 0]) - Number(counts[first - 1]);
    found.push({ name: nameOf(node, ancestors.at(-2)) ?? `line ${first}`, start, lines });
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
