// Follows the answer of a query through the code that gets it: which members of rows and which fields of documents are read.
// Where an answer, a row or a document goes to code that is not followed, all of it may be read.

import { bindingAt, isFunction } from '../../javascript/names.js';
import { memberName } from '../../javascript/parse.js';
import { unwrapType } from '../../javascript/typescript.js';
import { handedOn, waysOut } from './handed-on.js';
import { ListUses } from './list-uses.js';

/** @import { AnyNode, CallExpression, Identifier } from 'acorn' */
/** @import { Code } from './code.js' */
/** @import { Part } from './handed-on.js' */
/** @import { FieldRead } from './list-uses.js' */
/** @import { CallMethod, CallResult } from './record.js' */

/** Methods of lists whose function gets an item, and the place of the item among its parameters. */
const ITEM_METHODS = new Map([
  ['map', 0],
  ['forEach', 0],
  ['flatMap', 0],
  ['filter', 0],
  ['find', 0],
  ['some', 0],
  ['every', 0],
  ['findIndex', 0],
  ['reduce', 1],
]);
/** Those that pick items. */
const PICKING = new Set(['filter', 'find', 'some', 'every', 'findIndex']);
/** Those that give items again. */
const KEEPING = new Set(['filter', 'slice', 'reverse', 'sort', 'concat']);
/** Expressions that only look whether there is a value. */
const TESTING = new Set(['IfStatement', 'UnaryExpression', 'ConditionalExpression', 'WhileStatement']);

/** More uses than these are not followed. */
const MAX_USES = 500;

/**
 * @param {CallExpression} call
 * @param {CallMethod} method
 * @param {Code} code
 * @returns {CallResult}
 */
export function resultOf(call, method, code) {
  const following = new Following(code, method);
  following.answer(call);
  return following.result();
}

class Following {
  /** @type {CallResult['use']} */
  #use = 'dropped';
  /** @type {Set<string>} */
  #rowMembers = new Set();
  /** @type {Map<string, AnyNode>} */
  #fields = new Map();
  #rowsEscape = false;
  #documentsEscape = false;
  #isCounted = false;
  /** @type {AnyNode | undefined} */
  #filter;
  #uses = 0;
  /** All reads of fields; `#fields` has the first of each. @type {FieldRead[]} */
  #reads = [];
  /** Functions given to `map` that give a row or its document back: the list of these is followed. @type {Set<AnyNode>} */
  #handing = new Set();

  /**
   * @param {Code} code
   * @param {CallMethod} method
   */
  constructor(code, method) {
    this.code = code;
    this.method = method;
    this.lists = new ListUses(code);
  }

