// Finds loops that repeat a call from outside of its function: `for (const id of ids) await loadOrder(id)`, in the same file or another one.

import { databaseMethod } from '../../clients/index.js';
import { bare } from '../../javascript/parse.js';
import { groupBy } from '../../shared/group-by.js';
import { propertyName } from './code.js';
import { dependentNames, directNames, mentions } from './depends.js';
import { calledName } from './enclosing.js';
import { describeLoop, eachOver, findLoop } from './loops.js';
import { followedAt, isOf, oftenAt } from './often.js';
import { isScript } from './set-up.js';
import { isFallback, nameOfCallee, WRITES, waitedFor, waitsForMore } from './turns.js';
import { functionsGiven, isWriteName } from './written-back.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { Binding } from '../../javascript/names.js' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { CallLoop, CallRecord } from './record.js' */
/** @import { Repeated } from './loops.js' */
/** @import { Follower, Often, Site } from './often.js' */
/** @import { Tracer } from './trace.js' */

/** A function that calls a function that has the call: more such steps are not followed. */
const MAX_STEPS = 2;
/** Calls of functions of the project that are followed to what they call. */
const MAX_TRACED = 2_000;
/** Files that are parsed again to find callers: in larger projects others are missed. */
const MAX_FILES = 400;

/**
 * @typedef {object} Waiting A call that no loop repeats in its own function.
 * @property {CallRecord} record
 * @property {string} path of the file of the function
 * @property {number} start of the function
 * @property {string} name by which it is called
 * @property {number[]} target its parameters that the id, the key or the document of the call is made from, with no answer awaited between
 * @property {number[]} receiver its parameters that the database depends on
 * @property {number | undefined} whole the parameter that is the id, the key or the document itself
 * @property {string[]} awaited names of other functions that it waits for
 * @property {string[]} given names of functions that get what the call answered
 */

/** Loops about design documents are left alone, by what they are called. */
const DESIGN = /_design\/|\bd(?:esign)?_?docs?\b/i;

/**
 * @param {CallExpression} call
 * @param {Code} code
 * @param {CallRecord} record
 * @param {Repeated & {isClientCall: (node: CallExpression) => boolean}} about
 * @returns {Waiting | undefined} undefined where its function has no name or the call is about none of its parameters
 */
export function waitingCall(call, code, record, { target, item, receiver, isClientCall }) {
  const found = findLoop(call, code, isClientCall);
  const fn = found && 'caller' in found ? found.caller : undefined;
  if (!fn || !target) return undefined;
  const text = code.source(call);
  const isCall = (/** @type {AnyNode} */ node) => node === call || code.source(node) === text;
  return waitingFunction(fn, code, record, { target: [target], item, receiver: [receiver], isClientCall, isCall });
}

/**
 * @param {FunctionNode} fn
 * @param {Code} code
 * @param {CallRecord} record
 * @param {{target: AnyNode[], item: AnyNode | undefined, receiver: AnyNode[], isClientCall: (node: CallExpression) => boolean,
 *   isCall: (node: AnyNode) => boolean}} nodes in the function; `isCall`: whether it makes the call
 * @returns {Waiting | undefined}
 */
function waitingFunction(fn, code, record, { target, item, receiver, isClientCall, isCall }) {
  const name = calledName(fn, code);
  const body = /** @type {AnyNode} */ (fn.body);
  const targets = indexesOf(fn, (param) => mentionsAny(target, directNames(param, body, code), code));
  if (name === undefined || targets.length === 0) return undefined;
  const only = item && bare(item);
  const whole = fn.params.findIndex((param) => {
    return param.type === 'Identifier' && only?.type === 'Identifier' && param.name === only.name;
  });
  return {
    record,
    path: code.file.path,
    start: fn.start,
    name,
    target: targets,
    receiver: indexesOf(fn, (param) => mentionsAny(receiver, dependentNames([param], body, code), code)),
    whole: whole >= 0 ? whole : undefined,
    awaited: awaitedIn(fn, code, isClientCall),
    given: record.method === 'get' ? functionsGiven(fn, isCall, code) : [],
  };
}

/** @param {FunctionNode} fn @param {(param: AnyNode) => boolean} test @returns {number[]} */
function indexesOf(fn, test) {
  return fn.params.flatMap((param, index) => (test(param) ? [index] : []));
}

/**
 * @param {readonly AnyNode[]} nodes
 * @param {ReadonlySet<Binding>} names
 * @param {Code} code
 * @returns {boolean}
 */
function mentionsAny(nodes, names, code) {
  return nodes.some((node) => mentions(node, names, code));
}

/**
 * @param {FunctionNode} fn
 * @param {Code} code
 * @param {(node: CallExpression) => boolean} isClientCall
 * @returns {string[]} names of the functions that are awaited or have a `then`, without calls of clients
 */
