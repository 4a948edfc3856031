// Knows clients that a program keeps where all of it finds them: `req.db`, `app.locals.shop`, the state of a store, globals.

import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { nameOf, propertyName } from './code.js';
import { isNothing } from './enclosing.js';
import { isModule } from './handed-on.js';
import { joined } from './locations.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Code } from './code.js' */
/** @import { Tracer } from './trace.js' */
/** @import { Value } from './value.js' */

/** What all handlers of a request, all components or all files share, by the last part of its name: Express, Koa, Fastify, Vuex, a page. */
const CARRIERS = new Map([
  ['req', 'request'],
  ['request', 'request'],
  ['ctx', 'context'],
  ['context', 'context'],
  ['locals', 'locals'],
  ['state', 'state'],
  ['rootState', 'state'],
  ['app', 'app'],
  ['application', 'app'],
  ['fastify', 'app'],
  ['server', 'app'],
  ['globalProperties', 'vue'],
  ['global', 'global'],
  ['globalThis', 'global'],
  ['window', 'global'],
]);

/** Methods that give it a member: Express, Fastify. @type {ReadonlyMap<string, string>} */
const SETTERS = new Map([
  ['set', 'setting'],
  ['decorate', 'app'],
  ['decorateRequest', 'request'],
]);

/** `name`: of the member; the place is that of the client. @typedef {{carrier: string, name: string, path: string, start: number, end: number}} SharedMember */

export class SharedMembers {
  /** By carrier and name. @type {Map<string, SharedMember[]>} */
  #known = new Map();
  #onNew;

  /** @param {() => void} onNew is called when more is known */
  constructor(onNew) {
    this.#onNew = onNew;
  }

  /**
   * @param {Code} code
   * @param {Tracer} tracer
   * @param {(value: Value) => boolean} reaches whether there is a client in a value
   */
  addFrom(code, tracer, reaches) {
    for (const node of code.resolved.nodes) {
      const item = givenIn(node, code);
      if (!item || isNothing(item.value)) continue;
      const value = tracer.start(item.value, code);
      if (!value || value.is === 'package' || value.is === 'maker' || value.is === 'module' || !reaches(value))
        continue;
      const key = `${item.carrier}.${item.name}`;
      const { start, end } = item.value;
      const known = this.#known.get(key) ?? [];
      if (known.some((one) => one.path === code.file.path && one.start === start)) continue;
      this.#known.set(key, [...known, { carrier: item.carrier, name: item.name, path: code.file.path, start, end }]);
      this.#onNew();
    }
  }

