// Knows what calls and `new` make of clients: servers, databases, and values of the project's own functions and classes.

import { bare } from '../../javascript/parse.js';
import { clientPackage } from './clients.js';
import { propertyName } from './code.js';

/** @import { AnyNode, CallExpression, NewExpression } from 'acorn' */
/** @import { Code } from './code.js' */
/** @import { CallLocation, ClientName } from './record.js' */
/** @import { Tracer } from './trace.js' */
/** @import { DatabaseValue, Value } from './value.js' */

/** Methods of a server that give a database. */
const USES = new Set(['use', 'scope', 'database']);
/** Methods of PouchDB that give it back, with more to it. */
const EXTENDS = new Set(['plugin', 'defaults']);

/**
 * @param {Tracer} tracer
 * @param {CallExpression} node
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined}
 */
export function callValue(tracer, node, code, depth) {
  const callee = bare(node.callee);
  const [first] = node.arguments;
  if (callee.type === 'Identifier' && callee.name === 'require' && first?.type === 'Literal') {
    return tracer.imported(String(first.value), code);
  }
  const called = tracer.value(callee, code, depth);
  if (called?.is === 'package' || called?.is === 'maker') return made(called, node.arguments, code);
  if (called?.is === 'module') {
    const whole = tracer.property(called, 'default', depth);
    return whole?.is === 'function' ? tracer.returned(whole.node, whole.code, depth) : undefined;
  }
  if (called?.is === 'function') return tracer.returned(called.node, called.code, depth);
  if (callee.type !== 'MemberExpression' || callee.object.type === 'Super') return undefined;
  const key = propertyName(callee);
  const object = tracer.value(callee.object, code, depth);
  if (!object || key === undefined) return undefined;
  if (object.is === 'server' && USES.has(key)) {
    return {
      is: 'database',
      client: object.client,
      location: object.location,
      database: literal(first),
      ...(object.annotated ? { annotated: true } : {}),
    };
  }
  // `CloudantV1.newInstance({})`
  if (object.is === 'maker' && key === 'newInstance') return made(object, node.arguments, code);
  if ((object.is === 'maker' || object.is === 'package') && EXTENDS.has(key)) {
    return key === 'defaults' ? withDefaults(object, first) : object;
  }
  // Promises are what they resolve to.
  if (key === 'then' || key === 'catch' || key === 'finally') return object;
  return undefined;
}

/**
 * @param {Tracer} tracer
 * @param {NewExpression} node
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined}
 */
export function newValue(tracer, node, code, depth) {
  const called = tracer.value(node.callee, code, depth);
  if (called?.is === 'class') {
    const parent = called.node.superClass && tracer.value(called.node.superClass, called.code, depth);
    if (parent?.is === 'maker' || parent?.is === 'package') return made(parent, node.arguments, code);
    return { ...called, is: 'instance' };
  }
  if (called?.is === 'package' || called?.is === 'maker') return made(called, node.arguments, code);
  // `new (cradle.Connection)().database('x')`
  return called?.is === 'server' ? called : undefined;
}

/**
 * @param {Extract<Value, {is: 'package' | 'maker'}>} maker
 * @param {AnyNode[]} given
 * @param {Code} code
 * @returns {Value | undefined}
 */
function made(maker, given, code) {
  const [first, options] = given;
  const known = maker.is === 'package' ? clientPackage(maker.name) : maker;
  if (!known || known.makes === 'namespace') return undefined;
  const { client } = known;
  if (known.makes === 'database') {
    const location = maker.is === 'maker' && maker.location ? maker.location : pouchLocation(first, options, code);
    return { is: 'database', client, location, database: databaseName(first) };
  }
  if (client === 'ibm-cloud') return { is: 'database', client, location: 'http', database: null };
  const name = client === 'nano' ? nameInUrl(literal(first)) : null;
  if (name !== null) return database(client, name);
  return { is: 'server', client, location: 'http' };
}

/** @param {ClientName} client @param {string} name @returns {DatabaseValue} */
function database(client, name) {
  return { is: 'database', client, location: 'http', database: name };
}

/**
 * @param {Extract<Value, {is: 'package' | 'maker'}>} object
 * @param {AnyNode | undefined} options
 * @returns {Value}
 */
function withDefaults(object, options) {
  const known = object.is === 'package' ? clientPackage(object.name) : object;
  if (known?.makes !== 'database') return object;
  const prefix = options?.type === 'ObjectExpression' ? optionText(options, 'prefix') : undefined;
  const location = prefix === undefined ? 'unknown' : isUrl(prefix) ? 'http' : 'local';
  return { is: 'maker', client: known.client, makes: 'database', location };
}

/**
 * A name without a protocol is a database of its own, a URL one of a server (pouchdb-core, constructor.js parseAdapter, 9.0).
 * @param {AnyNode | undefined} first
 * @param {AnyNode | undefined} options
 * @param {Code} code
 * @returns {CallLocation}
 */
export function pouchLocation(first, options, code) {
  if (options && hasRemoteOption(options, code)) return 'http';
  if (!first) return 'unknown';
  const node = bare(first);
  const text = node.type === 'TemplateLiteral' ? node.quasis[0]?.value.cooked : literal(node);
  if (node.type === 'ObjectExpression') {
    const name = optionText(node, 'name');
    const adapter = optionText(node, 'adapter');
    if (adapter !== undefined) return adapter === 'http' || adapter === 'https' ? 'http' : 'local';
    return name === undefined ? 'unknown' : isUrl(name) ? 'http' : 'local';
  }
  if (typeof text === 'string' && text !== '')
    return isUrl(text) ? 'http' : node.type === 'TemplateLiteral' ? 'unknown' : 'local';
  const value = code.reader.read(node);
  if (value.type === 'string') return isUrl(value.value) ? 'http' : 'local';
  // `COUCH_URL + '/orders'` and the like say where they lead by their name alone, which is no evidence.
  return 'unknown';
}

/**
 * @param {AnyNode} options
 * @param {Code} code
 * @returns {boolean} whether one of them is of the HTTP adapter alone (pouchdb-adapter-http 9.0)
 */
function hasRemoteOption(options, code) {
  const value = code.reader.read(bare(options));
  return (
    value.type === 'object' && value.entries.some(({ key }) => ['auth', 'ajax', 'fetch', 'skip_setup'].includes(key))
  );
}

/**
 * @param {import('acorn').ObjectExpression} node
 * @param {string} key
 * @returns {string | undefined} the text that it has, where that is literal
 */
function optionText(node, key) {
  for (const property of node.properties) {
    if (property.type !== 'Property' || property.key.type !== 'Identifier' || property.key.name !== key) continue;
    return literal(property.value) ?? undefined;
  }
  return undefined;
}

/** @param {string} text @returns {boolean} */
function isUrl(text) {
  return /^https?:\/\//i.test(text);
}

/** @param {AnyNode | undefined} node @returns {string | null} */
function literal(node) {
  const inner = node && bare(node);
  return inner?.type === 'Literal' && typeof inner.value === 'string' ? inner.value : null;
}

/** @param {AnyNode | undefined} node @returns {string | null} */
function databaseName(node) {
  const text = literal(node);
  return text !== null && isUrl(text) ? nameInUrl(text) : text;
}

/** @param {string | null} url @returns {string | null} `shop` of `http://localhost:5984/shop` */
function nameInUrl(url) {
  return url === null ? null : (/^https?:\/\/[^/]+\/([^/?#]+)\/?$/i.exec(url)?.[1] ?? null);
}
