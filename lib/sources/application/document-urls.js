// Reads URLs of single documents: `${couchUrl}/shop/${id}`. Nothing in such a path is CouchDB's alone, so the server must be known in another way.

import { ENDPOINT_WORDS, isCouchAddress, SERVER_PORTS } from '../../clients/index.js';
import { bare } from '../../javascript/parse.js';
import { piecesOf } from './urls.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Code } from './code.js' */
/** @import { CallMethod } from './record.js' */
/** @import { Tracer } from './trace.js' */
/** @import { Piece } from './urls.js' */

/** `id`: where one expression is all of it. `databaseNode`: the last expression before the id, if the database has no name. @typedef {{method: CallMethod, database: string | null, id: AnyNode | undefined, databaseNode: AnyNode | undefined}} DocumentUrl */

/** What follows the beginning of a URL that is a database or server. @typedef {{database: string | null, segments: string[], isSure: boolean}} Rest `isSure`: whether it is certainly CouchDB's, whatever follows */

/** Stands in a path for what only running would show. */
const OPEN = '\0';
/** What follows the path of a database. */
const OF_DATABASE =
  /\/_(?:all_docs|bulk_docs|bulk_get|changes|find|index|explain|local_docs|temp_view|revs_limit|design\/.*)(?:$|[?/])/s;
/** Parts of these that other servers have, too. */
const MAY_BE_OTHERS = /^\/_(?:find|index|explain)/;
/** @type {CallMethod} */
const OTHER = 'other';
/** The address of a server of CouchDB, as it is written. */
const SERVER = new RegExp(`^https?://[^/]*(?:${SERVER_PORTS.source})(?=/|$)`);
/** Names of what may hold more than one part of a path. */
const MANY_PARTS = /path|ur[il]|endpoint|route|rest|quer|param|suffix|view|search/i;

/** What a request with this method does to a document (CouchDB 3.5 documentation, api/document/common). @type {ReadonlyMap<string, CallMethod>} */
const BY_METHOD = new Map([
  ['GET', 'get'],
  ['HEAD', 'head'],
  ['PUT', 'insert'],
  ['DELETE', 'remove'],
]);

/** The revision of a document, which no other server has in a query string. */
const REVISION = /[?&]rev=/;

const DATABASE_NAME = /db|database|couch|name/i;
/** Attachments have the revision of their document. */
const ATTACHMENT = /attach|file|image|photo|propert/i;

/** Documents of databases of the server itself. */
const OF_SYSTEM = /(?:^|\/)(_users|_replicator)(?:\/[^/]*)?$/;
/** What follows the address of a server, or a part of the path that is any database. */
const OF_SERVER =
  /\/(?:_(?:all_dbs|active_tasks|replicate|membership|session|uuids|users|replicator)|\0\/_(?:all_docs|bulk_docs|bulk_get|changes|design\/.*|security))(?:$|[?/])/s;

/** What requests of a file show: beginnings of URLs that are databases, with what showed it, and addresses of servers. `path`: one that CouchDB alone has. @typedef {{databases: Map<string, 'path' | 'revision' | 'maybe'>, servers: Set<string>}} Shown */
/** @type {WeakMap<Code, Shown>} */
const SHOWN = new WeakMap();

/** What of a request is needed here. @typedef {{url: AnyNode, prefix: Piece[]}} Address `prefix`: what stands before the URL */

/**
 * @param {Address & {verb: string | undefined, isOfCouch: boolean, isHandedOn: boolean}} request `verb`: `GET` and the like; `isOfCouch`: whether what sends it is called after CouchDB
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {() => Iterable<Address>} others requests of the file
 * @returns {DocumentUrl | undefined} undefined where it may be of another server; with the method `other` where it is about more or less than a document
 */
