// Sound JSON in, every value in it told with its offsets: one pass, without a copy. Says only that something is wrong, and
// not what: `value-tree.js` asks a parser that can tell.

import { skipString } from './json-scan.js';

/**
 * @typedef {object} JsonListener Told of every value in the order of the text; offsets are those of the whole text.
 * @property {(start: number) => void} openObject
 * @property {(start: number) => void} openArray
 * @property {(end: number) => void} close
 * @property {(key: string, start: number, end: number) => void} setKey
 * @property {(value: string | number | boolean | null, start: number, end: number) => void} addLiteral
 */

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A string that stands for itself. */
const PLAIN = /^"[^"\\\0-\x1f]*"$/;

/** A number of JSON (RFC 8259, 6). */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** @type {[string, boolean | null][]} */
const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/**
 * @param {string} text
 * @param {{start: number, end: number, maxDepth: number}} range the stretch that holds one value, with brackets at most so
 *   deep
 * @param {JsonListener | undefined} listener
 * @returns {boolean} false where the stretch is no sound JSON (RFC 8259) or is too deep; what was told is then of no use
 */
export function walkJson(text, { start, end, maxDepth }, listener) {
  const walk = new Walk(text, end, maxDepth, listener);
  walk.at = start;
  if (!walk.value(0)) return false;
  walk.skipBlank();
  return walk.at === end;
}

class Walk {
  at = 0;

  /**
   * @param {string} text
   * @param {number} end
   * @param {number} maxDepth
   * @param {JsonListener | undefined} listener
   */
  constructor(text, end, maxDepth, listener) {
    this.text = text;
    this.end = end;
    this.maxDepth = maxDepth;
    this.listener = listener;
  }

  /** Passes over the white space of JSON, which is less than that of JavaScript. */
  skipBlank() {
    for (; this.at < this.end; this.at += 1) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }

  /**
   * @param {number} depth of the brackets around it
   * @returns {boolean}
   */
  value(depth) {
    this.skipBlank();
    if (this.at >= this.end) return false;
    switch (this.text.charCodeAt(this.at)) {
      case OPEN_OBJECT:
        return depth < this.maxDepth && this.object(depth + 1);
      case OPEN_ARRAY:
        return depth < this.maxDepth && this.array(depth + 1);
      case QUOTE: {
        const start = this.at;
        const value = this.string();
        if (value !== undefined) this.listener?.addLiteral(value, start, this.at);
        return value !== undefined;
      }
      default:
        return this.scalar();
    }
  }

  /** @param {number} depth @returns {boolean} */
  object(depth) {
    this.listener?.openObject(this.at);
    this.at += 1;
    if (this.closes(CLOSE_OBJECT)) return true;
    do {
      this.skipBlank();
      const start = this.at;
      const key = this.string();
      if (key === undefined) return false;
      this.listener?.setKey(key, start, this.at);
      if (!this.passes(COLON) || !this.value(depth)) return false;
    } while (this.passes(COMMA));
    return this.closes(CLOSE_OBJECT);
  }

  /** @param {number} depth @returns {boolean} */
  array(depth) {
    this.listener?.openArray(this.at);
    this.at += 1;
    if (this.closes(CLOSE_ARRAY)) return true;
    do {
      if (!this.value(depth)) return false;
    } while (this.passes(COMMA));
    return this.closes(CLOSE_ARRAY);
  }

  /** @returns {string | undefined} undefined where no sound string stands here */
  string() {
    const start = this.at;
    if (this.at >= this.end || this.text.charCodeAt(start) !== QUOTE) return undefined;
    this.at = skipString(this.text, start, this.end);
    const literal = this.text.slice(start, this.at);
    // Most strings are read as they stand; what is left to decode or to refuse, the engine's own parser does.
    if (PLAIN.test(literal)) return literal.slice(1, -1);
    try {
      return JSON.parse(literal);
    } catch {
      return undefined;
    }
  }

  /** @returns {boolean} */
  scalar() {
    const start = this.at;
    for (const [word, value] of WORDS) {
      if (!this.text.startsWith(word, start) || start + word.length > this.end) continue;
      this.at += word.length;
      this.listener?.addLiteral(value, start, this.at);
      return true;
    }
    NUMBER.lastIndex = start;
    const [number] = NUMBER.exec(this.text) ?? [];
    if (number === undefined || start + number.length > this.end) return false;
    this.at += number.length;
    this.listener?.addLiteral(Number(number), start, this.at);
    return true;
  }

  /** @param {number} code @returns {boolean} whether this character comes next; it is passed over then */
  passes(code) {
    this.skipBlank();
    if (this.at >= this.end || this.text.charCodeAt(this.at) !== code) return false;
    this.at += 1;
    return true;
  }

  /** @param {number} code of a closing bracket @returns {boolean} */
  closes(code) {
    if (!this.passes(code)) return false;
    this.listener?.close(this.at);
    return true;
  }
}
