// Converts a value of a document to the Erlang term that CouchDB keeps for it, or returns the reason why that is
// unknown.

/** @import { ValueNode } from '../../sources/record.js' */
/** @import { Term } from './erlang-term.js' */

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
