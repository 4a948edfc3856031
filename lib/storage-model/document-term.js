// Computes the term that CouchDB stores for a document given as JSON, in one pass and without building values: any
// depth, any number, any key costs the same. What is not JSON gives undefined.

import { attempt } from '../shared/attempt.js';

/** @import { TermWriter } from './term-writer.js' */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const UNDERSCORE = 0x5f;
const LETTER_N = 0x6e;
const LETTER_T = 0x74;
const LETTER_F = 0x66;

/** Longer lists of bytes stay lists. erts/emulator/beam/external.c, `is_external_string`. */
const LONGEST_STRING = 65_535;

export class DocumentTerm {
  /** Bytes of the document as `couch_ejson_size` counts them: the external size. */
  externalBytes = 0;

  #json = /** @type {Uint8Array} */ (new Uint8Array(0));
  #at = 0;
  #end = 0;
  /** Of each open container: where its list begins, what is in it, its size as JSON. @type {number[]} */
  #starts = [];
  /** @type {number[]} */
  #counts = [];
  /** @type {number[]} */
  #sizes = [];
  /** @type {boolean[]} */
  #areObjects = [];
  /** Whether all so far are whole numbers from 0 to 255. @type {boolean[]} */
  #areBytes = [];

  /** @param {TermWriter} writer which is reset for each document */
  constructor(writer) {
    this.writer = writer;
  }

  /**
   * Writes the body of a document: without the members that begin with `_`, which are kept elsewhere (couch_doc.erl,
   * `transfer_fields`).
   * @param {Uint8Array} json
   * @param {number} start
   * @param {number} end
   * @returns {boolean} false where it is no object in JSON
   */
  encode(json, start, end) {
    this.#json = json;
    this.#at = start;
    this.#end = end;
    this.#starts.length = 0;
    this.writer.reset();
    this.writer.version();
    this.#skipBlanks();
    return json[this.#at] === OPEN_OBJECT && this.#readValues();
  }

  /** @returns {boolean} */
  #readValues() {
    const { writer } = this;
    this.#open(true);
    while (this.#starts.length > 0) {
      const depth = this.#starts.length - 1;
      this.#skipBlanks();
      let byte = this.#json[this.#at];
      if (byte === COMMA) {
        this.#at += 1;
        this.#skipBlanks();
        byte = this.#json[this.#at];
      }
      if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        this.#close(depth);
        continue;
      }
      const isObject = this.#areObjects[depth];
      let restart = -1;
      if (isObject) {
        if (byte !== QUOTE) return false;
        if (depth === 0 && this.#json[this.#at + 1] === UNDERSCORE) restart = writer.length;
        writer.tuple(2);
        const keySize = this.#string();
        if (restart === -1) this.#count(depth, keySize + 1, false);
        this.#skipBlanks();
        if (this.#json[this.#at] !== COLON) return false;
        this.#at += 1;
        this.#skipBlanks();
      }
      if (restart !== -1) {
        writer.length = restart;
        if (!this.#skipValue()) return false;
      } else if (!this.#readValue(depth, !isObject)) return false;
    }
    return true;
  }

  /**
   * @param {number} depth of the container that it is in
   * @param {boolean} isMember whether it counts as a member itself, and not its key
   * @returns {boolean}
   */
  #readValue(depth, isMember) {
    const byte = this.#json[this.#at];
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (isMember) this.#count(depth, 0, false);
      this.#open(byte === OPEN_OBJECT);
      return true;
    }
    let isByte = false;
    let size;
    if (byte === QUOTE) size = this.#string();
    else if (byte === LETTER_N || byte === LETTER_T || byte === LETTER_F) {
      const word = byte === LETTER_N ? 'null' : byte === LETTER_T ? 'true' : 'false';
      this.writer.atom(word);
      this.#at += word.length;
      size = word.length;
    } else {
      const before = this.writer.length;
      size = this.#number();
      if (size === 0) return false;
      isByte = this.writer.length - before === 2;
    }
    if (isMember) this.#count(depth, size, isByte);
    else this.#sizes[depth] = /** @type {number} */ (this.#sizes[depth]) + size;
    return true;
  }

  /** @param {number} depth @param {number} size of a member, without its comma @param {boolean} isByte */
  #count(depth, size, isByte) {
    this.#counts[depth] = /** @type {number} */ (this.#counts[depth]) + 1;
    this.#sizes[depth] = /** @type {number} */ (this.#sizes[depth]) + size + 1;
    if (!isByte) this.#areBytes[depth] = false;
  }

