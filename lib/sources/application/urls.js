// Reads the URL of a request as it is written: which part of CouchDB's API it names, and the options in its query string.

import { bindingAt } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { attempt } from '../../shared/attempt.js';
import { propertyName } from './code.js';
import { builtBy, OPEN } from './url-builders.js';

/** @import { AnyNode } from 'acorn' */
/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { Entry, ValueNode } from '../record.js' */
/** @import { Code } from './code.js' */
/** @import { CallMethod, CallOptions } from './record.js' */
/** @import { Tracer } from './trace.js' */
/** @import { Arguments } from './url-builders.js' */

/** A part of a URL: its characters, or an expression that only running would show, with its `source`. `start`: where they stand, one by one. @typedef {{text: string, start: number | undefined, file?: SourceFile, node?: AnyNode, source?: string}} Piece */

/** @typedef {{method: CallMethod, database: string | null, designDoc: string | null, view: string | null}} Endpoint */

/** A URL is made of names that are made of others, so deep. */
const MAX_PARTS = 8;

/** What follows the path of a database (CouchDB 3.5 documentation, API reference). @type {ReadonlyMap<string, CallMethod>} */
const OF_DATABASE = new Map([
  ['_all_docs', 'all-docs'],
  ['_bulk_docs', 'bulk-write'],
  ['_bulk_get', 'bulk-read'],
  ['_changes', 'changes'],
  ['_find', 'find'],
  ['_temp_view', 'temporary-query'],
]);

/** What follows that of a design document. @type {ReadonlyMap<string, CallMethod>} */
const OF_DESIGN_DOC = new Map([
  ['_view', 'view'],
  ['_list', 'view'],
  ['_search', 'search'],
  ['_nouveau', 'search'],
  ['_show', 'show'],
  ['_update', 'update'],
]);

/** Other parts of the API, at the end or with more behind them (CouchDB 3.5 documentation, API reference; `_log`, `_restart`, `_config` and the like until 1.7). */
const OTHER_ENDS =
  /\/_(?:all_dbs|dbs_info|active_tasks|replicate|membership|session|uuids|security|revs_limit|purged_infos_limit|revs_diff|missing_revs|purge|index|explain|design_docs|local_docs|ensure_full_commit|view_cleanup|compact|db_updates|shards|sync_shards|cluster_setup)$/;
const OTHER_PARTS = /\/_(?:design|local|node|scheduler|reshard|compact|index|config)\//;

const ENDS_IN_SLASH =
  /\0(?=_(?:all_docs|bulk_docs|bulk_get|find|changes|design\/|all_dbs|session|replicate|security)\b)/;

/**
 * @param {AnyNode} url
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {Piece[]} [prefix] what a function of the project writes before it
 * @returns {{endpoint: Endpoint, options: CallOptions, databaseNode: AnyNode | undefined, viewNode: AnyNode | undefined} | undefined} undefined where nothing in its path is CouchDB's alone
 */
export function readUrl(url, code, tracer, prefix = []) {
  const pieces = [...prefix, ...piecesOf(url, code, tracer, 0)];
  const text = pieces.map((piece) => piece.text).join('');
  const at = text.indexOf('?');
  const path = at === -1 ? text : text.slice(0, at);
  const endpoint = endpointOf(path.replace(/\0$/, ''));
  if (!endpoint) return undefined;
  const { entries, isOpen } = at === -1 ? { entries: [], isOpen: false } : entriesOf(text, at + 1, pieces, url, code);
  const isCutOff = path.endsWith(OPEN) && endpointOf(path) === undefined;
  const { start, end } = url;
  return {
    endpoint: endpointOf(path) ?? endpoint,
    databaseNode: endpoint.database === null ? databaseNodeOf(pieces) : undefined,
    viewNode: endpoint.view === null ? viewNodeOf(pieces) : undefined,
    options: {
      node: entries.length > 0 ? { type: 'object', file: code.file, start, end, entries } : null,
      isOpen: isOpen || isCutOff,
    },
  };
}

/**
 * @param {AnyNode} url of a document
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {CallOptions} those in its query string
 */
export function queryOf(url, code, tracer) {
  const pieces = piecesOf(url, code, tracer, 0);
  const text = pieces.map((piece) => piece.text).join('');
  const at = text.indexOf('?');
  const entries = at === -1 ? [] : entriesOf(text, at + 1, pieces, url, code).entries;
  const { start, end } = url;
  return { node: entries.length > 0 ? { type: 'object', file: code.file, start, end, entries } : null, isOpen: true };
}

