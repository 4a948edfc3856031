// Determines whether the value of an expression reaches a given place, by name or by what it decides: it is followed
// through operators, plain variables, methods and tests. Where that is unknown it does not count.

import { isFunction, onlyValueOf } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { isKnownGlobal } from '../../javascript/query-server.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Names } from '../../javascript/names.js' */

/** Methods of a date that leave nothing of its moment. People set the year first, and then the rest. */
const RESETS = /^set(?:Time|(?:UTC)?FullYear)$/;
/** Nodes whose value has something of each of their children. */
const PASSES_ON =
  /^(?:Parenthesized|Chain|Unary|Binary|Array|Object|Template|Spread|Sequence)|^(?:Property|TemplateLiteral)$/;
const LEAVES = /^(?:Return|Throw|Break|Continue)Statement$/;

/**
 * @param {AnyNode} node
 * @param {Names} names
 * @param {ReadonlySet<AnyNode>} sinks calls whose arguments count, statements, functions whose value is an expression
 * @returns {boolean}
 */
export function reaches(node, names, sinks) {
  /** @type {Set<AnyNode>} */
  const seen = new Set();
  const open = [node];
  for (let at = open.pop(); at; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const parent = names.parents.get(at);
    if (!parent) continue;
    if (sinks.has(parent)) return true;
    if (decides(parent, at) && governs(parent, names, sinks)) return true;
    open.push(...next(parent, at, names));
  }
  return false;
}

/**
 * @param {AnyNode} parent
 * @param {AnyNode} node
 * @param {Names} names
 * @returns {AnyNode[]} what has something of the value of the node
 */
function next(parent, node, names) {
  switch (parent.type) {
    case 'MemberExpression':
      return parent.object === node ? [parent] : [];
    case 'ConditionalExpression':
      return parent.test === node ? [] : [parent];
    case 'LogicalExpression':
      return [parent];
    case 'CallExpression':
    case 'NewExpression': {
      const callee = bare(/** @type {AnyNode} */ (parent.callee));
      if (callee === bare(node)) return [parent];
      const root = callee.type === 'MemberExpression' ? bare(/** @type {AnyNode} */ (callee.object)) : callee;
      const isKnown = root.type === 'Identifier' && isKnownGlobal(root.name) && !names.byNode.get(root)?.binding;
      return isKnown && root.name !== 'log' ? [parent] : [];
    }
    case 'VariableDeclarator':
      return parent.init === node ? usesOf(parent.id, names) : [];
    case 'AssignmentExpression':
      return parent.right === node ? [parent, ...usesOf(parent.left, names)] : [];
    default:
      return PASSES_ON.test(parent.type) ? [parent] : [];
  }
}

/**
 * @param {AnyNode} target
 * @param {Names} names
 * @returns {AnyNode[]} the reads of a variable, none where its value is replaced
 */
function usesOf(target, names) {
  const binding = target.type === 'Identifier' ? names.byNode.get(target)?.binding : undefined;
  if (!binding) return [];
  const isReset = binding.references.some(({ node }) => {
    const member = names.parents.get(node);
    return member?.type === 'MemberExpression' && member.object === node && RESETS.test(memberName(member) ?? '');
  });
  if (isReset && onlyValueOf(binding, names)) return [];
  return binding.references.flatMap(({ node, reads }) => (reads ? [node] : []));
}

/**
 * @param {AnyNode} parent
 * @param {AnyNode} node
 * @returns {boolean} whether the value of the node decides what of the parent is run
 */
function decides(parent, node) {
  if ('test' in parent && parent.type !== 'SwitchCase') return parent.test === node;
  if (parent.type === 'LogicalExpression') return parent.left === node;
  return parent.type === 'SwitchStatement' && parent.discriminant === node;
}

/**
 * @param {AnyNode} test a statement or an expression with a test
 * @param {Names} names
 * @param {ReadonlySet<AnyNode>} sinks
 * @returns {boolean} whether some sink is run or not by it
 */
function governs(test, names, sinks) {
  for (const sink of sinks) if (sink.start >= test.start && sink.end <= test.end && !isFunction(sink)) return true;
  const mayLeave = names.nodes.some(
    ({ type, start, end }) => start >= test.start && end <= test.end && LEAVES.test(type),
  );
  return mayLeave && [...sinks].some(({ start }) => start >= test.end);
}
