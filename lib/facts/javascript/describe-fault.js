// Describes an error of a function by what was missing and where, from the place where QuickJS says it was thrown:
// `doc.items` is missing, at `doc.items.length`.

import { namesOf } from '../../javascript/analyse.js';
import { bare } from '../../javascript/parse.js';

/** @import { AnyNode } from 'acorn' */
/** @import { ParsedFunction } from '../../javascript/parse.js' */

/**
 * `start` and `end` are offsets in the text, undefined where the place is not known; `isOfDocument`: whether what is missing is a part of the first parameter.
 * @typedef {{reason: string, start?: number, end?: number, isOfDocument: boolean}} DescribedFault
 */

const READ = /^TypeError: cannot read property (?:'(.*)' )?of (undefined|null)$/s;
const NOT_A_FUNCTION = 'TypeError: not a function';
/** QuickJS lacks these, and SpiderMonkey has them: what is thrown depends on the engine, which other facts are about. */
const OF_ENGINES =
  /\b(?:localeCompare|normalize|toSource|Intl|Promise|Proxy|WeakRef|(?:Ui|I)nt\d+Array|Float\d+Array|ArrayBuffer)\b/;

/**
 * @param {ParsedFunction} tree
 * @param {{message: string, frames: {line: number, column: number}[]}} fault
 * @returns {DescribedFault | undefined} undefined where the error is one of the engine of the sandbox alone
 */
export function describeFault(tree, { message, frames }) {
  const node = nodeOf(tree, message, frames);
  if (!node) {
    return OF_ENGINES.test(message) || (message === NOT_A_FUNCTION && OF_ENGINES.test(tree.text))
      ? undefined
      : { reason: plainMessage(message), isOfDocument: false };
  }
  const { start, end } = node;
  const written = (/** @type {AnyNode} */ part) => `\`${tree.text.slice(part.start, part.end).replace(/\s+/g, ' ')}\``;
  const param = tree.fn?.params[0];
  const isOfDocument = (/** @type {AnyNode} */ part) => param?.type === 'Identifier' && rootName(part) === param.name;
  const read = READ.exec(message);
  if (read && node.type === 'MemberExpression')
    return {
      reason: `${written(node.object)} is ${read[2] === 'null' ? 'null' : 'missing'}`,
      start,
      end,
      isOfDocument: isOfDocument(node.object),
    };
  if (node.type === 'CallExpression') {
    if (OF_ENGINES.test(tree.text.slice(node.callee.start, node.callee.end))) return undefined;
    return { reason: `${written(node.callee)} is not a function`, start, end, isOfDocument: isOfDocument(node.callee) };
  }
  return { reason: plainMessage(message), start, end, isOfDocument: false };
}

/** @param {string} message @returns {string} */
function plainMessage(message) {
  return message.replace(/\s+/g, ' ');
}

/**
 * QuickJS gives the column of the dot or the bracket behind the object, or of the parenthesis of a call.
 * @param {ParsedFunction} tree
 * @param {string} message
 * @param {{line: number, column: number}[]} frames
 * @returns {AnyNode | undefined} the read or the call that threw
 */
function nodeOf(tree, message, frames) {
  const { nodes } = namesOf(tree);
  const property = READ.exec(message)?.[1];
  // Code of a module has lines of its own; the call that led to it is farther out.
  const isModule = /\brequire\b/.test(tree.text);
  for (const { line, column } of isModule ? frames.slice(-1) : frames.slice(0, 1)) {
    const lineStart = startOfLine(tree.text, line);
    // A function without a name is evaluated behind two characters.
    for (const shift of line === 1 ? [2, 0] : [0]) {
      const offset = lineStart + column - 1 - shift;
      const fits = nodes.filter((node) => {
        if (node.type === 'MemberExpression' && READ.test(message))
          return node.object.end <= offset && offset < node.end && hasName(node, property);
        return node.type === 'CallExpression' && message === NOT_A_FUNCTION && callsAt(node, offset, tree.text);
      });
      const [node] = fits.sort((one, other) => one.end - one.start - (other.end - other.start));
      if (node) return node;
    }
  }
  return undefined;
}

/** @param {Extract<AnyNode, {type: 'CallExpression'}>} node @param {number} offset @param {string} text @returns {boolean} whether its parenthesis stands there */
function callsAt(node, offset, text) {
  return node.callee.end <= offset && text.indexOf('(', node.callee.end) === offset;
}

/** @param {Extract<AnyNode, {type: 'MemberExpression'}>} node @param {string | undefined} name @returns {boolean} */
function hasName({ property, computed }, name) {
  if (name === undefined || computed) return true;
  return property.type === 'Identifier' && property.name === name;
}

/** @param {string} text @param {number} line from 1 @returns {number} */
function startOfLine(text, line) {
  let start = 0;
  for (let at = 1; at < line; at += 1) start = text.indexOf('\n', start) + 1;
  return start;
}

/** @param {AnyNode} node @returns {string | undefined} the name that a chain of reads begins with */
function rootName(node) {
  let at = bare(node);
  while (at.type === 'MemberExpression') at = bare(at.object);
  return at.type === 'Identifier' ? at.name : undefined;
}
