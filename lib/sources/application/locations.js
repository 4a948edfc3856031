// Decides where a database is: behind HTTP on a server, or PouchDB in the process. What the code does not show is unknown.

import { bindingAt } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { propertyName } from './code.js';

/** @import { AnyNode, CallExpression, TemplateLiteral } from 'acorn' */
/** @import { ValueNode } from '../record.js' */
/** @import { Code } from './code.js' */
/** @import { LocalDatabases } from '../../clients/client.js' */
/** @import { CallLocation } from './record.js' */
/** @import { Tracer } from './trace.js' */
/** @import { DatabaseValue, ServerValue, Value } from './value.js' */

/** A name or URL may be made of others, so deep. */
const MAX_PARTS = 8;
/** Methods of strings, and of URLs, that leave the beginning as it is. */
const KEEPS_BEGINNING = new Set(['toString', 'concat', 'trim', 'trimEnd', 'replace', 'replaceAll']);
/** How addresses are called. */
const URL_NAME = /ur[il]|remote|endpoint|address/i;
/** Words of names that are given to addresses alone, `couchUrl`, `DB_URI`, `remoteDb`, and those that make it something else. */
const URL_WORD = /^(?:\w*ur[il]s?|href|remote(?:db)?|endpoint|address)$/i;
const NO_URL_WORD = /^(?:name|names|path|paths|dir|file|files|folder|key|id|local)$/i;
/** Words of names of databases and files, `dbName`, `localDb`, `dataDir`, and those that make it a part of an address. */
const LOCAL_WORD = /^(?:name|names|local|localdb|path|dir|folder|file)$/i;
const NO_LOCAL_WORD = /ur[il]|host|server|remote|couch|cloudant|endpoint|origin|domain|base|user|http/i;
/** What gives a path of the file system (Node.js, Electron). */
const GIVES_PATH = /^(?:(?:\w*path|posix|win32)\.(?:join|resolve)|os\.(?:homedir|tmpdir)|process\.cwd|app\.getPath)$/i;
/** Words of names that are hosts where a path follows: `${process.env.COUCH_HOST}/shop`. */
const HOST_WORD = /^(?:host|hostname|server|origin|api|couch|couchdb|cloudant|domain)$/i;

/**
 * A name without a protocol is a database of its own, a URL one of a server (pouchdb-core, constructor.js parseAdapter, 9.0).
 * @param {Tracer} tracer
 * @param {readonly AnyNode[]} given to the constructor
 * @param {Code} code
 * @param {number} depth
 * @param {LocalDatabases | undefined} local
 * @returns {CallLocation}
 */
export function constructedLocation(tracer, [first, second], code, depth, local) {
  const options = second && tracer.value(second, code, depth);
  const whole = first && tracer.value(first, code, depth);
  const objects = [options, whole].flatMap((value) => (value?.is === 'object' ? value : []));
  for (const object of objects) {
    const adapter = textOf(tracer.property(object, 'adapter', depth));
    if (adapter !== null) return /^https?$/.test(adapter) ? 'http' : 'local';
  }
  const name = whole?.is === 'object' ? tracer.property(whole, 'name', depth) : undefined;
  const named = name?.is === 'text' ? name : (whole?.is === 'object' && nameIn(whole)) || { node: first, code };
  const byName = locationOf(tracer, named.node, named.code, depth);
  if (byName !== 'unknown') return byName;
  // The names in the file have what is written to these objects later, too.
  const values = [
    ...objects.map((object) => object.code.reader.read(object.node)),
    ...(second ? [code.reader.read(second)] : []),
  ];
  if (!values.some((value) => keysOf(value).some((key) => local?.remoteOptions.includes(key)))) return 'unknown';
  // Without a URL these options open a database in the process.
  return named.node && mayBeUrl(tracer, named.node, named.code, depth) ? 'http' : 'unknown';
}

