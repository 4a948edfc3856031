// Finds the functions of a text by what calls them: which one a name certainly is, where it is called, what it returns.

import { isFunction, onlyValueOf } from './names.js';
import { bare } from './parse.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { FunctionNode } from './parse.js' */
/** @import { Binding, Names } from './names.js' */

export class LocalFunctions {
  /** Functions by what their declarations bind. @type {Map<Binding, FunctionNode>} */
  #declared = new Map();

  /** @param {Names} names */
  constructor(names) {
    this.names = names;
    for (const node of names.nodes) {
      if (node.type !== 'FunctionDeclaration' || !node.id) continue;
      // In sloppy code a function in a block is bound in the whole function too.
      for (let scope = names.scopes.get(node)?.parent; scope; scope = scope.isFunction ? undefined : scope.parent) {
        const binding = scope.bindings.get(node.id.name);
        if (binding?.kind === 'function') this.#declared.set(binding, node);
      }
    }
  }

  /**
   * @param {AnyNode} given
   * @returns {FunctionNode | undefined} the function that it certainly is
   */
  at(given) {
    const node = bare(given);
    if (isFunction(node)) return node;
    const binding = node.type === 'Identifier' ? this.names.byNode.get(node)?.binding : undefined;
    if (!binding) return undefined;
    const value = onlyValueOf(binding, this.names);
    const inner = value && bare(value);
    if (inner) return isFunction(inner) ? inner : undefined;
    return binding.references.some(({ writes }) => writes) ? undefined : this.#declared.get(binding);
  }

  /**
   * @param {FunctionNode} fn
   * @returns {CallExpression[]} the calls of it by its name
   */
  callsOf(fn) {
    return this.names.nodes.flatMap((node) =>
      node.type === 'CallExpression' && this.at(node.callee) === fn ? [node] : [],
    );
  }

  /**
   * @param {FunctionNode} fn
   * @returns {AnyNode[]} what it may return
   */
  answersOf(fn) {
    if (fn.body.type !== 'BlockStatement') return [fn.body];
    return this.names.nodes.flatMap((node) =>
      node.type === 'ReturnStatement' && node.argument && this.#ownerOf(node) === fn ? [node.argument] : [],
    );
  }

  /** @param {AnyNode} node @returns {AnyNode | undefined} the function that it stands in */
  #ownerOf(node) {
    let at = this.names.parents.get(node);
    while (at && !isFunction(at)) at = this.names.parents.get(at);
    return at;
  }
}
