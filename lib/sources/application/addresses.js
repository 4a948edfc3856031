// Reads the address of a server as code writes it: in parts, as a default behind `||`, and with the credentials of a request.

import { bindingAt, onlyValueOf } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { decodeEscapes } from '../../shared/attempt.js';
import { member } from '../record.js';
import { membersOf } from './code.js';
import { OPEN } from './url-builders.js';
import { piecesOf } from './urls.js';

/** @import { AnyNode } from 'acorn' */
/** @import { StringNode, ValueNode } from '../record.js' */
/** @import { Code } from './code.js' */
/** @import { Connection } from './record.js' */
/** @import { Sent } from './sent-requests.js' */
/** @import { Tracer } from './trace.js' */
/** @import { Piece } from './urls.js' */

/** Names of the members that hold a password, and a user, in the options of clients. */
const PASSWORDS = ['password', 'pass'];
const USERS = ['username', 'user', 'account'];

/** Protocol, user, password and host; what only running would show is `…`. */
const ADDRESS =
  /^(https?):\/\/(?:([^/?#@:]*):([^/?#@]*)@|[^/?#@]*@)?([\w.-]+|\[[\da-f:]+\])(?=:\d+(?:[/?#]|$)|:…|[/?#]|$)/i;
/** The header that has user and password in base64 (RFC 7617). */
const BASIC = /^Basic\s+([\w+/=]+)$/;
const ENCODERS = /^(?:(?:window|globalThis|self)\.)?btoa$|^(?:Buffer\.from|base64\.encode|Base64\.encode)$|^Buffer$/;

/**
 * @param {AnyNode[]} given what a client or a replication is given
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Connection}
 */
export function connectionOf(given, code, tracer) {
  const read = readConnection(given.map((item) => code.reader.read(item)));
  for (const item of given) {
    const [url = item] = membersOf(item, ['url', 'name', 'host']);
    const address = writtenAddress(url, code, tracer);
    if (!address) continue;
    const credentials = address.credentials ?? read.credentials;
    return { ...address, credentials, hasCredentials: address.hasCredentials || read.hasCredentials };
  }
  return read;
}

/**
 * @param {AnyNode} written `process.env.COUCHDB_URL || 'https://…'`
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {Piece[]} [prefix] what a function of the project writes before it
 * @returns {Connection | undefined} undefined where protocol and host are only known at run time
 */
function writtenAddress(written, code, tracer, prefix = []) {
  const pieces = [...prefix, ...piecesOf(alternative(written, code), code, tracer, 0)];
  const found = ADDRESS.exec(pieces.map(({ text }) => text.replaceAll(OPEN, '…')).join(''));
  if (!found) return undefined;
  const [all, protocol = '', user, password, host = ''] = found;
  const isWritten = user && password && !(user + password).includes('…');
  const from = protocol.length + '://'.length;
  const at = from + (user?.length ?? 0) + 1;
  const to = at + (password?.length ?? 0);
  const node = isWritten ? (nodeAt(pieces, from, to) ?? nodeAt(pieces, at, to)) : undefined;
  return {
    protocol: protocol.toLowerCase() === 'http' ? 'http' : 'https',
    host: host.replace(/^\[|\]$/g, ''),
    credentials:
      node && user && password
        ? { user: decodeEscapes(user), password: decodeEscapes(password), node, start: node.start, end: node.end }
        : null,
    hasCredentials: all.includes('@'),
  };
}

/** @param {AnyNode} written @param {Code} code @returns {AnyNode} the right side of `env || address`, where that is what it stands for */
function alternative(written, code) {
  const node = bare(written);
  const binding = node.type === 'Identifier' ? bindingAt(node, code.resolved) : undefined;
  const value = bare((binding && onlyValueOf(binding, code.resolved)) ?? node);
  return value.type === 'LogicalExpression' && value.operator !== '&&' ? value.right : written;
}

/** @param {Piece[]} pieces @param {number} from @param {number} to @returns {Pick<ValueNode, 'file' | 'start' | 'end'> | undefined} the stretch of the file that has the secret, and nothing else */
function nodeAt(pieces, from, to) {
  let before = 0;
  for (const { text, at, file } of pieces) {
    const isIn = from >= before && to <= before + text.length;
    if (isIn && at !== undefined && file) return { file, start: at + from - before, end: at + to - before };
    before += text.length;
  }
  return undefined;
}

/**
 * @param {Sent} sent a request that CouchDB answers
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Connection} the address of it, with credentials in the URL, in `auth` or in the header
 */
export function connectionOfRequest({ url, prefix, options }, code, tracer) {
  const address = writtenAddress(url, code, tracer, prefix);
  const given = options && code.reader.read(options);
  const own = readConnection(given ? [given] : []);
  // `const HEADERS = { Authorization: 'Basic …' }`
  const named = given && member(given, 'headers');
  const value = named && (member(named, 'Authorization') ?? member(named, 'authorization'));
  const headers = membersOf(membersOf(options, ['headers'])[0], ['Authorization', 'authorization']);
  // A token is no password.
  const header = headers.find((node) => /basic/i.test(code.source(node)));
  const isBasic = header !== undefined || (value?.type === 'string' && BASIC.test(value.value));
  const credentials =
    address?.credentials ?? own.credentials ?? (isBasic ? basicCredentials(header, value, code) : null);
  return {
    protocol: address?.protocol ?? null,
    host: address?.host ?? null,
    credentials,
    hasCredentials: credentials !== null || own.hasCredentials || address?.hasCredentials === true || isBasic,
  };
}

/**
 * @param {AnyNode | undefined} header where it is written in the request
 * @param {ValueNode | undefined} value of it
 * @param {Code} code
 * @returns {Connection['credentials']} of `'Basic ' + btoa('keeper:…')` and of the header as it is sent
 */
function basicCredentials(header, value, code) {
  const inner = header ? [header, ...code.nodesWithin(header)] : [];
  const encoded = inner.flatMap((node) => {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return [];
    const [first] = node.arguments;
    return ENCODERS.test(code.source(bare(node.callee))) && first ? code.reader.read(first) : [];
  })[0];
  const sent = encoded ? undefined : value;
  const basic = sent?.type === 'string' ? BASIC.exec(sent.value)?.[1] : undefined;
  const node = encoded ?? sent;
  const text =
    basic === undefined ? encoded?.type === 'string' && encoded.value : Buffer.from(basic, 'base64').toString();
  const [, user, password] = /^([^:]+):(.+)$/s.exec(text || '') ?? [];
  if (node?.type !== 'string' || user === undefined || password === undefined) return null;
  const { start, end } = node;
  return { user, password, node, start: start + 1, end: Math.max(start + 1, end - 1) };
}

/**
 * @param {readonly ValueNode[]} values what a client or a replication is given
 * @returns {Connection}
 */
function readConnection(values) {
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
