// Knows the functions of a project that hand their parameters on to a client: a call of `findAll('orders', query)` is one of that client.

import { databaseMethod } from '../../clients/index.js';
import { bindingAt } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { calledName, functionAround } from './enclosing.js';
import { nameOfCallee } from './turns.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { MethodShape } from '../../clients/client.js' */
/** @import { Known } from './calls.js' */
/** @import { Code } from './code.js' */
/** @import { Tracer } from './trace.js' */

/** What a parameter of the function becomes in the call. @typedef {'target' | 'options' | 'designDoc' | 'view' | 'path' | 'database'} Slot */
/** @typedef {{path: string, start: number, known: Known, slots: Map<Slot, number>, order: number}} Forward `start` of the function; `order`: when it was found */

/** Methods whose options say what is read. @type {ReadonlySet<string>} */
const QUERIES = new Set(['view', 'temporary-query', 'all-docs', 'find', 'search', 'changes', 'bulk-read']);

/** What a function must hand on to be one that queries, or that writes to a database it is given. @type {readonly Slot[]} */
const QUERY_SLOTS = ['options', 'designDoc', 'view', 'path'];
/** @type {readonly Slot[]} */
const DOCUMENT_SLOTS = ['target', 'options'];

/** @type {readonly Exclude<Slot, 'database'>[]} */
const SLOTS = ['target', 'options', 'designDoc', 'view', 'path'];
/** A function that calls a function that calls the client: each step is found in its own pass. */
const MAX_PASSES = 3;
/** Functions around a call: that given to `then`, that of the loop, the one with the name. */
const MAX_AROUND = 4;

export class Forwards {
  /** By the name of the function. @type {Map<string, Forward[]>} */
  #byName = new Map();
  /** Of the file that is read. */
  order = 0;

  /** @returns {{path: string, order: number}[]} where these functions are, and when the last of each was found */
  files() {
    return [...this.#byName.values()].flat();
  }

  /**
   * @param {string} path
   * @param {FunctionNode} fn
   * @returns {boolean} whether it hands a parameter on to a client
   */
  has(path, fn) {
    return [...this.#byName.values()].some((all) => all.some((one) => one.path === path && one.start === fn.start));
  }

  /**
   * Adds the functions of a file.
   * @param {Code} code
   * @param {(node: CallExpression) => Known | undefined} recognized
   */
  addFrom(code, recognized) {
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      let hasNew = false;
      for (const node of code.resolved.nodes) {
        if (node.type !== 'CallExpression') continue;
        const known = recognized(node);
        if (known && known.shape.method !== 'other' && this.#add(node, known, code)) hasNew = true;
      }
      if (!hasNew) return;
    }
  }

  /**
   * @param {CallExpression} node that a client sends
   * @param {Known} known
   * @param {Code} code
   * @returns {boolean} whether its function was not known
   */
  #add(node, known, code) {
    let fn = functionAround(node, code);
    for (let around = 0; fn && around < MAX_AROUND; around += 1, fn = functionAround(fn, code)) {
      const slots = slotsOf(node, known, fn, code);
      if (slots.size === 0) continue;
      const name = calledName(fn, code);
      if (name === undefined) continue;
      // `save(order)` is about the project; `query(selector)`, and `put(order)` of a class around a client, are about CouchDB.
      const { method } = known.shape;
      const needed = QUERIES.has(method) ? QUERY_SLOTS : slots.has('database') ? DOCUMENT_SLOTS : [];
      const isQuery = needed.some((slot) => slots.has(slot));
      if (!isQuery && databaseMethod(known.forwarded?.client ?? known.client, name)?.method !== method) continue;
      if (!isQuery && code.parentOf(fn)?.type === 'VariableDeclarator') continue;
      const all = this.#byName.get(name) ?? [];
      if (all.some(({ path, start }) => path === code.file.path && start === fn?.start)) return false;
      this.#byName.set(name, [...all, { path: code.file.path, start: fn.start, known, slots, order: this.order }]);
      return true;
    }
    return false;
  }

  /**
   * @param {CallExpression} node
   * @param {Code} code
   * @param {Tracer} tracer
   * @returns {Known | undefined} what it is if it calls one of these functions
   */
  callOf(node, code, tracer) {
    const name = nameOfCallee(bare(node.callee));
    const all = name === undefined ? undefined : this.#byName.get(name);
    if (!all || node.arguments.length === 0 || node.arguments.some(({ type }) => type === 'SpreadElement'))
      return undefined;
    const value = tracer.start(node.callee, code);
    if (value?.is !== 'function') return undefined;
    const found = all.find(({ path, start }) => path === value.code.file.path && start === value.node.start);
    return found && throughForward(node, found);
  }
}

/**
 * @param {CallExpression} node
 * @param {Forward} forward
 * @returns {Known | undefined} undefined where it is given none of what the function hands on
 */
function throughForward(node, { known, slots }) {
  const given = [...slots].filter(([, index]) => index < node.arguments.length);
  if (given.length === 0) return undefined;
  /** @type {MethodShape} */
  const shape = { method: known.shape.method };
  for (const [slot, index] of given) if (slot !== 'database') shape[slot] = index;
  const at = slots.get('database');
  const named = at === undefined ? undefined : node.arguments[at];
  const database = named?.type === 'Literal' && typeof named.value === 'string' ? named.value : known.database;
  const { designDoc = null, view = null } = known.request ?? known.forwarded ?? {};
  return {
    shape,
    client: null,
    // What only an option shows in the function shows no more here.
    receiver: known.client === 'http' ? 'traced' : known.receiver,
    location: known.location,
    database,
    forwarded: { client: known.forwarded?.client ?? known.client, designDoc, view, databaseAt: at },
  };
}

/**
 * @param {CallExpression} node
 * @param {Known} known
 * @param {FunctionNode} fn around it
 * @param {Code} code
 * @returns {Map<Slot, number>} the parameters of the function that are handed on as they are
 */
function slotsOf(node, { shape, request, forwarded }, fn, code) {
  /** @type {Map<Slot, number>} */
  const found = new Map();
  const add = (/** @type {Slot} */ slot, /** @type {AnyNode | undefined} */ given) => {
    const index = given ? parameterIndex(given, fn, code) : -1;
    if (index >= 0) found.set(slot, index);
  };
  if (request) {
    if (request.method === 'bulk-write') add('target', request.documents);
    else add('options', request.body);
    add('database', request.databaseNode);
    add('view', request.viewNode);
    return found;
  }
  for (const slot of SLOTS) {
    const index = shape[slot];
    if (index !== undefined) add(slot, node.arguments[index]);
  }
  if (forwarded?.databaseAt !== undefined) add('database', node.arguments[forwarded.databaseAt]);
  return found;
}

/**
 * @param {AnyNode} written
 * @param {FunctionNode} fn
 * @param {Code} code
 * @returns {number} of the parameter that it is, unchanged; -1 if it is none
 */
function parameterIndex(written, fn, code) {
  const node = bare(written);
  const binding = node.type === 'Identifier' ? bindingAt(node, code.resolved) : undefined;
  if (!binding || binding.references.some(({ writes, declares }) => writes && !declares)) return -1;
  return fn.params.findIndex((param) => {
    const id = param.type === 'AssignmentPattern' ? param.left : param;
    return id.type === 'Identifier' && bindingAt(id, code.resolved) === binding;
  });
}
