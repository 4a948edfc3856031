// Reads the syntax tree of a function, its names and its effects once each and remembers them. Never runs anything.

import { RECENT_FUNCTIONS, RecentMemory } from '../shared/recent-memory.js';
import { readEffects } from './effects.js';
import { resolveNames } from './names.js';
import { parseFunction, parseModule } from './parse.js';

/** @import { MappedText } from '../shared/mapped-text.js' */
/** @import { Effects } from './effects.js' */
/** @import { ParsedFunction, UnparsedFunction } from './parse.js' */
/** @import { Names } from './names.js' */

/** @type {RecentMemory<MappedText, ParsedFunction | UnparsedFunction>} */
const trees = new RecentMemory(RECENT_FUNCTIONS);
/** @type {RecentMemory<ParsedFunction, Names>} */
const namesOfTrees = new RecentMemory(RECENT_FUNCTIONS);
/** @type {RecentMemory<ParsedFunction, Effects>} */
const effectsOfTrees = new RecentMemory(RECENT_FUNCTIONS);

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

/**
 * @param {ParsedFunction} tree
 * @returns {Names}
 */
export function namesOf(tree) {
  let names = namesOfTrees.get(tree);
  if (!names) {
    names = resolveNames(tree.roots);
    namesOfTrees.set(tree, names);
  }
  return names;
}

/**
 * @param {ParsedFunction} tree
 * @returns {Effects}
 */
export function effectsOf(tree) {
  let effects = effectsOfTrees.get(tree);
  if (!effects) {
    effects = readEffects(tree, namesOf(tree));
    effectsOfTrees.set(tree, effects);
  }
  return effects;
}
