// Finds what the parameters of functions are given, by calls in the same file and by those of other files that give clients away.

import { clientNamed, givesClient } from '../../clients/index.js';
import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { nameOf, propertyName } from './code.js';
import { superCalls } from './enclosing.js';
import { callsOfMethod } from './handed-on.js';
import { joined } from './locations.js';
import { injectedInto } from './services.js';

/** @import { AnyNode, CallExpression, Class, NewExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { Tracer } from './trace.js' */
/** @import { Value } from './value.js' */

/** An argument that is a client, or has one in it, and the function of another file that gets it. @typedef {{to: string, fn: number, index: number, path: string, start: number, end: number}} GivenClient `fn`: where the function begins */

/** Arguments that may be a client. */
const MAY_BE_CLIENT = new Set([
  'Identifier',
  'MemberExpression',
  'ObjectExpression',
  'CallExpression',
  'NewExpression',
  'AwaitExpression',
]);

/** What files give to functions of others. */
export class GivenClients {
  /** By the file and the place of the function. @type {Map<string, GivenClient[]>} */
  #known = new Map();
  #onNew;

  /** @param {() => void} onNew is called when more is known */
  constructor(onNew) {
    this.#onNew = onNew;
  }

  /**
   * @param {GivenClient} item
   * @returns {boolean} whether it is new
   */
  add(item) {
    const key = `${item.to}\0${item.fn}`;
    const known = this.#known.get(key) ?? [];
    if (known.some(({ path, start, index }) => path === item.path && start === item.start && index === item.index))
      return false;
    this.#known.set(key, [...known, item]);
    this.#onNew();
    return true;
  }

