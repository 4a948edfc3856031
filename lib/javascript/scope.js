// Holds the variables of an evaluator: a new one for each name of a scope each time the scope is entered. Which names a
// scope declares is determined in names.js.

/** @import { AnyNode } from 'acorn' */
/** @import { Names } from './names.js' */

export class Scope {
  /** @type {Map<string, symbol>} */
  #names = new Map();

  /** @param {Scope} [parent] */
  constructor(parent) {
    this.parent = parent;
  }

  /**
   * @param {string} name
   * @returns {symbol} the variable, which stays the same when it is declared again
   */
  declare(name) {
    const known = this.#names.get(name);
    if (known) return known;
    const variable = Symbol(name);
    this.#names.set(name, variable);
    return variable;
  }

  /**
   * @param {Names} names
   * @param {AnyNode} node a function, block, loop or `switch`, whose names are all declared before it runs
   * @returns {this}
   */
  declareNamesOf(names, node) {
    for (const { name, isThereOnEntry } of names.scopes.get(node)?.bindings.values() ?? []) {
      if (isThereOnEntry) this.declare(name);
    }
    return this;
  }

  /**
   * @param {string} name
   * @returns {symbol | undefined} the variable of the innermost scope that declares it; undefined for a free name
   */
  find(name) {
    return this.#names.get(name) ?? this.parent?.find(name);
  }
}
