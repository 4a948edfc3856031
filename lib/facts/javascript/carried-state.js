// Finds undeclared variables whose value of one call a later call can read, by definite assignment, as compilers check
// it for locals. Such a variable is a global of the query server and keeps its value between documents.

import { isStrict } from '../../javascript/names.js';
import { CarriedExpressions, meet, NOTHING, union } from './carried-expressions.js';

/** @import { AnyNode, Identifier } from 'acorn' */
/** @import { Assigned } from './carried-expressions.js' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Names } from '../../javascript/names.js' */

/** Where `break` and `continue` lead. @typedef {{labels: string[], kind: 'loop' | 'switch' | 'block', breaks: Assigned[], continues: Assigned[]}} Target */
/** @typedef {Extract<AnyNode, {type: 'ForStatement' | 'WhileStatement' | 'DoWhileStatement' | 'ForInStatement' | 'ForOfStatement'}>} Loop */

/**
 * @param {FunctionNode} fn called once for each document, or each group of rows
 * @param {Names} names of its text
 * @returns {Identifier[]} for each such variable the first read that can come before the write; those that are always
 *   written first carry nothing over. None where the code is nested too deeply
 */
export function carriedReads(fn, names) {
  /** @type {Set<string>} */
  const tracked = new Set();
  for (const { name, node, binding, writes } of names.references) {
    // Strict code throws where it writes a name that is not declared.
    if (writes && !binding && !isStrict(node, names.parents)) tracked.add(name);
  }
  if (tracked.size === 0) return [];
  const search = new CarriedReads(names, tracked);
  search.enter(fn, NOTHING);
  try {
    return search.finish();
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

class CarriedReads extends CarriedExpressions {
  /** @type {Target[]} */
  #targets = [];
  /** @type {Assigned[]} */
  #exits = [];

  /**
   * @override
   * @param {FunctionNode} fn
   * @param {Assigned} assigned where it begins
   * @returns {Assigned} where it ends or returns
   */
  body(fn, assigned) {
    const [targets, exits] = [this.#targets, this.#exits];
    this.#targets = [];
    this.#exits = [];
    let at = assigned;
    for (const param of fn.params) at = this.pattern(param, at);
    const end = fn.body.type === 'BlockStatement' ? this.#statement(fn.body, at) : this.expression(fn.body, at);
    const all = meetAll([end, ...this.#exits]);
    this.#targets = targets;
    this.#exits = exits;
    return all;
  }

  /**
   * @param {AnyNode} node
   * @param {Assigned} assigned
   * @returns {Assigned}
   */
  #statement(node, assigned) {
    switch (node.type) {
      case 'BlockStatement':
      case 'StaticBlock':
        return this.#inTurn(node.body, assigned);
      case 'IfStatement': {
        const { yes, no } = this.test(node.test, assigned);
        return meet(this.#statement(node.consequent, yes), node.alternate ? this.#statement(node.alternate, no) : no);
      }
      case 'ForStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
        return this.#loop(node, [], assigned);
      case 'LabeledStatement':
        return this.#labeled(node, [], assigned);
      case 'SwitchStatement':
        return this.#switch(node, assigned);
      case 'TryStatement': {
        const tried = this.#statement(node.block, assigned);
        // Anything in the block may throw, also before its first assignment.
        const caught = node.handler ? this.#statement(node.handler.body, assigned) : undefined;
        const after = node.handler ? meet(tried, caught) : tried;
        if (!node.finalizer) return after;
        const last = this.#statement(node.finalizer, assigned);
        return last && after && union(after, last);
      }
      case 'ReturnStatement':
        this.#exits.push(node.argument ? this.expression(node.argument, assigned) : assigned);
        return undefined;
      case 'ThrowStatement':
        this.expression(node.argument, assigned);
        return undefined;
      case 'BreakStatement':
      case 'ContinueStatement':
        this.#jump(node, assigned);
        return undefined;
      case 'VariableDeclaration':
        return node.declarations.reduce(
          (at, { id, init }) => this.pattern(id, init ? this.expression(init, at) : at),
          assigned,
        );
      // What a declared function reads counts where it is called.
      case 'FunctionDeclaration':
      case 'ClassDeclaration':
        return assigned;
      default:
        return this.expression(node, assigned);
    }
  }

  /**
   * @param {readonly AnyNode[]} nodes
   * @param {Assigned} assigned
   * @returns {Assigned}
   */
  #inTurn(nodes, assigned) {
    return nodes.reduce((at, node) => this.#statement(node, at), assigned);
  }

  /**
   * @param {Target['kind']} kind
   * @param {string[]} labels
   * @param {(target: Target) => Assigned} run
   * @returns {Assigned}
   */
  #targeted(kind, labels, run) {
    /** @type {Target} */
    const target = { kind, labels, breaks: [], continues: [] };
    this.#targets.push(target);
    const after = run(target);
    this.#targets.pop();
    return after;
  }

  /**
   * @param {import('acorn').BreakStatement | import('acorn').ContinueStatement} node
   * @param {Assigned} assigned
   */
  #jump({ type, label }, assigned) {
    const isBreak = type === 'BreakStatement';
    const target = this.#targets.findLast(({ kind, labels }) => {
      if (label) return labels.includes(label.name);
      return isBreak ? kind !== 'block' : kind === 'loop';
    });
    target?.[isBreak ? 'breaks' : 'continues'].push(assigned);
  }

  /**
   * @param {import('acorn').LabeledStatement} node
   * @param {string[]} outer
   * @param {Assigned} assigned
   * @returns {Assigned}
   */
  #labeled({ label, body }, outer, assigned) {
    const labels = [...outer, label.name];
    if (body.type === 'LabeledStatement') return this.#labeled(body, labels, assigned);
    if (/^(?:For|While|DoWhile)/.test(body.type)) return this.#loop(/** @type {Loop} */ (body), labels, assigned);
    return this.#targeted('block', labels, ({ breaks }) => meetAll([this.#statement(body, assigned), ...breaks]));
  }

  /**
   * @param {Loop} node
   * @param {string[]} labels
   * @param {Assigned} assigned
   * @returns {Assigned} assignments only add up, so the first turn is the one with the fewest
   */
  #loop(node, labels, assigned) {
    return this.#targeted('loop', labels, (target) => {
      if (node.type === 'ForInStatement' || node.type === 'ForOfStatement') {
        const over = this.expression(node.right, assigned);
        const { left } = node;
        const variable = left.type === 'VariableDeclaration' ? left.declarations[0]?.id : left;
        this.#statement(node.body, variable ? this.pattern(variable, over) : over);
        return meetAll([over, ...target.breaks]);
      }
      if (node.type === 'DoWhileStatement') {
        const body = this.#statement(node.body, assigned);
        return meetAll([this.test(node.test, meetAll([body, ...target.continues])).no, ...target.breaks]);
      }
      const [init, update] = node.type === 'ForStatement' ? [node.init, node.update] : [];
      const begun = init ? this.#statement(init, assigned) : assigned;
      const { yes, no } = node.test ? this.test(node.test, begun) : { yes: begun, no: undefined };
      const body = this.#statement(node.body, yes);
      if (update) this.expression(update, meetAll([body, ...target.continues]));
      return meetAll([no, ...target.breaks]);
    });
  }

  /**
   * @param {import('acorn').SwitchStatement} node
   * @param {Assigned} assigned
   * @returns {Assigned}
   */
  #switch({ discriminant, cases }, assigned) {
    return this.#targeted('switch', [], (target) => {
      let tested = this.expression(discriminant, assigned);
      const entries = cases.map(({ test }) => {
        if (test) tested = this.expression(test, tested);
        return tested;
      });
      /** @type {Assigned} */
      let through;
      for (const [index, { test, consequent }] of cases.entries()) {
        // The default is reached after all tests.
        through = this.#inTurn(consequent, meet(test ? entries[index] : tested, through));
      }
      const isCovered = cases.some(({ test }) => !test);
      return meetAll([through, isCovered ? undefined : tested, ...target.breaks]);
    });
  }
}

/** @param {Assigned[]} all @returns {Assigned} */
function meetAll(all) {
  return all.reduce(meet, undefined);
}
