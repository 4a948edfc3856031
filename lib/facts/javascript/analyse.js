// A function subject in, its syntax tree out, parsed once however many facts ask for it. Never runs anything.

import { parseFunction, parseModule } from './parse.js';

/** @import { FunctionSubject } from '../fact.js' */
/** @import { ParsedFunction, UnparsedFunction } from './parse.js' */

/** @type {WeakMap<FunctionSubject['text'], ParsedFunction | UnparsedFunction>} */
const memory = new WeakMap();

/**
 * @param {FunctionSubject} subject
 * @returns {ParsedFunction | UnparsedFunction} a module as statements, anything else as CouchDB keeps a function
 */
export function parsed({ text, isModule }) {
  let result = memory.get(text);
  if (!result) {
    result = isModule ? parseModule(text.text) : parseFunction(text.text);
    memory.set(text, result);
  }
  return result;
}
