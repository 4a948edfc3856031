// Says what a turn of a loop does beside a call: whether it stands in for a request that failed, and whether it waits for other work.

import { databaseMethod } from '../../clients/index.js';
import { isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { propertyName } from './code.js';
import { isNothing } from './enclosing.js';
import { callbackTested } from './loop-purpose.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { CallMethod, ClientName } from './record.js' */
/** @import { Tracer } from './trace.js' */

/** What is written through a function that does more may have to be written at once. @type {ReadonlySet<CallMethod>} */
export const WRITES = new Set(['insert', 'remove']);

/** Requests for many documents, by what they do instead of single ones. @type {Record<'writes' | 'reads', ReadonlySet<CallMethod>>} */
const TOGETHER = { writes: new Set(['bulk-write']), reads: new Set(['bulk-read', 'all-docs']) };
/** Functions that only get something, by the beginnings of their names: a turn can do so for all before it writes any. */
const ONLY_READS = /^(?:get|read|load|fetch|find|list|query|lookup|parse|json|text)(?![a-z])/;

/**
 * @param {AnyNode} call of a client, or of a function that has one
 * @param {Code} code
 * @param {{method: CallMethod, client: ClientName | null}} about
 * @param {AnyNode} [receiver] of the call, where it stands in this code
 * @returns {boolean} whether it runs after a request for all of the documents has failed
 */
export function isFallback(call, code, { method, client }, receiver) {
  const wanted = WRITES.has(method) ? TOGETHER.writes : TOGETHER.reads;
  const isTogether = (/** @type {AnyNode} */ node) => {
    if (node.type !== 'CallExpression') return false;
    const callee = bare(node.callee);
    const name = callee.type === 'MemberExpression' ? propertyName(callee) : undefined;
    if (callee.type !== 'MemberExpression' || name === undefined || client === null) return false;
    if (receiver && code.source(callee.object) !== code.source(receiver)) return false;
    const shape = databaseMethod(client, name);
    return wanted.has(shape?.method ?? 'info') || (shape?.takesList === true && wanted === TOGETHER.writes);
  };
  const hasTogether = (/** @type {AnyNode} */ node) => [node, ...code.nodesWithin(node)].some(isTogether);
  /** @type {AnyNode} */
  let inner = call;
  for (let at = code.parentOf(inner); at; inner = at, at = code.parentOf(at)) {
    if (at.type === 'TryStatement' && inner === at.handler && hasTogether(at.block)) return true;
    if (at.type === 'IfStatement' && at.consequent === inner && isOnError(at.test)) {
      const tried = callbackTested(at.test, code);
      if (tried && isTogether(tried)) return true;
    }
    if (!isFunction(inner) || at.type !== 'CallExpression') continue;
    const callee = bare(at.callee);
    if (callee.type !== 'MemberExpression' || callee.object.type === 'Super') continue;
    const name = propertyName(callee);
    const isRejected = name === 'catch' || (name === 'then' && at.arguments[1] === inner);
    if (isRejected && hasTogether(callee.object)) return true;
  }
  return false;
}

/** @param {AnyNode} test that looks at an error @returns {boolean} false for `!error` and `error === null` */
function isOnError(test) {
  const node = bare(test);
  if (node.type === 'LogicalExpression') return isOnError(node.left);
  if (node.type !== 'BinaryExpression') return node.type !== 'UnaryExpression';
  return !(isNothing(node.right) && ['==', '==='].includes(node.operator));
}

/**
 * @param {AnyNode} body of a loop
 * @param {CallExpression} call that it repeats: a write, or a function that writes
 * @param {Code} code
 * @param {{client: ClientName | null, isClientCall: (node: CallExpression) => boolean, tracer: Tracer}} context
 * @returns {boolean} whether a turn waits for something else, which the write may have to follow or go before
 */
export function waitsForMore(body, call, code, { client, isClientCall, tracer }) {
  const isQuick = (/** @type {CallExpression} */ other) => {
    if (isClientCall(other) || [other, ...code.nodesWithin(other)].includes(call)) return true;
    const callee = bare(other.callee);
    const name = callee.type === 'Super' ? undefined : nameOfCallee(callee);
    if (name === undefined) return false;
    // `Promise.all(ids.map((id) => db.get(id)))`
    if (name === 'all' || name === 'allSettled')
      return code.nodesWithin(other).some((node) => node.type === 'CallExpression' && isClientCall(node));
    if (name === 'fetch' ? !/\bmethod\b/.test(code.source(other)) : ONLY_READS.test(name)) return true;
    const value = tracer.start(callee, code);
    return value?.is === 'function' && isOfClient(value.node, value.code, client);
  };
  return waitedFor(body, code).some((other) => !isQuick(other));
}

/**
 * @param {FunctionNode} fn
 * @param {Code} code
 * @param {ClientName | null} client
 * @returns {boolean} whether it waits for calls of the client alone, by their names
 */
function isOfClient(fn, code, client) {
  const isOwn = (/** @type {AnyNode} */ node) => {
    const callee = node.type === 'CallExpression' ? bare(node.callee) : undefined;
    const name = callee?.type === 'MemberExpression' ? propertyName(callee) : undefined;
    return client !== null && name !== undefined && databaseMethod(client, name) !== undefined;
  };
  return code.nodesWithin(fn).some(isOwn) && waitedFor(fn, code).every(isOwn);
}

/**
 * @param {AnyNode} outer
 * @param {Code} code
 * @returns {CallExpression[]} calls in it that are awaited or have a `then`
 */
export function waitedFor(outer, code) {
  return code.nodesWithin(outer).flatMap((node) => {
    let call;
    if (node.type === 'AwaitExpression') call = bare(node.argument);
    else if (node.type === 'MemberExpression' && propertyName(node) === 'then') call = bare(node.object);
    if (call?.type !== 'CallExpression') return [];
    // `db.get(id).catch(…).then(…)`
    const callee = bare(call.callee);
    const name = callee.type === 'Super' ? undefined : nameOfCallee(callee);
    return name === 'then' || name === 'catch' || name === 'finally' ? [] : [call];
  });
}

/** @param {AnyNode} node @returns {string | undefined} `load` of the names `load` and `this.load` */
export function nameOfCallee(node) {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' ? propertyName(node) : undefined;
}
