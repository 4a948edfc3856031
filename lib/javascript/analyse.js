// Reads the syntax tree of a function, its names and its effects once each and remembers them. Never runs anything.

import { RECENT_FUNCTIONS, RecentMemory, rememberRecent } from '../shared/recent-memory.js';
import { readEffects } from './effects.js';
import { resolveNames } from './names.js';
import { parseFunction, parseModule } from './parse.js';

/** @import { MappedText } from '../shared/mapped-text.js' */
/** @import { ParsedFunction, UnparsedFunction } from './parse.js' */

/** @type {RecentMemory<MappedText, ParsedFunction | UnparsedFunction>} */
const trees = new RecentMemory(RECENT_FUNCTIONS);

/** Texts that the parser refused by a limit, with the reason. @type {WeakMap<MappedText, string>} */
const refusals = new WeakMap();

/**
 * @param {{text: MappedText, isModule: boolean}} subject
 * @returns {ParsedFunction | UnparsedFunction} a module as statements, anything else as CouchDB keeps a function
 */
export function parsed({ text, isModule }) {
  let tree = trees.get(text);
  if (!tree) {
    tree = isModule ? parseModule(text.text) : parseFunction(text.text);
    trees.set(text, tree);
    if (!tree.ok && tree.limit !== undefined) refusals.set(text, tree.limit);
  }
  return tree;
}

/**
 * @param {MappedText} text
 * @returns {string | undefined} why it was not parsed, where a limit is the reason; undefined also where nobody parsed it
 */
export function refusalOf(text) {
  return refusals.get(text);
}

/**
 * @param {UnparsedFunction} tree
 * @returns {{unknown: string}} what is said of facts that need its syntax tree
 */
export function unparsed({ limit }) {
  return { unknown: limit ?? 'the function does not parse' };
}

export const namesOf = rememberRecent((/** @type {ParsedFunction} */ tree) => resolveNames(tree.roots));

/** @param {ParsedFunction} tree @returns {ReturnType<typeof readEffects>} */
export const effectsOf = (tree) => readEffects(tree, namesOf(tree));
