// Finds calls whose failure nothing handles: a promise that is dropped, or that an async function awaits whose own promise is dropped.

import { clientNamed } from '../../clients/index.js';
import { isFunction } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { unwrapType } from '../../javascript/typescript.js';
import { calledName, functionAround, isWithin } from './enclosing.js';
import { mayBeFunction, waysOut } from './handed-on.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { Follower } from './often.js' */
/** @import { CallMethod, CallRecord, ClientName } from './record.js' */

/** Their calls return a feed, which emits errors. @type {ReadonlySet<CallMethod>} */
const FEEDS = new Set(['changes', 'replicate', 'sync', 'connect']);
/** What drops the promise that a function returns to it, by the end of its name. */
const DROPPING =
  /(?:^|\.)(?:forEach|setTimeout|setInterval|setImmediate|nextTick|on|once|addListener|addEventListener)$/;
const ROUTES = /^(?:get|post|put|patch|delete|all|use)$/;
/** Functions that call another function: more are not followed. */
const MAX_STEPS = 2;

/** What drops a promise: a statement, or Express; or a handler of it that another file may give to Express. @typedef {{node?: AnyNode, isRoute?: boolean, handler?: FunctionNode}} Dropped */

/**
 * @param {CallExpression} call
 * @param {CallRecord} record gets where its promise is dropped
 * @param {Code} code
 * @returns {Follower[]} a function that may be given to Express in another file
 */
export function followRejection(call, record, code) {
  const { method, client } = record;
  const found = isPromised(call, method, client, code) ? droppedAt(call, code, MAX_STEPS) : undefined;
  if (!found) return [];
  const isPromise =
    isWaitedFor(call, code) ||
    clientNamed(client)?.local !== undefined ||
    (client === 'http' && /^(?:fetch|axios)\b/.test(code.source(call.callee)));
  const drop = (/** @type {AnyNode} */ node, /** @type {Code} */ of) => {
    const isRoute = found.isRoute || found.handler !== undefined;
    record.unhandled = { in: isRoute ? 'route' : 'program', isPromise, place: of.file.place(node.start, node.end) };
  };
  if (found.node) drop(found.node, code);
  const name = found.handler && calledName(found.handler, code);
  if (!found.handler || name === undefined) return [];
  const follow = (/** @type {AnyNode} */ node, /** @type {Code} */ of) => {
    if (isGivenToRoute(node, of)) drop(node, of);
    return [];
  };
  return [{ path: code.file.path, start: found.handler.start, name, follow }];
}

/**
 * @param {CallExpression} call
 * @param {CallMethod} method
 * @param {ClientName | null} client
 * @param {Code} code
 * @returns {boolean} whether it may return a promise
 */
function isPromised(call, method, client, code) {
  const callbacks = clientNamed(client)?.callbacks ?? 'also';
  const last = call.arguments.at(-1);
  if (FEEDS.has(method) || client === null || callbacks === 'always' || callbacks === 'options') return false;
  if (!last || isWaitedFor(call, code)) return !last || !isFunction(last);
  // `db.destroy(id, rev, done)`
  return !isFunction(last) && !(call.arguments.length > 1 && mayBeFunction(last, code));
}

/** @param {AnyNode} call @param {Code} code @returns {boolean} */
function isWaitedFor(call, code) {
  const parent = code.parentOf(call);
  return parent?.type === 'AwaitExpression' || parent?.type === 'MemberExpression';
}

/**
 * @param {AnyNode} promise
 * @param {Code} code
 * @param {number} steps
 * @returns {Dropped | undefined} undefined where it is handled, or goes to code that was not followed
 */
