// Fix: removes the name of a function whose name keeps it from compiling. A function that uses its own name gets
// parentheses instead, which make it an expression.

import { resolveNames } from '../../javascript/names.js';
import { parseFunction } from '../../javascript/parse.js';

/** @import { FunctionSubject } from '../../facts/fact.js' */
/** @import { TextEdit } from '../../shared/source-file.js' */
/** @import { Fix } from './index.js' */

/** @type {Fix} */
export const dropFunctionName = {
  id: 'drop-function-name',
  title: 'Remove the name of the function',
  safe: true,
  apply({ subject }) {
    if (subject.kind !== 'function' || subject.isModule) return undefined;
    const { text } = subject;
    const tree = parseFunction(text.text);
    if (!tree.ok || tree.shape !== 'named' || tree.parenthesised) return undefined;
    const { fn } = tree;
    if (!fn || fn.type === 'ArrowFunctionExpression' || !fn.id) return undefined;
    const { id } = fn;
    const names = resolveNames(tree.roots);
    const isUsed = names.references.some(({ name, binding }) => name === id.name && binding?.scope.node === fn);
    // QuickJS takes `function (…)` for an expression only where the parenthesis stands on the line of the word
    // (couch_quickjs, patches/01-spidermonkey-185-mode.patch, CouchDB 3.5.2).
    const isOneLine = !/[\r\n]/.test(text.text.slice(fn.start, text.text.indexOf('(', id.end)));
    // In a module the program makes the text of the function, without the parentheses around it, and other code may use the
    // name of a declaration.
    if (isCode(subject) && (isUsed || !isOneLine || !isExpression(subject))) return undefined;
    const edits =
      isUsed || !isOneLine
        ? [text.edit(fn.start, fn.start, '('), text.edit(fn.end, fn.end, ')')]
        : [text.edit(nameStart(text.text, id.start), id.end, '')];
    return edits.includes(undefined) ? undefined : /** @type {TextEdit[]} */ (edits);
  },
};

/**
 * @param {FunctionSubject} subject
 * @returns {boolean} whether it stands in a module as a function, not as a string
 */
function isCode({ parent, text }) {
  return parent.record.origin === 'module' && text.pieces[0]?.encoding === 'raw';
}

/**
 * @param {FunctionSubject} subject
 * @returns {boolean} whether it is the value of a member, a variable or a parameter where it stands
 */
function isExpression({ text }) {
  const [piece] = text.pieces;
  return piece !== undefined && /[:=(,]$/.test(piece.file.text.slice(0, piece.fileStart).trimEnd());
}

/**
 * @param {string} text
 * @param {number} start of the name
 * @returns {number} where to cut: one space stays between `function` and what follows, as it was
 */
function nameStart(text, start) {
  return /[ \t]/.test(text[start - 1] ?? '') && /[ \t]/.test(text[start - 2] ?? '') ? start - 1 : start;
}
