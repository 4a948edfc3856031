// Knows what calls and `new` make of clients: servers, databases, and values of the project's own functions and classes.

import { clientNamed, clientPackage, requestLibrary } from '../../clients/index.js';
import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { memberOfType, typeArgumentOf } from './annotations.js';
import { propertyName } from './code.js';
import { returnsOf, superCalls } from './enclosing.js';
import { constructedLocation, locationOf, textOf } from './locations.js';
import { resolvedBy, storedIn } from './stored.js';

/** @import { AnyNode, CallExpression, MemberExpression, NewExpression } from 'acorn' */
/** @import { Code } from './code.js' */
/** @import { Client, LocalDatabases, Makes } from '../../clients/client.js' */
/** @import { CallLocation } from './record.js' */
/** @import { Tracer } from './trace.js' */
/** @import { Value } from './value.js' */

/** Methods of PouchDB that give it back, with more to it. */
const EXTENDS = new Set(['plugin', 'defaults']);
/** Methods of libraries of requests that give one with other defaults. */
const MAKES_REQUESTS = new Set(['create', 'extend', 'defaults', 'agent']);

/** Functions that give what they are given, or a function that returns the same: bluebird, lodash, Vue, React. */
const PASSES = new Set(['promisifyAll', 'memoize', 'once', 'markRaw', 'useCallback']);
/** Functions that keep what they are given, or what a function returns that they are given: Vue, React, Nuxt. */
const KEEPS = new Set(['ref', 'shallowRef', 'computed', 'useMemo', 'useRef', 'useState']);
/** Methods of databases that give them back (Node.js, events): PouchDB's are emitters. */
const EMITS = new Set(['on', 'once', 'addListener', 'setMaxListeners']);
/** Functions of `Promise`: a promise is what it resolves to. */
const PROMISES = new Set(['all', 'resolve', 'race', 'any']);

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
    return required(tracer, String(first.value), code, depth);
  }
  if (first && isPassedThrough(callee)) return tracer.value(first, code, depth);
  const name = callee.type === 'MemberExpression' ? propertyName(callee) : callee.type === 'Identifier' && callee.name;
  if (name && KEEPS.has(name)) {
    return keptBy(tracer, node, code, depth);
  }
  const called = tracer.value(callee, code, depth);
  if (called?.is === 'package' || called?.is === 'maker') return made(tracer, called, node.arguments, code, depth);
  if (called?.is === 'module') {
    const whole = tracer.property(called, 'default', depth);
    return whole?.is === 'function' ? tracer.returned(whole.node, whole.code, depth) : undefined;
  }
  if (called?.is === 'function') {
    return tracer.returned(called.node, called.code, depth) ?? givenBack(tracer, called, node, code, depth);
  }
  if (callee.type !== 'MemberExpression' || callee.object.type === 'Super') return undefined;
  const key = propertyName(callee);
  // `map.get(name)` is what any `map.set(…)` gives it.
  if (key === 'get') {
    const stored =
      storedIn(tracer, callee.object, code, depth) ?? tracer.shared.settingOf(callee.object, first, tracer, depth);
    if (stored) return stored;
  }
  const object = tracer.value(callee.object, code, depth);
  if (!object || key === undefined) return undefined;
  const isServer = object.is === 'server' || (object.is === 'database' && object.isDeclared);
  if (isServer && clientNamed(object.client)?.databaseMakers.includes(key)) {
    return {
      is: 'database',
      client: object.client,
      location: object.location,
      database: literal(first),
      ...(object.annotated ? { annotated: true } : {}),
    };
  }
  if (object.is === 'type') return memberOfType(tracer, object, key, depth, true);
  if (object.is === 'package' && requestLibrary(object.name)) {
    const options = MAKES_REQUESTS.has(key) && first ? tracer.value(first, code, depth) : undefined;
    if (options?.is === 'object') return { ...object, code: options.code, node: options.node };
    return MAKES_REQUESTS.has(key) ? object : undefined;
  }
  const makesDocument = object.is === 'database' && clientNamed(object.client)?.documentMakers?.includes(key);
  if (object.is === 'database' && (EMITS.has(key) || makesDocument)) return object;
  // `CloudantV1.newInstance({})`, and `create` of an older service of AngularJS
  if (object.is === 'maker' && (key === 'newInstance' || key === 'create'))
    return made(tracer, object, node.arguments, code, depth);
  if ((object.is === 'maker' || object.is === 'package') && EXTENDS.has(key)) {
    return extended(tracer, object, node, code, depth);
  }
  // Promises are what they resolve to.
  if (key === 'catch' || key === 'finally') return object;
  if (key === 'then') return first && isFunction(first) ? tracer.returned(first, code, depth) : object;
  return undefined;
}