function awaitedIn(fn, code, isClientCall) {
  return waitedFor(fn, code).flatMap((call) => {
    const callee = bare(call.callee);
    return isClientCall(call) ? [] : [(callee.type === 'Super' ? undefined : nameOfCallee(callee)) ?? ''];
  });
}

/**
 * Gives the records their loops, those that many requests or turns of a timer come to the way from there, and has functions looked at
 * that return rows or are handlers. Functions that are called where code runs once are left alone.
 * @param {{waiting: readonly Waiting[], often: readonly Often[], followers: readonly Follower[], records: readonly CallRecord[]}} calls
 * @param {Iterable<string>} paths where their functions may be called
 * @param {Tracer} tracer
 * @param {(path: string) => string | undefined} textOf
 */
export function findCallers({ waiting: calls, often, followers, records }, paths, tracer, textOf) {
  const known = new Set(calls.map(({ name }) => name));
  const writers = new Set(calls.filter(({ record }) => WRITES.has(record.method)).map(({ name }) => name));
  // What is read to be changed cannot be read before the loop alone.
  const isQuick = (/** @type {Waiting} */ { record, awaited, given }) =>
    WRITES.has(record.method)
      ? awaited.every((name) => known.has(name))
      : !given.some((name) => isWriteName(name) || writers.has(name));
  const forwarded = new Map(
    records.flatMap((record) => (record.client === null ? [[`${record.file.path}:${record.start}`, record]] : [])),
  );
  const forwardedAt = (/** @type {CallExpression} */ { start }, /** @type {string} */ path) =>
    forwarded.get(`${path}:${start}`);
  let waiting = calls.filter(isQuick);
  let reading = [...often];
  let following = [...followers];
  const budget = { left: MAX_TRACED, files: MAX_FILES };
  for (let step = 0; step < MAX_STEPS && waiting.length + reading.length + following.length > 0; step += 1) {
    const byName = groupBy(waiting, ({ name }) => name);
    const readers = groupBy(reading, ({ name }) => name);
    const givers = groupBy(following, ({ name }) => name);
    /** @type {Waiting[]} */
    const next = [];
    /** @type {Often[]} */
    const nextReading = [];
    following = [];
    const names = new Set([...byName.keys(), ...readers.keys(), ...givers.keys()]);
    for (const site of callSites(names, paths, tracer, textOf, budget)) {
      next.push(...repeatedAt(site, byName.get(site.name) ?? [], tracer));
      nextReading.push(...oftenAt(site, readers.get(site.name) ?? []));
      following.push(...followedAt(site, givers.get(site.name) ?? [], forwardedAt));
    }
    for (const { name } of next) known.add(name);
    waiting = next.filter((item) => item.record.loop === null && isQuick(item));
    reading = nextReading.filter(({ record }) => record.handler === null && record.timer === null);
  }
}

/**
 * @param {ReadonlySet<string>} names of functions
 * @param {Iterable<string>} paths
 * @param {Tracer} tracer
 * @param {(path: string) => string | undefined} textOf
 * @param {{left: number, files: number}} budget
 * @returns {Generator<Site>}
 */
function* callSites(names, paths, tracer, textOf, budget) {
  const words = new RegExp(
    `(?<![\\w$])(?:${[...names].map((name) => name.replace(/[^\w]/g, '\\$&')).join('|')})(?![\\w$])`,
  );
  for (const path of paths) {
    if (budget.files === 0) return;
    const text = textOf(path) ?? '';
    if (!words.test(text) || isScript(text)) continue;
    budget.files -= 1;
    const code = tracer.store.get(path);
    for (const node of code?.resolved.nodes ?? []) {
      const name = nameOfCallee(node);
      if (!code || name === undefined || !names.has(name) || isDeclaration(node, code)) continue;
      /** @type {{found: import('./value.js').FunctionValue | undefined} | undefined} */
      let traced;
      const value = () => {
        if (traced || budget.left <= 0) return traced?.found;
        budget.left -= 1;
        const found = tracer.start(node, code);
        traced = { found: found?.is === 'function' ? found : undefined };
        return traced.found;
      };
      yield { name, node, code, value };
    }
  }
}

/**
 * @param {Site} site
 * @param {readonly Waiting[]} items with functions of its name
 * @param {Tracer} tracer
 * @returns {Waiting[]} functions that call one of them with what they are given
 */
function repeatedAt({ node, code, value }, items, tracer) {
  /** @type {Waiting[]} */
  const next = [];
  const waiting = items.filter(({ record }) => record.loop === null);
  const use = waiting.length > 0 ? useOf(node, code) : undefined;
  const fn = use && value();
  for (const item of use && fn ? waiting : []) {
    if (!use || !fn || !isOf(item, fn)) continue;
    // A function that opens a database reads what is about that database: one request does not replace the function.
    if (isOpener(fn, tracer)) continue;
    if (WRITES.has(item.record.method) && use.given && isAnswerUsed(use.call, code)) continue;
    const found = followUse(use, node, item, code, tracer);
    if (found && 'form' in found) item.record.loop = found;
    else if (found) next.push(found);
  }
  return next;
}

