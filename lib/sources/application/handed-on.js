// Finds where a part of an answer goes on: into a new list, to the callers of the function that returns it, or to code that shares its name.

import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { functionAround } from './enclosing.js';

/** @import { AnyNode, CallExpression, Identifier } from 'acorn' */
/** @import { Binding } from '../../javascript/names.js' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */

/** What an expression holds of an answer; `value` is what a view emits. @typedef {'answer' | 'rows' | 'row' | 'documents' | 'document' | 'values' | 'value'} Part */

/** Lists, by what an item of one is. @type {Partial<Record<Part, Part>>} */
export const ITEM_OF = { rows: 'row', documents: 'document', values: 'value' };
/** @type {ReadonlySet<Part>} */
export const ITEMS = new Set(['row', 'document', 'value']);
/** Members of a row that are followed. @type {ReadonlyMap<string | undefined, Part>} */
export const FOLLOWED = new Map([
  ['doc', 'document'],
  ['value', 'value'],
]);

/** @param {Part} part @returns {Part} what an item of it is, where it is a list */
export function itemOf(part) {
  return ITEM_OF[part] ?? part;
}

/** @param {string | undefined} member of rows @returns {Part | undefined} what `map` makes of it */
function listOf(member) {
  const part = FOLLOWED.get(member);
  return part && /** @type {Part} */ (`${part}s`);
}

/** By class. @type {WeakMap<AnyNode, Map<string, CallExpression[]>>} */
const OWN_CALLS = new WeakMap();

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
  if (param.type === 'ObjectPattern')
    return body.type === 'Identifier' && part === 'rows' ? listOf(keyOf(param, body, code)) : undefined;
  if (param.type !== 'Identifier') return undefined;
  const isItem = (/** @type {AnyNode} */ node) => {
    return node.type === 'Identifier' && bindingAt(node, code.resolved) === bindingAt(param, code.resolved);
  };
  if (isItem(body)) return part;
  return part === 'rows' && body.type === 'MemberExpression' && isItem(bare(body.object))
    ? listOf(memberName(body))
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
 * @param {FunctionNode} fn
 * @param {Code} code
 * @returns {CallExpression | undefined} the step of a chain of promises that it is: `load().then(function () { … })`
 */
export function settledBy(fn, code) {
  const call = code.parentOf(fn);
  if (call?.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return undefined;
  const isStep =
    ['then', 'catch'].includes(memberName(call.callee) ?? '') && call.arguments.includes(/** @type {never} */ (fn));
  return isStep ? call : undefined;
}

/**
 * @param {import('acorn').MethodDefinition} method
 * @param {Code} code
 * @returns {CallExpression[]} `this.load(…)` in the class
 */
export function callsOfMethod(method, code) {
  const body = code.parentOf(method);
  const { key } = method;
  if (!body || key.type !== 'Identifier') return [];
  const known = OWN_CALLS.get(body) ?? ownCalls(body, code);
  OWN_CALLS.set(body, known);
  return (known.get(key.name) ?? []).slice(0, MAX_CALLERS);
}

/** @param {AnyNode} body of a class @param {Code} code @returns {Map<string, CallExpression[]>} calls of methods of `this`, by name */
function ownCalls(body, code) {
  /** @type {Map<string, CallExpression[]>} */
  const found = new Map();
  for (const node of code.nodesWithin(body)) {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') continue;
    const name = node.callee.object.type === 'ThisExpression' ? memberName(node.callee) : undefined;
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), node]);
  }
  return found;
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

/**
 * @param {FunctionNode} fn
 * @param {Code} code
 * @returns {boolean} whether it may read what it is given by another name than that of a parameter
 */
export function usesArguments(fn, code) {
  return code.nodesWithin(fn).some((node) => node.type === 'Identifier' && node.name === 'arguments');
}

/**
 * @param {Binding} binding
 * @param {Code} code
 * @returns {boolean} whether an export declares it, or a script, whose variables other scripts of the page read, or `eval` may read it
 */
export function isShared({ scope, declarations }, code) {
  const isExported = declarations.some((id) => {
    for (let at = code.parentOf(id); at && !isFunction(at); at = code.parentOf(at))
      if (at.type === 'ExportNamedDeclaration') return true;
    return false;
  });
  const mayEvaluate = code.resolved.references.some(({ name, binding }) => name === 'eval' && !binding);
  return isExported || mayEvaluate || (scope === code.resolved.top && !isModule(code));
}

/** @param {Code} code @returns {boolean} whether the file has a scope of its own: it imports, exports or requires something */
export function isModule({ program, resolved }) {
  const isCommonJs = resolved.references.some(
    ({ name, binding }) => !binding && /^(?:require|module|exports)$/.test(name),
  );
  return isCommonJs || program.body.some(({ type }) => /^(?:Import|Export\w*)Declaration$/.test(type));
}

/**
 * @param {AnyNode | undefined} node an argument of a call
 * @param {Code} code
 * @returns {boolean} whether it is a name that may stand for a function, or makes one of a function
 */
export function mayBeFunction(node, code) {
  // `db.view('orders', 'by_status', wrapped((error, body) => …))`
  if (node?.type === 'CallExpression' && node.arguments.some((item) => isFunction(item) || mayBeFunction(item, code)))
    return true;
  if (node?.type !== 'Identifier' && node?.type !== 'MemberExpression') return false;
  const value = code.reader.read(node);
  return value.type === 'unknown' || (value.type === 'string' && value.isFunction === true);
}
