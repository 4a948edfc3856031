// Finds what is tested on the way to an expression: fields of the document, and functions that receive the whole
// document.

import { walkNodes } from '../../javascript/walk.js';
import { pathIn, resolveIn } from './plain-map.js';
import { leaves } from './required-values.js';

/** @import { AnyNode, Statement } from 'acorn' */
/** @import { Context } from './required-values.js' */

/**
 * @param {AnyNode} node
 * @param {Context} context
 * @returns {ReadonlySet<string>} names of fields, `type` for `doc.type === 'order'` as for `doc.type.name`; `isOrder()` for
 *   a function that gets the document; none where nothing is tested
 */
export function testedNames(node, context) {
  const { parents } = context.names;
  /** @type {Set<string>} */
  const tested = new Set();
  let at = node;
  for (let parent = parents.get(at); parent; parent = parents.get(at)) {
    for (const test of testsIn(parent, at)) addNames(test, context, tested);
    // Where a declared function is called is not followed.
    if (parent.type === 'FunctionDeclaration') break;
    at = parent;
  }
  return tested;
}

/**
 * @param {AnyNode} parent
 * @param {AnyNode} node one of its children
 * @returns {AnyNode[]} what decides whether the child is reached
 */
function testsIn(parent, node) {
  switch (parent.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return parent.test === node ? [] : [parent.test];
    case 'LogicalExpression':
      return parent.right === node ? [parent.left] : [];
    case 'SwitchStatement':
      return [parent.discriminant];
    case 'BlockStatement': {
      const before = parent.body.slice(0, /** @type {AnyNode[]} */ (parent.body).indexOf(node));
      return before.flatMap((statement) =>
        statement.type === 'IfStatement' && [statement.consequent, statement.alternate].some(leavesIfThere)
          ? [statement.test]
          : [],
      );
    }
    default:
      return [];
  }
}

/** @param {Statement | null | undefined} statement @returns {boolean} */
function leavesIfThere(statement) {
  return statement ? leaves(statement) : false;
}

/**
 * @param {AnyNode} test
 * @param {Context} context
 * @param {Set<string>} tested added to
 */
function addNames(test, { names, doc }, tested) {
  /** @type {Set<AnyNode>} */
  const seen = new Set();
  /** @type {AnyNode[]} */
  const open = [test];
  for (let next = open.pop(); next; next = open.pop()) {
    walkNodes([next], (node) => {
      if (node.type === 'CallExpression') {
        const isGiven = node.arguments.some((given) => pathIn(names, doc, given)?.length === 0);
        if (isGiven && node.callee.type === 'Identifier') tested.add(`${node.callee.name}()`);
      }
      const [field] = pathIn(names, doc, node) ?? [];
      if (field !== undefined) tested.add(field);
      // `var isOpen = doc.state === 'open'`: what the variable holds is tested.
      const value = node.type === 'Identifier' ? resolveIn(names, node) : node;
      if (value === node || seen.has(value)) return;
      seen.add(value);
      open.push(value);
    });
  }
}