/** @param {import('./value.js').FunctionValue} fn @param {Tracer} tracer @returns {boolean} whether it gives a database or a client */
function isOpener({ node, code }, tracer) {
  const given = tracer.returned(node, code, 0);
  return given?.is === 'database' || given?.is === 'server';
}

/** @param {AnyNode} node @param {Code} code @returns {boolean} whether it is a part of a longer name, or what is declared by it */
function isDeclaration(node, code) {
  const parent = code.parentOf(node);
  if (parent?.type === 'MemberExpression') return true;
  return node.type === 'Identifier' && code.resolved.byNode.get(node)?.declares === true;
}

/**
 * @param {AnyNode} callee
 * @param {Code} code
 * @returns {{call: CallExpression, given: AnyNode[] | undefined} | undefined} the call of the function, and its arguments; `ids.map(load)`
 *   gives it items, and no arguments are written
 */
function useOf(callee, code) {
  const parent = code.parentOf(callee);
  if (parent?.type !== 'CallExpression') return undefined;
  if (parent.callee === callee) {
    return parent.arguments.some(({ type }) => type === 'SpreadElement')
      ? undefined
      : { call: parent, given: parent.arguments };
  }
  return eachOver(parent, callee, code) ? { call: parent, given: undefined } : undefined;
}

/** @param {CallExpression} call @param {Code} code @returns {boolean} whether something is done with each single answer */
function isAnswerUsed(call, code) {
  let at = code.parentOf(call);
  while (at?.type === 'AwaitExpression' || at?.type === 'ParenthesizedExpression') at = code.parentOf(at);
  return !['ExpressionStatement', 'ReturnStatement', 'ArrowFunctionExpression'].includes(at?.type ?? '');
}

/**
 * @param {{call: CallExpression, given: AnyNode[] | undefined}} use
 * @param {AnyNode} callee
 * @param {Waiting} item
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {CallLoop | Waiting | undefined} the loop that calls the function for different things, or the function that passes its own parameters on
 */
function followUse({ call, given }, callee, item, code, tracer) {
  const around = { isFallback: isFallback(call, code, item.record), waitsForMore: false, rowQuery: null };
  if (given === undefined) {
    const each = eachOver(call, callee, code);
    const index = each?.name === 'reduce' ? 1 : 0;
    if (!each || !item.target.includes(index) || item.receiver.includes(index)) return undefined;
    if (DESIGN.test(code.source(call))) return undefined;
    const loop = describeLoop(
      { loop: call, form: 'callback', body: callee, variables: [], over: each.over },
      call,
      code,
      {
        ...around,
        target: undefined,
        item: undefined,
        changesTarget: true,
        changesReceiver: false,
        through: code.source(callee),
      },
    );
    return { ...loop, targets: item.whole === index ? loop.over : null };
  }
  const found = findLoop(call, code, () => false);
  const at = (/** @type {number[]} */ indexes) => indexes.flatMap((index) => given[index] ?? []);
  const targets = at(item.target);
  const receivers = at(item.receiver);
  const object = callee.type === 'MemberExpression' ? [callee.object] : [];
  if (found && 'form' in found) {
    const changing = dependentNames(found.variables, found.body, code);
    if (!mentionsAny(targets, changing, code) || mentionsAny([...receivers, ...object], changing, code))
      return undefined;
    if (DESIGN.test(code.source(found.loop))) return undefined;
    const whole = item.whole === undefined ? undefined : given[item.whole];
    const { client, method } = item.record;
    const isClientCall = (/** @type {CallExpression} */ node) => isNamedLikeOne(node, client);
    const loop = describeLoop(found, call, code, {
      ...around,
      waitsForMore: WRITES.has(method) && waitsForMore(found.body, call, code, { client, isClientCall, tracer }),
      target: targets[0],
      item: whole,
      changesTarget: true,
      changesReceiver: false,
      through: code.source(callee),
    });
    return loop.purpose === 'each' ? loop : undefined;
  }
  if (!found) return undefined;
  return waitingFunction(found.caller, code, item.record, {
    target: targets,
    item: item.whole === undefined ? undefined : given[item.whole],
    receiver: [...receivers, ...object],
    isClientCall: (node) => node === call,
    isCall: (node) => node.type === 'CallExpression' && nameOfCallee(bare(node.callee)) === item.name,
  });
}

/** @param {CallExpression} node @param {CallRecord['client']} client @returns {boolean} whether it has the name of a method of the client */
function isNamedLikeOne({ callee }, client) {
  const name = callee.type === 'MemberExpression' ? propertyName(callee) : undefined;
  return client !== null && name !== undefined && databaseMethod(client, name) !== undefined;
}
