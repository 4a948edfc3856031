// Knows the functions of a project that hand a URL on to a library of requests: `request({ url })`, `admin.json(path)`.

import { bindingAt } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { membersOf, nameOf, propertyName } from './code.js';
import { piecesOf } from './urls.js';

/** @import { AnyNode, CallExpression, Identifier } from 'acorn' */
/** @import { RequestLibrary } from '../../clients/index.js' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { Sent } from './sent-requests.js' */
/** @import { Tracer } from './trace.js' */
/** @import { Piece } from './urls.js' */
/** @import { FunctionValue } from './value.js' */

/**
 * @typedef {object} Sender
 * @property {number} index of the parameter with the URL
 * @property {string | undefined} key of the member of it that is the URL, if it has a name of its own
 * @property {Piece[]} prefix what is written before it, without places
 * @property {RequestLibrary | undefined} library
 * @property {string | undefined} verb `GET` and the like, where all its requests have the same
 * @property {number | undefined} verbIndex of the parameter with it
 * @property {boolean} readsByDefault whether it is `GET` if a call does not say
 * @property {number | undefined} body of the parameter with it
 * @property {number | undefined} options of the parameter with the library's
 * @property {boolean} isOpen whether it adds options of its own to the URL
 * @property {boolean} isGeneric whether it takes any path, and not only the id of something: `request(method, path)`
 */

/** A parameter, or a member of one. @typedef {{index: number, key: string | undefined}} Given */

/** Functions of a project around each other: `json(path)` → `fetch(path)` → the library. */
const MAX_DEPTH = 3;
/** What makes one object of several: what it is given reaches the library. */
const MERGES = new Set(['assign', 'extend', 'merge', 'defaults', 'defaultsDeep']);

