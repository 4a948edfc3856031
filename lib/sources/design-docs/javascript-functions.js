// Gives the text that a function of a program has when it is turned into a string. TypeScript loses its types first, as CouchDB
// never sees them; each character keeps its place.

import { dialectOf } from '../../javascript/dialects.js';
import { withoutTypes } from '../../javascript/erase-types.js';
import { MappedText } from '../../shared/mapped-text.js';

/** @import { AnyNode } from 'acorn' */
/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { StringNode, UnknownNode } from '../record.js' */
/** @import { ValueReader } from './javascript-values.js' */

/**
 * @param {ValueReader} reader
 * @param {AnyNode} node a function, or a method: its source begins at its name, and so does what `toString()` gives (ECMA-262 20.2.3.5)
 * @returns {StringNode | UnknownNode}
 */
export function readFunctionText(reader, node) {
  const { file, names } = reader;
  const base = { file, start: node.start, end: node.end };
  const isCompiled = dialectOf(file.path) !== 'javascript';
  if (!isCompiled) return createFunction(base, MappedText.raw(file, node.start, node.end));
  const parts = withoutTypes(file.text, node);
  if (!parts) return reader.unknown(node, 'it has TypeScript in it that compiles to other code');
  const texts = parts.map(({ start, end }) =>
    start === end ? MappedText.opaque(' ', file, start, end) : MappedText.raw(file, start, end),
  );
  return { ...createFunction(base, MappedText.concat(texts)), inlinable: names.inlinable };
}

/**
 * @param {{file: SourceFile, start: number, end: number}} base
 * @param {MappedText} text
 * @returns {StringNode}
 */
function createFunction(base, text) {
  return { ...base, type: 'string', value: text.text, text, isFunction: true };
}
