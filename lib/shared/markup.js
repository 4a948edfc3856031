// Writes markup in which no text can become markup: values in a template are escaped unless they were made here.

import { printable } from './printable.js';

/** @typedef {Markup | string | number | undefined | null | false | ''} Item nothing comes of the absent */
/** @typedef {Item | Item[]} Value what may stand in a template */

export class Markup {
  /** @param {string} text that is markup */
  constructor(text) {
    this.text = text;
  }
}

/** @type {Record<string, string>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * @param {string} text
 * @returns {string} that is the same text as content of an element and between quotes of an attribute; what works on the page and
 *   cannot be seen, as marks of writing direction, is shown by pictures or numbers
 */
function escapeText(text) {
  return printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/**
 * @param {TemplateStringsArray} strings
 * @param {...Value} values attributes must stand between double quotes
 * @returns {Markup}
 */
export function html(strings, ...values) {
  let text = strings[0] ?? '';
  for (let at = 0; at < values.length; at += 1) text += textOf(values[at]) + (strings[at + 1] ?? '');
  return new Markup(text);
}

/**
 * @param {Value} value
 * @returns {string}
 */
function textOf(value) {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(textOf).join('');
  return value === undefined || value === null || value === false ? '' : escapeText(String(value));
}

/**
 * @param {string} text in which names stand between backticks
 * @returns {Markup} names as code
 */
export function prose(text) {
  const parts = text.split('`');
  // Without its other half a backtick is a backtick.
  if (parts.length % 2 === 0) parts.push(`${parts.splice(-2, 1)}\`${parts.splice(-1, 1)}`);
  return new Markup(
    parts.map((part, at) => (at % 2 === 1 ? `<code>${escapeText(part)}</code>` : escapeText(part))).join(''),
  );
}

/** What is shown of text that must stay exact: line feeds and tabs are kept, and what cannot be seen is marked as such. */
const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

/**
 * @param {string} text of a source
 * @returns {Markup}
 */
export function code(text) {
  let shown = '';
  let done = 0;
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    shown += escapeLines(text.slice(done, index));
    const number = /** @type {number} */ (character.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0');
    shown += `<span class="unseen" title="U+${number}">${escapeText(character)}</span>`;
    done = index + character.length;
  }
  return new Markup(shown + escapeLines(text.slice(done)));
}

/**
 * @param {string} text without anything unseen but line feeds and tabs
 * @returns {string}
 */
function escapeLines(text) {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
