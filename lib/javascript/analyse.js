// Reads the syntax tree of a function, its names and its effects once each and remembers them. Never runs anything.

import { RECENT_FUNCTIONS, RecentMemory, rememberRecent } from '../shared/recent-memory.js';
import { readEffects } from './effects.js';
import { resolveNames } from './names.js';
import { parseFunction, parseModule } from './parse.js';

/** @import { MappedText } from '../shared/mapped-text.js' */
/** @import { ParsedFunction, UnparsedFunction } from './parse.js' */

/** @type {RecentMemory<MappedText, ParsedFunction | UnparsedFunction>} */
const trees = new RecentMemory(RECENT_FUNCTIONS);

/**
 * @param {{text: MappedText, isModule: boolean}} subject
 * @returns {ParsedFunction | UnparsedFunction} a module as statements, anything else as CouchDB keeps a function
 */
export function parsed({ text, isModule }) {
  let tree = trees.get(text);
  if (!tree) {
    tree = isModule ? parseModule(text.text) : parseFunction(text.text);
    trees.set(text, tree);
  }
  return tree;
}

export const namesOf = rememberRecent((/** @type {ParsedFunction} */ tree) => resolveNames(tree.roots));

export const effectsOf = rememberRecent((/** @type {ParsedFunction} */ tree) => readEffects(tree, namesOf(tree)));
