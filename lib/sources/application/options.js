// Reads the options of a call as they are written: with keys that are given twice, and whether others may come from elsewhere.

import { isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { nameOf } from './code.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { Entry } from '../record.js' */
/** @import { MethodShape } from './clients.js' */
/** @import { Code } from './code.js' */
/** @import { CallOptions, ClientName } from './record.js' */

/** @type {CallOptions} */
const NONE = Object.freeze({ node: null, isOpen: false });

/**
 * @param {CallExpression} call
 * @param {MethodShape} shape
 * @param {ClientName | null} client
 * @param {Code} code
 * @returns {CallOptions}
 */
export function readOptions(call, shape, client, code) {
  if (call.arguments.some(({ type }) => type === 'SpreadElement')) return { node: null, isOpen: true };
  const at = shape.options;
  const given = at === undefined ? undefined : call.arguments[at];
  return !given || isFunction(given) ? NONE : optionsOf(given, client, code);
}

/**
 * @param {AnyNode} given
 * @param {ClientName | null} client
 * @param {Code} code
 * @returns {CallOptions}
 */
export function optionsOf(given, client, code) {
  const written = bare(given);
  if (written.type === 'ObjectExpression') return ofObject(written, client, code);
  // A name for an object literal; what is done to it between is not followed.
  const value = code.reader.read(written);
  if (value.type === 'object')
    return { node: { ...value, entries: value.entries.map((entry) => renamed(entry, client)) }, isOpen: true };
  return { node: null, isOpen: value.type === 'unknown' };
}

/**
 * @param {import('acorn').ObjectExpression} node
 * @param {ClientName | null} client
 * @param {Code} code
 * @returns {CallOptions}
 */
function ofObject(node, client, code) {
  /** @type {Entry[]} */
  const entries = [];
  let isOpen = false;
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const value = code.reader.read(property.argument);
      if (value.type === 'object') entries.push(...value.entries.map((entry) => renamed(entry, client)));
      isOpen = true;
      continue;
    }
    const key = keyOf(property.key, property.computed);
    if (key === undefined) {
      isOpen = true;
      continue;
    }
    const { start: keyStart, end: keyEnd } = property.key;
    entries.push(renamed({ key, keyStart, keyEnd, node: code.reader.read(bare(property.value)) }, client));
  }
  return { node: { type: 'object', file: code.file, start: node.start, end: node.end, entries }, isOpen };
}

/** @param {AnyNode} key @param {boolean} computed @returns {string | undefined} */
function keyOf(key, computed) {
  if (key.type === 'Literal') return String(key.value);
  return computed ? undefined : nameOf(key);
}

/**
 * @param {Entry} entry
 * @param {ClientName | null} client
 * @returns {Entry} by the name that CouchDB has for it: IBM's client writes `includeDocs`
 */
function renamed(entry, client) {
  if (client !== 'ibm-cloud') return entry;
  return { ...entry, key: entry.key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) };
}
