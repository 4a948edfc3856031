// Finds calls that many requests or the turns of a timer come to through functions of the project: `app.get('/', (req, res) => list())`.

import { calledName, functionAround } from './enclosing.js';
import { handlerAround } from './handlers.js';
import { timerAround } from './timers.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { Code } from './code.js' */
/** @import { CallRecord } from './record.js' */
/** @import { FunctionValue } from './value.js' */

/** A name of a function where it is used. @typedef {{name: string, node: AnyNode, code: Code, value: () => FunctionValue | undefined}} Site */

/**
 * A function of which each use is looked at, also in other files.
 * @typedef {object} Follower
 * @property {string} path
 * @property {number} start of the function
 * @property {string} name
 * @property {(node: AnyNode, code: Code, forwardedAt: (call: CallExpression, path: string) => CallRecord | undefined) => Follower[]} follow
 *   where it is used; `forwardedAt`: the record of a call whose options a function hands on. Gives functions to look at next
 */

/**
 * @param {Site} site
 * @param {readonly Follower[]} items with functions of its name
 * @param {(call: CallExpression, path: string) => CallRecord | undefined} forwardedAt
 * @returns {Follower[]}
 */
export function followedAt({ node, code, value }, items, forwardedAt) {
  const fn = items.length > 0 ? value() : undefined;
  return fn ? items.flatMap((item) => (isOf(item, fn) ? item.follow(node, code, forwardedAt) : [])) : [];
}

/** @param {{path: string, start: number}} item @param {FunctionValue} fn @returns {boolean} */
export function isOf({ path, start }, { node, code }) {
  return path === code.file.path && start === node.start;
}

/**
 * A call that may read much, in a function that no handler and no timer is around.
 * @typedef {{record: CallRecord, path: string, start: number, name: string}} Often
 */

/**
 * @param {CallExpression} call
 * @param {Code} code
 * @param {CallRecord} record
 * @returns {Often | undefined}
 */
export function readingFunction(call, code, record) {
  for (let fn = functionAround(call, code); fn; fn = functionAround(fn, code)) {
    const name = calledName(fn, code);
    if (name !== undefined) return { record, path: code.file.path, start: fn.start, name };
  }
  return undefined;
}

/**
 * @param {Site} site
 * @param {readonly Often[]} items with functions of its name
 * @returns {Often[]} functions that call one of them and are not called by a handler or timer themselves
 */
export function oftenAt({ node, code, value }, items) {
  const waiting = items.filter(({ record }) => record.handler === null && record.timer === null);
  const parent = code.parentOf(node);
  if (waiting.length === 0 || parent?.type !== 'CallExpression') return [];
  const handler = handlerAround(node, code);
  const timer = parent.callee === node ? timerAround(parent, code) : null;
  // `app.get('/orders', listOrders)` is about a handler that is known by its parameters.
  const outer = parent.callee === node && !handler && !timer ? functionAround(parent, code) : undefined;
  if (!handler && !timer && !outer) return [];
  const fn = value();
  /** @type {Often[]} */
  const next = [];
  for (const item of fn ? waiting.filter((one) => isOf(one, /** @type {never} */ (fn))) : []) {
    if (handler || timer) item.record.through = code.source(node);
    item.record.handler = handler;
    item.record.timer = timer;
    const found = handler || timer ? undefined : readingFunction(parent, code, item.record);
    if (found) next.push(found);
  }
  return next;
}
