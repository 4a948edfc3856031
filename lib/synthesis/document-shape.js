// A map in, what it reads of its document out: the members, what they are compared with, what kind of value the code takes them for.

import { parseFunction } from '../facts/javascript/parse.js';
import { walkNodes } from '../facts/javascript/walk.js';

/** @import { AnyNode } from 'acorn' */

/** @typedef {'array' | 'object' | 'number' | 'string' | 'boolean' | 'date'} Kind */

/** What is known of one member. */
export class Member {
  /** @type {Map<string, Member>} */
  members = new Map();
  /** What it is compared with. @type {Set<string | number | boolean>} */
  literals = new Set();
  /** @type {Set<Kind>} */
  kinds = new Set();
  /** Of a list: what its items are. @type {Member | undefined} */
  item;

  /** @param {string} name @returns {Member} */
  member(name) {
    let member = this.members.get(name);
    if (!member) {
      member = new Member();
      this.members.set(name, member);
    }
    return member;
  }

  /** @returns {Member} */
  items() {
    this.kinds.add('array');
    this.item ??= new Member();
    return this.item;
  }
}

/** Methods and properties of lists, and of texts: a member that has one is such a value. */
const OF_LISTS = new Set('forEach map filter some every reduce push pop concat sort reverse join'.split(' '));
const OF_TEXTS = new Set(
  'split substr substring toLowerCase toUpperCase trim charAt charCodeAt match replace startsWith endsWith search'.split(
    ' ',
  ),
);
const OF_NUMBERS = new Set(['toFixed', 'toPrecision']);
const ARITHMETIC = new Set(['-', '*', '/', '%', '**', '<', '>', '<=', '>=']);
const EQUALITY = new Set(['==', '===', '!=', '!==']);

/**
 * @param {string} map
 * @returns {Member | undefined} the document; undefined where the map cannot be read or names no document
 */
export function documentShape(map) {
  const parsed = parseFunction(map);
  if (!parsed.ok || !parsed.fn) return undefined;
  const [parameter] = parsed.fn.params;
  if (parameter?.type !== 'Identifier') return undefined;
  const root = new Member();
  /** Names of the code that stand for a member. @type {Map<string, Member>} */
  const names = new Map([[parameter.name, root]]);
  const reader = new ShapeReader(names);
  // Names are given before and after they are used; twice is enough for names of names.
  for (let pass = 0; pass < 2; pass += 1) walkNodes(parsed.roots, (node) => reader.visit(node));
  return root;
}

/**
 * @param {string} map
 * @returns {Set<string>} texts that it compares something with, of its document or not
 */
export function literalsOf(map) {
  /** @type {Set<string>} */
  const found = new Set();
  const parsed = parseFunction(map);
  if (!parsed.ok) return found;
  walkNodes(parsed.roots, (node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') found.add(node.value);
  });
  return found;
}

class ShapeReader {
  /** @param {Map<string, Member>} names */
  constructor(names) {
    this.names = names;
  }

  /** @param {AnyNode} node */
  visit(node) {
    if (node.type === 'MemberExpression' || node.type === 'Identifier') this.find(node);
    else if (node.type === 'BinaryExpression') this.#compare(node);
    else if (node.type === 'SwitchStatement') {
      for (const { test } of node.cases) this.#equal(node.discriminant, test);
    } else if (node.type === 'VariableDeclarator') this.#declare(node.id, node.init);
    else if (node.type === 'AssignmentExpression' && node.operator === '=') this.#declare(node.left, node.right);
    else if (node.type === 'ForOfStatement') this.#each(node.left, this.find(node.right));
    else if (node.type === 'ForInStatement') this.#mark(this.find(node.right), 'object');
    else if (node.type === 'UnaryExpression' && (node.operator === '-' || node.operator === '+')) {
      this.#mark(this.find(node.argument), 'number');
    } else if (node.type === 'CallExpression') this.#call(node);
    else if (node.type === 'NewExpression' && node.callee.type === 'Identifier' && node.callee.name === 'Date') {
      for (const argument of node.arguments) this.#mark(this.find(argument), 'date');
    }
  }

  /**
   * @param {AnyNode | null | undefined} node
   * @returns {Member | undefined} what it stands for, where that is part of the document
   */
  find(node) {
    if (node?.type === 'Identifier') return this.names.get(node.name);
    if (node?.type === 'ChainExpression') return this.find(node.expression);
    if (node?.type === 'LogicalExpression' && (node.operator === '||' || node.operator === '??'))
      return this.find(node.left);
    if (node?.type !== 'MemberExpression') return undefined;
    const object = this.find(node.object);
    if (!object) return undefined;
    const { property } = node;
    if (!node.computed && property.type === 'Identifier') return this.#named(object, property.name);
    if (property.type === 'Literal' && typeof property.value === 'string') return object.member(property.value);
    return object.members.size > 0 && object.item === undefined ? undefined : object.items();
  }

