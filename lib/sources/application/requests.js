// Recognizes requests that code builds itself, with `fetch`, axios, got, superagent, request or Node's own: only where the
// path of the URL has a part that CouchDB alone has, or the server is known.

import { requestLibrary } from '../../clients/index.js';
import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { nameOf, propertyName } from './code.js';
import { documentUrl } from './document-urls.js';
import { optionsOf } from './options.js';
import { readUrl } from './urls.js';

/** @import { AnyNode, CallExpression, ObjectExpression } from 'acorn' */
/** @import { RequestLibrary } from '../../clients/index.js' */
/** @import { Code } from './code.js' */
/** @import { CallOptions } from './record.js' */
/** @import { Tracer } from './trace.js' */
/** @import { Endpoint } from './urls.js' */

/**
 * @typedef {object} RequestParts
 * @property {CallOptions} options of the query string and of the body
 * @property {AnyNode} repeated what must depend on the turn of a loop for the requests to be about different things
 * @property {AnyNode | undefined} documents of a bulk write
 * @property {AnyNode | undefined} body
 * @property {AnyNode | undefined} viewNode what a view is named by
 * @property {AnyNode | undefined} databaseNode what the database is named by, where that is a part of the URL of its own
 */
/** @typedef {Endpoint & RequestParts} Request */

/** What a library is given: the URL or options with it, the body, options. @typedef {{url: AnyNode | undefined, body?: AnyNode | undefined, options?: AnyNode | undefined}} Given */

/** `url`: what it is given for one. @typedef {{library: RequestLibrary | undefined, given: Given, options: ObjectExpression | undefined, url: AnyNode}} Sent */

const VERB = /^[A-Z]+$/i;

/** Methods that send a request, and whether axios takes a body second. @type {ReadonlyMap<string, boolean>} */
const SENDING = new Map([
  ['get', false],
  ['head', false],
  ['delete', false],
  ['del', false],
  ['request', false],
  ['post', true],
  ['put', true],
  ['patch', true],
]);

/** How methods and functions are called that send a request, and what has such methods. */
const SENDS = /^(?:get|post|put|patch|delete|del|head|ajax|call)(?:JSON)?$|(?:request|req|fetch)(?:JSON)?$/i;
const FUNCTIONS = /(?:request|req|fetch|ajax)(?:JSON)?$|couch(?:db)?_?(?:get|post|put|delete)$/i;
const SENDERS =
  /(?:this|http|request|client|api|couch\w*|pouch\w*|cloudant|service|ajax|axios|agent|remote|\$|jquery|_?db|database|stack\w*|fetcher|server)(?:\(.*\))?$/i;
/** How servers and their stand-ins are called, which define what a path answers; and the first parameter of what answers it. */
const ROUTES =
  /(?:^|\.)(?:\w*app|\w*router|\w*server|routes?|nock|\w*mock\w*|scope|fastify|express|\$?httpBackend|cy|page)(?:\(.*\))?$/i;
const ROUTE_PARAMETER = /^(?:req|request|ctx|context|_|c)\b/;

/** Options that have the URL, the query string and the body, in any of the libraries. */
const URLS = ['url', 'uri', 'path', 'pathname'];
const QUERIES = ['params', 'searchParams', 'qs', 'query'];
const BODIES = ['body', 'data', 'json', 'send'];

/**
 * @param {CallExpression} node
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Request | undefined}
 */
export function requestOf(node, code, tracer) {
  const sent = sentBy(node, code, tracer);
  if (!sent) return undefined;
  const { library, given, options, url } = sent;
  const read = readUrl(url, code, tracer);
  const chained = library === 'superagent' ? chainedTo(node, code) : [];
  const written = options ? [...options.properties] : [];
  const queries = [...membersOf(options, QUERIES), ...argumentsOfChain(chained, QUERIES)];
  const [body] = [given.body, ...membersOf(options, BODIES), ...argumentsOfChain(chained, BODIES)]
    .flatMap((item) => (item ? withoutStringify(item) : []))
    .filter(({ type }) => type !== 'Literal');
  if (!read) return documentRequest(node, sent, body, code, tracer);
  const isWrite = read.endpoint.method === 'bulk-write';
  const parts = [...queries, ...(body && !isWrite ? [body] : [])].map((item) => optionsOf(item, 'http', code));
  const isHidden =
    (given.options !== undefined && !options) ||
    written.some(({ type }) => type === 'SpreadElement') ||
    (read.endpoint.method === 'find' && !body);
  return {
    ...read.endpoint,
    options: together([read.options, ...parts], isHidden),
    repeated: body && !isWrite ? node : url,
    documents: isWrite && body ? (membersOf(body, ['docs'])[0] ?? body) : undefined,
    body,
    databaseNode: read.databaseNode,
    viewNode: read.viewNode,
  };
}

/**
 * @param {CallExpression} node
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Sent | undefined}
 */
function sentBy(node, code, tracer) {
  const library = libraryOf(node, code, tracer);
  const given = library ? givenTo(node, library) : handedOver(node, code, tracer);
  const first = given?.url && objectOf(given.url, code, tracer);
  const options = first ?? (given?.options && objectOf(given.options, code, tracer));
  const url = first ? membersOf(first, URLS)[0] : given?.url;
  return given && url && { library, given, options, url };
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
  const urls = () =>
    code.resolved.nodes.flatMap((other) =>
      other.type === 'CallExpression' ? (sentBy(other, code, tracer)?.url ?? []) : [],
    );
  const found = documentUrl({ url: sent.url, verb: verbOf(node, sent), isOfCouch }, code, tracer, urls);
  if (!found) return undefined;
  const { method, database, id, databaseNode } = found;
  return {
    method,
    database,
    designDoc: null,
    view: null,
    options: { node: null, isOpen: true },
    repeated: (method === 'insert' ? body : id) ?? sent.url,
    documents: method === 'insert' ? body : id,
    body,
    databaseNode,
    viewNode: undefined,
  };
}