function droppedAt(promise, code, steps) {
  /** @type {AnyNode} */
  let node = promise;
  for (let parent = code.parentOf(node); parent; parent = code.parentOf(node)) {
    switch (parent.type) {
      case 'MemberExpression': {
        const call = code.parentOf(parent);
        const name = parent.object === node ? memberName(parent) : undefined;
        if (call?.type !== 'CallExpression' || call.callee !== parent) return undefined;
        if (name !== 'finally' && (name !== 'then' || call.arguments.length !== 1)) return undefined;
        node = call;
        break;
      }
      case 'ExpressionStatement':
        return { node };
      case 'AwaitExpression':
      case 'ReturnStatement':
        return isCaught(parent, code) ? undefined : ofFunction(functionAround(parent, code), code, steps);
      case 'ArrowFunctionExpression':
        return ofFunction(parent, code, steps);
      case 'ArrayExpression':
      case 'CallExpression':
        if (parent.type === 'CallExpression' && !/^Promise\.(?:all|race)$/.test(code.source(parent.callee)))
          return undefined;
        node = parent;
        break;
      case 'LogicalExpression':
      case 'ConditionalExpression':
      case 'ParenthesizedExpression':
      case 'ChainExpression':
        node = parent;
        break;
      default:
        if (unwrapType(parent) !== node) return undefined;
        node = parent;
    }
  }
  return undefined;
}

/**
 * @param {FunctionNode | undefined} fn whose promise is rejected
 * @param {Code} code
 * @param {number} steps
 * @returns {Dropped | undefined}
 */
function ofFunction(fn, code, steps) {
  if (!fn || fn.generator) return undefined;
  const parent = code.parentOf(fn);
  if (parent?.type === 'CallExpression') {
    if (bare(parent.callee) === fn) return droppedAt(parent, code, steps);
    const callee = code.source(parent.callee);
    const name = parent.callee.type === 'MemberExpression' ? memberName(parent.callee) : undefined;
    if (DROPPING.test(callee)) return { node: parent.callee };
    if (isRoute(fn) && isGivenToRoute(fn, code)) return { node: parent.callee, isRoute: true };
    return name === 'map' || name === 'then' || name === 'flatMap' ? droppedAt(parent, code, steps) : undefined;
  }
  const around = parent?.type === 'ParenthesizedExpression' ? code.parentOf(parent) : undefined;
  if (around?.type === 'CallExpression' && around.callee === parent) return droppedAt(around, code, steps);
  if (parent?.type === 'NewExpression')
    return code.source(parent.callee) === 'Promise' ? { node: parent.callee } : undefined;
  if (isRoute(fn) && fn.async) return { handler: fn };
  for (const call of steps > 0 ? waysOut(fn.body, code) : []) {
    const found = isWithin(call, fn) ? undefined : droppedAt(call, code, steps - 1);
    if (found) return found;
  }
  return undefined;
}

/** @param {AnyNode} node @param {Code} code @returns {boolean} `router.get('/orders', list)` */
function isGivenToRoute(node, code) {
  const call = code.parentOf(node);
  if (call?.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return false;
  const isPath = /^['"`]/.test(code.source(call.arguments[0] ?? call));
  return isPath && call.callee !== node && ROUTES.test(memberName(call.callee) ?? '');
}

/** @param {FunctionNode} fn @returns {boolean} whether it has the parameters of a handler of Express; `reply` and `h` are of Fastify and hapi, which answer a rejection */
function isRoute({ params: [first, second] }) {
  const isNamed = (/** @type {AnyNode | undefined} */ param, /** @type {RegExp} */ name) =>
    param?.type === 'Identifier' && name.test(param.name);
  return isNamed(first, /^_?req(?:uest)?$/) && isNamed(second, /^_?res(?:ponse)?$/);
}

/** @param {AnyNode} node @param {Code} code @returns {boolean} whether a `try` of its function catches what is thrown there */
function isCaught(node, code) {
  /** @type {AnyNode} */
  let inner = node;
  for (let at = code.parentOf(inner); at && !isFunction(at); inner = at, at = code.parentOf(at))
    if (at.type === 'TryStatement' && at.block === inner && at.handler) return true;
  return false;
}
