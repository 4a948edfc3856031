// Finds where a part of an answer goes on: into a new list, or to the callers of the function that returns it.

import { bindingAt } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { functionAround } from './enclosing.js';

/** @import { AnyNode, Identifier } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */

/** What an expression holds of an answer. @typedef {'answer' | 'rows' | 'row' | 'documents' | 'document'} Part */

/** Callers of one function that are followed. */
const MAX_CALLERS = 20;

/**
 * @param {FunctionNode} fn given to `map`
 * @param {Part} part of the list
 * @param {Code} code
 * @returns {Part | undefined} what the new list holds: `rows.map((row) => row.doc)` the documents
 */
export function handedOn(fn, part, code) {
  const [param] = fn.params;
  if (fn.body.type === 'BlockStatement' || !param) return undefined;
  const body = bare(fn.body);
  const item = part === 'rows' ? 'row' : 'document';
  if (param.type === 'ObjectPattern')
    return body.type === 'Identifier' && keyOf(param, body, code) === 'doc' && item === 'row' ? 'documents' : undefined;
  if (param.type !== 'Identifier') return undefined;
  const isItem = (/** @type {AnyNode} */ node) => {
    return node.type === 'Identifier' && bindingAt(node, code.resolved) === bindingAt(param, code.resolved);
  };
  if (isItem(body)) return part;
  return item === 'row' && body.type === 'MemberExpression' && isItem(bare(body.object)) && memberName(body) === 'doc'
    ? 'documents'
    : undefined;
}

/**
 * @param {AnyNode} node a return statement, or the expression that an arrow function returns
 * @param {Code} code
 * @returns {AnyNode[]} the calls of its function in the same file, where it has a name or is a method
 */
export function waysOut(node, code) {
  const fn = functionAround(node, code);
  const parent = fn && code.parentOf(fn);
  if (parent?.type === 'MethodDefinition') return callsOfMethod(parent, code);
  const id = fn && 'id' in fn && fn.id ? fn.id : parent?.type === 'VariableDeclarator' ? parent.id : undefined;
  if (id?.type !== 'Identifier') return [];
  const references = bindingAt(id, code.resolved)?.references ?? [];
  return references.slice(0, MAX_CALLERS).flatMap(({ node: reference }) => {
    const call = code.parentOf(/** @type {AnyNode} */ (reference));
    return call?.type === 'CallExpression' && call.callee === reference ? [call] : [];
  });
}

/**
 * @param {import('acorn').MethodDefinition} method
 * @param {Code} code
 * @returns {AnyNode[]} `this.load(…)` in the class
 */
function callsOfMethod(method, code) {
  const body = code.parentOf(method);
  const { key } = method;
  if (!body || key.type !== 'Identifier') return [];
  return code
    .nodesWithin(body)
    .filter((node) => {
      const callee = node.type === 'CallExpression' ? node.callee : undefined;
      return (
        callee?.type === 'MemberExpression' &&
        callee.object.type === 'ThisExpression' &&
        memberName(callee) === key.name
      );
    })
    .slice(0, MAX_CALLERS);
}

/**
 * @param {import('acorn').ObjectPattern} pattern
 * @param {Identifier} id
 * @param {Code} code
 * @returns {string | undefined} the member that a name of the pattern stands for
 */
function keyOf(pattern, id, code) {
  const binding = bindingAt(id, code.resolved);
  for (const property of pattern.properties) {
    if (property.type !== 'Property' || property.value.type !== 'Identifier' || property.key.type !== 'Identifier')
      continue;
    if (binding && bindingAt(property.value, code.resolved) === binding) return property.key.name;
  }
  return undefined;
}
