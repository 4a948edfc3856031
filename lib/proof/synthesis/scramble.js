// Scrambles a document into one of the same shape with other values: the same for the same seed. Keeps only the names
// of members and what it is configured to keep.

import { scrambleNumber, scrambleText } from './scramble-value.js';

export { literalsOf } from './literals.js';

/** What is nested deeper is left out: code that reads documents calls itself for each level. */
const DEEPEST = 500;

/** How ids of documents are put together: the part before the first separator says what kind of document it is, the others may be names. */
const ID = /^([^-_:/|]*[-_:/|])?(.*)$/s;

/**
 * Scrambles the values of a document. Texts get other letters and digits of the same kinds and the same length in UTF-8, dates
 * (`2024-05-01`, with or without a time) are all moved by the same number of days and minutes, numbers keep their sign and
 * their number of digits, `true` and `false` stay. Equal values become equal values and unequal ones unequal values, so that there are
 * as many groups of rows, with as many rows each, as before.
 * The `_id` keeps what stands before its first separator (`-`, `_`, `:`, `/`, `|`); other members whose names begin with `_`
 * (`_rev`, `_attachments`) are CouchDB's own and left out.
 * @param {object} document
 * @param {{seed: string | number, keep?: Iterable<string | number | boolean>}} options `keep`: values that stay as they are; a text that
 *   begins with one of them that ends in a separator keeps that much
 * @returns {Record<string, unknown>}
 */
export function scramble(document, { seed, keep = [] }) {
  const kept = new Set(keep);
  const starts = [...kept].filter((text) => typeof text === 'string' && /[^\p{L}\p{N}]$/u.test(text));
  const whole = /** @type {Record<string, unknown>} */ (document);
  const run = { seed: String(seed), kept, starts: /** @type {string[]} */ (starts) };
  /** @type {Record<string, unknown>} */
  const copy = {};
  for (const [name, value] of Object.entries(whole)) {
    if (name === '_id' && typeof value === 'string') copy['_id'] = scrambleId(value, run);
    else if (!name.startsWith('_') || name === '__proto__') put(copy, name, scrambleAny(value, run, 1));
  }
  return copy;
}

/** @typedef {{seed: string, kept: Set<string | number | boolean>, starts: string[]}} Run */

/**
 * @param {string} id
 * @param {Run} run
 * @returns {string}
 */
function scrambleId(id, run) {
  if (run.kept.has(id)) return id;
  const [, before = '', rest = ''] = ID.exec(id) ?? [];
  return before + scrambleText(rest, run.seed);
}

/**
 * @param {unknown} value
 * @param {Run} run
 * @param {number} depth
 * @returns {unknown}
 */
function scrambleAny(value, run, depth) {
  if (typeof value === 'string') return scrambleString(value, run);
  if (typeof value === 'number') return run.kept.has(value) ? value : scrambleNumber(value, run.seed);
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return null;
  if (Array.isArray(value)) return value.map((item) => scrambleAny(item, run, depth + 1));
  /** @type {Record<string, unknown>} */
  const copy = {};
  for (const [name, member] of Object.entries(value)) put(copy, name, scrambleAny(member, run, depth + 1));
  return copy;
}

/**
 * @param {string} text
 * @param {Run} run
 * @returns {string}
 */
function scrambleString(text, { seed, kept, starts }) {
  if (kept.has(text)) return text;
  const start = starts.find((word) => text.startsWith(word)) ?? '';
  return start + scrambleText(text.slice(start.length), seed);
}

/**
 * Gives an object a member, whatever it is called: `__proto__` is a name like others in JSON.
 * @param {Record<string, unknown>} object
 * @param {string} name
 * @param {unknown} value
 */
function put(object, name, value) {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
