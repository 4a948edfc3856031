// Facts about a temporary query, whose map is in the call: what it emits, and the design document that replaces it.

import { clientNamed } from '../../clients/index.js';
import { namesOf, parsed } from '../../javascript/analyse.js';
import { memberName } from '../../javascript/parse.js';
import { isKnownGlobal } from '../../javascript/query-server.js';
import { member } from '../../sources/record.js';
import { callFact } from './call.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { FunctionNode, ParsedFunction } from '../../javascript/parse.js' */
/** @import { CallSubject, Extracted, FactDeclaration } from '../fact.js' */
/** @import { CallRecord } from '../../sources/application/record.js' */

/** A map that was parsed. @typedef {{fn: FunctionNode, tree: ParsedFunction, text: string}} ReadMap */

/** Names that a stored map has besides those of the language and of query servers. */
const PROVIDED = new Set(['emit', 'arguments', 'undefined', 'NaN', 'Infinity']);

/** Characters of a map that advice still quotes. */
const MAX_QUOTED = 120;

/** @type {FactDeclaration<CallSubject>[]} */
export const callTemporaryFacts = [
  callFact('call.mapOuterNames', 'list', {
    meaning: 'Names of the program that the map of a temporary query uses, which a stored map does not have.',
    extract: (record) => {
      const map = mapOf(record);
      if ('unknown' in map) return map;
      const outer = namesOf(map.tree).references.filter(
        ({ name, binding }) => !binding && !PROVIDED.has(name) && !isKnownGlobal(name),
      );
      return { value: [...new Set(outer.map(({ name }) => name))].map((name) => ({ value: name })) };
    },
  }),
  callFact('call.storedViewCode', 'text', {
    meaning: 'The design document with the map of a temporary query, to be saved once.',
    extract: (record) => storedCode(record, viewName(record)),
  }),
  callFact('call.queryByName', 'text', {
    meaning: 'The query of a stored view that replaces a temporary query.',
    extract: (record) => {
      const [, receiver = 'db'] = /^([\w$.#]+)\.\w+\(/.exec(record.name) ?? [];
      const view = viewName(record);
      const query = clientNamed(record.client)?.advice.storedView?.(view) ?? `query('${view}', …)`;
      return { value: `${receiver}.${query}` };
    },
  }),
];

/**
 * @param {CallRecord} record
 * @returns {ReadMap | {unknown: string}}
 */
function mapOf({ map }) {
  if (!map) return { unknown: 'the map is not written in the call' };
  const tree = parsed({ text: map.text, isModule: false });
  if (!tree.ok || !tree.fn) return { unknown: 'the map does not parse' };
  return { fn: tree.fn, tree, text: map.value };
}

/**
 * @param {CallRecord} record
 * @returns {string}
 */
function viewName(record) {
  const map = mapOf(record);
  if ('unknown' in map) return 'by_key';
  const keys = emitsOf(map).map(({ arguments: [key] }) => (key ? nameOfKey(key, map.fn) : undefined));
  const [first] = keys;
  return first !== undefined && keys.every((key) => key === first) ? `by_${first}` : 'by_key';
}

/**
 * @param {ReadMap} map
 * @returns {CallExpression[]}
 */
function emitsOf({ fn, tree }) {
  const [, second] = fn.params;
  // PouchDB gives `emit` as second argument to a map that takes two.
  const emit = second?.type === 'Identifier' ? second.name : 'emit';
  return namesOf(tree).nodes.flatMap((node) =>
    node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === emit ? [node] : [],
  );
}

/**
 * @param {AnyNode} key
 * @param {FunctionNode} fn
 * @returns {string | undefined} `customer_city` of `doc.customer.city`; undefined for what is computed
 */
function nameOfKey(key, fn) {
  if (key.type === 'ArrayExpression') {
    const parts = key.elements.map((item) => (item ? nameOfKey(item, fn) : undefined));
    return parts.length > 0 && parts.every((part) => part !== undefined) ? parts.join('_and_') : undefined;
  }
  /** @type {string[]} */
  const path = [];
  /** @type {AnyNode} */
  let at = key;
  while (at.type === 'MemberExpression') {
    const name = memberName(at);
    if (name === undefined) return undefined;
    path.unshift(name.replace(/^_/, ''));
    at = at.object;
  }
  const [doc] = fn.params;
  const isOfDoc = at.type === 'Identifier' && doc?.type === 'Identifier' && at.name === doc.name;
  return isOfDoc && path.length > 0 && path.every((name) => /^\w+$/.test(name)) ? path.join('_') : undefined;
}

/**
 * @param {CallRecord} record
 * @param {string} view
 * @returns {Extracted}
 */
function storedCode(record, view) {
  const map = mapOf(record);
  const source = 'unknown' in map ? '…' : quoted(map);
  const reduce = member(record.arguments[0], 'reduce');
  const reduced = reduce?.type === 'string' ? `, reduce: ${reduce.isFunction ? "'…'" : `'${reduce.value}'`}` : '';
  return { value: `{ _id: '_design/${view}', views: { ${view}: { map: ${source}${reduced} } } }` };
}

/**
 * @param {CallRecord} record
 * @returns {string | undefined} the map of a temporary query as a design document would have it; undefined where it would not run there
 */
export function storedMapOf(record) {
  const map = mapOf(record);
  return 'unknown' in map ? undefined : takingTheDocument(map);
}

/**
 * @param {ReadMap} map
 * @returns {string | undefined} the map with the document as its only parameter; undefined where it calls `emit` by another name
 */
function takingTheDocument({ fn, text }) {
  const [first, second] = fn.params;
  // A stored map has `emit` around it and takes the document alone.
  if (fn.params.length > 1 && !(second?.type === 'Identifier' && second.name === 'emit')) return undefined;
  const last = fn.params.at(-1);
  return first && last && first !== last ? text.slice(0, first.end) + text.slice(last.end) : text;
}

/**
 * @param {ReadMap} map
 * @returns {string} the map as a string of one line, or a sign for one that is too long
 */
function quoted(map) {
  const alone = takingTheDocument(map);
  if (alone === undefined) return "'…'";
  const line = alone.replace(/\s+/g, ' ').trim();
  return line.length > MAX_QUOTED || /\/\/|\/\*|['\\`]/.test(alone) ? "'…'" : `'${line}'`;
}
