// Makes values of files that hold the text of one member of a design document.

import { MappedText } from '../../shared/mapped-text.js';

/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { Entry, StringNode, ValueNode } from '../record.js' */

/**
 * The text of a file without white space around it: couchdb-compile pushes it so, and a built-in reduce is meant without
 * the line end behind it.
 * @param {SourceFile} file
 * @param {number} from
 * @param {number} to
 * @returns {StringNode}
 */
export function textNode(file, from, to) {
  const whole = file.text.slice(from, to);
  const start = from + (whole.length - whole.trimStart().length);
  const end = Math.max(start, from + whole.trimEnd().length);
  const text = MappedText.raw(file, start, end);
  return { type: 'string', file, start, end, value: text.text, text };
}

/**
 * @param {string} key
 * @param {ValueNode} node
 * @returns {Entry} a member whose name is that of a file, and stands nowhere in a text
 */
export function entryOfName(key, node) {
  return { key, keyStart: 0, keyEnd: 0, node };
}