  /**
   * @param {string} path
   * @param {FunctionNode} fn
   * @param {number} index
   * @returns {GivenClient[]}
   */
  of(path, fn, index) {
    return (this.#known.get(`${path}\0${fn.start}`) ?? []).filter((item) => item.index === index);
  }
}

/**
 * @param {Tracer} tracer
 * @param {FunctionNode} fn
 * @param {number} index of a parameter
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined} what calls give it
 */
export function argumentOf(tracer, fn, index, code, depth) {
  if (index < 0) return undefined;
  const promise = index === 0 ? promiseBefore(fn, code) : undefined;
  if (promise) return tracer.value(promise, code, depth);
  const byOther =
    (index === 0 && givenByClient(tracer, fn, code, depth)) || givenByCallee(tracer, fn, index, code, depth);
  if (byOther) return byOther;
  const others = tracer.given.of(code.file.path, fn, index).flatMap(({ path, start, end }) => {
    const other = tracer.store.get(path);
    const node = other?.resolved.nodes.find((item) => item.start === start && item.end === end);
    return (node && other && tracer.value(node, other, depth)) ?? [];
  });
  const { calls, isElsewhere } = callsInFile(fn, code);
  if (calls.length === 0 && others.length === 0) return injectedInto(tracer, fn, index, code, depth);
  const own = calls.map((call) => tracer.value(call.arguments[index], code, depth));
  const value = joined([...own, ...others]);
  // A string that others may give, too, can be anything.
  return value?.is === 'text' && (isElsewhere || own.length > 1) ? undefined : value;
}

/**
 * @param {FunctionNode} fn
 * @param {Code} code
 * @returns {AnyNode | undefined} what it is the next step of: `open().then((db) => …)`
 */
function promiseBefore(fn, code) {
  const call = code.parentOf(fn);
  if (call?.type !== 'CallExpression' || call.arguments[0] !== fn) return undefined;
  const callee = bare(call.callee);
  const isThen = callee.type === 'MemberExpression' && propertyName(callee) === 'then';
  return isThen && callee.object.type !== 'Super' ? callee.object : undefined;
}

/**
 * @param {Tracer} tracer
 * @param {FunctionNode} fn
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined} what a client calls it with: `$.couch.app(function (app) { app.db })`
 */
function givenByClient(tracer, fn, code, depth) {
  const call = code.parentOf(fn);
  const callee = call?.type === 'CallExpression' && call.arguments[0] === fn ? bare(call.callee) : undefined;
  if (callee?.type !== 'MemberExpression' || callee.object.type === 'Super') return undefined;
  const name = propertyName(callee) ?? '';
  if (!givesClient(name)) return undefined;
  const server = tracer.value(callee.object, code, depth);
  const kind = server?.is === 'server' ? clientNamed(server.client)?.gives?.[name] : undefined;
  if (server?.is !== 'server' || !kind) return undefined;
  return kind === 'holder'
    ? { ...server, isHolder: true }
    : { is: 'database', client: server.client, location: server.location, database: null };
}

/**
 * @param {Tracer} tracer
 * @param {FunctionNode} fn
 * @param {number} index of a parameter
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined} what a function of the project calls it with: `open(function (db) { … })`, where `open` calls `done(db)`
 */
function givenByCallee(tracer, fn, index, code, depth) {
  const call = code.parentOf(fn);
  const at = call?.type === 'CallExpression' ? call.arguments.indexOf(/** @type {never} */ (fn)) : -1;
  if (call?.type !== 'CallExpression' || at < 0 || call.callee.type === 'Super') return undefined;
  const called = tracer.value(call.callee, code, depth);
  const done = called?.is === 'function' ? called.node.params[at] : undefined;
  if (called?.is !== 'function' || done?.type !== 'Identifier') return undefined;
  const given = (bindingAt(done, called.code.resolved)?.references ?? []).flatMap(({ node }) => {
    const use = called.code.parentOf(node);
    const argument = use?.type === 'CallExpression' && use.callee === node ? use.arguments[index] : undefined;
    return argument ? [tracer.value(argument, called.code, depth)] : [];
  });
  const value = joined(given);
  return value?.is === 'text' ? undefined : value;
}

/**
 * @param {FunctionNode} fn or the constructor of a class
 * @param {Code} code
 * @returns {{calls: (CallExpression | NewExpression)[], isElsewhere: boolean}} `isElsewhere`: whether others may call it, too
 */
function callsInFile(fn, code) {
  const parent = code.parentOf(fn);
  const owner = parent?.type === 'MethodDefinition' && parent.kind === 'constructor' ? classAround(parent, code) : fn;
  const holder = owner && code.parentOf(/** @type {AnyNode} */ (owner));
  const own = owner && 'id' in owner ? owner.id : undefined;
  const id = own ?? (holder?.type === 'VariableDeclarator' ? holder.id : undefined);
  if (parent?.type === 'MethodDefinition' && owner === fn)
    return { calls: callsOfMethod(parent, code), isElsewhere: true };
  if (id?.type !== 'Identifier') return { calls: [], isElsewhere: true };
  /** @type {(CallExpression | NewExpression)[]} */
  const calls = [];
  const declaration = holder?.type === 'VariableDeclarator' ? code.parentOf(holder) : undefined;
  const outer = declaration ? code.parentOf(declaration) : holder;
  let isElsewhere = /^Export/.test(outer?.type ?? '');
  for (const { node, declares } of bindingAt(id, code.resolved)?.references ?? []) {
    const call = code.parentOf(node);
    if ((call?.type === 'CallExpression' || call?.type === 'NewExpression') && call.callee === node) calls.push(call);
    else if (/^Class/.test(call?.type ?? '') && /** @type {Class} */ (call).superClass === node)
      calls.push(...superCalls(/** @type {Class} */ (call), code));
    else isElsewhere ||= !declares;
  }
  return { calls, isElsewhere };
}

/** @param {AnyNode} node `super` @param {Code} code @returns {AnyNode} the class above that of its constructor */
function classAbove(node, code) {
  for (let at = code.parentOf(node); at; at = code.parentOf(at)) {
    if (at.type === 'ClassBody') return classAround(/** @type {never} */ (at.body[0]), code)?.superClass ?? node;
  }
  return node;
}

/** @param {AnyNode} member @param {Code} code @returns {Class | undefined} */
function classAround(member, code) {
  const body = code.parentOf(member);
  return /** @type {Class | undefined} */ (body && code.parentOf(body));
}

/**
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {(value: Value) => boolean} reaches whether there is a client in a value
 * @returns {GivenClient[]} what its calls give to functions and classes of other files
 */
export function clientsGivenBy(code, tracer, reaches) {
  /** @type {GivenClient[]} */
  const found = [];
  for (const node of code.resolved.nodes) {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') continue;
    const callee = node.callee.type === 'Super' ? classAbove(node.callee, code) : node.callee;
    if (!isImported(callee, code)) continue;
    for (const [index, argument] of node.arguments.entries()) {
      if (!MAY_BE_CLIENT.has(argument.type)) continue;
      const value = tracer.start(argument, code);
      if (!value || value.is === 'class' || value.is === 'function' || value.is === 'module' || !reaches(value))
        continue;
      const fn = calledFunction(tracer.start(callee, code), tracer);
      if (!fn || fn.code === code) break;
      found.push({
        to: fn.code.file.path,
        fn: fn.node.start,
        index,
        path: code.file.path,
        start: argument.start,
        end: argument.end,
      });
    }
  }
  return found;
}

/**
 * @param {AnyNode} callee
 * @param {Code} code
 * @returns {boolean} whether it may come from another file: `require('./orders')`, a name or member of what is imported
 */
function isImported(callee, code) {
  let node = bare(callee);
  while (node.type === 'MemberExpression' && node.object.type !== 'Super') node = bare(node.object);
  if (node.type === 'CallExpression') return node.callee.type === 'Identifier' && node.callee.name === 'require';
  const binding = node.type === 'Identifier' ? bindingAt(node, code.resolved) : undefined;
  if (binding?.kind === 'import') return true;
  return (binding?.declarations ?? []).some((id) => {
    let at = code.parentOf(id);
    while (at && at.type !== 'VariableDeclarator' && !isFunction(at)) at = code.parentOf(at);
    return (
      at?.type === 'VariableDeclarator' &&
      at.init &&
      /\b(?:require|import)\s*\(/.test(code.source(at.init).slice(0, 200))
    );
  });
}

/**
 * @param {Value | undefined} called
 * @param {Tracer} tracer
 * @returns {{code: Code, node: FunctionNode} | undefined} of a class its constructor
 */
function calledFunction(called, tracer) {
  const value = called?.is === 'module' ? tracer.startProperty(called, 'default') : called;
  if (value?.is === 'function') return value;
  if (value?.is !== 'class') return undefined;
  for (const member of value.node.body.body) {
    if (member.type === 'MethodDefinition' && nameOf(member.key) === 'constructor' && member.value.body) {
      return { code: value.code, node: member.value };
    }
  }
  return undefined;
}