  /**
   * @param {Member} object
   * @param {string} name
   * @returns {Member | undefined} undefined where it is a method or property of every such value
   */
  #named(object, name) {
    if (name === 'length') {
      if (object.kinds.size === 0) object.kinds.add('array');
      return undefined;
    }
    if (OF_LISTS.has(name)) this.#mark(object, 'array');
    else if (OF_TEXTS.has(name)) this.#mark(object, 'string');
    else if (OF_NUMBERS.has(name)) this.#mark(object, 'number');
    else if (name === 'indexOf' || name === 'includes' || name === 'slice') {
      if (object.kinds.size === 0) object.kinds.add('string');
    } else if (name !== 'hasOwnProperty' && name !== 'toString') return object.member(name);
    return undefined;
  }

  /** @param {Member | undefined} member @param {Kind} kind */
  #mark(member, kind) {
    member?.kinds.add(kind);
  }

  /** @param {Extract<AnyNode, {type: 'BinaryExpression'}>} node */
  #compare({ operator, left, right }) {
    if (EQUALITY.has(operator)) {
      this.#equal(/** @type {AnyNode} */ (left), right);
      this.#equal(right, /** @type {AnyNode} */ (left));
    } else if (operator === 'in') {
      const object = this.find(right);
      if (left.type === 'Literal' && typeof left.value === 'string') object?.member(left.value);
    } else if (ARITHMETIC.has(operator)) {
      for (const [side, other] of [
        [left, right],
        [right, left],
      ]) {
        // What is compared with a text by order is one.
        const isText = other?.type === 'Literal' && typeof other.value === 'string';
        this.#mark(this.find(/** @type {AnyNode} */ (side)), isText ? 'string' : 'number');
      }
    }
  }

  /** @param {AnyNode} side @param {AnyNode | null | undefined} other */
  #equal(side, other) {
    if (other?.type !== 'Literal') return;
    const { value } = other;
    if (side.type === 'UnaryExpression' && side.operator === 'typeof') {
      if (value === 'number' || value === 'string' || value === 'boolean' || value === 'object') {
        this.#mark(this.find(side.argument), value);
      }
      return;
    }
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      this.find(side)?.literals.add(value);
  }

  /** @param {AnyNode} target @param {AnyNode | null | undefined} value */
  #declare(target, value) {
    if (target.type === 'Identifier' && value) {
      const member = this.find(value);
      if (member && !this.names.has(target.name)) this.names.set(target.name, member);
      return;
    }
    const member = target.type === 'ObjectPattern' ? this.find(value) : undefined;
    if (target.type !== 'ObjectPattern' || !member) return;
    for (const property of target.properties) {
      if (property.type !== 'Property' || property.key.type !== 'Identifier') continue;
      const bound = property.value.type === 'AssignmentPattern' ? property.value.left : property.value;
      if (bound.type === 'Identifier') this.names.set(bound.name, member.member(property.key.name));
    }
  }

  /** @param {AnyNode} left @param {Member | undefined} list */
  #each(left, list) {
    if (!list) return;
    const [declarator] = left.type === 'VariableDeclaration' ? left.declarations : [];
    const target = declarator ? declarator.id : left;
    if (target.type === 'Identifier') this.names.set(target.name, list.items());
  }

  /** @param {Extract<AnyNode, {type: 'CallExpression'}>} node */
  #call({ callee, arguments: given }) {
    const [first] = given;
    if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') {
      if (
        callee.type === 'Identifier' &&
        (callee.name === 'isArray' || callee.name === 'parseInt' || callee.name === 'Number')
      ) {
        this.#mark(this.find(first), callee.name === 'isArray' ? 'array' : 'number');
      }
      return;
    }
    const { name } = callee.property;
    if (callee.object.type === 'Identifier' && callee.object.name === 'Array' && name === 'isArray')
      this.find(first)?.items();
    if (callee.object.type === 'Identifier' && callee.object.name === 'Date') this.#mark(this.find(first), 'date');
    if (callee.object.type === 'Identifier' && callee.object.name === 'Math') {
      for (const argument of given) this.#mark(this.find(argument), 'number');
    }
    if (callee.object.type === 'Identifier' && callee.object.name === 'Object') this.#mark(this.find(first), 'object');
    const isCallback = first?.type === 'FunctionExpression' || first?.type === 'ArrowFunctionExpression';
    if (!OF_LISTS.has(name) || !isCallback) return;
    const list = this.find(callee.object);
    const [parameter] = first.params;
    if (list && parameter?.type === 'Identifier') this.names.set(parameter.name, list.items());
  }
}