/**
 * @param {Tracer} tracer
 * @param {CallExpression} node `ref(db)`, `useState('db', () => new PouchDB('shop'))`
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined}
 */
function keptBy(tracer, node, code, depth) {
  for (const given of node.arguments.slice(0, 2)) {
    const kept = tracer.value(given, code, depth);
    const value = kept?.is === 'function' ? tracer.returned(kept.node, kept.code, depth) : kept;
    if (value && value.is !== 'text' && value.is !== 'list') return value;
  }
  return typeArgumentOf(tracer, node, code, depth);
}

/**
 * @param {Tracer} tracer
 * @param {import('./value.js').FunctionValue} fn
 * @param {CallExpression} call
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined} the argument that it returns: `withLog(db)`
 */
function givenBack(tracer, fn, call, code, depth) {
  for (const returned of returnsOf(fn.node, fn.code)) {
    const index = fn.node.params.findIndex(
      (param) =>
        param.type === 'Identifier' &&
        returned.type === 'Identifier' &&
        bindingAt(returned, fn.code.resolved) === bindingAt(param, fn.code.resolved),
    );
    const given = index < 0 ? undefined : call.arguments[index];
    if (given) return tracer.value(given, code, depth);
  }
  return undefined;
}

/**
 * @param {Tracer} tracer
 * @param {string} source
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined} what `module.exports = db` gives; the module where its exports have names
 */
function required(tracer, source, code, depth) {
  const value = tracer.imported(source, code);
  if (value?.is !== 'module') return value;
  const whole = tracer.property(value, 'default', depth);
  if (whole?.is === 'database' || whole?.is === 'server') return whole;
  const isAll = whole && whole.is !== 'object' && whole.is !== 'text' && tracer.exportNames(value.path).length === 1;
  return isAll ? whole : value;
}

/**
 * @param {AnyNode} callee
 * @returns {boolean} whether what it gives is what it is given: `Promise.promisifyAll(db)`, `Object.freeze({ db })`
 */
function isPassedThrough(callee) {
  if (callee.type !== 'MemberExpression') return callee.type === 'Identifier' && PASSES.has(callee.name);
  const name = propertyName(callee) ?? '';
  const object = callee.object.type === 'Identifier' ? callee.object.name : '';
  return PASSES.has(name) || (object === 'Object' && name === 'freeze') || (object === 'Promise' && PROMISES.has(name));
}

/**
 * @param {Tracer} tracer
 * @param {NewExpression} node
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined}
 */
export function newValue(tracer, node, code, depth) {
  const isProxy = node.callee.type === 'Identifier' && node.callee.name === 'Proxy';
  if (isProxy && node.arguments[0]) return tracer.value(node.arguments[0], code, depth);
  const [executor] = node.arguments;
  if (node.callee.type === 'Identifier' && node.callee.name === 'Promise' && executor && isFunction(executor))
    return resolvedBy(tracer, executor.params[0], code, depth);
  const called = tracer.value(node.callee, code, depth);
  if (called?.is === 'class') {
    const parent = called.node.superClass && tracer.value(called.node.superClass, called.code, depth);
    if (parent?.is === 'maker' || parent?.is === 'package') {
      const [above] = superCalls(called.node, called.code);
      return above
        ? made(tracer, parent, above.arguments, called.code, depth)
        : made(tracer, parent, node.arguments, code, depth);
    }
    return { ...called, is: 'instance' };
  }
  if (called?.is === 'function') {
    // A constructor may return another object.
    return tracer.returned(called.node, called.code, depth) ?? { ...called, is: 'constructed' };
  }
  if (called?.is === 'package' || called?.is === 'maker') return made(tracer, called, node.arguments, code, depth);
  // `new (cradle.Connection)().database('x')`
  return called?.is === 'server' ? called : undefined;
}

/**
 * @param {Tracer} tracer
 * @param {Extract<Value, {is: 'package' | 'maker'}>} maker
 * @param {AnyNode[]} given
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined}
 */
