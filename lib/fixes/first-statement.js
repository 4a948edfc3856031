// Puts a statement at the beginning of a function's body.

import { parseFunction } from '../facts/javascript/parse.js';

/** @import { MappedText } from '../shared/mapped-text.js' */
/** @import { TextEdit } from '../shared/source-file.js' */

/**
 * @param {MappedText} text of the function
 * @param {(parameter: string) => string} write the statement, given the name of the first parameter
 * @returns {TextEdit[] | undefined} undefined where the function has no plain first parameter or no block as body
 */
export function putFirst(text, write) {
  const parsed = parseFunction(text.text);
  if (!parsed.ok || !parsed.fn) return undefined;
  const { params, body } = parsed.fn;
  const [first] = params;
  if (first?.type !== 'Identifier' || body.type !== 'BlockStatement') return undefined;
  const behindBrace = text.text.slice(body.start + 1);
  const indent = /^\r?\n([ \t]*)/.exec(behindBrace);
  const statement = indent ? `${indent[0]}${write(first.name)}` : ` ${write(first.name)}`;
  const edit = text.edit(body.start + 1, body.start + 1, statement);
  return edit && [edit];
}
