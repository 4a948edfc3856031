// Follows the documents that a call writes back to where they are made: what their names are set to, and what is set in them.

import { bindingAt, boundIn, isFunction } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { nameOf } from './code.js';
import { namesIn } from './depends.js';

/** @import { AnyNode, ObjectExpression } from 'acorn' */
/** @import { Binding } from '../../javascript/names.js' */
/** @import { Code } from './code.js' */

/** Names that are followed from one call; the documents of most come from one or two. */
const MAX_NAMES = 30;

/** What documents are made from. @typedef {{expressions: AnyNode[], set: {key: string, value: AnyNode, on: AnyNode}[]}} Sources */

/**
 * @param {AnyNode} target
 * @param {Code} code
 * @returns {Sources}
 */
export function sourcesOf(target, code) {
  /** @type {Sources} */
  const found = { expressions: [target], set: [] };
  /** @type {Set<Binding>} */
  const followed = new Set();
  for (let at = 0; at < found.expressions.length; at += 1) {
    const expression = /** @type {AnyNode} */ (found.expressions[at]);
    if (at === 0) found.expressions.push(...assignedToGlobal(documentsOf(expression), code));
    for (const { binding } of namesIn(expression, code)) {
      if (followed.has(binding) || followed.size >= MAX_NAMES || binding.kind !== 'variable') continue;
      followed.add(binding);
      addSources(binding, found, code);
    }
  }
  return found;
}

/**
 * @param {Binding} binding
 * @param {Sources} found gets what the name is set to, what is added to its list, and what is set in it or in its items
 * @param {Code} code
 */
function addSources(binding, found, code) {
  for (const id of binding.declarations) {
    const parent = code.parentOf(id);
    if (parent?.type === 'VariableDeclarator' && parent.id === id && parent.init) found.expressions.push(parent.init);
  }
  addChanges(binding, found, code);
  for (const { node } of binding.references) {
    const parent = code.parentOf(node);
    if (parent?.type === 'ForOfStatement' && parent.right === node) addItems(parent.left, found, code);
    const method = methodOf(node, code);
    const call = method && code.parentOf(method);
    if (call?.type !== 'CallExpression' || call.callee !== method) continue;
    const name = memberName(method);
    const [first] = call.arguments;
    if (name === 'push' || name === 'unshift') found.expressions.push(...call.arguments);
    else if (name === 'forEach' && first && isFunction(first) && first.params[0])
      addItems(first.params[0], found, code);
  }
}

/** @param {AnyNode} name @param {Code} code @returns {import('acorn').MemberExpression | undefined} `orders.push`, and of what nano takes `body.docs.push` */
function methodOf(name, code) {
  const member = code.parentOf(name);
  if (member?.type !== 'MemberExpression' || member.object !== name) return undefined;
  const outer = memberName(member) === 'docs' ? code.parentOf(member) : undefined;
  return outer?.type === 'MemberExpression' && outer.object === member ? outer : member;
}

/** @param {AnyNode} pattern of an item @param {Sources} found @param {Code} code */
function addItems(pattern, found, code) {
  const names = pattern.type === 'VariableDeclaration' ? pattern.declarations.map(({ id }) => id) : [pattern];
  for (const id of names.flatMap((item) => boundIn(item))) {
    const binding = bindingAt(id, code.resolved);
    if (binding) addChanges(binding, found, code);
  }
}

/** @param {Binding} binding @param {Sources} found @param {Code} code */
function addChanges(binding, found, code) {
  for (const { node } of binding.references) {
    const parent = code.parentOf(node);
    if (parent?.type === 'MemberExpression' && parent.object === node) {
      const assignment = code.parentOf(parent);
      const key = memberName(parent);
      if (assignment?.type === 'AssignmentExpression' && assignment.left === parent && key !== undefined)
        found.set.push({ key, value: assignment.right, on: node });
    } else if (parent?.type === 'AssignmentExpression' && parent.left === node) found.expressions.push(parent.right);
  }
}

/** @param {Sources} sources @param {Code} code @returns {ObjectExpression[]} */
export function objectsIn({ expressions }, code) {
  return expressions.flatMap((node) =>
    [node, ...code.nodesWithin(node)].flatMap((inner) => (inner.type === 'ObjectExpression' ? [inner] : [])),
  );
}

/** @param {AnyNode} target @returns {AnyNode} the list of `{ docs }`, which nano takes */
export function documentsOf(target) {
  const node = bare(target);
  const list = node.type === 'ObjectExpression' ? node.properties.find((property) => isDocs(property)) : undefined;
  return list?.type === 'Property' ? bare(list.value) : node;
}

/**
 * @param {AnyNode} node
 * @param {Code} code
 * @returns {AnyNode[]} what a name that nothing declares is set to in the file: `orders = […]`
 */
function assignedToGlobal(node, code) {
  if (!isUndeclared(node, code)) return [];
  return code.resolved.nodes.flatMap((other) => {
    const isIt =
      other.type === 'AssignmentExpression' && other.left.type === 'Identifier' && other.left.name === node.name;
    return isIt && isUndeclared(other.left, code) ? [other.right] : [];
  });
}

/** @param {AnyNode} node @param {Code} code @returns {node is import('acorn').Identifier} */
export function isUndeclared(node, code) {
  return node.type === 'Identifier' && (bindingAt(node, code.resolved)?.declarations.length ?? 0) === 0;
}

/** @param {Sources} sources @param {readonly string[]} keys @param {Code} code @returns {boolean} */
export function hasKey(sources, keys, code) {
  return objectsIn(sources, code).some(({ properties }) =>
    properties.some((property) => property.type === 'Property' && keys.includes(nameOf(property.key) ?? '')),
  );
}

/** @param {AnyNode} property @returns {boolean} of `{ docs }`, which nano takes */
export function isDocs(property) {
  return property.type === 'Property' && nameOf(property.key) === 'docs';
}
