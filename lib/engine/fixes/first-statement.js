// Inserts a statement at the beginning of a function's body.

import { parseFunction } from '../../javascript/parse.js';

/** @import { MappedText } from '../../shared/mapped-text.js' */
/** @import { TextEdit } from '../../shared/source-file.js' */

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
  // A directive stays first, or it is none.
  const directive = body.body.findLast((statement) => 'directive' in statement);
  const at = directive ? directive.end : body.start + 1;
  const space = /^\s*/.exec(text.text.slice(at))?.[0] ?? '';
  const lineBreak = /\r?\n/.exec(space)?.[0];
  const indent = lineBreak ? `${lineBreak}${space.slice(space.lastIndexOf('\n') + 1)}` : ' ';
  const edit = text.edit(at, at, `${indent}${write(first.name)}`);
  return edit && [edit];
}
