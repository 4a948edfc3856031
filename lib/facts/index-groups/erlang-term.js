// Converts values of a document to Erlang terms, encodes these in their external format and orders them, as far as design
// documents need it. CouchDB names an index by a hash of that format, so every byte counts. Pure; hashes nothing.

import { TermWriter } from '../../storage-model/term-writer.js';

/** @import { ValueNode } from '../../sources/record.js' */

/** @typedef {{atom: string}} Atom */
/** @typedef {Term[]} TermList */
/** @typedef {{tuple: Term[]}} Tuple */
/** @typedef {{map: []}} EmptyMap the only map that CouchDB puts into a signature */
/** A string represents a binary of UTF-8, a bigint for an integer, a number for a float, an array for a list. @typedef {string | bigint | number | Atom | Tuple | EmptyMap | TermList} Term */

/** Longer lists of bytes stay lists (erts/emulator/beam/external.c, `is_external_string`, OTP 25). */
const MAX_STRING = 0xffff;

/**
 * @param {Term} term
 * @returns {Uint8Array} as `term_to_binary(Term, [{minor_version, 1}])` gives it (couch_db.hrl, `term_to_bin`, CouchDB 3.4 to 3.5.2;
 *   earlier versions give the same up to OTP 25)
 */
export function encodeTerm(term) {
  const writer = new TermWriter();
  writer.version();
  writeTerm(writer, term);
  // A copy: terms are kept, and the writer's buffer is far larger than most.
  return new Uint8Array(writer.bytes.subarray(0, writer.length));
}

/** @param {TermWriter} writer @param {Term} term */
function writeTerm(writer, term) {
  if (typeof term === 'string') {
    const bytes = Buffer.from(term, 'utf8');
    writer.binary(bytes, 0, bytes.length);
  } else if (typeof term === 'bigint') writer.integer(term);
  else if (typeof term === 'number') writer.float(term);
  else if (Array.isArray(term)) writeList(writer, term);
  else if ('atom' in term) writer.atom(term.atom);
  else if ('map' in term) writer.emptyMap();
  else {
    writer.tuple(term.tuple.length);
    for (const item of term.tuple) writeTerm(writer, item);
  }
}

/** @param {TermWriter} writer @param {Term[]} items */
function writeList(writer, items) {
  const start = writer.length;
  if (items.length > 0) writer.list(items.length);
  for (const item of items) writeTerm(writer, item);
  if (items.length > 0 && items.length <= MAX_STRING && items.every(isByte)) writer.turnToString(start, items.length);
  else writer.nil();
}

/** @param {Term} item @returns {boolean} */
function isByte(item) {
  return typeof item === 'bigint' && item >= 0n && item <= 255n;
}

/** Numbers come before atoms, then tuples, maps, lists and binaries. @param {Term} term @returns {number} */
function rankOf(term) {
  if (typeof term === 'bigint' || typeof term === 'number') return 0;
  if (typeof term === 'string') return 6;
  if (Array.isArray(term)) return term.length === 0 ? 4 : 5;
  if ('atom' in term) return 1;
  return 'tuple' in term ? 2 : 3;
}

/**
 * The order of Erlang's terms, by which views are sorted before they are hashed.
 * @param {Term} first
 * @param {Term} second
 * @returns {number} below 0, 0 or above 0
 */
export function compareTerms(first, second) {
  if (typeof first === 'string' && typeof second === 'string') return compareBytes(first, second);
  const ranks = rankOf(first) - rankOf(second);
  if (ranks !== 0) return ranks;
  if (isNumber(first) && isNumber(second)) return first < second ? -1 : Number(first > second);
  if (Array.isArray(first) && Array.isArray(second)) return compareItems(first, second);
  if (typeof first !== 'object' || typeof second !== 'object') return 0;
  if ('atom' in first && 'atom' in second) return compareBytes(first.atom, second.atom);
  if (!('tuple' in first && 'tuple' in second)) return 0;
  return first.tuple.length - second.tuple.length || compareItems(first.tuple, second.tuple);
}

/** @param {Term} term @returns {term is bigint | number} */
function isNumber(term) {
  return typeof term === 'bigint' || typeof term === 'number';
}

/** @param {Term[]} first @param {Term[]} second @returns {number} */
function compareItems(first, second) {
  for (const [index, item] of first.entries()) {
    const other = second[index];
    if (other === undefined) return 1;
    const order = compareTerms(item, other);
    if (order !== 0) return order;
  }
  return first.length - second.length;
}

/** Surrogates come after all other code units below them, and stand for code points above all others. */
const [SURROGATES, BEHIND_SURROGATES] = [0xd800, 0xe000];

/**
 * @param {string} first
 * @param {string} second
 * @returns {number} the order of their UTF-8 bytes, which is that of their code points
 */
export function compareBytes(first, second) {
  if (first === second) return 0;
  const length = Math.min(first.length, second.length);
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [first.charCodeAt(at), second.charCodeAt(at)];
    if (one !== other) return rankOfUnit(one) - rankOfUnit(other);
  }
  return first.length - second.length;
}

/** @param {number} unit of UTF-16 @returns {number} */
function rankOfUnit(unit) {
  return unit >= SURROGATES && unit < BEHIND_SURROGATES ? unit + 0x10000 : unit;
}

/** Longer numbers take long to be read, and no design document has them. */
const MAX_DIGITS = 1000;

export class UnknownTerm extends Error {}

/**
 * @param {ValueNode} node as readers give it: they refuse what is nested too deeply
 * @returns {Term} as `jiffy:decode/2` with `dedupe_keys` gives it (couch_util.erl, json_decode/2, 3.5.2)
 * @throws {UnknownTerm} where it is unknown
 */
export function termOf(node) {
  switch (node.type) {
    case 'string':
      if (node.inlinable) throw new UnknownTerm('a function in it is compiled before CouchDB gets it');
      return textTerm(node.value);
    case 'number':
      return numberTerm(node);
    case 'boolean':
      return { atom: String(node.value) };
    case 'null':
      return { atom: 'null' };
    case 'array':
      return node.items.map(termOf);
    case 'object':
      return { tuple: [membersOf(node)] };
    default:
      throw new UnknownTerm(node.reason);
  }
}

/**
 * @param {Extract<ValueNode, {type: 'object'}>} node
 * @returns {Term[]} pairs of name and value in the order of the file, of equal names the last
 */
export function membersOf({ entries }) {
  /** @type {Map<string, Term>} */
  const members = new Map();
  for (const { key, node } of entries) {
    // The last one counts, at its own place.
    members.delete(key);
    members.set(key, termOf(node));
  }
  return [...members].map(([key, value]) => ({ tuple: [textTerm(key), value] }));
}

/** @param {string} text @returns {string} */
function textTerm(text) {
  // CouchDB refuses half of a pair of surrogates.
  if (/\p{Surrogate}/u.test(text)) throw new UnknownTerm('a string in it is not valid Unicode');
  return text;
}

/** @param {Extract<ValueNode, {type: 'number'}>} node @returns {Term} */
function numberTerm({ value, file, start, end }) {
  const written = file.text.slice(start, end);
  // Of a number that is computed, or written as JavaScript writes it, the JSON is what JSON.stringify makes of it.
  const text = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(written) ? written : JSON.stringify(value);
  if (text.length > MAX_DIGITS) throw new UnknownTerm('a number in it is too long');
  if (/^-?\d+$/.test(text)) return BigInt(text);
  const float = Number(text);
  if (!Number.isFinite(float)) throw new UnknownTerm('a number in it is too large');
  return float;
}
