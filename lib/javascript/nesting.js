// Bounds how deeply code may be nested, so that neither a parser nor an analysis that calls itself for each level comes near the end of the stack.
// There V8 may end the whole process instead of throwing: it compiles regular expressions when they are first used, and has no error for a
// compiler without stack (RegExpCompiler, Node.js 20).

import { Bailout, Budget, TOO_DEEP } from '../shared/bailout.js';
import { pushChildren } from './walk.js';

/** @import { AnyNode, Parser } from 'acorn' */

/**
 * Levels of the syntax tree of a function, and calls of the methods below in each other. The deepest code of 250 large files of npm packages, bundles
 * among them, has 119 levels.
 */
const MAX_LEVELS = 500;
/** Levels of a whole file: one that holds a function as the sum of its lines has a level for each. */
const MAX_FILE_LEVELS = 2500;

/** Methods of acorn and its plugins of which each nested construct passes one at least, and what a call counts. @type {ReadonlyMap<string, number>} */
const NESTING_METHODS = new Map([
  ['parseStatement', 1],
  ['parseMaybeAssign', 1],
  ['parseMaybeUnary', 1],
  ['parseExprAtom', 1],
  // It calls itself for each operator of a sum, and needs little stack.
  ['parseExprOp', MAX_LEVELS / MAX_FILE_LEVELS],
  ['parseBindingAtom', 1],
  ['regexp_disjunction', 1],
  ['jsx_parseElementAt', 1],
  ['tsParseType', 1],
]);

/** What a parser may do for each character; more is done only where it tries the same text in one way after the other, in each level again. */
const CALLS_PER_CHARACTER = 20;
const MIN_CALLS = 100_000;
/** And for one text: each call leaves some 60 bytes of a syntax tree. The largest bundle that is read, 2 MB, takes less. */
const MAX_CALLS = 3_000_000;

/** @typedef {Record<string, ((...given: unknown[]) => unknown) | undefined>} Methods */
/** @typedef {{nesting: number, calls: Budget}} Bounded */

/**
 * @param {typeof Parser} Base
 * @returns {typeof Parser} the same parser, which ends in a bailout where code is nested too deeply
 */
export function boundNesting(Base) {
  class BoundedParser extends Base {
    nesting = 0;
    calls = new Budget(
      Math.min(
        MAX_CALLS,
        MIN_CALLS + CALLS_PER_CHARACTER * /** @type {{input: string}} */ (/** @type {unknown} */ (this)).input.length,
      ),
    );
  }
  const methods = /** @type {Methods} */ (/** @type {unknown} */ (BoundedParser.prototype));
  for (const [name, levels] of NESTING_METHODS) {
    const method = methods[name];
    if (!method) continue;
    /** @this {Bounded} @param {unknown[]} given */
    methods[name] = function bounded(...given) {
      this.calls.count();
      if (this.nesting + levels > MAX_LEVELS) throw new Bailout(TOO_DEEP);
      this.nesting += levels;
      try {
        return method.apply(this, given);
      } finally {
        // Parsers that try one way after the other go on after an error.
        this.nesting -= levels;
      }
    };
  }
  return BoundedParser;
}

/**
 * Chains such as `a.b.c` add levels to the tree and are parsed in a loop.
 * @param {readonly AnyNode[]} roots
 * @param {{isFile?: boolean}} [options]
 * @throws {Bailout} where the tree has too many levels
 */
export function checkLevels(roots, { isFile = false } = {}) {
  const most = isFile ? MAX_FILE_LEVELS : MAX_LEVELS;
  /** @type {AnyNode[]} */
  let level = [...roots];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === most) throw new Bailout(TOO_DEEP);
    /** @type {AnyNode[]} */
    const next = [];
    for (const node of level) pushChildren(node, next);
    level = next;
  }
}