/** @param {Extract<Value, {is: 'object'}>} object @returns {{node: AnyNode, code: Code} | undefined} what `{ name: config.url }` has for a name */
function nameIn({ node, code }) {
  for (const item of node.properties) {
    const isName = item.type === 'Property' && item.key.type === 'Identifier' && item.key.name === 'name';
    if (isName) return { node: item.value, code };
  }
  return undefined;
}

/**
 * @param {Tracer} tracer
 * @param {AnyNode} written
 * @param {Code} code
 * @param {number} depth
 * @param {number} [parts] how deep in what it is made of
 * @returns {boolean} whether it is called a URL or has a path: `${base}/shop`
 */
function mayBeUrl(tracer, written, code, depth, parts = 0) {
  if (parts > MAX_PARTS) return false;
  const node = bare(written);
  const of = (/** @type {AnyNode | undefined} */ other) =>
    other !== undefined && mayBeUrl(tracer, other, code, depth, parts + 1);
  switch (node.type) {
    case 'TemplateLiteral':
      return Boolean(node.quasis[1]?.value.cooked?.startsWith('/')) || of(node.expressions[0]);
    case 'BinaryExpression': {
      const { left, right } = node;
      const isPath = right.type === 'Literal' && typeof right.value === 'string' && right.value.startsWith('/');
      return isPath || (left.type !== 'PrivateIdentifier' && of(left));
    }
    case 'LogicalExpression':
      return of(node.left) || of(node.right);
    case 'ConditionalExpression':
      return of(node.consequent) && of(node.alternate);
    case 'CallExpression':
      return of(beginningOf(node)) || URL_NAME.test(code.source(node.callee));
    case 'Identifier':
    case 'MemberExpression': {
      if (URL_NAME.test(code.source(node)) || placesWritten(tracer, node, code, depth).includes('http')) return true;
      const value = tracer.value(node, code, depth + 1);
      return (
        value?.is === 'text' && value.node !== node && mayBeUrl(tracer, value.node, value.code, depth + 1, parts + 1)
      );
    }
    default:
      return false;
  }
}

/** @param {ValueNode} value @returns {string[]} */
function keysOf(value) {
  return value.type === 'object' ? value.entries.map(({ key }) => key) : [];
}

/**
 * @param {Tracer} tracer
 * @param {AnyNode | undefined} written a name, a URL, or the beginning of one
 * @param {Code} code
 * @param {number} depth
 * @param {number} [parts] how deep in what it is made of
 * @returns {CallLocation}
 */
export function locationOf(tracer, written, code, depth, parts = 0) {
  if (!written || parts > MAX_PARTS) return 'unknown';
  const node = bare(written);
  const of = (/** @type {AnyNode | undefined} */ other) => locationOf(tracer, other, code, depth, parts + 1);
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? byBeginning(node.value, true) : 'unknown';
    case 'TemplateLiteral':
      return ofTemplate(node, of);
    case 'BinaryExpression':
      return node.operator === '+' && node.left.type !== 'PrivateIdentifier'
        ? ofSum(node.left, node.right, of)
        : 'unknown';
    case 'LogicalExpression': {
      // A default that is a URL shows what the other is.
      const known = [of(node.left), of(node.right)].filter((one) => one !== 'unknown');
      return known.includes('http') && !known.includes('local') ? 'http' : known.length === 2 ? same(known) : 'unknown';
    }
    case 'ConditionalExpression':
      return same([of(node.consequent), of(node.alternate)]);
    case 'NewExpression':
      return node.callee.type === 'Identifier' && node.callee.name === 'URL'
        ? of(node.arguments[1] ?? node.arguments[0])
        : 'unknown';
    case 'CallExpression': {
      if (GIVES_PATH.test(code.source(node.callee))) return 'local';
      const kept = beginningOf(node) ?? resolvedFrom(node);
      if (kept) return of(kept);
      break;
    }
    case 'Identifier':
      if (node.name === '__dirname') return 'local';
      break;
    case 'MemberExpression':
      if (propertyName(node) === 'href' && of(node.object) === 'http') return 'http';
      break;
    default:
  }
  const value = tracer.value(node, code, depth + 1);
  const text = value?.is === 'text' && value.node !== node ? value : undefined;
  const found = text ? locationOf(tracer, text.node, text.code, depth + 1, parts + 1) : 'unknown';
  if (found !== 'unknown' || (text && isChoice(bare(text.node)))) return found;
  const places = placesWritten(tracer, node, code, depth);
  if (hasWord(node, URL_WORD) && !places.includes('local')) return 'http';
  return !text && isLocalName(node) && !places.includes('http') ? 'local' : 'unknown';
}