  /** @param {boolean} isObject */
  #open(isObject) {
    const { writer } = this;
    this.#at += 1;
    if (isObject) writer.tuple(1);
    const depth = this.#starts.length;
    this.#starts.push(writer.length);
    this.#counts[depth] = 0;
    // Both brackets, and one comma fewer than members.
    this.#sizes[depth] = 1;
    this.#areObjects[depth] = isObject;
    this.#areBytes[depth] = !isObject;
    writer.list(0);
  }

  /** @param {number} depth */
  #close(depth) {
    const { writer } = this;
    this.#at += 1;
    const start = /** @type {number} */ (this.#starts.pop());
    const count = /** @type {number} */ (this.#counts[depth]);
    const size = count === 0 ? 2 : /** @type {number} */ (this.#sizes[depth]);
    if (count === 0) {
      writer.length = start;
      writer.nil();
    } else if (this.#areBytes[depth] && count <= LONGEST_STRING) writer.turnToString(start, count);
    else {
      writer.setCount(start, count);
      writer.nil();
    }
    if (depth === 0) this.externalBytes = size;
    else this.#sizes[depth - 1] = /** @type {number} */ (this.#sizes[depth - 1]) + size;
  }

  /** @returns {number} bytes as JSON, with the quotes, of the text without escapes */
  #string() {
    const json = this.#json;
    const start = this.#at + 1;
    let end = start;
    let isEscaped = false;
    while (end < this.#end && json[end] !== QUOTE) {
      if (json[end] === BACKSLASH) {
        isEscaped = true;
        end += 1;
      }
      end += 1;
    }
    this.#at = end + 1;
    if (!isEscaped) {
      this.writer.binary(json, start, end);
      return end - start + 2;
    }
    const text = Buffer.from(withoutEscapes(Buffer.from(json.subarray(start - 1, end + 1)).toString('utf8')), 'utf8');
    this.writer.binary(text, 0, text.length);
    return text.length + 2;
  }

  /** @returns {number} bytes as JSON; 0 where it is no number */
  #number() {
    const start = this.#at;
    const json = this.#json;
    let isFloat = false;
    while (this.#at < this.#end) {
      const byte = /** @type {number} */ (json[this.#at]);
      if (byte === 0x2e || byte === 0x65 || byte === 0x45) isFloat = true;
      else if ((byte < 0x30 || byte > 0x39) && byte !== 0x2d && byte !== 0x2b) break;
      this.#at += 1;
    }
    const text = Buffer.from(json.buffer, json.byteOffset + start, this.#at - start).toString('latin1');
    const value = Number(text);
    if (text === '' || Number.isNaN(value)) return 0;
    if (isFloat) {
      this.writer.float(value);
      return floatSize(value);
    }
    if (Number.isSafeInteger(value)) this.writer.integer(value);
    else this.writer.big(BigInt(text));
    return text === '-0' ? 1 : text.length;
  }

  /** @returns {boolean} whether a value was skipped */
  #skipValue() {
    let depth = 0;
    for (;;) {
      this.#skipBlanks();
      if (this.#at >= this.#end) return false;
      const byte = this.#json[this.#at];
      if (byte === QUOTE) {
        this.#at += 1;
        while (this.#at < this.#end && this.#json[this.#at] !== QUOTE)
          this.#at += this.#json[this.#at] === BACKSLASH ? 2 : 1;
        this.#at += 1;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        depth += 1;
        this.#at += 1;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (depth === 0) return true;
        depth -= 1;
        this.#at += 1;
      } else if (depth === 0 && byte === COMMA) return true;
      else this.#at += 1;
      const next = this.#json[this.#at];
      if (depth === 0 && (next === COMMA || next === CLOSE_OBJECT)) return true;
    }
  }

  #skipBlanks() {
    while (this.#at < this.#end && /** @type {number} */ (this.#json[this.#at]) <= 0x20) this.#at += 1;
  }
}

/** @param {string} text with quotes and escapes @returns {string} */
function withoutEscapes(text) {
  return attempt(() => JSON.parse(text), text);
}

/**
 * couch_ejson_size.erl, `encoded_size` of a float: a guess that does not print it.
 * @param {number} value
 * @returns {number}
 */
function floatSize(value) {
  if (value === 0 || value === 1) return 3;
  const sign = value < 0 ? 1 : 0;
  const size = Math.abs(value);
  if (size < 1) return sign + (size <= 1e-300 ? 3 : size <= 1e-100 ? 6 : size <= 1e-10 ? 5 : size <= 0.01 ? 4 : 3);
  return sign + (size >= 1e100 ? 5 : size >= 1e10 ? 4 : 3);
}
