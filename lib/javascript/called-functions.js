// Call graph of one text: determines which functions of a text are called when the text's own function runs: at once, by their name, or by an array
// method. A function that is only kept, as those of a library that is pasted in, is not certain to be called.

import { handledTry, ownerOf } from './caught.js';
import { LocalFunctions } from './local-functions.js';
import { isFunction } from './names.js';
import { bare, memberName } from './parse.js';

/** @import { AnyNode, CallExpression, NewExpression } from 'acorn' */
/** @import { FunctionNode } from './parse.js' */
/** @import { Names } from './names.js' */

/** Methods of arrays that call what they are given. */
const CALLING = new Set('forEach map filter some every find findIndex flatMap sort reduce reduceRight'.split(' '));

/** @typedef {{fn: FunctionNode, call: CallExpression | NewExpression}} Call */

/**
 * @param {Names} names
 * @returns {{called: Set<AnyNode>, caught: Set<AnyNode>}} `caught`: functions of which a call stands in a `try` that they do not stand in
 */
export function calledFunctions(names) {
  const { parents } = names;
  const calls = callsIn(names);
  /** @type {Set<AnyNode>} */
  const called = new Set();
  for (const node of names.nodes) if (isFunction(node) && !ownerOf(node, parents)) called.add(node);
  const isOutside = (/** @type {Call} */ { fn, call }) => {
    const around = handledTry(call, parents);
    return around !== undefined && around !== handledTry(fn, parents);
  };
  const caught = new Set(calls.filter(isOutside).map(({ fn }) => fn));
  for (let known = -1; known < called.size; ) {
    known = called.size;
    for (const { fn, call } of calls) {
      const owner = ownerOf(call, parents);
      if (!caught.has(fn) && !fn.generator && (!owner || called.has(owner))) called.add(fn);
    }
  }
  return { called, caught };
}

/** @param {Names} names @returns {Call[]} calls of functions of the text */
function callsIn(names) {
  const functions = new LocalFunctions(names);
  /** @type {Call[]} */
  const found = [];
  for (const node of names.nodes) {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') continue;
    if (node.callee.type === 'Super') continue;
    for (const given of calledBy(node)) {
      const fn = functions.at(given);
      if (fn) found.push({ fn, call: node });
    }
  }
  return found;
}

/** @param {CallExpression | NewExpression} node @returns {AnyNode[]} what it calls, if it is a function */
function calledBy({ callee: given, arguments: [first] }) {
  const callee = bare(given);
  if (callee.type !== 'MemberExpression') return [callee];
  const method = memberName(callee) ?? '';
  if (method === 'call' || method === 'apply') return [callee.object];
  const list = bare(callee.object);
  const isEmpty = list.type === 'ArrayExpression' && list.elements.length === 0;
  return CALLING.has(method) && first && !isEmpty ? [first] : [];
}