function made(tracer, maker, given, code, depth) {
  const [first] = given;
  const known = makerOf(maker);
  if (!known || known.makes === 'namespace') return undefined;
  const { name: client, local, serverIsDatabase, urlMayNameDatabase } = known.client;
  if (known.makes === 'database') {
    const location = local
      ? (ofAdapters(withStatements(maker, local, code), local) ??
        constructedLocation(tracer, given, code, depth, local))
      : 'http';
    return { is: 'database', client, location, database: databaseName(first) };
  }
  const name = urlMayNameDatabase ? nameInUrl(literal(first)) : null;
  if (serverIsDatabase || name !== null) return { is: 'database', client, location: 'http', database: name };
  return { is: 'server', client, location: 'http' };
}

/**
 * @param {Extract<Value, {is: 'package' | 'maker'}>} maker
 * @returns {{client: Client, makes: Makes} | undefined}
 */
function makerOf(maker) {
  if (maker.is === 'package') return clientPackage(maker.name);
  const client = clientNamed(maker.client);
  return client && { client, makes: maker.makes };
}

/**
 * @param {Extract<Value, {is: 'package' | 'maker'}>} maker
 * @param {LocalDatabases | undefined} local
 * @returns {CallLocation | undefined} where all its databases are, if that is in one place
 */
function ofAdapters(maker, local) {
  if (maker.is === 'package') return local?.remotePackages.includes(maker.name) ? 'http' : undefined;
  if (maker.location || !maker.adapters) return maker.location;
  const remote = maker.adapters.filter((adapter) => adapter === 'http').length;
  return remote === 0 ? 'local' : remote === maker.adapters.length ? 'http' : undefined;
}

/**
 * @param {Extract<Value, {is: 'package' | 'maker'}>} maker
 * @param {LocalDatabases | undefined} local
 * @param {Code} code that makes a database with it
 * @returns {Extract<Value, {is: 'package' | 'maker'}>} with the adapters that the file imports, for `PouchDB.plugin(adapter)` as a statement
 */
function withStatements(maker, local, code) {
  if (!local || maker.is !== 'package' || maker.name !== local.corePackage) return maker;
  const adapters = [...code.file.text.matchAll(/['"]pouchdb-adapter-(\w+)/g)].map(([, adapter = '']) => adapter);
  const made = { is: /** @type {const} */ ('maker'), client: 'pouchdb', makes: /** @type {const} */ ('database') };
  return adapters.length > 0 ? { ...made, adapters } : maker;
}

/**
 * @param {Tracer} tracer
 * @param {Extract<Value, {is: 'package' | 'maker'}>} object
 * @param {CallExpression} call `PouchDB.defaults({ prefix })` or `PouchDB.plugin(…)`
 * @param {Code} code
 * @param {number} depth
 * @returns {Value}
 */
function extended(tracer, object, call, code, depth) {
  const known = makerOf(object);
  if (known?.makes !== 'database') return object;
  const { name, local } = known.client;
  const maker = { is: /** @type {const} */ ('maker'), client: name, makes: known.makes };
  const given = call.arguments[0] && tracer.value(call.arguments[0], code, depth);
  if (propertyName(/** @type {MemberExpression} */ (bare(call.callee))) === 'defaults') {
    const options = given?.is === 'object' ? given : undefined;
    const prefix = options && tracer.property(options, 'prefix', depth);
    if (!options) return { ...maker, location: 'unknown' };
    if (textOf(tracer.property(options, 'adapter', depth)) !== null) {
      return { ...maker, location: constructedLocation(tracer, [options.node], options.code, depth, local) };
    }
    if (prefix?.is === 'text') return { ...maker, location: locationOf(tracer, prefix.node, prefix.code, depth) };
    const written = options.node.properties.find(isPrefix);
    const value = written?.type === 'Property' ? written.value : undefined;
    return written ? { ...maker, location: locationOf(tracer, value, options.code, depth) } : object;
  }
  const adapter = given?.is === 'package' ? local?.adapterPackage.exec(given.name)?.[1] : undefined;
  const isCore = object.is === 'package' ? object.name === local?.corePackage : object.adapters !== undefined;
  if (!isCore || !adapter) return object;
  return { ...maker, adapters: [...(object.is === 'maker' ? (object.adapters ?? []) : []), adapter] };
}

/** @param {AnyNode} item @returns {boolean} */
function isPrefix(item) {
  return item.type !== 'Property' || (item.key.type === 'Identifier' && item.key.name === 'prefix');
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