/** What sends a request, as it is called: a function without any of these is not looked into. */
const SENDS =
  /fetch|axios|req|http|ajax|agent|xhr|\bgot\b|\bky\b|\brp\b|\.(?:get|post|put|delete|del|head|json|send|open)\s*[<(]/i;

const NAMES = /^(?:\w*ur[il]|\w*path|endpoint|href|route)\b/i;

/** What functions send, by where they stand. @type {WeakMap<Tracer, Map<string, Sender | undefined>>} */
const KNOWN = new WeakMap();

/**
 * @param {CallExpression} node
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {number} depth
 * @param {(node: CallExpression, code: Code, tracer: Tracer, depth: number) => Sent | undefined} sentBy
 * @returns {Sender | undefined} the function that it calls, if that sends what it is given
 */
export function senderOf(node, code, tracer, depth, sentBy) {
  if (depth > MAX_DEPTH || node.arguments.length === 0) return undefined;
  const value = tracer.start(node.callee, code);
  if (value?.is !== 'function' || value.node.params.length === 0) return undefined;
  const known = KNOWN.get(tracer) ?? new Map();
  KNOWN.set(tracer, known);
  if (!mayBeSender(value)) return undefined;
  const key = `${value.code.file.path}\0${value.node.start}`;
  if (known.has(key)) return known.get(key);
  // A function that calls itself sends nothing new.
  known.set(key, undefined);
  const found = findSender(value.node, value.code, tracer, (inner) => sentBy(inner, value.code, tracer, depth + 1));
  if (found || depth === 0) known.set(key, found);
  else known.delete(key);
  return found;
}

/** @param {FunctionValue} fn @returns {boolean} whether its text has what sends a request, or a parameter that is called like a URL */
function mayBeSender({ node, code }) {
  return SENDS.test(code.source(node)) || node.params.some((param) => NAMES.test(code.source(param)));
}

/**
 * @param {FunctionNode} fn
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {(node: CallExpression) => Sent | undefined} sentBy
 * @returns {Sender | undefined}
 */
function findSender(fn, code, tracer, sentBy) {
  const all = code.nodesWithin(fn).flatMap((node) => {
    if (node.type !== 'CallExpression') return [];
    const sent = sentBy(node);
    return (sent ? sender(node, sent, fn, code, tracer) : undefined) ?? [];
  });
  const [first] = all;
  // One that reads a document and writes it is no request.
  const isOne = all.every(
    ({ verb, readsByDefault }) => verb === first?.verb && readsByDefault === first?.readsByDefault,
  );
  return first && (isOne ? first : { ...first, verb: undefined, verbIndex: undefined, readsByDefault: false });
}

/**
 * @param {CallExpression} node
 * @param {Sent} sent
 * @param {FunctionNode} fn around it
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Sender | undefined}
 */
function sender(node, sent, fn, code, tracer) {
  const { options, given, url, library } = sent;
  const named = wholeOf(url);
  const whole = named && givenBy(named, fn, code) ? named : undefined;
  const pieces = [...sent.prefix, ...(whole ? [piece(whole, code)] : piecesOf(url, code, tracer, 0))];
  const at = pieces.findLastIndex(({ node: written }) => written && givenBy(written, fn, code));
  const parameter = at < 0 ? undefined : givenBy(/** @type {AnyNode} */ (pieces[at]?.node), fn, code);
  const behind = pieces.slice(at + 1).map(({ text }) => text);
  // `${base}/${shop}/_find`: what it is given is a part of the path.
  if (!parameter || !/^(?:\0|$|\?)/.test(behind.join('')) || behind.join('').includes('/')) return undefined;
  // `${base}/shop/_design/orders/_show/${id}`: the path is known without it.
  if (
    /(?:^|\/)_/.test(
      pieces
        .slice(0, at)
        .map(({ text }) => text)
        .join(''),
    )
  )
    return undefined;
  const inner = sent.sender;
  const indexOf = (/** @type {AnyNode | undefined} */ item) => {
    const found = item && givenBy(wholeOf(item) ?? item, fn, code);
    return found && found.index !== parameter.index ? found.index : undefined;
  };
  const spread = options?.properties.flatMap((item) => (item.type === 'SpreadElement' ? item.argument : [])) ?? [];
  const own = sent.verb;
  const [verb] = membersOf(options, ['method', 'type']);
  const [first] = node.arguments;
  const method =
    first?.type === 'Identifier' && /^(?:http)?(?:method|verb|type)$/i.test(first.name) ? first : undefined;
  const verbIndex = indexOf(verb ?? (inner?.verbIndex === undefined ? method : node.arguments[inner.verbIndex]));
  return {
    index: parameter.index,
    key: parameter.key,
    isGeneric: verbIndex !== undefined || NAMES.test(code.source(/** @type {AnyNode} */ (pieces[at]?.node))),
    prefix: pieces.slice(0, at).map(({ text, source }) => ({ text, start: undefined, ...(source ? { source } : {}) })),
    library,
    // `request(options)` may be given another.
    verb: whole && library !== 'fetch' && own === 'GET' ? undefined : own,
    verbIndex,
    readsByDefault:
      !verb &&
      !fn.params.some((param) => /^(?:method|verb)\b/i.test(code.source(param))) &&
      (spread.length > 0 || given.options !== undefined || parameter.key !== undefined || whole !== undefined),
    body: indexOf(given.body ?? membersOf(options, ['body', 'data', 'json'])[0]),
    options: [given.options, ...spread].map(indexOf).find((index) => index !== undefined),
    isOpen:
      behind.length > 0 ||
      (inner?.isOpen ?? false) ||
      membersOf(options, ['params', 'searchParams', 'qs', 'query']).length > 0,
  };
}

/** @param {AnyNode} node @param {Code} code @returns {Piece} */
function piece(node, code) {
  return { text: '\0', start: undefined, node, source: code.source(node) };
}

/**
 * @param {AnyNode} written
 * @returns {Identifier | undefined} what is handed on as a whole: `options` of `Object.assign({ json: true }, options)`
 */
function wholeOf(written) {
  const node = bare(written);
  if (node.type === 'Identifier') return node;
  if (node.type === 'ObjectExpression') {
    const spread = node.properties.flatMap((item) => (item.type === 'SpreadElement' ? item.argument : []));
    return spread.map(wholeOf).find(Boolean);
  }
  const callee = node.type === 'CallExpression' ? bare(node.callee) : undefined;
  const name =
    callee?.type === 'MemberExpression' ? propertyName(callee) : callee?.type === 'Identifier' && callee.name;
  if (node.type !== 'CallExpression' || !name) return undefined;
  if (name === 'stringify' && node.arguments[0]) return wholeOf(node.arguments[0]);
  return MERGES.has(name) ? node.arguments.map((item) => wholeOf(item)).find(Boolean) : undefined;
}

/**
 * @param {AnyNode} written
 * @param {FunctionNode} fn
 * @param {Code} code
 * @returns {Given | undefined} the parameter of the function that it is, or the member of one
 */
function givenBy(written, fn, code) {
  const node = bare(written);
  if (node.type === 'MemberExpression' && node.object.type === 'Identifier') {
    const key = propertyName(node);
    const found = key === undefined ? undefined : givenBy(node.object, fn, code);
    return found && found.key === undefined ? { index: found.index, key } : undefined;
  }
  const binding = node.type === 'Identifier' ? bindingAt(node, code.resolved) : undefined;
  if (!binding) return undefined;
  const isIt = (/** @type {AnyNode} */ id) => id.type === 'Identifier' && bindingAt(id, code.resolved) === binding;
  for (const [index, param] of fn.params.entries()) {
    const pattern = param.type === 'AssignmentPattern' ? param.left : param;
    if (isIt(pattern)) return { index, key: undefined };
    if (pattern.type !== 'ObjectPattern') continue;
    for (const item of pattern.properties) {
      if (item.type === 'RestElement') {
        if (isIt(item.argument)) return { index, key: undefined };
        continue;
      }
      const id = item.value.type === 'AssignmentPattern' ? item.value.left : item.value;
      if (isIt(id)) return { index, key: nameOf(item.key) };
    }
  }
  return undefined;
}