  /** @returns {CallResult} */
  result() {
    const { code } = this;
    const isUnread =
      this.#rowMembers.size === 0 && this.#fields.size === 0 && !this.#rowsEscape && !this.#documentsEscape;
    return {
      use: this.#use,
      rowMembers: this.#rowsEscape ? null : [...this.#rowMembers],
      docFields: this.#rowsEscape || this.#documentsEscape ? null : [...this.#fields.keys()],
      docPlaces: [...this.#fields.values()].map((node) => code.file.place(node.start, node.end)),
      isOnlyCounted: this.#isCounted && isUnread && this.#use === 'used',
      filteredAt: this.#filter ? code.file.place(this.#filter.start, this.#filter.end) : null,
      lists: this.lists.list,
    };
  }

  /** @param {CallExpression} call */
  answer(call) {
    const last = call.arguments.at(-1);
    // `db.view('orders', 'by_status', (error, body) => …)`
    if (last && isFunction(last) && last.params.length >= 2) {
      this.#use = 'used';
      this.#pattern(last.params[1], 'answer');
      return;
    }
    this.#follow(call, 'answer');
  }

  /**
   * @param {AnyNode} node that holds a part of the answer
   * @param {Part} part
   */
  #follow(node, part) {
    this.#uses += 1;
    if (this.#uses > MAX_USES) {
      this.#escape(part);
      return;
    }
    const parent = this.code.parentOf(node);
    if (!parent) return;
    switch (parent.type) {
      case 'AwaitExpression':
      case 'ParenthesizedExpression':
      case 'ChainExpression':
        this.#follow(parent, part);
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
        else this.#escape(part);
        return;
      case 'ForInStatement':
        this.lists.add('all', parent);
        return;
      case 'ForOfStatement':
        if (parent.right !== node) return;
        this.#item(parent.left.type === 'VariableDeclaration' ? parent.left.declarations[0]?.id : parent.left, part);
        this.lists.loop(parent, parent.body, this.#reads);
        return;
      case 'ReturnStatement':
        this.#returned(parent, part);
        return;
      case 'LogicalExpression':
        // `row.doc && row.doc.name`; `result.rows || []` is the rows again.
        if (parent.operator === '&&' && parent.left === node) this.#use = 'used';
        else this.#follow(parent, part);
        return;
      default:
        if (this.#handing.has(parent)) return;
        if (parent.type === 'ArrowFunctionExpression') {
          this.#returned(node, part);
          return;
        }
        if (unwrapType(parent) === node) this.#follow(parent, part);
        else if (
          TESTING.has(parent.type) &&
          !('consequent' in parent && parent.type === 'ConditionalExpression' && parent.test !== node)
        ) {
          this.#use = 'used';
        } else this.#escape(part);
    }
  }

  /**
   * What callers of the same file do adds to what is known of a list. Others may do more: the part has escaped.
   * @param {AnyNode} node that is returned, or the return statement
   * @param {Part} part
   */
  #returned(node, part) {
    this.#use = 'returned';
    this.#escape(part);
    if (part === 'row' || part === 'document') return;
    for (const call of waysOut(node, this.code)) this.#follow(call, part);
    this.#use = 'returned';
  }

  /**
   * @param {import('acorn').MemberExpression} node
   * @param {Part} part that its object holds
   */
  #member(node, part) {
    const call = this.code.parentOf(node);
    const isCalled = call?.type === 'CallExpression' && call.callee === node;
    const name = memberName(node);
    if (part === 'answer' && isCalled) {
      this.#settled(call, name);
      return;
    }
    this.#use = 'used';
    if (part === 'row' || part === 'document') {
      if (name === undefined || isCalled) this.#escape(part);
      else this.#read(name, node, part);
      return;
    }
    if (part === 'answer') {
      if (name === 'rows' || name === 'docs') this.#follow(node, name === 'rows' ? 'rows' : 'documents');
      else if (name === 'total_rows' || name === 'offset') this.#isCounted = true;
      // nano without promises answers with a list of body and headers; IBM's client puts the body in `result`.
      else if (name === 'result' || name === 'body' || name === 'data' || node.computed) this.#follow(node, 'answer');
      return;
    }
    if (name === 'length' && !isCalled) {
      this.#isCounted = true;
      this.lists.length(node);
    } else if (isCalled && name !== undefined) this.#listCall(call, name, part);
    else if (node.computed) {
      this.lists.index(node);
      this.#follow(node, part === 'rows' ? 'row' : 'document');
    } else this.#escape(part);
  }

