// Skips broken JSON byte by byte, to the place where the next value is likely to begin: behind an item of an array
// whose brackets are balanced, or at a line that begins like a value and is not indented deeper than the broken one.

import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  isBlank,
  LINE_FEED,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './json-bytes.js';

/** @typedef {{to: 'top' | 'value' | 'after-value', depth: number, isTaken: boolean}} Resumption where reading goes on, how many
 *  containers are open there, and whether the byte in hand still belongs to what was broken */

export class JsonRecovery {
  #listDepth = 0;
  #endsWithLine = false;
  #depth = 0;
  #indent = 0;
  #mostIndent = 0;
  #isText = false;
  #isEscaped = false;
  #isHead = false;

  /**
   * @param {object} broken
   * @param {'top' | 'list' | 'list-in-line'} broken.where `list-in-line`: what follows this line is not of the list
   * @param {number} broken.listDepth depth of the list whose member is broken; 0 where it is in none
   * @param {number} broken.depth how many containers are open
   * @param {number} broken.indent blanks before the member on its line
   * @param {boolean} broken.isText whether it is broken within a text
   * @param {boolean} broken.isLineHead whether the next byte is the first of its line
   */
  start({ where, listDepth, depth, indent, isText, isLineHead }) {
    this.#endsWithLine = where === 'list-in-line';
    this.#listDepth = listDepth;
    this.#depth = depth;
    this.#mostIndent = indent;
    this.#isText = isText;
    this.#isEscaped = false;
    this.#isHead = isLineHead;
    this.#indent = 0;
    if (isLineHead && this.#endsWithLine) this.#listDepth = 0;
  }

  /**
   * @param {number} byte
   * @returns {Resumption | undefined} undefined while it goes on
   */
  take(byte) {
    if (byte === LINE_FEED) {
      this.#isHead = true;
      if (this.#endsWithLine) this.#listDepth = 0;
      this.#isText = false;
      this.#isEscaped = false;
      this.#indent = 0;
      return undefined;
    }
    if (this.#isHead) {
      if (isBlank(byte)) this.#indent += 1;
      if (isBlank(byte) || byte === COMMA) return undefined;
      this.#isHead = false;
      const resumption = this.#atLineHead(byte);
      if (resumption) return resumption;
    }
    return this.#listDepth === 0 ? undefined : this.#inMember(byte);
  }

  /**
   * @param {number} byte the first of a line
   * @returns {Resumption | undefined}
   */
  #atLineHead(byte) {
    if (this.#indent > this.#mostIndent) return undefined;
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      return this.#resume(this.#listDepth === 0 ? 'top' : 'value', false);
    }
    return this.#listDepth > 0 && byte === CLOSE_ARRAY ? this.#resume('after-value', false) : undefined;
  }

  /**
   * @param {number} byte
   * @returns {Resumption | undefined}
   */
  #inMember(byte) {
    if (this.#isText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isText = false;
      return undefined;
    }
    if (byte === QUOTE) this.#isText = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (this.#depth <= this.#listDepth) return byte === CLOSE_ARRAY ? this.#resume('after-value', false) : undefined;
      this.#depth -= 1;
      if (this.#depth === this.#listDepth) return this.#resume('after-value', true);
    } else if (byte === COMMA && this.#depth === this.#listDepth) return this.#resume('value', true);
    return undefined;
  }

  /**
   * @param {Resumption['to']} to
   * @param {boolean} isTaken
   * @returns {Resumption}
   */
  #resume(to, isTaken) {
    return { to, depth: this.#listDepth, isTaken };
  }
}
