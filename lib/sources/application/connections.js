// Reads what code connects to: the address and the credentials that a client is made with, as far as they are written in the code.

import { clientNamed, clientPackage, MAKER_WORDS } from '../../clients/index.js';
import { bare } from '../../javascript/parse.js';
import { decodeEscapes } from '../../shared/attempt.js';
import { entry, member } from '../record.js';
import { functionName, shownCallee } from './shown-name.js';

/** @import { AnyNode, CallExpression, NewExpression } from 'acorn' */
/** @import { Entry, StringNode, ValueNode } from '../record.js' */
/** @import { Code } from './code.js' */
/** @import { CallRecord, ClientName, Connection } from './record.js' */
/** @import { Tracer } from './trace.js' */

/**
 * @typedef {object} Made
 * @property {ClientName} client
 * @property {Connection} connection
 * @property {Entry | undefined} [limit] `revs_limit` of a database of PouchDB in the process or browser
 * @property {string} [database] its name, where it is literal
 */

/** Names of the members that hold a password, and a user, in the options of clients. */
const PASSWORDS = ['password', 'pass'];
const USERS = ['username', 'user', 'account'];

/** Of calls whose answer has no rows. @type {CallRecord['result']} */
export const NO_RESULT = {
  use: 'unknown',
  rowMembers: null,
  docFields: null,
  docPlaces: [],
  isOnlyCounted: false,
  lists: [],
};

/**
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {boolean} isSetUp
 * @returns {CallRecord[]} of clients that are made with a URL without TLS, with credentials or a limit of revisions: of the others there is nothing to report
 */
export function readConnects(code, tracer, isSetUp) {
  return code.resolved.nodes.flatMap((node) => {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return [];
    const made = connectionOf(node, code, tracer);
    if (!made || (made.connection.protocol !== 'http' && !made.connection.credentials && !made.limit)) return [];
    return [createConnect(node, made, isSetUp, code)];
  });
}

/**
 * @param {CallExpression | NewExpression} node
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Made | undefined} undefined where it makes no client
 */
function connectionOf(node, code, tracer) {
  const callee = bare(node.callee);
  if (node.arguments.length === 0 || callee.type === 'Super' || !MAKER_WORDS.test(code.source(callee)))
    return undefined;
  const client = clientMadeBy(callee, code, tracer);
  if (!client) return undefined;
  const values = node.arguments.map((item) => code.reader.read(item));
  const connection = readConnection(values);
  return {
    client,
    connection,
    ...(clientNamed(client)?.local && connection.host === null ? revisionLimit(values) : {}),
  };
}

/**
 * @param {readonly ValueNode[]} values `'stock', { revs_limit: 5 }` or `{ name: 'stock', revs_limit: 5 }`
 * @returns {{limit?: Entry | undefined, database?: string}}
 */
function revisionLimit(values) {
  const limit = values.map((value) => entry(value, 'revs_limit')).find((found) => found !== undefined);
  const [first] = values;
  const name = first?.type === 'object' ? member(first, 'name') : first;
  return { limit, ...(name?.type === 'string' && !name.isFunction ? { database: name.value } : {}) };
}

/**
 * @param {CallExpression | NewExpression} node
 * @param {Made} made
 * @param {boolean} isSetUp
 * @param {Code} code
 * @returns {CallRecord} without its arguments, which may be secret
 */
function createConnect(node, { client, connection, limit, database }, isSetUp, code) {
  const { start, end } = node;
  const callee = shownCallee(node.callee, code);
  return {
    kind: 'call',
    file: code.file,
    start,
    end,
    name: `${node.type === 'NewExpression' ? 'new ' : ''}${callee}(…)`,
    functionName: functionName(node, code),
    client,
    on: '',
    write: null,
    method: 'connect',
    receiver: 'traced',
    location: connection.host === null ? 'unknown' : 'http',
    database: limit && database !== undefined ? database : null,
    designDoc: null,
    view: null,
    arguments: [],
    options: {
      node: limit ? { type: 'object', file: code.file, start, end, entries: [limit] } : null,
      isOpen: true,
    },
    map: null,
    target: undefined,
    feedLocation: 'unknown',
    indexBefore: null,
    handledEvents: null,
    connection,
    timer: null,
    handler: null,
    loop: null,
    retry: null,
    result: NO_RESULT,
    regExps: [],
    skip: 'none',
    written: { callee, arguments: [], options: [], answer: 'promise', answerBeforeLoop: 'promise' },
    isSetUp,
    isScript: false,
  };
}

