// Finds what code sends with a library of requests, or with a function that hands its URL on to one.

import { requestLibrary } from '../../clients/index.js';
import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { membersOf, propertyName } from './code.js';
import { senderOf } from './senders.js';
import { piecesOf } from './urls.js';

/** @import { AnyNode, CallExpression, ObjectExpression } from 'acorn' */
/** @import { RequestLibrary } from '../../clients/index.js' */
/** @import { Code } from './code.js' */
/** @import { Sender } from './senders.js' */
/** @import { Tracer } from './trace.js' */
/** @import { Piece } from './urls.js' */
/** @import { PackageValue } from './value.js' */

/** What a library is given: the URL or options with it, the body, options. @typedef {{url: AnyNode | undefined, body?: AnyNode | undefined, options?: AnyNode | undefined}} Given */

/**
 * @typedef {object} Sent
 * @property {RequestLibrary | undefined} library
 * @property {Given} given
 * @property {ObjectExpression | undefined} options
 * @property {AnyNode} url
 * @property {Piece[]} prefix what a function of the project writes before the URL
 * @property {Sender | undefined} sender that function
 * @property {boolean} isOpen whether it adds options of its own
 * @property {string | undefined} verb `GET` and the like, as far as the code shows it
 */

const VERB = /^[A-Z]+$/i;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']);

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
const SENDS = /^_?(?:get|post|put|patch|delete|del|head|ajax|call)(?:JSON)?$|(?:request|req|fetch)(?:JSON)?$/i;
const FUNCTIONS = /(?:request|req|fetch|ajax)(?:JSON)?$|couch(?:db)?_?(?:get|post|put|delete)$/i;
const SENDERS =
  /(?:this|self|that|http|request|client|api|couch\w*|pouch\w*|cloudant|service|ajax|axios|agent|remote|\$|jquery|_?db|database|stack\w*|fetcher|server)(?:\(.*\))?$/i;
/** How servers and their stand-ins are called, which define what a path answers; and the first parameter of what answers it. */
const ROUTES =
  /(?:^|\.)(?:\w*app|\w*router|\w*server|routes?|nock|\w*mock\w*|scope|fastify|express|\$?httpBackend|cy|page)(?:\(.*\))?$/i;
const ROUTE_PARAMETER = /^(?:req|request|ctx|context|_|c)\b/;

/** Libraries that need no import: `fetch`, and what AngularJS injects by the name of `$http`. @type {PackageValue} */
const FETCH = { is: 'package', name: 'node-fetch' };
/** @type {PackageValue} */
const ANGULAR = { is: 'package', name: '@angular/http' };
/** Options of all requests that have the beginning of their URLs: axios, request, got. */
const BASES = ['baseURL', 'baseUrl', 'prefixUrl'];
/** Options that have the URL, the query string and the body, in any of the libraries. */
const URLS = ['url', 'uri', 'path', 'pathname'];
export const QUERIES = ['params', 'searchParams', 'qs', 'query'];
export const BODIES = ['body', 'data', 'json', 'send'];

/**
 * @param {CallExpression} node
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {number} [depth] functions of the project that hand it on
 * @returns {Sent | undefined}
 */
export function sentBy(node, code, tracer, depth = 0) {
  const from = packageOf(node, code, tracer);
  const library = from && requestLibrary(from.name);
  const sender = library ? undefined : senderOf(node, code, tracer, depth, sentBy);
  const given = library
    ? givenTo(node, library)
    : sender
      ? givenToSender(node, sender, handedOver(node, code, tracer))
      : handedOver(node, code, tracer);
  const first = given?.url && objectOf(given.url, code, tracer);
  const options = first ?? (given?.options && objectOf(given.options, code, tracer));
  const url = first ? membersOf(first, sender?.key ? [sender.key] : URLS)[0] : given?.url;
  if (!given || !url) return undefined;
  const sent = {
    library: library ?? sender?.library,
    given,
    options,
    url,
    prefix: sender?.prefix ?? baseOf(from, options, url, code, tracer),
    sender,
    isOpen: sender?.isOpen ?? false,
  };
  return { ...sent, verb: verbOf(node, sent) };
}

/**
 * @param {CallExpression} node
 * @param {Sender} sender
 * @param {Given | undefined} named what its name says that it is given
 * @returns {Given}
 */
function givenToSender({ arguments: given }, { index, body, options }, named) {
  const url = given[index];
  const sent = body === undefined ? (named?.url === url ? named?.body : undefined) : given[body];
  // What else it is given may be options, too.
  const others = given.filter((item) => item !== url && item !== sent && item.type !== 'Literal' && !isFunction(item));
  return { url, body: sent, options: options === undefined || options === index ? others[0] : given[options] };
}

/**
 * @param {CallExpression} node
 * @param {Omit<Sent, 'verb'>} sent
 * @returns {string | undefined} `GET` and the like, as far as the code shows it
 */
