// Recovers the entries before the fault from a HAR document that is broken JSON. Entries are cut out by their brackets,
// so that a large file is read once.

import { parseJson } from '../../shared/parse-json.js';

/**
 * @typedef {object} SoundEntries
 * @property {unknown[]} entries
 * @property {number} offset of the fault: where the text ends, where the first entry begins that is no JSON, or behind the list
 * @property {boolean} isCut whether the text ends there
 */

const BLANK = /[ \t\r\n]*/y;
/** All but strings and brackets of a value; a string is gone through to its last quote. */
const INSIDE = /[^"[\]{}]*/y;
const STRING_REST = /[^"\\]*/y;
/** A number, true, false or null. */
const WORD = /[\w.+-]+/y;

/**
 * @param {string} text without a byte order mark
 * @returns {SoundEntries | undefined} undefined where it does not reach an array `log.entries`, or is no JSON before that
 */
export function readEntriesBeforeFault(text) {
  const log = findMember(text, skip(BLANK, text, 0), 'log');
  const list = log === -1 ? -1 : findMember(text, log, 'entries');
  if (list === -1 || text[list] !== '[' || parseJson(`${text.slice(0, list)}[]}}`) === undefined) return undefined;
  /** @type {unknown[]} */
  const entries = [];
  let at = skip(BLANK, text, list + 1);
  while (at < text.length && text[at] !== ']') {
    const end = endOfValue(text, at);
    if (end === -1) return { entries, offset: text.length, isCut: true };
    const entry = parseJson(text.slice(at, end));
    if (entry === undefined) return { entries, offset: at, isCut: false };
    entries.push(entry);
    at = skip(BLANK, text, end);
    if (at < text.length && text[at] !== ']') {
      if (text[at] !== ',') return { entries, offset: at, isCut: false };
      at = skip(BLANK, text, at + 1);
    }
  }
  // What is behind the list is `}}` where the file is whole.
  const isCut = /^\s*\}?\s*$/.test(text.slice(at + 1, at + 100));
  return { entries, offset: isCut ? text.length : at + 1, isCut };
}

/**
 * @param {string} text
 * @param {number} start of an object
 * @param {string} wanted
 * @returns {number} where the value of the first member of that name begins; -1 where there is none before the fault
 */
function findMember(text, start, wanted) {
  if (text[start] !== '{') return -1;
  let at = skip(BLANK, text, start + 1);
  while (text[at] === '"') {
    const end = endOfString(text, at);
    const colon = end === -1 ? -1 : skip(BLANK, text, end);
    if (colon === -1 || text[colon] !== ':') return -1;
    const value = skip(BLANK, text, colon + 1);
    if (text.slice(at + 1, end - 1) === wanted) return value;
    const behind = endOfValue(text, value);
    if (behind === -1) return -1;
    at = skip(BLANK, text, behind);
    if (text[at] !== ',') return -1;
    at = skip(BLANK, text, at + 1);
  }
  return -1;
}

/**
 * @param {string} text
 * @param {number} start of a value
 * @returns {number} behind its last character; -1 where the text ends before, or no value is there
 */
function endOfValue(text, start) {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== '{' && first !== '[') {
    const end = skip(WORD, text, start);
    // A word at the end of the text may go on.
    return end === text.length ? -1 : Math.max(end, start + 1);
  }
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
      if (at === -1) return -1;
    } else {
      depth += character === '{' || character === '[' ? 1 : -1;
      at += 1;
      if (depth === 0) return at;
    }
    at = skip(INSIDE, text, at);
  }
  return -1;
}

/**
 * @param {string} text
 * @param {number} start of its first quote
 * @returns {number} behind its last quote; -1 where the text ends before
 */
function endOfString(text, start) {
  let at = skip(STRING_REST, text, start + 1);
  while (text[at] === '\\') at = skip(STRING_REST, text, at + 2);
  return text[at] === '"' ? at + 1 : -1;
}

/**
 * @param {RegExp} pattern sticky
 * @param {string} text
 * @param {number} at
 * @returns {number} behind what fits, `at` where nothing does
 */
function skip(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
