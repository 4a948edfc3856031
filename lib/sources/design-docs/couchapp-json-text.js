// Writes the variables of a `!json` macro as JavaScript text, with the place where each value is written.

import { MappedText } from '../../shared/mapped-text.js';

/** @import { ValueNode } from '../record.js' */

/** Members by name, down to the values. @typedef {Map<string, Branch | ValueNode>} Branch */

/**
 * @param {Branch} variables
 * @param {MappedText} macro where they are pasted in; what belongs to no value is placed there
 * @returns {MappedText | undefined} `var templates = {…};` for each; undefined where a value is not known
 */
export function jsonText(variables, macro) {
  /** @type {MappedText[]} */
  const parts = [];
  for (const [name, value] of variables) {
    if (parts.length > 0) parts.push(atMacro('\n', macro));
    parts.push(atMacro(`var ${name} = `, macro));
    if (!addValue(parts, value, macro)) return undefined;
    parts.push(atMacro(';', macro));
  }
  return MappedText.concat(parts);
}

/**
 * @param {MappedText[]} parts added to
 * @param {Branch | ValueNode} value
 * @param {MappedText} macro
 * @returns {boolean} false where the value is not known
 */
function addValue(parts, value, macro) {
  if (value instanceof Map) return addMembers(parts, [...value], macro);
  const { file, start, end } = value;
  /** @param {string} text */
  const add = (text) => parts.push(MappedText.opaque(text, file, start, end));
  switch (value.type) {
    case 'unknown':
      return false;
    case 'object':
      return addMembers(
        parts,
        value.entries.map((entry) => [entry.key, entry.node]),
        macro,
      );
    case 'array':
      add('[');
      for (const [index, item] of value.items.entries()) {
        if (index > 0) add(', ');
        if (!addValue(parts, item, macro)) return false;
      }
      add(']');
      return true;
    default:
      add(value.type === 'null' ? 'null' : JSON.stringify(value.value));
      return true;
  }
}

/**
 * @param {MappedText[]} parts added to
 * @param {[string, Branch | ValueNode][]} members
 * @param {MappedText} macro
 * @returns {boolean}
 */
function addMembers(parts, members, macro) {
  parts.push(atMacro('{', macro));
  for (const [index, [key, value]] of members.entries()) {
    parts.push(atMacro(`${index > 0 ? ', ' : ''}${JSON.stringify(key)}: `, macro));
    if (!addValue(parts, value, macro)) return false;
  }
  parts.push(atMacro('}', macro));
  return true;
}

/**
 * @param {string} text
 * @param {MappedText} macro
 * @returns {MappedText} the text, placed at the macro
 */
function atMacro(text, macro) {
  const [first] = macro.pieces;
  const last = macro.pieces.at(-1);
  if (!first || !last) return new MappedText(text, []);
  return MappedText.opaque(text, first.file, first.fileStart, last.file === first.file ? last.fileEnd : first.fileEnd);
}