/**
 * @param {AnyNode} callee
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {ClientName | undefined}
 */
function clientMadeBy(callee, code, tracer) {
  const maker = tracer.start(callee, code);
  if (maker?.is === 'maker') return maker.client;
  return maker?.is === 'package' ? clientPackage(maker.name)?.client.name : undefined;
}

/**
 * @param {readonly ValueNode[]} values what a client or a replication is given
 * @returns {Connection}
 */
export function readConnection(values) {
  const [first] = values;
  const address =
    first?.type === 'object' ? (member(first, 'url') ?? member(first, 'name') ?? member(first, 'host')) : first;
  const url = address?.type === 'string' && !address.isFunction ? parseUrl(address.value) : undefined;
  const inUrl = url && address?.type === 'string' ? credentialsOfUrl(url, address) : undefined;
  const inOptions = values.map(credentialsOfOptions).find((found) => found !== undefined);
  const hasOther = values.some((value) => authOf(value) !== undefined);
  return {
    protocol: url?.protocol === 'http:' ? 'http' : url?.protocol === 'https:' ? 'https' : null,
    host: url?.hostname.replace(/^\[|\]$/g, '') ?? null,
    credentials: inUrl ?? inOptions ?? null,
    hasCredentials: Boolean(inUrl ?? inOptions) || hasOther || Boolean(url?.username),
  };
}

/** @param {string} text @returns {URL | undefined} */
function parseUrl(text) {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

/**
 * @param {URL} url
 * @param {StringNode} node
 * @returns {Connection['credentials'] | undefined}
 */
function credentialsOfUrl({ username, password }, node) {
  if (username === '' || password === '') return undefined;
  return {
    user: decodeEscapes(username),
    password: decodeEscapes(password),
    ...stretchOf(node, /^(['"`]?https?:\/\/)[^/]*@/i),
  };
}

/**
 * @param {StringNode} node
 * @param {RegExp} [pattern] its first group stands before the secret
 * @returns {{node: StringNode, start: number, end: number}} the stretch of the file to hide: that of the pattern, else all of the string
 */
function stretchOf(node, pattern) {
  const source = node.file.text.slice(node.start, node.end);
  const found = pattern?.exec(source);
  if (!found) return { node, start: node.start + 1, end: Math.max(node.start + 1, node.end - 1) };
  return { node, start: node.start + (found[1]?.length ?? 0), end: node.start + found[0].length - 1 };
}

/** @param {ValueNode} value @returns {Connection['credentials'] | undefined} */
function credentialsOfOptions(value) {
  const auth = authOf(value);
  const password = auth && firstOf(auth, PASSWORDS);
  const user = auth && firstOf(auth, USERS);
  if (password?.type !== 'string' || user?.type !== 'string' || password.isFunction || user.isFunction)
    return undefined;
  return { user: user.value, password: password.value, ...stretchOf(password) };
}

/** @param {ValueNode} value @returns {ValueNode | undefined} the object that has user and password */
function authOf(value) {
  const auth = member(value, 'auth') ?? member(member(value, 'requestDefaults'), 'auth');
  return auth ?? (firstOf(value, PASSWORDS) ? value : undefined);
}

/** @param {ValueNode} value @param {readonly string[]} keys @returns {ValueNode | undefined} */
function firstOf(value, keys) {
  for (const key of keys) {
    const found = member(value, key);
    if (found) return found;
  }
  return undefined;
}