  /**
   * @param {(path: string) => string} textOf
   * @param {Iterable<string>} paths
   * @returns {string[]} those of the files that may use one; members that other code gives something else are forgotten
   */
  usersAmong(textOf, paths) {
    if (this.#known.size === 0) return [];
    const names = [...new Set([...this.#known.values()].flat().map(({ name }) => name.replace(/\W/g, '\\$&')))];
    const uses = new RegExp(`(?<![\\w$])(?:${names.join('|')})(?![\\w$])`);
    const assigns = new RegExp(
      `(?<![\\w$])(${[...CARRIERS.keys()].join('|')})\\.(${names.join('|')})\\s*=(?![=>])`,
      'g',
    );
    const found = [];
    for (const path of paths) {
      const text = textOf(path);
      if (!uses.test(text)) continue;
      found.push(path);
      for (const [, carrier = '', name] of text.matchAll(assigns)) {
        const key = `${CARRIERS.get(carrier)}.${name}`;
        if (!this.#known.get(key)?.some((one) => one.path === path)) this.#known.delete(key);
      }
    }
    this.#onNew();
    return found;
  }

  /**
   * @param {AnyNode} object
   * @param {string} name of a member of it
   * @param {Tracer} tracer
   * @param {number} depth
   * @returns {Value | undefined}
   */
  memberOf(object, name, tracer, depth) {
    const carrier = this.#known.size === 0 ? undefined : carrierOf(object, name);
    return carrier === undefined ? undefined : this.valueOf(carrier, name, tracer, depth);
  }

  /**
   * @param {AnyNode} object
   * @param {AnyNode | undefined} given
   * @param {Tracer} tracer
   * @param {number} depth
   * @returns {Value | undefined} what `app.get('db')` gives
   */
  settingOf(object, given, tracer, depth) {
    if (this.#known.size === 0 || given?.type !== 'Literal' || carrierOf(object, '') !== 'app') return undefined;
    return this.valueOf('setting', String(given.value), tracer, depth);
  }

  /**
   * @param {string} carrier
   * @param {string} name
   * @param {Tracer} tracer
   * @param {number} depth
   * @returns {Value | undefined}
   */
  valueOf(carrier, name, tracer, depth) {
    const values = (this.#known.get(`${carrier}.${name}`) ?? []).map(({ path, start, end }) => {
      const code = tracer.store.get(path);
      const node = code?.resolved.nodes.find((item) => item.start === start && item.end === end);
      return node && code && tracer.value(node, code, depth);
    });
    return joined(values);
  }
}

/**
 * @param {AnyNode} written
 * @param {string} name of the member
 * @returns {string | undefined} what shares it
 */
function carrierOf(written, name) {
  const node = bare(written);
  if (node.type === 'ThisExpression') return name.startsWith('$') ? 'vue' : undefined;
  if (node.type === 'Identifier') return CARRIERS.get(node.name);
  if (node.type !== 'MemberExpression' || node.object.type === 'Super') return undefined;
  const last = propertyName(node) ?? '';
  if (last === 'prototype') return node.object.type === 'Identifier' && node.object.name === 'Vue' ? 'vue' : undefined;
  // Of React's components each has its own.
  return last === 'state' && node.object.type === 'ThisExpression' ? undefined : CARRIERS.get(last);
}

/**
 * @param {AnyNode} node
 * @param {Code} code
 * @returns {{carrier: string, name: string, value: AnyNode} | undefined} the member that it gives a value
 */
function givenIn(node, code) {
  switch (node.type) {
    case 'AssignmentExpression': {
      const { left, right } = node;
      if (left.type === 'Identifier')
        return bindingAt(left, code.resolved) ? undefined : { carrier: 'global', name: left.name, value: right };
      if (left.type !== 'MemberExpression' || left.object.type === 'Super') return undefined;
      const name = propertyName(left);
      const carrier = name === undefined ? undefined : carrierOf(left.object, name);
      return name !== undefined && carrier !== undefined ? { carrier, name, value: right } : undefined;
    }
    case 'CallExpression':
      return setIn(node);
    case 'Property':
      return ofState(node, code);
    case 'VariableDeclarator': {
      // A script of a page shares its names with the others.
      const { id, init } = node;
      const binding = id.type === 'Identifier' && init ? bindingAt(id, code.resolved) : undefined;
      const isOfPage = binding && binding.scope === code.resolved.top && !isModule(code);
      return isOfPage && init && id.type === 'Identifier'
        ? { carrier: 'global', name: id.name, value: init }
        : undefined;
    }
    default:
      return undefined;
  }
}

/** @param {import('acorn').CallExpression} node @returns {{carrier: string, name: string, value: AnyNode} | undefined} `app.set('db', db)` */
function setIn({ callee: written, arguments: [first, value] }) {
  const callee = bare(written);
  if (callee.type !== 'MemberExpression' || callee.object.type === 'Super' || !value) return undefined;
  const carrier = SETTERS.get(propertyName(callee) ?? '');
  if (carrier === undefined || first?.type !== 'Literal' || carrierOf(callee.object, '') !== 'app') return undefined;
  return { carrier, name: String(first.value), value };
}

/**
 * @param {import('acorn').Property | import('acorn').AssignmentProperty} node
 * @param {Code} code
 * @returns {{carrier: string, name: string, value: AnyNode} | undefined} `state: { db: new PouchDB('shop') }` of a store
 */
function ofState(node, code) {
  const object = code.parentOf(node);
  let holder = object && code.parentOf(object);
  if (holder && isFunction(holder)) holder = code.parentOf(holder);
  const isState = holder?.type === 'Property' && nameOf(holder.key) === 'state';
  const name = object?.type === 'ObjectExpression' && isState ? nameOf(node.key) : undefined;
  return name === undefined ? undefined : { carrier: 'state', name, value: node.value };
}