/** @param {Piece[]} pieces @returns {AnyNode | undefined} what is computed behind `/_view/` */
function viewNodeOf(pieces) {
  const node = pieces[pieces.findIndex(({ text }) => text.endsWith('/_view/')) + 1]?.node;
  const [first] = node?.type === 'CallExpression' ? node.arguments : [];
  const isEncoded = node?.type === 'CallExpression' && bare(node.callee).type === 'Identifier';
  return isEncoded ? first : node;
}

/** @param {Piece[]} pieces @returns {AnyNode | undefined} what is computed in front of `/_find`, `/_design/…` and the like */
function databaseNodeOf(pieces) {
  const at = pieces.findIndex(({ text }) => /^\/_\w/.test(text));
  const before = pieces[at - 1];
  return before?.text === OPEN ? before.node : undefined;
}

/**
 * @param {AnyNode} written
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {number} parts
 * @param {Arguments} [given] where it stands in a function that makes URLs, what that is given
 * @returns {Piece[]}
 */
export function piecesOf(written, code, tracer, parts, given = undefined) {
  const node = bare(written);
  const of = (/** @type {AnyNode} */ other) => piecesOf(other, code, tracer, parts + 1, given);
  const own = given ? undefined : { node };
  const open = [{ text: OPEN, start: undefined, source: code.source(node), ...own }];
  const text = (/** @type {string} */ value, /** @type {number} */ start) =>
    given ? { text: value, start: undefined } : verbatim(value, start, code);
  if (parts > MAX_PARTS) return open;
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [text(node.value, node.start + 1)] : open;
    case 'TemplateLiteral':
      return node.quasis.flatMap((quasi, index) => {
        const expression = node.expressions[index];
        return [text(quasi.value.cooked ?? OPEN, quasi.start), ...(expression ? of(expression) : [])];
      });
    case 'BinaryExpression':
      return node.operator === '+' && node.left.type !== 'PrivateIdentifier'
        ? [...of(node.left), ...of(node.right)]
        : open;
    case 'AwaitExpression':
      return of(node.argument);
    case 'NewExpression':
      return node.callee.type === 'Identifier' && node.callee.name === 'URL' && node.arguments[0]
        ? of(node.arguments[0])
        : open;
    case 'CallExpression':
      return builtBy(node, code, tracer, { parts, given, piecesOf }, of) ?? open;
    case 'ConditionalExpression':
      return sameEnd(of(node.consequent), of(node.alternate)) ?? open;
    case 'Identifier':
    case 'MemberExpression': {
      if (node.type === 'MemberExpression' && propertyName(node) === 'href') return of(node.object);
      const argument = node.type === 'Identifier' && given?.get(bindingAt(node, code.resolved) ?? given);
      if (argument) return piecesOf(argument.node, argument.code, tracer, parts + 1, argument.given);
      const value = tracer.start(node, code);
      const start = value || node.type !== 'Identifier' ? undefined : extended(node, code);
      if (start?.isAppendedTo) return [...of(start.init), ...open];
      if (start) {
        const made = of(start.init);
        const isFollowed = made.length > 1 || !code.source(start.init).endsWith(made[0]?.source ?? OPEN);
        return isFollowed ? made : open;
      }
      if (value?.is !== 'text' || value.node === node) return open;
      return piecesOf(value.node, value.code, tracer, parts + 1, value.code === code ? given : new Map());
    }
    default:
      return open;
  }
}

/** @param {Piece[]} first @param {Piece[]} second @returns {Piece[] | undefined} the first, where both end in the same: `path.startsWith('/') ? path : '/' + path` */
function sameEnd(first, second) {
  const [a, b] = [first, second].map((pieces) => pieces.findLast(({ text }) => text !== ''));
  return a?.source !== undefined && a.source === b?.source ? first : undefined;
}

/**
 * @param {import('acorn').Identifier} node
 * @param {Code} code
 * @returns {{init: AnyNode, isAppendedTo: boolean} | undefined} what it begins with, where other code only appends to it: `let url = …; url += '?limit=10'`
 */
function extended(node, code) {
  const { declarations = [], references = [] } = bindingAt(node, code.resolved) ?? {};
  const [id] = declarations;
  const parent = id && code.parentOf(id);
  const init = parent?.type === 'VariableDeclarator' && parent.id === id ? parent.init : undefined;
  const appends = references.every(({ node: use, writes, declares }) => {
    const by = writes && !declares ? code.parentOf(use) : undefined;
    if (by?.type !== 'AssignmentExpression') return !writes || declares;
    const right = bare(by.right);
    const isSame = right.type === 'TemplateLiteral' && right.quasis[0]?.value.raw === '' && right.expressions[0];
    return by.operator === '+=' || (isSame && code.source(isSame) === node.name);
  });
  const isAppendedTo = references.some(({ writes, declares }) => writes && !declares);
  return declarations.length === 1 && init && appends ? { init, isAppendedTo } : undefined;
}