export function documentUrl({ url, prefix, verb, isOfCouch, isHandedOn }, code, tracer, others) {
  const own = partsOf(url, code, tracer);
  // `load(id)` of the project is no request of its own.
  if (isHandedOn && prefix.length > 0 && !own.some(({ text }) => text.includes('/'))) return undefined;
  const pieces = [...prefix, ...own];
  const text = pieces.map((piece) => piece.text).join('');
  const [path = ''] = text.split(/[?#]/);
  const system = OF_SYSTEM.exec(path);
  const ofSystem = system ? lastPart(path, system[1]) : undefined;
  const ofDatabase = ofSystem ? undefined : databaseRest(pieces, path, isOfCouch, code, tracer, others);
  const ofServer = serverRest(pieces, path, isOfCouch, code);
  const rest = ofSystem ?? ofDatabase ?? ofServer ?? (hasRevision(pieces, text) ? lastPart(path) : undefined);
  if (!rest) return undefined;
  const isSure = rest.isSure || ofServer?.isSure === true;
  const other = isSure ? { method: OTHER, database: rest.database, id: undefined, databaseNode: undefined } : undefined;
  const isName = bare(url).type === 'Identifier';
  // A function that sends may be given any path.
  const isUnclear = (!system && /\/_/.test(path)) || (isName && rest.segments.length === 0);
  // A name that stands for the whole of it may be any of another function.
  if (verb === undefined || isUnclear) return isName && own.length === 1 ? undefined : other;
  const nodes = pieces.slice(0, pieceCount(pieces, path.length)).flatMap(({ node }) => node ?? []);
  return aboutDocument(rest, verb, nodes, code) ?? other;
}

/**
 * @param {Rest} rest
 * @param {string} verb
 * @param {AnyNode[]} nodes expressions that the path is made of
 * @param {Code} code
 * @returns {DocumentUrl | undefined} undefined where it is about more or less than a document
 */
function aboutDocument({ database, segments }, verb, nodes, code) {
  const [segment = ''] = segments;
  if (segments.length === 0) {
    const databaseNode = database === null ? nodes.at(-1) : undefined;
    return verb === 'POST' ? { method: 'insert', database, id: undefined, databaseNode } : undefined;
  }
  const method = BY_METHOD.get(verb);
  if (segments.length > 1 || !method || segment === '' || segment.includes(OPEN + OPEN)) return undefined;
  const last = segment.includes(OPEN) ? nodes.at(-1) : undefined;
  const id = last && withoutEncoding(last);
  if (id && MANY_PARTS.test(code.source(id))) return undefined;
  const databaseNode = database === null ? nodes.at(last ? -2 : -1) : undefined;
  return { method, database, id: segment === OPEN ? id : undefined, databaseNode };
}

/** @param {AnyNode} url @param {Code} code @param {Tracer} tracer @returns {Piece[]} without those that are empty */
function partsOf(url, code, tracer) {
  return piecesOf(url, code, tracer, 0).filter(({ text }) => text !== '');
}

/**
 * @param {Piece[]} pieces
 * @param {string} path
 * @param {boolean} isOfCouch
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {() => Iterable<Address>} others
 * @returns {Rest | undefined} what follows a beginning that is a database in another request of the file
 */
function databaseRest(pieces, path, isOfCouch, code, tracer, others) {
  if (!ENDPOINT_WORDS.test(code.file.text) && !REVISION.test(code.file.text)) return undefined;
  const { databases } = shownIn(code, tracer, others);
  for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) {
    const key = beginningKey(pieces, at);
    // Other servers have a `/files/_find`, too.
    const by = key === undefined ? undefined : databases.get(key);
    if (key === undefined || by === undefined || !(by !== 'maybe' || isOfCouch || key.includes(OPEN))) continue;
    const segments = path.slice(at + 1).split('/');
    // `${prefix}/trash` may do something else, and so may `POST ${prefix}`.
    const isSomething = segments.join() === '' ? DATABASE_NAME.test(key) : /[\0:]/.test(segments[0] ?? '');
    const isSure = by === 'path';
    if (!isSomething && !isOfCouch && !isSure) continue;
    return { database: nameAtEnd(path.slice(0, at)), segments: segments.join() === '' ? [] : segments, isSure };
  }
  return undefined;
}

/**
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {() => Iterable<Address>} others
 * @returns {Shown}
 */
function shownIn(code, tracer, others) {
  const known = SHOWN.get(code);
  if (known) return known;
  /** @type {Shown} */
  const shown = { databases: new Map(), servers: new Set() };
  SHOWN.set(code, shown);
  for (const { url, prefix } of others()) {
    const pieces = [...prefix, ...partsOf(url, code, tracer)];
    const text = pieces.map((piece) => piece.text).join('');
    const [path = ''] = text.split('?');
    const ofDatabase = OF_DATABASE.exec(text);
    const isOfRevision = !ofDatabase && hasRevision(pieces, text);
    const key = keyBefore(pieces, ofDatabase?.index ?? (isOfRevision ? path.lastIndexOf('/') : 0));
    const isOfPath = ofDatabase !== null && !MAY_BE_OTHERS.test(ofDatabase[0]);
    const before = key === undefined ? undefined : shown.databases.get(key);
    if (key !== undefined && before !== 'path')
      shown.databases.set(key, isOfPath ? 'path' : isOfRevision ? 'revision' : (before ?? 'maybe'));
    const server = keyBefore(pieces, OF_SERVER.exec(text)?.index ?? 0);
    if (server !== undefined) shown.servers.add(server);
  }
  return shown;
}

/** @param {Piece[]} pieces @param {number} end @returns {string | undefined} the key of what stands before it */
function keyBefore(pieces, end) {
  return end > 0 ? beginningKey(pieces, end) : undefined;
}

/** @param {Piece[]} pieces @param {string} text @returns {boolean} whether it has the revision of a document in its query string */
function hasRevision(pieces, text) {
  if (!REVISION.test(text)) return false;
  const parts = pieces.map((piece) => (piece.text === OPEN ? `\0${piece.source ?? ''}\0` : piece.text));
  const [path = ''] = parts.join('').split(/[?&]rev=/);
  return !ATTACHMENT.test(path) && !/id(?:\(\))?\0\/\0/i.test(path);
}

/** @param {string} path @returns {string | null} its last part, unless that is computed or a host */
function nameAtEnd(path) {
  return /^https?:\/\/[^/]*$/.test(path) ? null : (/(?:^|\/)([^/\0]+)$/.exec(path)?.[1] ?? null);
}

/** @param {string} path @param {string} [known] the database, where it has the name of one of the server's @returns {Rest | undefined} what is behind the last slash of it */
function lastPart(path, known) {
  if (known !== undefined)
    return {
      database: known,
      segments: path.endsWith(known) ? [] : [path.slice(path.lastIndexOf('/') + 1)],
      isSure: true,
    };
  const at = path.lastIndexOf('/');
  return at <= 0 ? undefined : { database: nameAtEnd(path.slice(0, at)), segments: [path.slice(at + 1)], isSure: true };
}

/**
 * @param {Piece[]} pieces
 * @param {string} path
 * @param {boolean} isOfCouch
 * @param {Code} code
 * @returns {Rest | undefined} what follows the address of a server
 */
function serverRest(pieces, path, isOfCouch, code) {
  const [first] = pieces;
  const address = SERVER.exec(path)?.[0];
  const isNamed = first?.text === OPEN && first.source !== undefined && isCouchAddress(first.source);
  const shown = SHOWN.get(code)?.servers ?? new Set();
  const end = [...path.matchAll(/\/|$/g)]
    .map(({ index }) => index)
    .find((at) => shown.has(keyBefore(pieces, at) ?? ''));
  const isPath = isOfCouch && path.startsWith('/');
  if (address === undefined && !isNamed && end === undefined && !isPath) return undefined;
  const isSure = address !== undefined || isNamed || end !== undefined;
  const from = address?.length ?? (isNamed ? 1 : (end ?? 0));
  const [database = '', ...segments] = path.slice(from).replace(/^\//, '').split('/');
  const node = database === OPEN ? pieces[pieceCount(pieces, from + 1 + database.length) - 1]?.source : undefined;
  if (database === '' || database.includes(OPEN + OPEN) || (node !== undefined && MANY_PARTS.test(node)))
    return isSure ? { database: null, segments: [], isSure: true } : undefined;
  return {
    database: database.includes(OPEN) || database.startsWith('_') ? null : database,
    segments: segments.join() === '' ? [] : segments,
    isSure,
  };
}

/** @param {Piece[]} pieces @param {number} length @returns {number} how many of them stand in so many characters */
function pieceCount(pieces, length) {
  let at = 0;
  const index = pieces.findIndex(({ text }) => {
    at += text.length;
    return at >= length;
  });
  return index === -1 ? pieces.length : index + 1;
}

/** @param {Piece[]} pieces @param {number} end @returns {string | undefined} the same for the same beginning; undefined where it has no name */
function beginningKey(pieces, end) {
  let key = '';
  let at = 0;
  for (const { text, source } of pieces) {
    if (at >= end) break;
    if (text === OPEN && source === undefined) return undefined;
    key += text === OPEN ? `\0${source}\0` : text.slice(0, end - at);
    at += text.length;
  }
  return key.includes(OPEN) || key.length > 1 ? key : undefined;
}

/** @param {AnyNode} written @returns {AnyNode} `id` of `encodeURIComponent(id)` */
function withoutEncoding(written) {
  const node = bare(written);
  const [first] = node.type === 'CallExpression' ? node.arguments : [];
  return node.type === 'CallExpression' && node.callee.type === 'Identifier' && first ? first : node;
}