/** @param {AnyNode} node `dbName`, `config.localDb` @returns {boolean} whether it is called after a name or a path; `name` alone may be anything */
function isLocalName(node) {
  const words = wordsOf(node);
  const name = words.join('');
  return words.length > 1 && words.some((word) => LOCAL_WORD.test(word)) && !NO_LOCAL_WORD.test(name);
}

/** @param {AnyNode} node @returns {boolean} whether it has several values: then its name says nothing of each */
function isChoice({ type }) {
  return type === 'ConditionalExpression' || type === 'LogicalExpression';
}

/**
 * @param {AnyNode} node `config.couchUrl`, `getDbUrl(name)`
 * @param {RegExp} pattern
 * @returns {boolean} whether a word of the name, the last of several, says that it is an address
 */
function hasWord(node, pattern) {
  const words = wordsOf(node);
  return words.some((word) => pattern.test(word)) && !words.some((word) => NO_URL_WORD.test(word));
}

/** @param {AnyNode} node @returns {string[]} the words of its name, the last of several */
function wordsOf(node) {
  const named = node.type === 'CallExpression' ? bare(node.callee) : node;
  const name = named.type === 'MemberExpression' ? propertyName(named) : named.type === 'Identifier' ? named.name : '';
  return (name ?? '').split(/_|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
}

/**
 * @param {Tracer} tracer
 * @param {AnyNode} node
 * @param {Code} code
 * @param {number} depth
 * @returns {CallLocation[]} of the values that are written to a name
 */
function placesWritten(tracer, node, code, depth) {
  const binding = node.type === 'Identifier' ? bindingAt(node, code.resolved) : undefined;
  return (binding?.references ?? []).flatMap(({ node: use, writes }) => {
    const parent = writes ? code.parentOf(use) : undefined;
    const value =
      parent?.type === 'AssignmentExpression'
        ? parent.right
        : parent?.type === 'VariableDeclarator'
          ? parent.init
          : null;
    return value ? locationOf(tracer, value, code, depth + 1, MAX_PARTS - 1) : [];
  });
}

/**
 * @param {TemplateLiteral} node
 * @param {(node: AnyNode | undefined) => CallLocation} of
 * @returns {CallLocation}
 */
function ofTemplate({ quasis, expressions }, of) {
  const [first, second] = quasis.map(({ value }) => value.cooked ?? '');
  if (!first) return second?.startsWith('/') ? hostOr(expressions[0], of) : of(expressions[0]);
  // `http${isSecure ? 's' : ''}://…`
  if (/^https?$/i.test(first) && /^s?:\/\//.test(second ?? '')) return 'http';
  return byBeginning(first, expressions.length === 0);
}

/**
 * @param {AnyNode} left
 * @param {AnyNode} right
 * @param {(node: AnyNode | undefined) => CallLocation} of
 * @returns {CallLocation}
 */
function ofSum(left, right, of) {
  const node = bare(left);
  if (node.type === 'Literal' && typeof node.value === 'string') return byBeginning(node.value, false);
  const isPath = right.type === 'Literal' && typeof right.value === 'string' && right.value.startsWith('/');
  return isPath ? hostOr(node, of) : of(node);
}

/**
 * @param {AnyNode | undefined} node with a path behind it
 * @param {(node: AnyNode | undefined) => CallLocation} of
 * @returns {CallLocation}
 */
function hostOr(node, of) {
  const found = of(node);
  return found === 'unknown' && node && hasWord(bare(node), HOST_WORD) ? 'http' : found;
}

/**
 * @param {string} text
 * @param {boolean} isWhole whether nothing follows
 * @returns {CallLocation}
 */
function byBeginning(text, isWhole) {
  if (/^https?:\/\//i.test(text)) return 'http';
  const mayBecomeUrl = !isWhole && /^h(?:t(?:t(?:ps?:?\/?)?)?)?$/i.test(text);
  return text === '' || mayBecomeUrl ? 'unknown' : 'local';
}

/**
 * @param {CallExpression} node
 * @returns {AnyNode | undefined} what its result begins with: `url.replace(/\/$/, '')`
 */
function beginningOf({ callee }) {
  const called = bare(callee);
  if (called.type !== 'MemberExpression' || called.object.type === 'Super') return undefined;
  return KEEPS_BEGINNING.has(propertyName(called) ?? '') ? called.object : undefined;
}

/** @param {CallExpression} node @returns {AnyNode | undefined} the base of `url.resolve(base, 'shop')`; paths are resolved from folders */
function resolvedFrom({ callee, arguments: given }) {
  const called = bare(callee);
  const name = called.type === 'MemberExpression' ? propertyName(called) : called.type === 'Identifier' && called.name;
  return name === 'resolve' && given.length === 2 ? given[0] : undefined;
}

/** @param {readonly CallLocation[]} locations @returns {CallLocation} */
function same([first = 'unknown', ...others]) {
  return others.every((one) => one === first) ? first : 'unknown';
}

/**
 * @param {Value | undefined} value
 * @returns {string | null} the text, where it is literal
 */
export function textOf(value) {
  const node = value?.is === 'text' ? bare(value.node) : undefined;
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null;
}

/**
 * @param {readonly (Value | undefined)[]} values what one name may be, undefined where that was not found; the first that is
 *   no string decides what it is
 * @returns {Value | undefined} where these are databases at several places, one at an unknown place
 */
export function joined(values) {
  const all = values.flatMap((value) => value ?? []);
  // `return 'no such shop'` beside a client is about something else.
  // A class of the project beside a client takes its place elsewhere, with the same methods.
  const first =
    all.find(({ is }) => is === 'database' || is === 'server') ?? all.find(({ is }) => is !== 'text') ?? all[0];
  if (!first || (first.is !== 'database' && first.is !== 'server')) return first;
  // `this.db = nano.db`, and later `this.db = this.db.use(name)`.
  const isBoth = ['server', 'database'].every((is) => all.some((one) => one.is === is));
  const kind = isBoth ? 'database' : first.is;
  const alike = all.filter((one) => one.is === kind && 'client' in one && one.client === first.client);
  // A type beside values says nothing that these do not.
  const real = alike.filter((one) => !('annotated' in one));
  const one = (real.length > 0 ? real : alike).reduce(together);
  const found = isBoth && one.is === 'database' ? { ...one, isDeclared: true } : one;
  return all.length < values.length ? somewhere(found) : found;
}

/**
 * @template {Value} V
 * @param {V} value
 * @returns {V} the same at an unknown place, if it is a PouchDB in the process: something else may take its place
 */
export function somewhere(value) {
  const isLocal = value.is === 'database' && value.location === 'local';
  return isLocal ? { ...value, location: 'unknown', database: null } : value;
}

/**
 * @template {Value} V
 * @param {V} first
 * @param {V} second
 * @returns {V}
 */
function together(first, second) {
  const a = /** @type {DatabaseValue | ServerValue} */ (first);
  const b = /** @type {DatabaseValue | ServerValue} */ (second);
  const location = same([a.location, b.location]);
  const database = 'database' in a && 'database' in b && a.database === b.database ? a.database : null;
  return /** @type {V} */ (a.is === 'database' ? { ...a, location, database } : { ...a, location });
}