/**
 * @param {string} text
 * @param {number} start
 * @param {Code} code
 * @returns {Piece}
 */
function verbatim(text, start, code) {
  return { text, file: code.file, start: code.file.text.startsWith(text, start) ? start : undefined };
}

/**
 * @param {string} path
 * @returns {Endpoint | undefined}
 */
function endpointOf(path) {
  // `url + '_all_docs'`: it ends in a slash.
  const segments = path.replace(ENDS_IN_SLASH, '\0/').split('/');
  const last = segments.length - 1;
  const method = OF_DATABASE.get(segments[last] ?? '');
  if (method) return { method, database: databaseBefore(segments, last), designDoc: null, view: null };
  for (let at = Math.max(1, last - 2); at < last; at += 1) {
    const part = segments[at] ?? '';
    const found = OF_DESIGN_DOC.get(part);
    const designDoc = segments[at - 1] ?? '';
    const isOfDesignDoc = segments[at - 2] === '_design' || designDoc.includes(OPEN);
    // `_list/names/by_status` formats a view.
    if (!found || !isOfDesignDoc || (part !== '_list' && part !== '_show' && part !== '_update' && at !== last - 1))
      continue;
    const isNamed = segments[at - 2] === '_design' && known(designDoc) !== null;
    return {
      method: found,
      database: segments[at - 2] === '_design' ? databaseBefore(segments, at - 2) : null,
      designDoc: isNamed ? `_design/${known(designDoc)}` : null,
      view: part === '_show' || part === '_update' ? null : known(segments[last]),
    };
  }
  const whole = `/${segments.join('/')}`;
  if (!OTHER_ENDS.test(whole) && !OTHER_PARTS.test(whole)) return undefined;
  const at = segments.findIndex((segment) => segment.startsWith('_'));
  return { method: 'other', database: databaseBefore(segments, at), designDoc: null, view: null };
}

/**
 * @param {string[]} segments
 * @param {number} at
 * @returns {string | null} the name before, if it is known, and no host
 */
function databaseBefore(segments, at) {
  const isHost = /^https?:$/i.test(segments[at - 3] ?? '') && segments[at - 2] === '';
  return isHost ? null : known(segments[at - 1]);
}

/** @param {string | undefined} segment @returns {string | null} */
function known(segment) {
  if (!segment || segment.includes(OPEN)) return null;
  return attempt(() => decodeURIComponent(segment), null);
}

/**
 * @param {string} text of the URL
 * @param {number} from where its query string begins
 * @param {Piece[]} pieces
 * @param {AnyNode} url
 * @param {Code} code
 * @returns {{entries: Entry[], isOpen: boolean}}
 */
function entriesOf(text, from, pieces, url, code) {
  /** @type {Entry[]} */
  const entries = [];
  let isOpen = false;
  let at = from;
  for (const item of text.slice(from).replace(/#.*$/s, '').split('&')) {
    const equals = item.indexOf('=');
    const key = item.slice(0, equals);
    const value = item.slice(equals + 1);
    if (equals === -1 || key.includes(OPEN)) isOpen ||= item !== '';
    else {
      const { start: keyStart, end: keyEnd } = rangeOf(at, at + equals, pieces, url);
      const range = rangeOf(at + equals + 1, at + item.length, pieces, url);
      entries.push({ key, keyStart, keyEnd, node: valueIn(value, { file: code.file, ...range }) });
      // `limit=10${rest}`: the rest may begin another option.
      isOpen ||= value.includes(OPEN) && value !== OPEN;
    }
    at += item.length + 1;
  }
  return { entries, isOpen };
}

/**
 * @param {string} text
 * @param {Pick<ValueNode, 'file' | 'start' | 'end'>} base
 * @returns {ValueNode}
 */
function valueIn(text, base) {
  if (text === 'true' || text === 'false') return { ...base, type: 'boolean', value: text === 'true' };
  if (/^-?\d+$/.test(text)) return { ...base, type: 'number', value: Number(text) };
  const reason = text.includes(OPEN) ? 'it is computed when the program runs' : 'it is written as a part of a URL';
  return { ...base, type: 'unknown', reason };
}

/**
 * @param {number} from offset into the text of the URL
 * @param {number} to
 * @param {Piece[]} pieces
 * @param {AnyNode} url
 * @returns {{start: number, end: number}} in the file; of the whole URL where its characters do not stand there one by one
 */
function rangeOf(from, to, pieces, url) {
  let at = 0;
  for (const { text, start, node } of pieces) {
    const isIn = from >= at && to <= at + text.length && text !== '';
    if (isIn && start !== undefined) return { start: start + from - at, end: start + to - at };
    if (isIn && node && to > from) return { start: node.start, end: node.end };
    at += text.length;
  }
  return { start: url.start, end: url.end };
}
