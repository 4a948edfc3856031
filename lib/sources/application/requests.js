// Recognizes requests that code builds itself, with `fetch`, axios, got, superagent, request or Node's own: only where the
// path of the URL has a part that CouchDB alone has, or the server is known.

import { bare } from '../../javascript/parse.js';
import { connectionOfRequest } from './addresses.js';
import { membersOf, propertyName } from './code.js';
import { documentUrl } from './document-urls.js';
import { optionsOf } from './options.js';
import { BODIES, QUERIES, sentBy } from './sent-requests.js';
import { queryOf, readUrl } from './urls.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { Code } from './code.js' */
/** @import { CallOptions, Connection } from './record.js' */
/** @import { Sent } from './sent-requests.js' */
/** @import { Tracer } from './trace.js' */
/** @import { Endpoint } from './urls.js' */

/**
 * @typedef {object} RequestParts
 * @property {CallOptions} options of the query string and of the body
 * @property {AnyNode} repeated what must depend on the turn of a loop for the requests to be about different things
 * @property {AnyNode | undefined} documents of a bulk write
 * @property {AnyNode | undefined} body
 * @property {AnyNode | undefined} viewNode what a view is named by
 * @property {boolean} isHandedOn whether a function of the project sends it
 * @property {Connection} connection what it is sent to
 * @property {AnyNode | undefined} databaseNode what the database is named by, where that is a part of the URL of its own
 */
/** @typedef {Endpoint & RequestParts} Request */

/**
 * @param {CallExpression} node
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Request | undefined}
 */
export function requestOf(node, code, tracer) {
  const sent = sentBy(node, code, tracer);
  if (!sent) return undefined;
  const { library, given, options, url, prefix } = sent;
  const read = readUrl(url, code, tracer, prefix);
  const chained = library === 'superagent' ? chainedTo(node, code) : [];
  const written = options ? [...options.properties] : [];
  const queries = [...membersOf(options, QUERIES), ...argumentsOfChain(chained, QUERIES)];
  const [body] = [given.body, ...membersOf(options, BODIES), ...argumentsOfChain(chained, BODIES)]
    .flatMap((item) => (item ? withoutStringify(item) : []))
    .filter(({ type }) => type !== 'Literal');
  if (!read) return documentRequest(node, sent, body, code, tracer);
  const isWrite = read.endpoint.method === 'bulk-write';
  const isFind = read.endpoint.method === 'find';
  const parts = [...queries, ...(body && !isWrite ? [body] : [])].map((item) => optionsOf(item, 'http', code));
  // What a Mango query asks for stands in its body alone (mango_httpd.erl, CouchDB 3.5.2).
  const isBodyGiven = isFind && given.body !== undefined;
  const isHidden =
    (!isBodyGiven &&
      (sent.isOpen ||
        (given.options !== undefined && !options) ||
        written.some(({ type }) => type === 'SpreadElement'))) ||
    (isFind && !body);
  return {
    ...read.endpoint,
    options: together([read.options, ...parts], isHidden),
    repeated: body && !isWrite ? node : url,
    documents: isWrite && body ? (membersOf(body, ['docs'])[0] ?? body) : undefined,
    body,
    connection: connectionOfRequest(sent, code, tracer),
    databaseNode: read.databaseNode,
    viewNode: read.viewNode,
    isHandedOn: sent.sender !== undefined,
  };
}

/**
 * @param {CallExpression} node
 * @param {Sent} sent
 * @param {AnyNode | undefined} body
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Request | undefined} the request for one document, where the server is surely CouchDB
 */
function documentRequest(node, sent, body, code, tracer) {
  const isOfCouch = /couch(?!base)|cloudant/i.test(code.source(node.callee));
  const others = () =>
    code.resolved.nodes.flatMap((other) => (other.type === 'CallExpression' && sentBy(other, code, tracer)) || []);
  const found = documentUrl({ ...sent, isOfCouch, isHandedOn: sent.sender !== undefined }, code, tracer, others);
  if (!found) return undefined;
  const { method, database, id, databaseNode } = found;
  // An old revision, or one with its conflicts, is another document to the rules.
  const isHidden = method === 'get' && sent.sender !== undefined && sent.given.options !== undefined && !sent.options;
  const queries = membersOf(sent.options, QUERIES).map((item) => optionsOf(item, 'http', code));
  return {
    method: isHidden ? 'other' : method,
    database,
    designDoc: null,
    view: null,
    options: together([queryOf(sent.url, code, tracer), ...queries], true),
    repeated: (method === 'insert' ? body : id) ?? sent.url,
    documents: method === 'insert' ? body : id,
    body,
    connection: connectionOfRequest(sent, code, tracer),
    databaseNode,
    viewNode: undefined,
    isHandedOn: sent.sender !== undefined,
  };
}

/**
 * @param {CallExpression} node `superagent.get(url)`
 * @param {Code} code
 * @returns {{name: string, node: CallExpression}[]} the calls behind it: `.query({ limit: 10 }).send(body)`
 */
function chainedTo(node, code) {
  const found = [];
  for (let at = /** @type {AnyNode} */ (node); ; ) {
    const member = code.parentOf(at);
    const call = member && code.parentOf(member);
    if (member?.type !== 'MemberExpression' || member.object !== at) return found;
    if (call?.type !== 'CallExpression' || call.callee !== member) return found;
    found.push({ name: propertyName(member) ?? '', node: call });
    at = call;
  }
}

/**
 * @param {{name: string, node: CallExpression}[]} calls
 * @param {readonly string[]} names
 * @returns {AnyNode[]}
 */
function argumentsOfChain(calls, names) {
  return calls.flatMap(({ name, node }) => (names.includes(name) ? (node.arguments[0] ?? []) : []));
}

/** @param {AnyNode} written @returns {AnyNode} what `JSON.stringify` is given */
function withoutStringify(written) {
  const node = bare(written);
  const [first] = node.type === 'CallExpression' ? node.arguments : [];
  const callee = node.type === 'CallExpression' ? bare(node.callee) : undefined;
  const isStringify = callee?.type === 'MemberExpression' && propertyName(callee) === 'stringify';
  return isStringify && first ? bare(first) : node;
}

/**
 * @param {CallOptions[]} all
 * @param {boolean} isHidden whether there may be others
 * @returns {CallOptions}
 */
function together(all, isHidden) {
  const nodes = all.flatMap(({ node }) => node ?? []);
  const [first] = nodes;
  return {
    node: first ? { ...first, entries: nodes.flatMap(({ entries }) => entries) } : null,
    isOpen: isHidden || all.some(({ isOpen }) => isOpen),
  };
}
