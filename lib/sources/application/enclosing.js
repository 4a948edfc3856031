// Finds what stands around a node or is written in a class: the function, the class or object of `this`, members that are assigned.

import { bindingAt, isFunction } from '../../javascript/names.js';
import { nameOf, propertyName } from './code.js';

/** @import { AnyNode, CallExpression, Class, Identifier, ObjectExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { Value } from './value.js' */

/** By function. @type {WeakMap<FunctionNode, AnyNode[]>} */
const RETURNS = new WeakMap();

/**
 * @param {FunctionNode} fn
 * @param {Code} code
 * @returns {AnyNode[]} what its return statements return
 */
export function returnsOf(fn, code) {
  let found = RETURNS.get(fn);
  if (!found) {
    found = code
      .nodesWithin(fn)
      .flatMap((node) =>
        node.type === 'ReturnStatement' && node.argument && functionAround(node, code) === fn ? node.argument : [],
      );
    RETURNS.set(fn, found);
  }
  return found;
}

/** @param {AnyNode | import('acorn').Super} node @returns {AnyNode | import('acorn').Super} what a chain of calls and members begins with: `res` of `res.status(200).json` */
export function rootOf(node) {
  let at = node;
  while (at.type === 'CallExpression' || at.type === 'MemberExpression')
    at = at.type === 'CallExpression' ? at.callee : at.object;
  return at;
}

/**
 * @param {AnyNode} node
 * @param {Code} code
 * @returns {FunctionNode | undefined}
 */
export function functionAround(node, code) {
  for (let at = code.parentOf(node); at; at = code.parentOf(at)) if (isFunction(at)) return at;
  return undefined;
}

/**
 * @param {FunctionNode} fn
 * @param {Code} code
 * @returns {string | undefined} the last part of what it is called by
 */
export function calledName(fn, code) {
  if ('id' in fn && fn.id) return fn.id.name;
  const parent = code.parentOf(fn);
  switch (parent?.type) {
    case 'VariableDeclarator':
      return parent.id.type === 'Identifier' ? parent.id.name : undefined;
    case 'Property':
    case 'PropertyDefinition':
    case 'MethodDefinition':
      return parent.value === fn ? nameOf(parent.key) : undefined;
    case 'AssignmentExpression':
      return parent.left.type === 'MemberExpression' ? propertyName(parent.left) : undefined;
    default:
      return undefined;
  }
}

/** @param {AnyNode} node @param {AnyNode} outer @returns {boolean} whether it is the other one or stands in it */
export function isWithin(node, outer) {
  return node.start >= outer.start && node.end <= outer.end;
}

/** What is written to a member. @typedef {{value: AnyNode} | {parameter: Identifier}} Assigned */

/** By class or object. @type {WeakMap<object, Map<string, Assigned[]>>} */
const ASSIGNED = new WeakMap();

/**
 * @param {Class | ObjectExpression} node
 * @param {Code} code
 * @returns {Map<string, Assigned[]>} by name, what `this.name = value` in it assigns, and parameters that are members
 */
export function assignedMembers(node, code) {
  const known = ASSIGNED.get(node);
  if (known) return known;
  /** @type {Map<string, Assigned[]>} */
  const found = new Map();
  ASSIGNED.set(node, found);
  const add = (/** @type {string} */ key, /** @type {Assigned} */ item) => {
    found.set(key, [...(found.get(key) ?? []), item]);
  };
  for (const inner of code.nodesWithin(/** @type {AnyNode} */ (node))) {
    const { type } = /** @type {{type: string}} */ (inner);
    if (type === 'TSParameterProperty') {
      const { parameter } = /** @type {{parameter: AnyNode}} */ (/** @type {unknown} */ (inner));
      const id = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
      if (id.type === 'Identifier') add(id.name, { parameter: id });
    } else if (inner.type === 'AssignmentExpression' && inner.left.type === 'MemberExpression') {
      const { object } = inner.left;
      const isThis =
        object.type === 'ThisExpression' || (object.type === 'Identifier' && aliasOfThis(object, code) !== undefined);
      const key = isThis ? propertyName(inner.left) : undefined;
      if (key !== undefined && !isNothing(inner.right)) add(key, { value: inner.right });
    }
  }
  return found;
}

/**
 * @param {AnyNode} node `this`
 * @param {Code} code
 * @returns {Value | undefined} the class or object whose method it stands in
 */
