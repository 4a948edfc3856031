// Follows the answer of a call through the code that gets it: whether anything reads it, and of queries which members of rows and which
// fields of documents are read. Each use is one that is known here, or the answer, row or document goes to code that is not followed: then
// all of it may be read.

import { bindingAt, isFunction } from '../../javascript/names.js';
import { memberName } from '../../javascript/parse.js';
import { unwrapType } from '../../javascript/typescript.js';
import { AnswerReads, WRAPPED } from './answer-reads.js';
import { passesOn, receiversOf, SETTLES, stepOf } from './answer-steps.js';
import { functionAround } from './enclosing.js';
import {
  FOLLOWED,
  handedOn,
  ITEM_OF,
  ITEMS,
  isShared,
  itemOf,
  settledBy,
  usesArguments,
  waysOut,
} from './handed-on.js';
import { ITEM_METHODS, KEEPING, ListUses } from './list-uses.js';

/** @import { AnyNode, CallExpression, Identifier } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { Part } from './handed-on.js' */
/** @import { CallResult, ClientName } from './record.js' */

/** Expressions that only look whether there is a value. */
const TESTING = new Set(['IfStatement', 'UnaryExpression', 'ConditionalExpression', 'WhileStatement']);

/** More uses than these are not followed. */
const MAX_USES = 500;

/** A function that returns a part of the answer. @typedef {{fn: FunctionNode, part: Part}} Returned */

/**
 * @param {CallExpression} call
 * @param {ClientName | null} client
 * @param {Code} code
 * @param {Part} [part] of the answer, where the call is of a function that returns one
 * @returns {{result: CallResult, returned: Returned[]}}
 */
export function resultOf(call, client, code, part) {
  const following = new Following(code);
  if (part) following.follow(call, part);
  else following.answer(call, client);
  return { result: following.reads.result(), returned: following.returned };
}

class Following {
  #uses = 0;
  /** Functions given to `map` that give a row or its document back: the list of these is followed. @type {Set<AnyNode>} */
  #handing = new Set();
  /** Functions that are steps of a promise or an observable, and what gives what they return. @type {Map<FunctionNode, CallExpression>} */
  #steps = new Map();
  /** @type {Returned[]} */
  returned = [];

  /** @param {Code} code */
  constructor(code) {
    this.code = code;
    this.reads = new AnswerReads(code);
    this.lists = this.reads.lists;
  }

  /**
   * @param {CallExpression} call
   * @param {ClientName | null} client
   */
  answer(call, client) {
    const { functions, parts, isHidden, givesAnswer } = receiversOf(call, client, this.code);
    for (const fn of functions) this.#parameters(fn, parts);
    if (isHidden) this.reads.escape('answer');
    if (givesAnswer) this.follow(call, 'answer');
  }

  /**
   * @param {AnyNode} node that holds a part of the answer
   * @param {Part} part
   */
  follow(node, part) {
    this.#uses += 1;
    if (this.#uses > MAX_USES) {
      this.reads.escape(part);
      return;
    }
    const parent = this.code.parentOf(node);
    if (!parent || this.#handing.has(parent)) return;
    switch (parent.type) {
      case 'AwaitExpression':
      case 'ParenthesizedExpression':
      case 'ChainExpression':
        this.follow(parent, part);
        return;
      case 'ExpressionStatement':
        return;
      case 'VariableDeclarator':
        if (parent.init === node) this.#pattern(parent.id, part);
        return;
      case 'AssignmentExpression':
        this.#assigned(parent, node, part);
        return;
      case 'MemberExpression':
        if (parent.object === node) this.#member(parent, part);
        else this.reads.escape(part);
        return;
      case 'ForInStatement':
      case 'ForOfStatement':
        this.#looped(parent, node, part);
        return;
      case 'ReturnStatement':
        this.#returned(parent, part);
        return;
      case 'ArrowFunctionExpression':
        this.#returned(node, part);
        return;
      case 'LogicalExpression':
        // `row.doc && row.doc.name`; `result.rows || []` is the rows again.
        if (parent.operator === '&&' && parent.left === node) this.reads.used();
        else this.follow(parent, part);
        return;
      case 'ArrayExpression':
        this.#gathered(parent, part);
        return;
      default:
        this.#other(parent, node, part);
    }
  }

  /**
   * @param {AnyNode} parent
   * @param {AnyNode} node
   * @param {Part} part
   */
  #other(parent, node, part) {
    const isSame =
      unwrapType(parent) === node || (parent.type === 'CallExpression' && passesOn(parent, node, this.code));
    if (isSame) this.follow(parent, part);
    else if (parent.type === 'UnaryExpression' && parent.operator === 'void') return;
    else if (TESTING.has(parent.type) && !(parent.type === 'ConditionalExpression' && parent.test !== node))
      this.reads.used();
    else this.reads.escape(part, parent);
  }

