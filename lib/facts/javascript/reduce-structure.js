// Reads from the syntax tree of a reduce function whether it handles rereduce, and where its result grows. Finds only
// the plain forms; what it does not recognize it does not report.

import { namesOf, parsed as parsedOf } from '../../javascript/analyse.js';
import { boundIn, isFunction } from '../../javascript/names.js';
import { growthOf } from './reduce-growth.js';

/** @import { AnyNode, Expression, Identifier, MemberExpression, Node } from 'acorn' */
/** @import { MappedText } from '../../shared/mapped-text.js' */
/** @import { Place } from '../../shared/source-file.js' */
/** @import { Item } from '../fact.js' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Names } from '../../javascript/names.js' */

/**
 * @typedef {object} ReduceStructure
 * @property {boolean} usesRereduce
 * @property {boolean} isEmpty
 * @property {Item[]} rereduceFaults
 * @property {Item[]} growth
 * @property {Place | undefined} dataKey where a member is made whose name comes from the data
 */

/**
 * @param {MappedText} text of a reduce function
 * @returns {ReduceStructure | {unknown: string}}
 */
export function reduceStructure(text) {
  const parsed = parsedOf({ text, isModule: false });
  if (!parsed.ok || !parsed.fn) return { unknown: 'the reduce does not parse as a function' };
  const { fn } = parsed;
  const names = fn.params.map((param) => (param.type === 'Identifier' ? param.name : undefined));
  if (names.includes(undefined)) return { unknown: 'the reduce has parameters other than plain names' };
  const [keys, values, rereduce] = names;
  const uses = collectUses(fn, namesOf(parsed));
  if (uses.isRebound(keys) || uses.isRebound(values) || uses.isRebound(rereduce)) {
    return { unknown: 'a parameter of the reduce is assigned to, or its name is used again in an inner function' };
  }
  if (uses.readsArguments) return { unknown: 'the reduce reads `arguments`' };

  const usesRereduce = uses.count(rereduce) > 0 || uses.testsForNull(keys);
  /** @param {Node} node @param {string} value @returns {Item} */
  const item = (node, value) => ({ value, place: text.place(node.start, node.end), start: node.start, end: node.end });
  return {
    usesRereduce,
    isEmpty: fn.body.type === 'BlockStatement' && fn.body.body.length === 0,
    rereduceFaults: usesRereduce ? [] : uses.rereduceFaults(keys, values).map(([node, value]) => item(node, value)),
    growth: growthOf(uses, { keys, values, rereduce }).map(([node, value]) => item(node, value)),
    dataKey: uses.dataKey && text.place(uses.dataKey.start, uses.dataKey.end),
  };
}

/** How a function uses its names: gathered in one walk, looked up by name. */
export class Uses {
  /** Where names are read. @type {Map<string, Identifier[]>} */
  references = new Map();
  /** @type {Set<string>} */
  rebound = new Set();
  /** Local names that begin as an empty list or text, and the node. @type {Map<string, 'list' | 'text' | 'object'>} */
  accumulators = new Map();
  /** Names given back by a `return`, alone or as a member of a literal. @type {Set<string>} */
  returned = new Set();
  /** @type {{node: Expression, value: Expression}[]} */
  returns = [];
  /** @type {AnyNode[]} */
  nodes = [];
  /** @type {MemberExpression | undefined} */
  dataKey = undefined;
  readsArguments = false;

  /**
   * @param {FunctionNode} fn
   * @param {Names} names of the text it stands in
   */
  constructor(fn, names) {
    this.fn = fn;
    this.names = names;
  }

  /**
   * @param {Node} node
   * @returns {AnyNode[]} what it stands in, the function first
   */
  parentsOf(node) {
    /** @type {AnyNode[]} */
    const parents = [];
    let at = /** @type {AnyNode | undefined} */ (node);
    while (at && at !== this.fn) {
      at = this.names.parents.get(at);
      if (at) parents.unshift(at);
    }
    return parents;
  }

  /** @param {string | undefined} name */
  count(name) {
    return name === undefined ? 0 : (this.references.get(name)?.length ?? 0);
  }

  /** @param {string | undefined} name */
  isRebound(name) {
    return name !== undefined && this.rebound.has(name);
  }

  /**
   * Whether the name alone is tested for its truth, or compared with null: how people detect a rereduce by `keys`.
   * @param {string | undefined} name
   */
  testsForNull(name) {
    if (name === undefined) return false;
    return (this.references.get(name) ?? []).some((node) => {
      const parent = this.names.parents.get(node);
      if (!parent) return false;
      if (parent.type === 'UnaryExpression' || parent.type === 'LogicalExpression') return true;
      if (parent.type === 'IfStatement' || parent.type === 'ConditionalExpression') return parent.test === node;
      return parent.type === 'BinaryExpression' && /^[!=]==?$/.test(parent.operator);
    });
  }