export function enclosingObject(node, code) {
  /** @type {AnyNode} */
  let inner = node;
  for (let at = code.parentOf(node); at; inner = at, at = code.parentOf(at)) {
    if (at.type === 'ClassDeclaration' || at.type === 'ClassExpression') {
      return { is: 'instance', code, node: /** @type {Class} */ (at) };
    }
    if (at.type === 'Property' && at.value === inner && isFunction(inner) && inner.type === 'FunctionExpression') {
      const object = code.parentOf(at);
      return object?.type === 'ObjectExpression' ? { is: 'object', code, node: object } : undefined;
    }
    if (isFunction(inner) && inner.type !== 'ArrowFunctionExpression' && at.type !== 'MethodDefinition') {
      const fn = constructorOf(inner, at, code);
      return fn && { is: 'constructed', code, node: fn };
    }
  }
  return inner.type === 'FunctionDeclaration' ? { is: 'constructed', code, node: inner } : undefined;
}

/**
 * @param {FunctionNode} fn
 * @param {AnyNode} parent
 * @param {Code} code
 * @returns {FunctionNode | undefined} the function whose `new` makes its `this`: itself, or that of `Orders.prototype.load = function () {…}`
 */
function constructorOf(fn, parent, code) {
  if (parent.type === 'AssignmentExpression' && parent.left.type === 'MemberExpression') {
    const { object } = parent.left;
    const isPrototype = object.type === 'MemberExpression' && propertyName(object) === 'prototype';
    if (isPrototype) return functionNamed(object.object, code);
    // `self.load = function () {…}`, `this.load = function () {…}`
    const outer = functionOfThis(object, code);
    if (outer) return outer;
  }
  return fn;
}

/** @param {AnyNode} node `this`, or a name for it @param {Code} code @returns {FunctionNode | undefined} the function whose `this` it is */
function functionOfThis(node, code) {
  const written = node.type === 'Identifier' ? aliasOfThis(node, code) : node;
  if (written?.type !== 'ThisExpression') return undefined;
  const value = enclosingObject(written, code);
  return value?.is === 'constructed' ? value.node : undefined;
}

/** @param {Identifier} node @param {Code} code @returns {AnyNode | undefined} `this`, where it is a name for that: `const self = this` */
export function aliasOfThis(node, code) {
  for (const id of bindingAt(node, code.resolved)?.declarations ?? []) {
    const parent = code.parentOf(id);
    if (parent?.type === 'VariableDeclarator' && parent.id === id && parent.init?.type === 'ThisExpression')
      return parent.init;
  }
  return undefined;
}

/** @param {AnyNode} node @param {Code} code @returns {FunctionNode | undefined} */
function functionNamed(node, code) {
  for (const id of node.type === 'Identifier' ? (bindingAt(node, code.resolved)?.declarations ?? []) : []) {
    const parent = code.parentOf(id);
    if (parent && isFunction(parent)) return parent;
    if (parent?.type === 'VariableDeclarator' && parent.init && isFunction(parent.init)) return parent.init;
  }
  return undefined;
}

/** By function. @type {WeakMap<FunctionNode, Map<string, AnyNode[]>>} */
const MADE = new WeakMap();

/**
 * @param {FunctionNode} fn that `new` is used with
 * @param {Code} code
 * @returns {Map<string, AnyNode[]>} by name, what is assigned to members of what it makes: `this.db = …`, `Orders.prototype.load = …`
 */
export function madeMembers(fn, code) {
  const known = MADE.get(fn);
  if (known) return known;
  /** @type {Map<string, AnyNode[]>} */
  const found = new Map();
  MADE.set(fn, found);
  for (const node of code.resolved.nodes) {
    if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression' || isNothing(node.right))
      continue;
    const key = propertyName(node.left);
    const { object } = node.left;
    if (key === undefined) continue;
    const isPrototype = object.type === 'MemberExpression' && propertyName(object) === 'prototype';
    if ((isPrototype ? functionNamed(object.object, code) : functionOfThis(object, code)) !== fn) continue;
    found.set(key, [...(found.get(key) ?? []), node.right]);
  }
  return found;
}

/** @param {AnyNode} node @returns {boolean} whether it is `null` or `undefined` */
export function isNothing(node) {
  return (node.type === 'Literal' && node.raw === 'null') || (node.type === 'Identifier' && node.name === 'undefined');
}

/** @param {Class} node @param {Code} code @returns {CallExpression[]} what it gives to the constructor of the class above it: `super(db)` */
export function superCalls(node, code) {
  return code
    .nodesWithin(/** @type {AnyNode} */ (node))
    .flatMap((inner) => (inner.type === 'CallExpression' && inner.callee.type === 'Super' ? inner : []));
}
