// Finds the offsets of the values in a JSON text by one pass over the brackets outside strings. Builds no values, never
// recurses and accepts broken JSON without complaint: `value-tree.js` reports what is wrong with the text.

import { attempt } from '../../shared/attempt.js';

/** @typedef {{start: number, end: number}} Range offsets of a value's first character and behind its last */
/** @typedef {Range & {key: string, keyStart: number, keyEnd: number}} Member */

/** No document has more; each takes some 100 bytes here. */
const MAX_MEMBERS = 100_000;

const QUOTE = 0x22;
const ASTERISK = 0x2a;
const COMMA = 0x2c;
const SLASH = 0x2f;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * @param {string} text
 * @param {number} at
 * @param {number} end
 * @returns {number} the first offset from `at` on that holds neither white space, a byte order mark nor a comment
 */
export function skipBlank(text, at, end) {
  let offset = at;
  while (offset < end) {
    const code = text.charCodeAt(offset);
    if (code === SLASH) {
      const behind = skipComment(text, offset, end);
      if (behind === offset + 1) return offset;
      offset = behind;
    } else if (code <= 0x20 || code === 0xfeff) offset += 1;
    else return offset;
  }
  return end;
}

/**
 * The members of an object, not those of the objects in it.
 * @param {string} text
 * @param {Range} range of the object
 * @returns {Member[]} in the order of the text, duplicates kept, at most 100,000; none where the range holds no object
 */
export function listMembers(text, { start, end }) {
  /** @type {Member[]} */
  const members = [];
  if (text.charCodeAt(start) !== OPEN_OBJECT) return members;
  let at = skipBlank(text, start + 1, end);
  while (at < end && text.charCodeAt(at) !== CLOSE_OBJECT && members.length < MAX_MEMBERS) {
    if (text.charCodeAt(at) !== QUOTE) {
      at = skipBlank(text, at + 1, end);
      continue;
    }
    const keyStart = at;
    const keyEnd = skipString(text, at, end);
    at = skipBlank(text, keyEnd, end);
    if (text.charCodeAt(at) !== COLON) continue;
    const valueStart = skipBlank(text, at + 1, end);
    const valueEnd = skipValue(text, valueStart, end);
    members.push({ key: decodeString(text, keyStart, keyEnd), keyStart, keyEnd, start: valueStart, end: valueEnd });
    at = skipBlank(text, Math.max(valueEnd, at + 1), end);
  }
  return members;
}

/**
 * The items of an array, not those of the arrays in it.
 * @param {string} text
 * @param {Range} range of the array
 * @param {(item: Range) => boolean} [isWanted] called for each in the order of the text; there may be millions
 * @returns {Range[]} that are wanted; none where the range holds no array
 */
export function listItems(text, { start, end }, isWanted = () => true) {
  /** @type {Range[]} */
  const items = [];
  if (text.charCodeAt(start) !== OPEN_ARRAY) return items;
  let at = skipBlank(text, start + 1, end);
  while (at < end && text.charCodeAt(at) !== CLOSE_ARRAY) {
    const itemEnd = skipValue(text, at, end);
    const item = { start: at, end: itemEnd };
    if (itemEnd > at && isWanted(item)) items.push(item);
    at = skipBlank(text, Math.max(itemEnd, at + 1), end);
  }
  return items;
}

/**
 * @param {string} text
 * @param {Range} range
 * @returns {string | undefined} the string that the range holds; undefined where it holds no string
 */
export function readString(text, { start, end }) {
  return text.charCodeAt(start) === QUOTE ? decodeString(text, start, end) : undefined;
}

/**
 * How deep the brackets go.
 * @param {string} text
 * @param {Range} range
 * @param {number} limit the deepest level allowed
 * @returns {{tooDeep: number | undefined, unclosed: number | undefined}} offset of the first bracket below the limit,
 *   and of the innermost bracket that is never closed
 */
export function findNesting(text, { start, end }, limit) {
  /** @type {number[]} */
  const open = [];
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = skipString(text, at, end);
      continue;
    }
    if (code === SLASH) {
      at = skipComment(text, at, end);
      continue;
    }
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      if (open.length === limit) return { tooDeep: at, unclosed: undefined };
      open.push(at);
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) open.pop();
    at += 1;
  }
  return { tooDeep: undefined, unclosed: open.at(-1) };
}

/**
 * @param {string} text
 * @param {number} at offset of the value's first character
 * @param {number} end
 * @returns {number} the offset behind the value; `at` where a comma, colon or closing bracket stands there
 */
function skipValue(text, at, end) {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return skipString(text, at, end);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return skipScalar(text, at, end);
  let depth = 0;
  let offset = at;
  while (offset < end) {
    const code = text.charCodeAt(offset);
    if (code === QUOTE) {
      offset = skipString(text, offset, end);
      continue;
    }
    if (code === SLASH) {
      offset = skipComment(text, offset, end);
      continue;
    }
    offset += 1;
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      depth -= 1;
      if (depth === 0) return offset;
    }
  }
  return end;
}

/**
 * @param {string} text
 * @param {number} at
 * @param {number} end
 * @returns {number} the offset behind a number or a word
 */
function skipScalar(text, at, end) {
  let offset = at;
  while (offset < end) {
    const code = text.charCodeAt(offset);
    if (code <= 0x20 || code === COMMA || code === COLON || code === CLOSE_OBJECT || code === CLOSE_ARRAY) break;
    if (offset > at && (code === OPEN_OBJECT || code === OPEN_ARRAY || code === QUOTE || code === SLASH)) break;
    offset += 1;
  }
  return offset;
}

/**
 * @param {string} text
 * @param {number} at offset of the opening quote
 * @param {number} end
 * @returns {number} the offset behind the closing quote, or `end` where there is none
 */
function skipString(text, at, end) {
  let quote = text.indexOf('"', at + 1);
  while (quote !== -1 && quote < end) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
  return end;
}

/**
 * @param {string} text
 * @param {number} at offset of a slash
 * @param {number} end
 * @returns {number} the offset behind the comment, or behind the slash where none begins there
 */
function skipComment(text, at, end) {
  const second = text.charCodeAt(at + 1);
  if (second === ASTERISK) {
    const close = text.indexOf('*/', at + 2);
    return close === -1 || close + 2 > end ? end : close + 2;
  }
  if (second !== SLASH) return at + 1;
  let offset = at + 2;
  while (offset < end && text[offset] !== '\n' && text[offset] !== '\r') offset += 1;
  return offset;
}

/**
 * @param {string} text
 * @param {number} start offset of the opening quote
 * @param {number} end offset behind the closing quote
 * @returns {string} the value, or the text as it stands where its escapes are wrong
 */
function decodeString(text, start, end) {
  const raw = text.slice(start + 1, end - 1);
  if (!raw.includes('\\')) return raw;
  return attempt(() => JSON.parse(`"${raw}"`), raw);
}
