// Recognizes calls by other calls of the same receiver: where `this.db.allDocs()` is one, `this.db.get(id)` in the same class is one, too.

import {
  clientOfMethod,
  clientWithMethods,
  clientWithNamedArguments,
  databaseMethod,
  hasQueryOption,
  isOfServersOnly,
  methodByOption,
} from '../../clients/index.js';
import { bindingAt, onlyValueOf } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { nameOf, propertyName } from './code.js';
import { aliasOfThis, enclosingObject } from './enclosing.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { Binding } from '../../javascript/names.js' */
/** @import { Client } from '../../clients/client.js' */
/** @import { Known } from './calls.js' */
/** @import { Code } from './code.js' */
/** @import { Tracer } from './trace.js' */

/** `isOnly`: whether it can be no other client; `isRemote`: whether only clients of servers have one of its methods. @typedef {{client: Client, isOnly: boolean, isRemote: boolean}} Found */

/** Methods that are given the revision of a document. */
const WRITES = new Set(['insert', 'put', 'destroy', 'remove']);

/** Members of members, names for names. */
const MAX_DEPTH = 6;

export class Receivers {
  #code;
  #tracer;
  /** Numbers of bindings, classes and functions, so that they can be parts of a key. @type {Map<object, number>} */
  #numbers = new Map();
  /** By the key of the receiver. Made when first needed. @type {Map<string, Found> | undefined} */
  #clients;

  /**
   * @param {Code} code
   * @param {Tracer} tracer
   */
  constructor(code, tracer) {
    this.#code = code;
    this.#tracer = tracer;
  }

