// Finds the index that a function creates each time before it sends a query.

import { bindingAt, boundIn, isFunction } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { functionAround } from './enclosing.js';

/** @import { AnyNode, CallExpression, Identifier } from 'acorn' */
/** @import { Binding } from '../../javascript/names.js' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Place } from '../../shared/source-file.js' */
/** @import { Code } from './code.js' */

/** Names of functions that run once. */
const START =
  /init|set_?up|start|boot|main|connect|open|migrat|seed|ensure|create|configur|register|prepare|install|load_?db|mount|ready|test|bench/i;

/** Methods of routers and servers that call a function for each request. */
const HANDLES = new Set(['get', 'post', 'put', 'patch', 'delete', 'all', 'handle', 'on', 'subscribe']);

/** Parents that may skip or repeat what is in them. */
const BRANCHES =
  /^(?:If|Switch|For|ForIn|ForOf|While|DoWhile)Statement$|^(?:Conditional|Logical)Expression$|^CatchClause$|^SwitchCase$/;

/**
 * @param {CallExpression} query
 * @param {readonly CallExpression[]} creations of indexes in the same file
 * @param {Code} code
 * @returns {Place | null} of the index that is created again whenever the query runs, in a function that runs more than once
 */
export function indexBefore(query, creations, code) {
  for (const creation of creations) {
    if (creation.start >= query.end || receiverOf(creation, code) !== receiverOf(query, code)) continue;
    const fn = functionAround(creation, code);
    if (!fn || !isInside(query, fn) || !followsIn(query, creation, fn, code)) continue;
    // Each of many databases needs an index of its own.
    if (isConditional(creation, fn, code) || usesParameter(query.callee, fn, code) || !repeats(fn, query, code))
      continue;
    return code.file.place(creation.start, creation.end);
  }
  return null;
}

/** @param {CallExpression} call @param {Code} code @returns {string} */
function receiverOf({ callee }, code) {
  const inner = bare(callee);
  return inner.type === 'MemberExpression' ? code.source(inner.object).replace(/\s+/g, '') : '';
}

/** @param {AnyNode} inner @param {AnyNode} outer @returns {boolean} */
function isInside(inner, outer) {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/**
 * @param {CallExpression} query
 * @param {CallExpression} creation
 * @param {FunctionNode} fn
 * @param {Code} code
 * @returns {boolean} whether the query waits for the index, in the same run of the function
 */
function followsIn(query, creation, fn, code) {
  const around = functionAround(query, code);
  if (around === fn) return code.parentOf(creation)?.type === 'AwaitExpression';
  // `db.createIndex(…).then(() => db.find(…))`
  for (let at = around; at && at !== fn; at = functionAround(at, code)) {
    const parent = code.parentOf(at);
    if (parent?.type !== 'CallExpression') return false;
    const callee = bare(parent.callee);
    const isThen = callee.type === 'MemberExpression' && memberName(callee) === 'then';
    if (!isThen && parent !== creation) return false;
    if (isThen && !isInside(creation, callee)) return false;
  }
  return true;
}

/**
 * @param {AnyNode} node
 * @param {FunctionNode} fn
 * @param {Code} code
 * @returns {boolean} whether some runs of the function do without it, or have several of it
 */
function isConditional(node, fn, code) {
  for (let at = code.parentOf(node); at && at !== fn; at = code.parentOf(at)) {
    // `ready ??= await db.createIndex(…)`
    if (BRANCHES.test(at.type) || (at.type === 'AssignmentExpression' && at.operator.length > 2)) return true;
  }
  return false;
}

/**
 * @param {FunctionNode} fn
 * @param {CallExpression} query
 * @param {Code} code
 * @returns {boolean} whether it is known to run more than once: it handles requests, or it queries for what callers give it
 */
function repeats(fn, query, code) {
  const parent = code.parentOf(fn);
  if (parent?.type === 'CallExpression') {
    const callee = bare(parent.callee);
    const [first] = parent.arguments;
    return (
      callee.type === 'MemberExpression' &&
      HANDLES.has(memberName(callee) ?? '') &&
      first?.type === 'Literal' &&
      first.value !== 'ready' &&
      parent.arguments.includes(/** @type {never} */ (fn))
    );
  }
  const name = nameOfFunction(fn, code);
  return (
    name !== undefined &&
    !START.test(name) &&
    query.arguments.some((item) => !isFunction(item) && usesParameter(item, fn, code))
  );
}

/** @param {FunctionNode} fn @param {Code} code @returns {string | undefined} */
function nameOfFunction(fn, code) {
  if ('id' in fn && fn.id) return fn.id.name;
  const parent = code.parentOf(fn);
  if (parent?.type === 'VariableDeclarator') return parent.id.type === 'Identifier' ? parent.id.name : undefined;
  const isMember = parent?.type === 'MethodDefinition' || parent?.type === 'Property';
  if (isMember || parent?.type === 'PropertyDefinition')
    return parent.key.type === 'Identifier' ? parent.key.name : undefined;
  if (parent?.type === 'AssignmentExpression' && parent.left.type === 'MemberExpression')
    return memberName(parent.left);
  return undefined;
}

/**
 * @param {AnyNode} node
 * @param {FunctionNode} fn
 * @param {Code} code
 * @returns {boolean} whether it depends on a parameter of the function
 */
function usesParameter(node, fn, code) {
  /** @type {Set<Binding>} */
  const given = new Set();
  const add = (/** @type {AnyNode} */ pattern) => {
    for (const id of boundIn(pattern)) {
      const binding = bindingAt(id, code.resolved);
      if (binding) given.add(binding);
    }
  };
  const depends = (/** @type {AnyNode} */ outer) =>
    [outer, ...code.nodesWithin(outer)].some((inner) => {
      const reference = code.resolved.byNode.get(/** @type {Identifier} */ (inner));
      return reference?.binding !== undefined && given.has(reference.binding);
    });
  for (const param of fn.params) add(param);
  for (const inner of code.nodesWithin(fn)) {
    if (inner.type === 'VariableDeclarator' && inner.init && !isFunction(inner.init) && depends(inner.init))
      add(inner.id);
  }
  return depends(node);
}