function verbOf({ callee: calledBy, arguments: all }, { library, given, options, sender }) {
  const [first] = all;
  const callee = bare(calledBy);
  const name = callee.type === 'MemberExpression' ? (propertyName(callee) ?? '') : '';
  const called = callee.type === 'Identifier' ? callee.name : name;
  const [verb] = membersOf(options, ['method', 'type']);
  if (verb) return verb.type === 'Literal' ? String(verb.value).toUpperCase() : undefined;
  if (first?.type === 'Literal' && VERB.test(String(first.value))) return String(first.value).toUpperCase();
  const passed = sender?.verbIndex === undefined ? undefined : all[sender.verbIndex];
  if (passed) return passed.type === 'Literal' ? String(passed.value).toUpperCase() : undefined;
  const written = sender && all.find((item) => item.type === 'Literal' && METHODS.has(String(item.value)));
  if (written?.type === 'Literal') return String(written.value);
  const own = (/(?:^_?|couch(?:db)?_?)(get|head|post|put|delete|del)(?:JSON)?$/i.exec(called) ??
    /^(get|head|post|put|delete)Request$/.exec(called))?.[1]?.toUpperCase();
  if (own) return own === 'DEL' ? 'DELETE' : own;
  if (sender?.verb !== undefined) return sender.verb;
  const isHidden = given.options !== undefined && !options;
  const isOpen = options?.properties.some(({ type }) => type === 'SpreadElement');
  const readsByDefault =
    (sender ? sender.readsByDefault : library !== undefined) || /(?:fetch|request)(?:JSON)?$/i.test(called);
  return readsByDefault && !isHidden && !isOpen ? 'GET' : undefined;
}

/**
 * @param {CallExpression} node
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {PackageValue | undefined} the library whose call it is, where that may send a request
 */
function packageOf(node, code, tracer) {
  const callee = bare(node.callee);
  let sends = callee;
  if (callee.type === 'Identifier') {
    if (callee.name === 'fetch' && !bindingAt(callee, code.resolved)) return FETCH;
  } else {
    if (callee.type !== 'MemberExpression' || callee.object.type === 'Super') return undefined;
    const method = propertyName(callee) ?? '';
    if (method === '$http') return ANGULAR;
    sends = bare(callee.object);
    if (method === 'fetch' && sends.type === 'Identifier' && ['window', 'globalThis', 'self'].includes(sends.name))
      return FETCH;
    if (!SENDING.has(method)) return undefined;
  }
  const value = tracer.start(sends, code);
  const name = sends.type === 'MemberExpression' ? propertyName(sends) : sends.type === 'Identifier' && sends.name;
  if (!value && name === '$http') return ANGULAR;
  return value?.is === 'package' && requestLibrary(value.name) ? value : undefined;
}

/**
 * @param {PackageValue | undefined} library
 * @param {ObjectExpression | undefined} options
 * @param {AnyNode} url
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Piece[]} what stands before the URL: `baseURL` of `axios.create`, the host of `http.request`
 */
function baseOf(library, options, url, code, tracer) {
  const pieces = (/** @type {AnyNode} */ node, /** @type {Code} */ of) =>
    piecesOf(node, of, tracer, 0).flatMap(({ text, source }) =>
      text === '' ? [] : { text, start: undefined, ...(source ? { source } : {}) },
    );
  const [base] = membersOf(library?.node, BASES);
  if (base && library?.code) {
    const own = pieces(url, code)[0]?.text ?? '';
    const before = pieces(base, library.code);
    const hasSlash = own.startsWith('/') || before.at(-1)?.text.endsWith('/') === true;
    if (/^https?:/.test(own)) return [];
    return hasSlash ? before : [...before, { text: '/', start: undefined }];
  }
  const [port] = membersOf(options, ['port']);
  const [host] = membersOf(options, ['hostname', 'host']);
  if (!host || membersOf(options, ['path', 'pathname'])[0] !== url) return [];
  const written = pieces(host, code);
  return [
    { text: 'http://', start: undefined },
    ...written,
    ...(port?.type === 'Literal' ? [{ text: `:${port.value}`, start: undefined }] : []),
  ];
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
  const [first] = given;
  const isFirst =
    first?.type === 'Identifier'
      ? !/^(?:http)?(?:method|verb)$/i.test(first.name)
      : first?.type !== 'Literal' || !VERB.test(String(first.value));
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
  // `post({ url, body })`, `Object.assign({}, defaults, { url })`
  if (node.type === 'CallExpression') {
    const objects = node.arguments.flatMap((item) => (item.type === 'ObjectExpression' ? item : []));
    return objects.find((item) => membersOf(item, URLS).length > 0);
  }
  const value = node.type === 'Identifier' ? tracer.start(node, code) : undefined;
  return value?.is === 'object' && value.code === code ? value.node : undefined;
}