  /**
   * @param {CallExpression} node
   * @returns {Known | undefined} what it is by other calls of its receiver, or by its own name
   */
  callOf(node) {
    const name = methodOf(node);
    const callee = bare(node.callee);
    if (name === undefined || callee.type !== 'MemberExpression') return undefined;
    this.#clients ??= this.#findClients();
    if (this.#clients.size === 0) return undefined;
    const group = bare(/** @type {AnyNode} */ (callee.object));
    const own = this.#clients.get(this.#key(callee.object, 0) ?? '');
    const shape = own && databaseMethod(own.client.name, name);
    if (own && shape) return about(own, shape);
    // `db.replicate.to(…)`
    if (group.type !== 'MemberExpression') return undefined;
    const outer = this.#clients.get(this.#key(group.object, 0) ?? '');
    const { groupMethods = [], groups = {} } = outer?.client ?? {};
    const method = groupMethods.includes(name) ? groups[propertyName(group) ?? ''] : undefined;
    return outer && method ? about(outer, { method, options: method === 'changes' ? 0 : 1 }) : undefined;
  }

  /** @returns {Map<string, Found>} of the receivers of which one call is surely CouchDB's, and nothing else is known */
  #findClients() {
    /** @type {Map<string, {names: Set<string>, client: Client | undefined, object: AnyNode, isSure: boolean}>} */
    const found = new Map();
    for (const node of this.#code.resolved.nodes) {
      if (node.type !== 'CallExpression') continue;
      const name = methodOf(node);
      const callee = bare(node.callee);
      if (name === undefined || callee.type !== 'MemberExpression') continue;
      const key = this.#key(callee.object, 0);
      if (key === undefined) continue;
      const item = found.get(key) ?? { names: new Set(), client: undefined, object: callee.object, isSure: false };
      found.set(key, item);
      item.names.add(name);
      if (!this.#tracer.defined.has(name)) item.client ??= clientOfMethod(name) ?? clientOfArguments(name, node);
      item.isSure ||=
        item.client !== undefined ||
        (methodByOption(name) !== undefined && hasOwnOption(node)) ||
        (WRITES.has(name) && hasRevision(node));
    }
    const clients = [...found].flatMap(([key, { names, client, object, isSure }]) => {
      const known = client ? { client, isOnly: true } : isSure ? clientWithMethods(names) : undefined;
      const isRemote = [...names].some((name) => methodByOption(name) !== undefined && isOfServersOnly(name));
      // What the project makes itself may have methods of these names for other things.
      const value = known && this.#tracer.start(object, this.#code);
      return known && (!value || value.is === 'text')
        ? [/** @type {[string, Found]} */ ([key, { ...known, isRemote }])]
        : [];
    });
    return new Map(clients);
  }

  /**
   * @param {AnyNode} written
   * @param {number} depth
   * @returns {string | undefined} the same for what is certainly the same object
   */
  #key(written, depth) {
    const node = bare(written);
    if (depth > MAX_DEPTH) return undefined;
    switch (node.type) {
      case 'ThisExpression': {
        const owner = enclosingObject(node, this.#code);
        return owner && 'node' in owner && owner.node ? `this${this.#number(owner.node)}` : undefined;
      }
      case 'Identifier':
        return this.#keyOfName(node, depth);
      case 'AwaitExpression':
        return this.#key(node.argument, depth + 1);
      case 'MemberExpression': {
        const name = propertyName(node);
        const object = name === undefined ? undefined : this.#key(node.object, depth + 1);
        return object && `${object}.${name}`;
      }
      case 'CallExpression': {
        const callee = this.#key(node.callee, depth + 1);
        // Options such as `{ remote: true }` choose among databases; a name may choose something else.
        const given = node.arguments.flatMap((item) =>
          item.type === 'ObjectExpression' ? [] : this.#code.source(item),
        );
        return callee && `${callee}(${given.join()})`;
      }
      default:
        return undefined;
    }
  }

  /**
   * @param {import('acorn').Identifier} node
   * @param {number} depth
   * @returns {string | undefined}
   */
  #keyOfName(node, depth) {
    const binding = bindingAt(node, this.#code.resolved);
    const self = aliasOfThis(node, this.#code);
    if (self) return this.#key(self, depth + 1);
    if (!binding) return `global ${node.name}`;
    const value = onlyValueOf(binding, this.#code.resolved);
    return (value && this.#key(value, depth + 1)) ?? `name${this.#number(binding)}`;
  }

  /** @param {Binding | object} item @returns {number} */
  #number(item) {
    const known = this.#numbers.get(item) ?? this.#numbers.size;
    this.#numbers.set(item, known);
    return known;
  }
}

/** @param {CallExpression} node @returns {string | undefined} without bluebird's ending: `get` of `getAsync` */
function methodOf(node) {
  const callee = bare(node.callee);
  if (callee.type !== 'MemberExpression' || callee.object.type === 'Super') return undefined;
  return propertyName(callee)?.replace(/(?<=\w)Async$/, '');
}

/** @param {CallExpression} node @returns {boolean} whether it is given a `_rev`, which no other database takes beside an id or in a document to put */
function hasRevision({ arguments: [first, second] }) {
  const isRevision = (/** @type {AnyNode | undefined} */ item) =>
    item?.type === 'MemberExpression' && propertyName(item) === '_rev';
  if (first?.type !== 'ObjectExpression') return isRevision(second);
  return first.properties.some((one) => one.type === 'Property' && nameOf(one.key) === '_rev');
}

/** @param {string} name @param {CallExpression} node @returns {Client | undefined} whose method is given its database by name: `service.postFind({ db: 'shop', selector })` */
function clientOfArguments(name, { arguments: [first] }) {
  const hasDatabase =
    first?.type === 'ObjectExpression' &&
    first.properties.some((one) => one.type === 'Property' && nameOf(one.key) === 'db');
  return hasDatabase ? clientWithNamedArguments(name) : undefined;
}

/** @param {CallExpression} node @returns {boolean} whether it has an option that only CouchDB has */
function hasOwnOption({ arguments: given }) {
  return given.some(
    (item) =>
      item.type === 'ObjectExpression' &&
      hasQueryOption(item.properties.flatMap((one) => (one.type === 'Property' ? (nameOf(one.key) ?? []) : []))),
  );
}

/** @param {Found} found @param {Known['shape']} shape @returns {Known} */
function about({ client, isOnly, isRemote }, shape) {
  const location = client.local || !(isOnly || isRemote) ? 'unknown' : 'http';
  return { shape, client: isOnly ? client.name : null, receiver: 'option', location, database: null };
}