  /**
   * @param {CallExpression} call `db.view(…).then(…)`
   * @param {string | undefined} name
   */
  #settled(call, name) {
    const [first] = call.arguments;
    if (name === 'then' && first && isFunction(first)) {
      this.#use = 'used';
      this.#pattern(first.params[0], 'answer');
    } else if (name === 'catch' || name === 'finally') this.#follow(call, 'answer');
    else this.#escape('answer');
  }

  /**
   * @param {CallExpression} call of a method of a list of rows or documents
   * @param {string} name
   * @param {Part} part
   */
  #listCall(call, name, part) {
    const [first] = call.arguments;
    const index = ITEM_METHODS.get(name);
    if (PICKING.has(name)) this.#filter ??= call;
    if (name === 'sort' && first) {
      this.#sorted(first, part);
    } else if (index !== undefined) {
      const fn = first && isFunction(first) ? first : undefined;
      // Without a start, `reduce` begins with the first item, and its result may be one.
      if (!fn || (name === 'reduce' && call.arguments.length < 2)) {
        this.lists.method(call, name, this.#reads);
        this.#escape(part);
        return;
      }
      const given = name === 'map' ? handedOn(fn, part, this.code) : undefined;
      if (given) this.#handing.add(fn);
      this.#pattern(fn.params[index], part === 'rows' ? 'row' : 'document');
      if (name === 'find') this.#follow(call, part === 'rows' ? 'row' : 'document');
      else if (given) this.#follow(call, given);
      if (given) return;
    }
    const isPart = this.lists.method(call, name, this.#reads);
    const before = this.lists.isPart;
    this.lists.isPart ||= isPart;
    if (KEEPING.has(name)) this.#follow(call, part);
    else if (index === undefined) this.#escape(part);
    this.lists.isPart = before;
  }

  /**
   * @param {AnyNode} compare
   * @param {Part} part of the list
   */
  #sorted(compare, part) {
    if (!isFunction(compare)) this.#escape(part);
    else for (const param of compare.params) this.#pattern(param, part === 'rows' ? 'row' : 'document');
  }

  /**
   * @param {string} name
   * @param {AnyNode} node
   * @param {Part} part
   */
  #read(name, node, part) {
    if (part === 'document') {
      this.#reads.push({ name, node });
      if (!this.#fields.has(name)) this.#fields.set(name, node);
      return;
    }
    this.#rowMembers.add(name);
    if (name === 'doc') this.#follow(node, 'document');
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
      if (part === 'rows' || part === 'documents') this.lists.add('first', pattern);
      for (const item of pattern.elements) if (item) this.#item(item, part);
    } else this.#escape(part);
  }

  /**
   * @param {import('acorn').ObjectPattern} pattern
   * @param {Part} part
   */
  #objectPattern(pattern, part) {
    this.#use = 'used';
    for (const property of pattern.properties) {
      if (property.type !== 'Property' || property.computed || property.key.type !== 'Identifier') {
        this.#escape(part);
        continue;
      }
      const { name } = property.key;
      if (part === 'document') this.#read(name, property, part);
      else if (part === 'row') {
        this.#rowMembers.add(name);
        if (name === 'doc') this.#pattern(property.value, 'document');
      } else if (part === 'answer') {
        if (name === 'rows') this.#pattern(property.value, 'rows');
        else if (name === 'docs') this.#pattern(property.value, 'documents');
        else if (name === 'result' || name === 'body' || name === 'data') this.#pattern(property.value, 'answer');
        else this.#isCounted = true;
      } else {
        this.#isCounted = true;
        if (name === 'length') this.lists.add('counted', property);
      }
    }
  }

  /**
   * @param {AnyNode | undefined} pattern that is given an item of a list
   * @param {Part} part of the list
   */
  #item(pattern, part) {
    this.#use = 'used';
    // nano without promises: `const [body] = await db.view(…)`.
    this.#pattern(pattern, part === 'rows' ? 'row' : part === 'documents' ? 'document' : part);
  }

  /**
   * @param {Identifier} id
   * @param {Part} part
   */
  #variable(id, part) {
    const binding = bindingAt(id, this.code.resolved);
    if (!binding) {
      this.#escape(part);
      return;
    }
    for (const { node, reads } of binding.references) if (reads) this.#follow(node, part);
  }

  /**
   * @param {import('acorn').AssignmentExpression} parent
   * @param {AnyNode} node
   * @param {Part} part
   */
  #assigned(parent, node, part) {
    if (parent.right !== node) this.#escape(part);
    else if (parent.left.type === 'Identifier') this.#variable(parent.left, part);
    else this.#escape(part);
  }

  /** @param {Part} part */
  #escape(part) {
    if (this.#use !== 'returned') this.#use = 'used';
    if (part !== 'row' && part !== 'document') this.lists.add('given');
    if (part === 'document' || part === 'documents') this.#documentsEscape = true;
    else if (part === 'row') this.#rowsEscape = true;
    else this.#rowsEscape = true;
    if (part === 'row' || part === 'rows' || part === 'answer') this.#documentsEscape = true;
  }
}
