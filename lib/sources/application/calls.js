// Makes a record of each call of a client in one file.

import {
  ADDRESS_WORDS,
  clientNamed,
  clientPackage,
  databaseMethod,
  ENDPOINT_WORDS,
  hasQueryOption,
  isOfServersOnly,
  mayBeMethod,
  methodByOption,
} from '../../clients/index.js';
import { isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { member } from '../record.js';
import { connectionOf } from './addresses.js';
import { mapOf, refine, repeatedBy, targetOf, textOf, viewNamed, writtenKey, writtenValue } from './call-shape.js';
import { waitingCall } from './callers.js';
import { nameOf, propertyName } from './code.js';
import { NO_RESULT, readConnects } from './connections.js';
import { writeOf } from './documents.js';
import { feedLocation } from './feed-location.js';
import { handlerAround } from './handlers.js';
import { indexBefore } from './index-before.js';
import { handledEvents, mayStartAgain } from './listeners.js';
import { loopAround } from './loops.js';
import { newestRevision } from './newest-revision.js';
import { readingFunction } from './often.js';
import { readOptions } from './options.js';
import { Receivers } from './receivers.js';
import { followRejection } from './rejections.js';
import { reopenedIn } from './reopened.js';
import { requestOf } from './requests.js';
import { resultOf } from './results.js';
import { retryOf } from './retries.js';
import { returningFunctions } from './returning.js';
import { isScript, isSetUp } from './set-up.js';
import { functionName, shownCallee, shownName } from './shown-name.js';
import { timerAround } from './timers.js';
import { uncheckedAnswer } from './unchecked.js';
import { unseenCalls } from './unseen.js';
import { meantBy, writtenCall } from './written-call.js';
import { regExpsIn, skipOf } from './written-options.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { Waiting } from './callers.js' */
/** @import { MethodShape } from '../../clients/client.js' */
/** @import { Code } from './code.js' */
/** @import { Follower, Often } from './often.js' */
/** @import { CallMethod, CallRecord, ClientName, Connection } from './record.js' */
/** @import { Request } from './requests.js' */
/** @import { Tracer } from './trace.js' */
/** @import { UnseenReceiver } from './unseen.js' */
/** @import { DatabaseValue, Value } from './value.js' */

/** A call that was recognized. @typedef {{shape: MethodShape, client: ClientName | null, receiver: CallRecord['receiver'], location: CallRecord['location'], database: string | null, request?: Request,
 *   forwarded?: {client: ClientName | null, designDoc: string | null, view: string | null, databaseAt: number | undefined}}} Known `forwarded`: of a call of a function of the project that hands its arguments on */

/** Methods whose answer has rows or documents. @type {ReadonlySet<CallMethod>} */
const QUERIES = new Set(['view', 'temporary-query', 'all-docs', 'find', 'search', 'changes', 'bulk-read']);

/** Methods that may read all of a database. @type {ReadonlySet<CallMethod>} */
const LISTS = new Set(['view', 'all-docs', 'find']);

/** Methods that may keep a feed open. @type {ReadonlySet<CallMethod>} */
const FEEDS = new Set(['changes', 'replicate', 'sync']);

/** Methods that are given the URL of another database. @type {ReadonlySet<CallMethod>} */
const CONNECTS = new Set(['replicate', 'sync']);

/** Methods that write documents. @type {ReadonlySet<CallMethod>} */
const WRITES = new Set(['insert', 'bulk-write']);

/** What is found once the record is made. @type {Pick<CallRecord, 'retry' | 'result' | 'unhandled' | 'majors' | 'reopenedIn'>} */
const NOT_FOLLOWED = { retry: null, result: NO_RESULT, unhandled: null, majors: {}, reopenedIn: null };

/** Methods that CouchDB refuses with a conflict if the revision is not the last. @type {ReadonlySet<CallMethod>} */
const RETRIED = new Set(['insert', 'remove']);

/**
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {{waiting: Waiting[], often: Often[], followers: Follower[], unseen: UnseenReceiver[]}} found gets the calls that a loop outside of their
 *   function may repeat, those that a handler or timer may come to, functions of which each use is looked at, and those whose receiver is unknown
 * @returns {CallRecord[]} clients that are made, then calls in the order of the text
 */
export function readCalls(code, tracer, { waiting, often, followers, unseen }) {
  /** @type {Map<CallExpression, Known | undefined>} */
  const known = new Map();
  const mayBuildUrls = ENDPOINT_WORDS.test(code.file.text) || ADDRESS_WORDS.test(code.file.text);
  const receivers = new Receivers(code, tracer);
  const recognized = (/** @type {CallExpression} */ node) => {
    if (!known.has(node)) {
      const found = recognize(node, code, tracer) ?? (mayBuildUrls ? byUrl(node, code, tracer) : undefined);
      known.set(node, found?.client ? found : (receivers.callOf(node) ?? found));
    }
    return known.get(node);
  };
  const forwarded = (/** @type {CallExpression} */ node) => tracer.forwards.callOf(node, code, tracer);
  // A function that hands a URL on may hand the options of a query on, too.
  const seen = (/** @type {CallExpression} */ node) => {
    const found = recognized(node);
    const isVague = !found || found.request?.isHandedOn || found.shape.method === 'other';
    return isVague ? (forwarded(node) ?? found) : found;
  };
  tracer.forwards.addFrom(code, seen);
  /** @type {CallRecord[]} */
  const records = [];
  /** @type {CallExpression[]} */
  const creations = [];
  /** @type {{node: CallExpression, connection: Connection}[]} */
  const requests = [];
  for (const node of code.resolved.nodes) {
    if (node.type !== 'CallExpression') continue;
    const found = seen(node);
    if (!found) continue;
    if (found.request) requests.push({ node, connection: found.request.connection });
    const record = createRecord(node, found, code, recognized, { waiting, followers, tracer });
    record.feedLocation = feedLocation(node, record, code, tracer);
    const isFeed = FEEDS.has(record.method);
    if (isFeed) record.reopenedIn = reopenedIn(node, code);
    if (record.method === 'create-index') creations.push(node);
    if (record.method === 'find') record.indexBefore = indexBefore(node, creations, code);
    records.push(record);
    const isOpen = (isFeed || LISTS.has(record.method)) && !record.handler && !record.timer && !record.isSetUp;
    const reading = isOpen ? readingFunction(node, code, record) : undefined;
    if (reading) often.push(reading);
  }
  unseen.push(...unseenCalls(code, tracer, (node) => Boolean(seen(node))));
  const all = [...readConnects(code, tracer, isSetUp(code.file.path), requests), ...records];
  const isProgram = isScript(code.file.text);
  for (const record of all) record.isScript = isProgram;
  return all;
}

/**
 * @param {CallExpression} node
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Known | undefined}
 */
function recognize(node, code, tracer) {
  const callee = bare(node.callee);
  if (callee.type !== 'MemberExpression' || callee.object.type === 'Super') return undefined;
  // bluebird's `promisifyAll` adds `getAsync` to `get`.
  const name = propertyName(callee)?.replace(/(?<=\w)Async$/, '');
  if (name === undefined || !mayBeMethod(name)) return undefined;
  const traced = tracer.start(callee.object, code);
  const found = traced && ofReceiver(traced, name, node.arguments);
  if (found) return found;
  const group = groupOf(callee.object, name, { code, tracer });
  if (group) return group;
  // A value of the project that is known is no client.
  if (traced && traced.is !== 'type') return undefined;
  return byOption(name, node);
}

/**
 * @param {Value} value
 * @param {string} name
 * @param {AnyNode[]} given
 * @returns {Known | undefined}
 */
function ofReceiver(value, name, given) {
  if (value.is === 'database') {
    const ofServer = value.isDeclared ? (clientNamed(value.client)?.serverMethods ?? {}) : {};
    const shape = databaseMethod(value.client, name) ?? (Object.hasOwn(ofServer, name) ? ofServer[name] : undefined);
    return shape && { shape, ...aboutReceiver(value) };
  }
  if (value.is === 'server') {
    if (value.isHolder) return undefined;
    const { serverMethods: methods = {}, urlMayNameDatabase } = clientNamed(value.client) ?? {};
    // The URL of `nano(process.env.SHOP_URL)` may name a database: only that has documents.
    const mayBeDatabase = urlMayNameDatabase && !value.isGroup && !value.annotated;
    const own = mayBeDatabase ? databaseMethod(value.client, name) : undefined;
    // `destroy(id, rev)` is about a document.
    const isOfServer = Object.hasOwn(methods, name) && !(own && given.length > 2);
    const shape = (value.isGroup ? methods[`db.${name}`] : undefined) ?? (isOfServer ? methods[name] : own);
    return shape && { shape, ...aboutReceiver({ ...value, is: 'database', database: null }) };
  }
  const maker = value.is === 'maker' ? clientNamed(value.client) : undefined;
  const client = value.is === 'package' ? clientPackage(value.name)?.client : maker;
  if (client?.local && (name === 'sync' || name === 'replicate')) {
    return {
      shape: { method: name, options: 2 },
      client: client.name,
      receiver: 'traced',
      location: 'unknown',
      database: null,
    };
  }
  return undefined;
}

/**
 * @param {DatabaseValue} value
 * @returns {Omit<Known, 'shape'>}
 */
function aboutReceiver({ client, location, database, annotated }) {
  return { client, receiver: annotated ? 'annotated' : 'traced', location, database };
}

/**
 * `db.attachment.insert(…)`, `db.replicate.to(…)`, `nano.db.replication.enable(…)`
 * @param {AnyNode} object
 * @param {string} name
 * @param {{code: Code, tracer: Tracer}} how
 * @returns {Known | undefined}
 */
function groupOf(object, name, { code, tracer }) {
  const holder = bare(object);
  if (holder.type !== 'MemberExpression') return undefined;
  const group = propertyName(holder);
  if (group === undefined || !mayBeMethod(group)) return undefined;
  const value = tracer.start(holder.object, code);
  if (value?.is === 'server') {
    const shape = clientNamed(value.client)?.serverMethods[`${group}.${name}`];
    return shape && { shape, ...aboutReceiver({ ...value, is: 'database', database: null }) };
  }
  const groups = value?.is === 'database' ? (clientNamed(value.client)?.groups ?? {}) : {};
  const method = Object.hasOwn(groups, group) ? groups[group] : undefined;
  if (value?.is !== 'database' || !method) return undefined;
  const shape = { method, options: method === 'changes' ? 0 : 1 };
  return { shape, ...aboutReceiver(value) };
}

/**
 * @param {string} name
 * @param {CallExpression} node
 * @returns {Known | undefined}
 */
function byOption(name, node) {
  const shape = methodByOption(name);
  if (!shape) return undefined;
  const object = node.arguments.find((item) => item.type === 'ObjectExpression');
  if (object?.type !== 'ObjectExpression') return undefined;
  const keys = object.properties.map((property) => (property.type === 'Property' ? (nameOf(property.key) ?? '') : ''));
  return hasQueryOption(keys)
    ? { shape, client: null, receiver: 'option', location: isOfServersOnly(name) ? 'http' : 'unknown', database: null }
    : undefined;
}

/**
 * @param {CallExpression} node
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Known | undefined}
 */
function byUrl(node, code, tracer) {
  const request = requestOf(node, code, tracer);
  if (!request) return undefined;
  const { method, database } = request;
  return { shape: { method }, client: 'http', receiver: 'option', location: 'http', database, request };
}

/**
 * @param {CallExpression} node
 * @param {Known} known
 * @param {Code} code
 * @param {(node: CallExpression) => Known | undefined} recognized
 * @param {{waiting: Waiting[], followers: Follower[], tracer: Tracer}} context
 * @returns {CallRecord}
 */
function createRecord(node, known, code, recognized, { waiting, followers, tracer }) {
  const { client, receiver, location, request } = known;
  const shape = refine(known.shape, node, code);
  const values = node.arguments.map((item) =>
    isFunction(item) ? code.reader.unknown(item, 'it is a function') : code.reader.read(item),
  );
  const options = request?.options ?? readOptions(node, shape, client, code);
  const { designDoc, view } = request ?? viewNamed(known, shape, values, options);
  const targetNode = request ? request.documents : targetOf(shape, node, options);
  const target = targetNode && 'start' in targetNode ? targetNode : undefined;
  const repeatedTarget = request?.repeated ?? repeatedBy(shape, node, target);
  const isQuery = shape.method === 'view' || shape.method === 'all-docs';
  const item = meantBy(isQuery ? writtenKey(repeatedTarget) : repeatedTarget, code);
  const isClientCall = (/** @type {CallExpression} */ other) => recognized(other) !== undefined;
  const repeats = { target: repeatedTarget, item, receiver: receiverIn(node, known), isClientCall };
  const about = { ...repeats, method: shape.method, client, recognized, receiverOf, tracer };
  /** @type {CallRecord} */
  const record = {
    kind: 'call',
    file: code.file,
    start: node.start,
    end: node.end,
    name: shownName(node, code),
    on: node.callee.type === 'MemberExpression' ? shownCallee(node.callee.object, code) : '',
    functionName: functionName(node, code),
    client,
    method: shape.method,
    receiver,
    location,
    database: known.database ?? textOf(member(options.node ?? undefined, 'db')),
    designDoc,
    view,
    arguments: values,
    options,
    map: mapOf(shape, node, code),
    feedLocation: 'unknown',
    handledEvents: shape.method === 'changes' ? handledEvents(node, code) : null,
    connection: CONNECTS.has(shape.method) ? connectionOf(node.arguments, code, tracer) : null,
    timer: timerAround(node, code),
    handler: handlerAround(node, code),
    through: null,
    indexBefore: null,
    target: target && code.reader.read(target),
    // A loop around a function of the project is found from the call in it.
    loop: known.forwarded ? null : loopAround(node, code, about),
    ...NOT_FOLLOWED,
    regExps: shape.method === 'find' ? regExpsIn(options.node, code) : [],
    skip: skipOf(options.node, code),
    written: writtenCall(node, shape, code, { client, isClientCall }),
    write: WRITES.has(shape.method) ? writeOf(node, repeatedTarget, code, { client, tracer }) : null,
    ...risksOf(node, shape.method, known, code, { target, recognized, tracer }),
    isSetUp: isSetUp(code.file.path),
    isScript: false,
  };
  if (!known.forwarded) followAnswer(node, record, code, { followers, isHandedOn: request?.isHandedOn === true });
  if (record.loop?.purpose === 'retry' && RETRIED.has(shape.method)) record.retry = retryOf(node, code, about);
  const repeated = record.loop || known.forwarded ? undefined : waitingCall(node, code, record, about);
  if (repeated) waiting.push(repeated);
  return record;
}

/**
 * @param {CallExpression} node
 * @param {CallRecord} record gets what becomes of its answer
 * @param {Code} code
 * @param {{followers: Follower[], isHandedOn: boolean}} found gets the functions that return its rows, or that may be given to Express;
 *   `isHandedOn`: a function of the project sends it
 */
function followAnswer(node, record, code, { followers, isHandedOn }) {
  if (!isHandedOn) followers.push(...followRejection(node, record, code));
  if (!QUERIES.has(record.method) && !WRITES.has(record.method)) return;
  const { result, returned } = resultOf(node, record.client, code);
  record.result = result;
  if (LISTS.has(record.method)) followers.push(...returningFunctions(record, returned, code));
}

/**
 * @param {CallExpression} node
 * @param {CallMethod} method
 * @param {Known} known
 * @param {Code} code
 * @param {{target: AnyNode | undefined, recognized: (node: CallExpression) => Known | undefined, tracer: Tracer}} about
 * @returns {Pick<CallRecord, 'mayStartAgain' | 'newestRevision' | 'unchecked'>} what happens if it fails, or others have written meanwhile
 */
function risksOf(node, method, { client, forwarded }, code, { target, recognized, tracer }) {
  const readsOne = (/** @type {CallExpression} */ other) => {
    return (recognized(other) ?? tracer.forwards.callOf(other, code, tracer))?.shape.method === 'get';
  };
  return {
    mayStartAgain: CONNECTS.has(method) ? mayStartAgain(node, code) : null,
    newestRevision: method === 'insert' && !forwarded ? newestRevision(node, target, code, readsOne) : null,
    // `upsert(id, (doc) => …)`: its function gets no error.
    unchecked: forwarded || method === 'other' ? null : uncheckedAnswer(node, client, WRITES.has(method), code),
  };
}

/** @param {CallExpression} node @param {Known} known @returns {AnyNode} what says which database it is about */
function receiverIn(node, { client, request }) {
  return request?.databaseNode ?? receiverOf(node, client);
}

/**
 * @param {CallExpression} node
 * @param {ClientName | null} client
 * @returns {AnyNode} what says which database it is about
 */
function receiverOf(node, client) {
  const database = clientNamed(client)?.hasNamedArguments ? writtenValue(node.arguments[0], 'db') : undefined;
  if (database) return database;
  return node.callee.type === 'MemberExpression' ? node.callee.object : node.callee;
}
