// Detects parts of a function that change what names mean away from where they are written.

import { walkNodes } from '../javascript/walk.js';

/** @import { AnyNode } from 'acorn' */
/** @import { FunctionNode } from '../javascript/parse.js' */

/**
 * @param {AnyNode} root
 * @param {RegExp} types
 * @returns {boolean} whether it, or a part of it, is of such a type
 */
export function holdsNode(root, types) {
  let found = false;
  walkNodes([root], ({ type }) => {
    found ||= types.test(type);
  });
  return found;
}

/**
 * @param {FunctionNode} fn
 * @returns {string | undefined} what of the function is not followed wherever it stands, for it takes effect before it is
 *   reached: functions declared in blocks (which engines hoist, each in its way), `with`, `eval`
 */
export function hiddenChange(fn) {
  /** @type {Set<AnyNode>} */
  const bodies = new Set();
  let why = '';
  walkNodes([fn], (node) => {
    if ('params' in node && node.body.type === 'BlockStatement') {
      for (const statement of node.body.body) bodies.add(statement);
    }
    if (node.type === 'FunctionDeclaration' && !bodies.has(node)) why ||= 'a function is declared in a block';
    if (node.type === 'ClassDeclaration') why ||= 'a class is declared';
    if (node.type === 'WithStatement') why ||= 'it uses `with`';
    if (node.type === 'Identifier' && node.name === 'eval') why ||= 'it runs a string as code';
    if (node.type === 'Identifier' && node.name === 'arguments') why ||= 'it reads `arguments`';
  });
  return why || undefined;
}

/**
 * @param {FunctionNode} fn
 * @returns {boolean} whether it sets strict mode
 */
export function isStrict(fn) {
  let found = false;
  walkNodes([fn], (node) => {
    if (node.type === 'ExpressionStatement' && node.directive === 'use strict') found = true;
  });
  return found;
}
