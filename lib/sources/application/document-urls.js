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

/** Stands in a path for what only running would show. */
const OPEN = '\0';
/** What follows the path of a database. */
const OF_DATABASE =
  /\/_(?:all_docs|bulk_docs|bulk_get|changes|find|index|explain|local_docs|temp_view|revs_limit|design\/.*)(?:$|[?/])/s;
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

/** Beginnings of URLs that are databases, by file, and whether a revision showed it. @type {WeakMap<Code, Map<string, boolean>>} */
const DATABASES = new WeakMap();

/**
 * @param {{url: AnyNode, prefix: Piece[], verb: string | undefined, isOfCouch: boolean}} request `prefix`: what stands before the URL; `verb`: `GET` and the like; `isOfCouch`: whether what sends it is called after CouchDB
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {() => Iterable<AnyNode>} urls of the requests of the file
 * @returns {DocumentUrl | undefined} undefined where it may be of another server, or of more or less than a document
 */
export function documentUrl({ url, prefix, verb, isOfCouch }, code, tracer, urls) {
  if (verb === undefined) return undefined;
  const own = partsOf(url, code, tracer);
  // `load(id)` of the project is no request of its own.
  if (prefix.length > 0 && !own.some(({ text: part }) => part.includes('/'))) return undefined;
  const pieces = [...prefix, ...own];
  const text = pieces.map((piece) => piece.text).join('');
  const [path = ''] = text.split(/[?#]/);
  if (OF_DATABASE.test(path) || /\/_(?!local\/)/.test(path)) return undefined;
  const rest =
    databaseRest(pieces, path, isOfCouch, code, tracer, urls) ??
    serverRest(pieces, path, isOfCouch) ??
    (hasRevision(pieces, text) ? lastPart(path) : undefined);
  if (!rest) return undefined;
  const { database, segments } = rest;
  // A function that sends may be given any path.
  if (segments.length === 0 && bare(url).type === 'Identifier') return undefined;
  const nodes = pieces.slice(0, pieceCount(pieces, path.length)).flatMap(({ node }) => node ?? []);
  if (segments.length === 0) {
    const databaseNode = database === null ? nodes.at(-1) : undefined;
    return verb === 'POST' ? { method: 'insert', database, id: undefined, databaseNode } : undefined;
  }
  const method = BY_METHOD.get(verb);
  const [segment = ''] = segments;
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
 * @param {() => Iterable<AnyNode>} urls
 * @returns {{database: string | null, segments: string[]} | undefined} what follows a beginning that is a database in another request of the file
 */
function databaseRest(pieces, path, isOfCouch, code, tracer, urls) {
  if (!ENDPOINT_WORDS.test(code.file.text) && !REVISION.test(code.file.text)) return undefined;
  const known = DATABASES.get(code) ?? databasesIn(urls(), code, tracer);
  DATABASES.set(code, known);
  for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) {
    const key = beginningKey(pieces, at);
    // Other servers have a `/files/_find`, too.
    const isSure = key === undefined ? undefined : known.get(key);
    if (key === undefined || isSure === undefined || !(isSure || isOfCouch || key.includes(OPEN))) continue;
    const segments = path.slice(at + 1).split('/');
    // `${prefix}/trash` may do something else, and so may `POST ${prefix}`.
    const isSomething = segments.join() === '' ? DATABASE_NAME.test(key) : /[\0:]/.test(segments[0] ?? '');
    if (!isSomething && !isOfCouch) continue;
    return { database: nameAtEnd(path.slice(0, at)), segments: segments.join() === '' ? [] : segments };
  }
  return undefined;
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

/** @param {string} path @returns {{database: string | null, segments: string[]} | undefined} what is behind the last slash of it */
function lastPart(path) {
  const at = path.lastIndexOf('/');
  return at <= 0 ? undefined : { database: nameAtEnd(path.slice(0, at)), segments: [path.slice(at + 1)] };
}

/**
 * @param {Iterable<AnyNode>} urls
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Map<string, boolean>}
 */
function databasesIn(urls, code, tracer) {
  /** @type {Map<string, boolean>} */
  const found = new Map();
  for (const url of urls) {
    const pieces = partsOf(url, code, tracer);
    const text = pieces.map((piece) => piece.text).join('');
    const [path = ''] = text.split('?');
    const isSure = hasRevision(pieces, text);
    const at = OF_DATABASE.exec(text)?.index ?? (isSure ? path.lastIndexOf('/') : 0);
    const key = at > 0 ? beginningKey(pieces, at) : undefined;
    if (key !== undefined) found.set(key, isSure || found.get(key) === true);
  }
  return found;
}

/**
 * @param {Piece[]} pieces
 * @param {string} path
 * @param {boolean} isOfCouch
 * @returns {{database: string | null, segments: string[]} | undefined} what follows the address of a server
 */
function serverRest(pieces, path, isOfCouch) {
  const [first] = pieces;
  const address = SERVER.exec(path)?.[0];
  const isNamed = first?.text === OPEN && first.source !== undefined && isCouchAddress(first.source);
  const isPath = isOfCouch && path.startsWith('/');
  if (address === undefined && !isNamed && !isPath) return undefined;
  const from = address?.length ?? (isNamed ? 1 : 0);
  const [database = '', ...segments] = path.slice(from).replace(/^\//, '').split('/');
  if (database === '' || database.startsWith('_') || database.includes(OPEN + OPEN)) return undefined;
  const node = database === OPEN ? pieces[pieceCount(pieces, from + 1 + database.length) - 1]?.source : undefined;
  if (node !== undefined && MANY_PARTS.test(node)) return undefined;
  return { database: database.includes(OPEN) ? null : database, segments: segments.join() === '' ? [] : segments };
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