  /**
   * @param {import('acorn').ForInStatement | import('acorn').ForOfStatement} loop
   * @param {AnyNode} node
   * @param {Part} part
   */
  #looped(loop, node, part) {
    if (loop.right !== node) return;
    if (loop.type === 'ForInStatement') {
      this.reads.used();
      // Names of fields tell what a document has.
      if (!ITEM_OF[part]) this.reads.escape(part);
      else this.lists.add('all', loop);
    } else if (ITEMS.has(part)) this.reads.escape(part);
    else {
      this.#item(loop.left.type === 'VariableDeclaration' ? loop.left.declarations[0]?.id : loop.left, part);
      this.lists.loop(loop, loop.body, this.reads.fields);
    }
  }

  /**
   * `await Promise.all([db.bulk(…), …])` as a statement: nothing reads an answer.
   * @param {import('acorn').ArrayExpression} list
   * @param {Part} part of one item
   */
  #gathered(list, part) {
    const call = this.code.parentOf(list);
    const callee = call?.type === 'CallExpression' ? this.code.source(call.callee) : '';
    const around = call && this.code.parentOf(call);
    const outer = around?.type === 'AwaitExpression' ? this.code.parentOf(around) : around;
    const isUnread = /^Promise\.all(?:Settled)?$/.test(callee) && outer?.type === 'ExpressionStatement';
    if (part !== 'answer' || !isUnread) this.reads.escape(part);
  }

  /**
   * What a step of a chain of promises returns goes to the next step. What callers of the same file do adds to what is known of a list;
   * others may do more: the part has escaped.
   * @param {AnyNode} node that is returned, or the return statement
   * @param {Part} part
   */
  #returned(node, part) {
    const fn = functionAround(node, this.code);
    const chain = fn && (this.#steps.get(fn) ?? settledBy(fn, this.code));
    if (chain) {
      this.follow(chain, part);
      return;
    }
    this.reads.escape(part);
    if (part === 'value' || part === 'values') return;
    this.reads.use = 'returned';
    if (ITEMS.has(part)) return;
    if (fn) this.returned.push({ fn, part });
    for (const call of waysOut(node, this.code)) this.follow(call, part);
    this.reads.use = 'returned';
  }

  /**
   * @param {import('acorn').MemberExpression} node
   * @param {Part} part that its object holds
   */
  #member(node, part) {
    const call = this.code.parentOf(node);
    const isCalled = call?.type === 'CallExpression' && call.callee === node;
    const name = memberName(node);
    if (isCalled && (part === 'answer' || SETTLES.test(name ?? ''))) {
      this.#settled(call, name, part);
      return;
    }
    this.reads.used();
    if (ITEMS.has(part)) {
      if (name === undefined || isCalled) this.reads.escape(part);
      else this.#read(name, node, part);
      return;
    }
    if (part === 'answer') {
      const index = node.computed && node.property.type === 'Literal' ? node.property.value : undefined;
      if (name === 'rows' || name === 'docs') this.follow(node, name === 'rows' ? 'rows' : 'documents');
      // nano without promises answers with a list of body and headers.
      else if (WRAPPED.has(name ?? '') || index === 0) this.follow(node, 'answer');
      else this.reads.aboutAnswer(name);
      return;
    }
    if (name === 'length' && !isCalled) {
      this.reads.isCounted = true;
      this.lists.length(node);
    } else if (isCalled && name !== undefined) this.#listCall(call, name, part);
    else if (node.computed) {
      this.lists.index(node);
      this.follow(node, itemOf(part));
    } else this.reads.escape(part);
  }

  /**
   * @param {CallExpression} call `db.view(…).then(…)`
   * @param {string | undefined} name
   * @param {Part} part
   */
  #settled(call, name, part) {
    const step = stepOf(call, name);
    if (!step) this.reads.escape(part);
    for (const fn of step?.functions ?? []) {
      if (step?.isMapped) this.#steps.set(fn, call);
      this.#parameters(fn, step?.index ? [undefined, part] : [part]);
    }
    if (step?.isSame) this.follow(call, part);
  }

  /**
   * @param {CallExpression} call of a method of a list of rows or documents
   * @param {string} name
   * @param {Part} part
   */
  #listCall(call, name, part) {
    const [first] = call.arguments;
    const isEach = ITEM_METHODS.test(name);
    if (name === 'sort' && first) {
      if (isFunction(first)) this.#parameters(first, [itemOf(part), itemOf(part)]);
      else this.reads.escape(part);
    } else if (isEach) {
      const fn = first && isFunction(first) ? first : undefined;
      // Without a start, `reduce` begins with the first item, and its result may be one.
      if (!fn || (name === 'reduce' && call.arguments.length < 2)) {
        this.lists.method(call, name, this.reads.fields);
        this.reads.escape(part);
        return;
      }
      const given = name === 'map' ? handedOn(fn, part, this.code) : undefined;
      if (given) this.#handing.add(fn);
      // Behind the item comes its index, then the list.
      /** @type {(Part | undefined)[]} */
      const parts = [itemOf(part), undefined, part];
      this.#parameters(fn, name === 'reduce' ? [undefined, ...parts] : parts);
      if (name === 'find') this.follow(call, itemOf(part));
      else if (given === 'values') this.#values(call);
      else if (given) this.follow(call, given);
      if (given && given !== 'values') return;
    }
    const isPart = this.lists.method(call, name, this.reads.fields);
    const before = this.lists.isPart;
    this.lists.isPart ||= isPart;
    if (KEEPING.has(name)) this.follow(call, part);
    else if (!isEach) this.reads.escape(part);
    this.lists.isPart = before;
  }

  /** @param {CallExpression} call that gives the values of the rows, of which what is done with the rows as a list says nothing */
  #values(call) {
    const { lists } = this;
    this.lists = new ListUses(this.code);
    this.follow(call, 'values');
    this.lists = lists;
  }

  /**
   * @param {string} name
   * @param {AnyNode} node
   * @param {Part} part
   */
  #read(name, node, part) {
    if (part === 'document') this.reads.fields.push({ name, node });
    else if (part === 'value') this.reads.valueFields.add(name);
    else this.reads.rowMembers.add(name);
    if (part === 'row' && FOLLOWED.has(name)) this.follow(node, /** @type {Part} */ (FOLLOWED.get(name)));
  }

  /**
   * @param {FunctionNode} fn
   * @param {(Part | undefined)[]} parts what its parameters are given
   */
  #parameters(fn, parts) {
    const rest = fn.params.findIndex(({ type }) => type === 'RestElement');
    const isOpen = (rest >= 0 && rest < parts.length) || usesArguments(fn, this.code);
    for (const part of isOpen ? parts : []) if (part) this.reads.escape(part);
    for (const [at, part] of parts.entries()) if (part) this.#pattern(fn.params[at], part);
  }

  /**
   * @param {AnyNode | undefined} pattern that is given the part
   * @param {Part} part
   */
  #pattern(pattern, part) {
    if (!pattern) return;
    if (pattern.type === 'AssignmentPattern') this.#pattern(pattern.left, part);
    else if (pattern.type === 'Identifier') this.#variable(pattern, part);
    else if (pattern.type === 'ObjectPattern') this.#objectPattern(pattern, part);
    else if (pattern.type === 'ArrayPattern') {
      if (ITEM_OF[part]) this.lists.add('first', pattern);
      for (const item of pattern.elements) if (item) this.#item(item, part);
    } else this.reads.escape(part);
  }

  /**
   * @param {import('acorn').ObjectPattern} pattern
   * @param {Part} part
   */
  #objectPattern(pattern, part) {
    this.reads.used();
    for (const property of pattern.properties) {
      if (property.type !== 'Property' || property.computed || property.key.type !== 'Identifier') {
        this.reads.escape(part);
        continue;
      }
      const { name } = property.key;
      if (part === 'document' || part === 'value') this.#read(name, property, part);
      else if (part === 'row') {
        this.reads.rowMembers.add(name);
        const inner = FOLLOWED.get(name);
        if (inner) this.#pattern(property.value, inner);
      } else if (part === 'answer') {
        if (name === 'rows') this.#pattern(property.value, 'rows');
        else if (name === 'docs') this.#pattern(property.value, 'documents');
        else if (WRAPPED.has(name)) this.#pattern(property.value, 'answer');
        else this.reads.aboutAnswer(name);
      } else if (name === 'length') {
        this.reads.isCounted = true;
        this.lists.add('counted', property);
      } else this.reads.escape(part);
    }
  }

  /**
   * @param {AnyNode | undefined} pattern that is given an item of a list
   * @param {Part} part of the list
   */
  #item(pattern, part) {
    this.reads.used();
    // nano without promises: `const [body] = await db.view(…)`.
    this.#pattern(pattern, itemOf(part));
  }

  /**
   * @param {Identifier} id
   * @param {Part} part
   */
  #variable(id, part) {
    const binding = bindingAt(id, this.code.resolved);
    if (!binding || isShared(binding, this.code)) {
      this.reads.escape(part);
      if (!binding) return;
    }
    for (const { node, reads } of binding.references) if (reads) this.follow(node, part);
  }

  /**
   * @param {import('acorn').AssignmentExpression} parent
   * @param {AnyNode} node
   * @param {Part} part
   */
  #assigned(parent, node, part) {
    if (parent.right === node && parent.left.type === 'Identifier') this.#variable(parent.left, part);
    else this.reads.escape(part);
    // `return (cache = await db.view(…));`
    this.follow(parent, part);
  }
}
