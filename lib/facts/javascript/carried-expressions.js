// Determines what expressions assign and read of the variables that no part of a text declares: the lower half of
// carried-state.js.

import { LocalFunctions } from '../../javascript/local-functions.js';
import { boundIn, isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { childrenOf } from '../../javascript/walk.js';

/** @import { AnyNode, Identifier } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Names } from '../../javascript/names.js' */

/** Names that were certainly assigned since the call began; undefined where no execution arrives. @typedef {ReadonlySet<string> | undefined} Assigned */
/** @typedef {{yes: Assigned, no: Assigned}} Branches after a test that was true, and false */

/** @type {ReadonlySet<string>} */
export const NOTHING = new Set();

/** Functions are gone through again where they are called with fewer names assigned, at most so often together. */
const MAX_PASSES = 400;

export class CarriedExpressions {
  /** @type {Map<string, Identifier>} */
  #found = new Map();
  /** What is assigned wherever a function is called. @type {Map<FunctionNode, ReadonlySet<string>>} */
  #entries = new Map();
  /** @type {FunctionNode[]} */
  #waiting = [];
  /** What a function assigns on every way to its end. @type {Map<FunctionNode, Assigned>} */
  #gains = new Map();
  /** Whether reads are noted: not while only the assignments of a function are wanted. */
  #isNoting = true;
  #functions;

  /**
   * @param {Names} names
   * @param {ReadonlySet<string>} tracked
   */
  constructor(names, tracked) {
    this.names = names;
    this.tracked = tracked;
    this.#functions = new LocalFunctions(names);
  }

  /**
   * Of a function whose body is an expression; statements are what the class that extends this one adds.
   * @param {FunctionNode} fn
   * @param {Assigned} assigned where it begins
   * @returns {Assigned} where it ends or returns
   */
  body(fn, assigned) {
    return fn.body.type === 'BlockStatement' ? assigned : this.expression(fn.body, assigned);
  }

  /** @returns {Identifier[]} in the order of the text */
  finish() {
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const fn = this.#waiting.pop();
      if (!fn) break;
      this.body(fn, this.#entries.get(fn) ?? NOTHING);
    }
    return [...this.#found.values()].sort((one, other) => one.start - other.start);
  }

  /**
   * Notes that a function may be called where these names are assigned.
   * @param {FunctionNode} fn
   * @param {Assigned} assigned
   */
  enter(fn, assigned) {
    if (!this.#isNoting || !assigned) return;
    const before = this.#entries.get(fn);
    const both = before ? meet(before, assigned) : assigned;
    if (before && both?.size === before.size) return;
    this.#entries.set(fn, both ?? NOTHING);
    this.#waiting.push(fn);
  }

  /**
   * @param {FunctionNode} fn
   * @returns {Assigned} what it assigns before it returns; undefined where it never does
   */
  #gain(fn) {
    if (this.#gains.has(fn)) return this.#gains.get(fn);
    // One that calls itself counts for nothing meanwhile.
    this.#gains.set(fn, NOTHING);
    const isNoting = this.#isNoting;
    this.#isNoting = false;
    const gain = this.body(fn, NOTHING);
    this.#isNoting = isNoting;
    this.#gains.set(fn, gain);
    return gain;
  }

  /**
   * @param {AnyNode} given
   * @param {Assigned} assigned
   * @returns {Branches}
   */
  test(given, assigned) {
    const node = bare(given);
    if (node.type === 'UnaryExpression' && node.operator === '!') {
      const { yes, no } = this.test(node.argument, assigned);
      return { yes: no, no: yes };
    }
    if (node.type === 'LogicalExpression' && node.operator !== '??') {
      const left = this.test(node.left, assigned);
      const isAnd = node.operator === '&&';
      const right = this.test(node.right, isAnd ? left.yes : left.no);
      return isAnd ? { yes: right.yes, no: meet(left.no, right.no) } : { yes: meet(left.yes, right.yes), no: right.no };
    }
    if (node.type === 'LogicalExpression') {
      const left = this.expression(node.left, assigned);
      // What is on the left may be false without being null or undefined.
      const either = meet(left, this.expression(node.right, left));
      return { yes: either, no: either };
    }
    const after = this.expression(node, assigned);
    if (node.type !== 'Literal') return { yes: after, no: after };
    return node.value ? { yes: after, no: undefined } : { yes: undefined, no: after };
  }

  /**
   * @param {AnyNode} node
   * @param {Assigned} assigned
   * @returns {Assigned}
   */
  expression(node, assigned) {
    switch (node.type) {
      case 'Identifier':
        return this.#read(node, assigned);
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
      case 'ClassExpression':
        return assigned;
      case 'ParenthesizedExpression':
        return this.expression(node.expression, assigned);
      case 'LogicalExpression': {
        const { yes, no } = this.test(node, assigned);
        return meet(yes, no);
      }
      case 'ConditionalExpression': {
        const { yes, no } = this.test(node.test, assigned);
        return meet(this.expression(node.consequent, yes), this.expression(node.alternate, no));
      }
      case 'AssignmentExpression':
        return this.#assignment(node, assigned);
      case 'UpdateExpression':
        return this.pattern(node.argument, this.expression(node.argument, assigned));
      case 'CallExpression':
      case 'NewExpression':
        return this.#call(node, assigned);
      case 'MemberExpression': {
        const object = this.expression(node.object, assigned);
        return node.computed ? this.expression(node.property, object) : object;
      }
      case 'Property': {
        const key = node.computed ? this.expression(node.key, assigned) : assigned;
        return this.expression(node.value, key);
      }
      default:
        return childrenOf(node).reduce((at, child) => this.expression(child, at), assigned);
    }
  }

  /**
   * @param {Identifier} node
   * @param {Assigned} assigned
   * @returns {Assigned}
   */
  #read(node, assigned) {
    const reference = this.names.byNode.get(node);
    if (!reference) return assigned;
    const { name, binding, reads } = reference;
    const fn = this.#functions.at(node);
    // Passed on, it may be called from here on.
    if (fn) this.enter(fn, assigned);
    const isCarried = !binding && reads && this.tracked.has(name) && assigned && !assigned.has(name);
    if (isCarried && this.#isNoting) {
      const known = this.#found.get(name);
      if (!known || node.start < known.start) this.#found.set(name, node);
    }
    return assigned;
  }

  /**
   * @param {import('acorn').AssignmentExpression} node
   * @param {Assigned} assigned
   * @returns {Assigned}
   */
  #assignment({ operator, left, right }, assigned) {
    const isPlain = operator === '=';
    const before = isPlain && left.type !== 'MemberExpression' ? assigned : this.expression(left, assigned);
    const after = this.expression(right, before);
    const written = this.pattern(left, after);
    // `a ||= b` assigns only where it does not keep what it has read.
    return /^(?:\|\||&&|\?\?)=$/.test(operator) ? meet(before, written) : written;
  }

  /**
   * @param {AnyNode} pattern that gets a value
   * @param {Assigned} assigned
   * @returns {Assigned}
   */
  pattern(pattern, assigned) {
    let at = assigned;
    /** @type {AnyNode[]} */
    const open = [pattern];
    for (let node = open.pop(); node; node = open.pop()) {
      // Defaults and computed keys are run on the way.
      if (node.type === 'AssignmentPattern') this.expression(node.right, at);
      if (node.type === 'Property' && node.computed) at = this.expression(node.key, at);
      if (node.type === 'MemberExpression') at = this.expression(node, at);
      else if (/Pattern$|Element$/.test(node.type)) open.push(...childrenOf(node));
      else if (node.type === 'Property') open.push(node.value);
    }
    const gained = boundIn(bare(pattern)).flatMap((node) => {
      const reference = this.names.byNode.get(node);
      return reference && !reference.binding && this.tracked.has(reference.name) ? [reference.name] : [];
    });
    return gained.length > 0 && at ? union(at, new Set(gained)) : at;
  }

  /**
   * @param {import('acorn').CallExpression | import('acorn').NewExpression} node
   * @param {Assigned} assigned
   * @returns {Assigned}
   */
  #call(node, assigned) {
    const callee = bare(/** @type {AnyNode} */ (node.callee));
    // `(function () {…}).call(this)` calls it too.
    const isByMethod =
      callee.type === 'MemberExpression' &&
      callee.property.type === 'Identifier' &&
      /^(?:call|apply)$/.test(callee.property.name);
    const called = this.#functions.at(isByMethod ? bare(/** @type {AnyNode} */ (callee.object)) : callee);
    let at = called ? assigned : this.expression(callee, assigned);
    for (const argument of node.arguments) {
      at = this.expression(argument, at);
      // A callback may be called as soon as all arguments are there, or never.
      const inner = bare(argument);
      if (isFunction(inner)) this.enter(inner, at);
    }
    if (!called || !at) return at;
    this.enter(called, at);
    const gain = this.#gain(called);
    return gain && union(at, gain);
  }
}

/**
 * @param {Assigned} one
 * @param {Assigned} other
 * @returns {Assigned} what is assigned on both ways
 */
export function meet(one, other) {
  if (!one || !other) return one ?? other;
  return new Set([...one].filter((name) => other.has(name)));
}

/** @param {ReadonlySet<string>} one @param {ReadonlySet<string>} other @returns {ReadonlySet<string>} */
export function union(one, other) {
  return new Set([...one, ...other]);
}
