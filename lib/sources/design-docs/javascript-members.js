// Resolves members of objects in a program: the key an expression names, the object that a chain of members begins at,
// and the value written there. Reads and never runs.

import { bare } from '../../javascript/parse.js';
import { member } from '../record.js';
import { isAbsent } from './javascript-calls.js';

/** @import { AnyNode, MemberExpression } from 'acorn' */
/** @import { ObjectNode } from '../record.js' */
/** @import { Holder, Member } from './javascript-names.js' */
/** @import { ValueReader } from './javascript-values.js' */

/** Longer chains of members and of names for names are not followed. */
const MAX_HOPS = 100;
/** Characters of an expression that represents a key. */
const MAX_SHOWN_KEY = 60;

/**
 * @param {ValueReader} reader
 * @param {ObjectNode} object changed in place: the member is added, or takes the place of one of its name
 * @param {Member} item
 * @param {number} depth
 */
export function setMember(reader, object, { path, value, target, keyStart, keyEnd }, depth) {
  /** @type {ObjectNode} */
  let holder = object;
  for (const step of path.slice(0, -1)) {
    const inner = member(holder, step);
    if (inner?.type !== 'object') return;
    holder = inner;
  }
  const key = path.at(-1);
  if (key === undefined) return;
  const index = holder.entries.findIndex((entry) => entry.key === key);
  let written = value;
  if (value.type === 'LogicalExpression' && value.operator !== '&&') {
    // `ddoc.views = ddoc.views || {}` keeps what is there.
    if (index !== -1 && reader.source(value.left) === reader.source(target)) return;
    written = value.right;
  }
  const isOpen = target.type === 'MemberExpression' && target.computed && isOpenKey(reader, target.property, key);
  const entry = { key, keyStart, keyEnd, node: reader.read(written, depth), ...(isOpen ? { isOpen } : {}) };
  if (isAbsent(entry.node)) return;
  if (index === -1) holder.entries.push(entry);
  else holder.entries[index] = entry;
}

/**
 * The name that holds the object which a chain of members begins at, followed through other names for it.
 * @param {ValueReader} reader
 * @param {AnyNode} start
 * @returns {{holder: Holder, path: string[]} | undefined}
 */
export function findHome(reader, start) {
  /** @type {string[]} */
  const reversed = [];
  let node = bare(start);
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    /** @type {Holder | undefined} */
    let holder;
    if (reader.names.isModuleExports(node)) holder = reader.names.exports;
    else if (node.type === 'MemberExpression') {
      const key = memberKey(reader, node);
      if (key === undefined) return undefined;
      reversed.push(key);
      node = bare(node.object);
      continue;
    } else if (node.type === 'Identifier') {
      holder = reader.names.holderOf(node) ?? (node.name === 'exports' ? reader.names.exports : undefined);
    }
    if (!holder || holder.reason) return undefined;
    const alias = aliasOf(reader, holder.values.at(-1));
    if (!alias) return { holder, path: reversed.reverse() };
    node = alias;
  }
  return undefined;
}

/**
 * @param {ValueReader} reader
 * @param {AnyNode | undefined} given value of a name
 * @returns {AnyNode | undefined} what the name is another name for; undefined where it has a value of its own
 */
function aliasOf({ names }, given) {
  const value = given && bare(given);
  if (value?.type === 'Identifier' || value?.type === 'MemberExpression') return value;
  // `const ddoc = module.exports = {…}`; the value itself is that of the exports.
  return value?.type === 'AssignmentExpression' && names.isModuleExports(value.left) ? value.left : undefined;
}

/**
 * @param {ValueReader} reader
 * @param {MemberExpression} node
 * @returns {string | undefined} undefined for private members
 */
export function memberKey(reader, node) {
  if (node.property.type === 'PrivateIdentifier') return undefined;
  if (!node.computed && node.property.type === 'Identifier') return node.property.name;
  return computedKey(reader, node.property);
}

/**
 * @param {ValueReader} reader
 * @param {AnyNode} node
 * @param {number} [depth]
 * @returns {string} the key; where it is unknown, the expression in brackets represents it
 */
export function computedKey(reader, node, depth = 0) {
  const key = reader.read(node, depth);
  if (key.type === 'string' || key.type === 'number') return String(key.value);
  return shownKey(reader, node);
}

/**
 * @param {ValueReader} reader
 * @param {AnyNode} node a computed key
 * @param {string} key what `computedKey` gave for it
 * @returns {boolean} whether the key itself is unknown
 */
export function isOpenKey(reader, node, key) {
  return key === shownKey(reader, node);
}

/**
 * @param {ValueReader} reader
 * @param {AnyNode} node
 * @returns {string}
 */
function shownKey(reader, node) {
  return `[${reader.source(node).slice(0, MAX_SHOWN_KEY)}]`;
}