  /**
   * @param {string | undefined} keys
   * @param {string | undefined} values
   * @returns {[Node, string][]} in a function that never tests whether it rereduces
   */
  rereduceFaults(keys, values) {
    /** @type {[Node, string][]} */
    const faults = [];
    for (const { value } of this.returns) {
      if (isLengthOf(value, values)) faults.push([value, `returns \`${values}.length\``]);
    }
    for (const node of this.nodes) {
      if (node.type === 'BinaryExpression' && node.operator === '/' && isLengthOf(node.right, values)) {
        faults.push([node, `divides by \`${values}.length\``]);
      }
    }
    for (const node of this.references.get(keys ?? '') ?? []) {
      const parent = this.names.parents.get(node);
      if (parent?.type === 'MemberExpression' && parent.object === node && !parent.optional) {
        faults.push([parent, `reads \`${keys}\`, which is null in a rereduce`]);
        break;
      }
    }
    // Two divisions by the same have one cause.
    return faults.filter(([, text], at) => faults.findIndex(([, other]) => other === text) === at);
  }
}

/**
 * @param {FunctionNode} fn
 * @param {Names} names of the text it stands in
 * @returns {Uses}
 */
function collectUses(fn, names) {
  const uses = new Uses(fn, names);
  const parameters = new Set(fn.params.flatMap((param) => (param.type === 'Identifier' ? [param.name] : [])));
  for (const { name, node, reads } of names.references) {
    if (name === 'arguments') uses.readsArguments = true;
    if (reads) uses.references.set(name, [...(uses.references.get(name) ?? []), node]);
  }
  for (const node of names.nodes) {
    if (node.start < fn.start || node.end > fn.end || node === fn) continue;
    for (const { name } of boundBy(node)) if (parameters.has(name)) uses.rebound.add(name);
    collectUse(node, uses);
  }
  if (fn.body.type !== 'BlockStatement') uses.returns.push({ node: fn.body, value: unwrap(fn.body) });
  return uses;
}

/**
 * @param {AnyNode} node
 * @returns {Identifier[]} names that it declares or gives a value
 */
function boundBy(node) {
  if (isFunction(node)) return node.params.flatMap(boundIn);
  switch (node.type) {
    case 'VariableDeclarator':
      return boundIn(node.id);
    case 'AssignmentExpression':
    case 'ForInStatement':
    case 'ForOfStatement':
      return boundIn(node.left);
    case 'UpdateExpression':
      return boundIn(node.argument);
    case 'CatchClause':
      return node.param ? boundIn(node.param) : [];
    default:
      return [];
  }
}

/**
 * @param {AnyNode} node a part of the function
 * @param {Uses} uses what it shows is added
 */
function collectUse(node, uses) {
  switch (node.type) {
    case 'VariableDeclarator':
      if (node.id.type !== 'Identifier' || !node.init) return;
      if (node.init.type === 'ArrayExpression') uses.accumulators.set(node.id.name, 'list');
      else if (node.init.type === 'ObjectExpression') uses.accumulators.set(node.id.name, 'object');
      else if (node.init.type === 'Literal' && node.init.value === '') uses.accumulators.set(node.id.name, 'text');
      return;
    case 'ReturnStatement': {
      const owner = uses.parentsOf(node).findLast(isFunction);
      if (owner !== uses.fn || !node.argument) return;
      const value = unwrap(node.argument);
      uses.returns.push({ node: node.argument, value });
      if (value.type === 'Identifier') uses.returned.add(value.name);
      if (value.type !== 'ObjectExpression') return;
      for (const property of value.properties) {
        if (property.type === 'Property' && property.value.type === 'Identifier')
          uses.returned.add(property.value.name);
      }
      return;
    }
    case 'AssignmentExpression': {
      uses.nodes.push(node);
      const { left } = node;
      if (left.type !== 'MemberExpression' || !left.computed || left.object.type !== 'Identifier') return;
      const isObject = uses.accumulators.get(left.object.name) === 'object';
      if (isObject && left.property.type !== 'Literal') uses.dataKey = left;
      return;
    }
    case 'BinaryExpression':
    case 'CallExpression':
      uses.nodes.push(node);
      return;
    default:
  }
}

/**
 * @param {Expression} node
 * @returns {Expression}
 */
function unwrap(node) {
  return node.type === 'ParenthesizedExpression' ? unwrap(node.expression) : node;
}

/**
 * @param {AnyNode} node
 * @param {string | undefined} name
 * @returns {boolean}
 */
function isLengthOf(node, name) {
  if (node.type === 'ParenthesizedExpression') return isLengthOf(node.expression, name);
  return (
    node.type === 'MemberExpression' &&
    !node.computed &&
    node.object.type === 'Identifier' &&
    node.object.name === name &&
    node.property.type === 'Identifier' &&
    node.property.name === 'length'
  );
}