/**
 * @param {CallExpression} node
 * @param {Sent} sent
 * @returns {string | undefined} `GET` and the like, as far as the code shows it
 */
function verbOf({ callee: written, arguments: [first] }, { library, given, options }) {
  const callee = bare(written);
  const name = callee.type === 'MemberExpression' ? (propertyName(callee) ?? '') : '';
  const called = callee.type === 'Identifier' ? callee.name : name;
  const [verb] = membersOf(options, ['method', 'type']);
  if (verb) return verb.type === 'Literal' ? String(verb.value).toUpperCase() : undefined;
  if (first?.type === 'Literal' && VERB.test(String(first.value))) return String(first.value).toUpperCase();
  const own = /(?:^|couch(?:db)?_?)(get|head|post|put|delete|del)(?:JSON)?$/i.exec(called)?.[1]?.toUpperCase();
  if (own) return own === 'DEL' ? 'DELETE' : own;
  const isHidden = given.options !== undefined && !options;
  const isOpen = options?.properties.some(({ type }) => type === 'SpreadElement');
  const readsByDefault = library !== undefined || /(?:fetch|request)(?:JSON)?$/i.test(called);
  return readsByDefault && !isHidden && !isOpen ? 'GET' : undefined;
}

/**
 * @param {CallExpression} node
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {RequestLibrary | undefined} whose call it is, where that may send a request
 */
function libraryOf(node, code, tracer) {
  const callee = bare(node.callee);
  if (callee.type === 'Identifier') {
    if (callee.name === 'fetch' && !bindingAt(callee, code.resolved)) return 'fetch';
    const value = tracer.start(callee, code);
    return value?.is === 'package' ? requestLibrary(value.name) : undefined;
  }
  if (callee.type !== 'MemberExpression' || callee.object.type === 'Super') return undefined;
  const name = propertyName(callee) ?? '';
  const { object } = callee;
  if (name === 'fetch' && object.type === 'Identifier' && ['window', 'globalThis', 'self'].includes(object.name))
    return 'fetch';
  if (!SENDING.has(name)) return undefined;
  const value = tracer.start(object, code);
  return value?.is === 'package' ? requestLibrary(value.name) : undefined;
}

/**
 * @param {CallExpression} node
 * @param {RequestLibrary} library
 * @returns {Given}
 */
function givenTo({ callee, arguments: [url, second, third] }, library) {
  const called = bare(callee);
  const name = called.type === 'MemberExpression' ? (propertyName(called) ?? '') : '';
  if (library === 'axios' && SENDING.get(name)) return { url, body: second, options: third };
  if (library === 'superagent') return { url };
  // Its last argument may be a function that gets the answer.
  return { url, options: second && /Function/.test(second.type) ? undefined : second };
}

/**
 * `api.post(`${shop}/_find`, query)`: what the receiver is was not found, but the path is one that CouchDB alone has.
 * @param {CallExpression} node
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Given | undefined} undefined for what sends nothing, and for servers that define a route
 */
function handedOver({ callee, arguments: given }, code, tracer) {
  const called = bare(callee);
  const isMember = called.type === 'MemberExpression';
  const name = isMember ? (propertyName(called) ?? '') : called.type === 'Identifier' ? called.name : '';
  // `cache.get('/shop/_all_docs')` sends nothing.
  const sends = isMember ? SENDS.test(name) && SENDERS.test(code.source(called.object)) : FUNCTIONS.test(name);
  if (!sends) return undefined;
  // A class of the project that is called a server is its client of one: it takes no handler of a route.
  const mayBeRoute = isMember && ROUTES.test(code.source(called.object));
  if (mayBeRoute && called.object.type !== 'Super' && tracer.start(called.object, code)?.is !== 'instance')
    return undefined;
  if (
    given.some(
      (item) => isFunction(item) && item.params.length > 1 && ROUTE_PARAMETER.test(code.source(item.params[0] ?? item)),
    )
  )
    return undefined;
  // `fetchJSON('POST', path, body)`
  const isFirst = given[0]?.type !== 'Literal' || !VERB.test(String(given[0].value));
  const [url, second, third] = isFirst ? given : given.slice(1);
  if (!url || /[:*]\w*\/|\/[:*]/.test(code.source(url).replace(/https?:\/\//g, ''))) return undefined;
  const verb = name.toLowerCase().replace(/json$|^.*couch(?:db)?_?(?=(?:get|post|put|delete)$)/g, '');
  const takesBody = SENDING.get(verb) ?? !isFirst;
  return takesBody
    ? { url, body: second, options: third }
    : { url, options: second && isFunction(second) ? undefined : second };
}

/**
 * @param {AnyNode} written
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {ObjectExpression | undefined}
 */
function objectOf(written, code, tracer) {
  const node = bare(written);
  if (node.type === 'ObjectExpression') return node;
  const value = node.type === 'Identifier' ? tracer.start(node, code) : undefined;
  return value?.is === 'object' && value.code === code ? value.node : undefined;
}

/**
 * @param {AnyNode | undefined} object
 * @param {readonly string[]} names
 * @returns {AnyNode[]} the values of these members
 */
function membersOf(object, names) {
  const node = object && bare(object);
  if (node?.type !== 'ObjectExpression') return [];
  return node.properties.flatMap((item) =>
    item.type === 'Property' && !item.computed && names.includes(nameOf(item.key) ?? '') ? item.value : [],
  );
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
