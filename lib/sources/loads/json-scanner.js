// Scans the structure of JSON values in bytes that come in pieces of any size: what opens and closes where, and the few
// keys and strings that the listener requests. Keeps no value, so a file of any length costs the same memory.

import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  isBlank,
  isEscape,
  isWordByte,
  LINE_FEED,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  showByte,
  startsWord,
  UNDERSCORE,
} from './json-bytes.js';
import { JsonRecovery } from './json-recovery.js';
import { JsonText } from './json-text.js';

/**
 * @typedef {object} ScanListener
 * @property {(isArray: boolean) => void} onOpen a container began; `scanner.depth` counts it
 * @property {() => void} onClose it ended; `scanner.depth` counts it still
 * @property {(key: string) => void} onKey a key, as its bytes, one a character
 * @property {(text: string | undefined, word: string) => void} onScalar a value that is no container: the text of a string
 *   where it was wanted, and the number or word of all others
 * @property {(message: string) => 'top' | 'list' | 'list-in-line'} onFault something is not JSON; returns where: in no list, in the
 *   member of a list, so that the next member can be read, or in a list that began in the same line as the member
 */

/** What may stand next. */
const TOP = 0;
const VALUE = 1;
const FIRST_ITEM = 2;
const FIRST_KEY = 3;
const KEY = 4;
const AFTER_KEY = 5;
const AFTER_VALUE = 6;
const STRING = 7;
const ESCAPE = 8;
const WORD = 9;
const BROKEN = 10;

const RESUMED = { top: TOP, value: VALUE, 'after-value': AFTER_VALUE };

const NUMBER_OR_WORD = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

const NOTHING = Buffer.alloc(0);

export class JsonScanner {
  /** How many containers are open. */
  depth = 0;
  /** Of what is deeper the listener hears nothing. */
  quietDepth = Number.POSITIVE_INFINITY;
  /** Whether only keys that begin with `_` are reported. */
  onlySpecialKeys = false;
  /** Whether the text of the next value is wanted; forgotten with that value. */
  wantsText = false;
  /** Whether a value must end in the line that it begins in. */
  keepsToLine = false;
  /** Bytes so far. */
  offset = 0;
  /** From 1. */
  line = 1;

  #state = TOP;
  /** Of each open container, whether it is an array. */
  #isArray = new Uint8Array(64);
  #spaces = 0;
  /** Offset of the piece in hand. */
  #pieceStart = 0;
  #isKey = false;
  #text = new JsonText();
  #recovery = new JsonRecovery();
  #indent = 0;
  #isLineHead = true;
  /** Whether the byte in hand is the first of its line that is no blank. */
  #isFirstOfLine = false;
  #memberIndent = 0;

  /** @param {ScanListener} listener */
  constructor(listener) {
    this.listener = listener;
  }

  /** @returns {number} bytes so far without the blanks between values: differences of it are the sizes of values */
  get solidBytes() {
    return this.offset - this.#spaces;
  }

  /** A document begins here: what is broken in it goes as far as its indentation shows. */
  markMember() {
    this.#memberIndent = this.#indent;
  }

  /** @param {Buffer} bytes the next piece */
  write(bytes) {
    const start = this.offset;
    this.#pieceStart = start;
    for (let at = 0; at < bytes.length; ) {
      at = this.#step(bytes, at);
      this.offset = start + at;
    }
    this.#pieceStart = this.offset;
  }

  /** What is left open is reported as a fault. */
  end() {
    if (this.#state === WORD) this.#endWord(NOTHING, 0, 0);
    if (this.#state !== TOP && this.#state !== BROKEN) this.listener.onFault('it ends in the middle of a value');
    this.#state = TOP;
    this.depth = 0;
  }

  /**
   * @param {Buffer} bytes
   * @param {number} at
   * @returns {number} where to go on
   */
  #step(bytes, at) {
    const state = this.#state;
    if (state === STRING) return this.#readString(bytes, at);
    if (state === WORD) return this.#readWord(bytes, at);
    const byte = /** @type {number} */ (bytes[at]);
    if (state === ESCAPE) {
      if (!isEscape(byte)) return this.#fault(`invalid escape in a string: \`\\\` before ${showByte(byte)}`, at);
      this.#text.add(bytes, at, at + 1);
      this.#state = STRING;
      return at + 1;
    }
    if (byte === LINE_FEED) {
      if (this.keepsToLine && this.depth > 0 && state !== BROKEN) {
        this.#isFirstOfLine = false;
        return this.#fault('the line ends in the middle of a value', at);
      }
      this.#spaces += 1;
      this.line += 1;
      this.#isLineHead = true;
      this.#indent = 0;
    } else if (isBlank(byte)) {
      this.#spaces += 1;
      if (this.#isLineHead) this.#indent += 1;
    } else {
      this.#isFirstOfLine = this.#isLineHead;
      this.#isLineHead = false;
      if (state !== BROKEN) {
        this.offset = this.#pieceStart + at;
        return this.#readMark(byte, at);
      }
    }
    if (state === BROKEN) return this.#passOver(byte, at);
    return at + 1;
  }

  /**
   * @param {number} byte that is no blank
   * @param {number} at
   * @returns {number}
   */
  #readMark(byte, at) {
    switch (this.#state) {
      case AFTER_VALUE:
        if (byte !== COMMA) return this.#close(byte, at, 'a comma or a closing bracket');
        this.#state = this.#isArray[this.depth] ? VALUE : KEY;
        return at + 1;
      case AFTER_KEY:
        if (byte !== COLON) return this.#fault(`expected a colon after the key, not ${showByte(byte)}`, at);
        this.#state = VALUE;
        return at + 1;
      case FIRST_ITEM:
        return byte === CLOSE_ARRAY ? this.#close(byte, at, '') : this.#startValue(byte, at);
      case FIRST_KEY:
        if (byte === CLOSE_OBJECT) return this.#close(byte, at, '');
        break;
      case KEY:
        break;
      default:
        return this.#startValue(byte, at);
    }
    if (byte !== QUOTE) return this.#fault(`expected a key, not ${showByte(byte)}`, at);
    return this.#startString(at, true);
  }

  /**
   * @param {number} byte
   * @param {number} at
   * @returns {number}
   */
  #startValue(byte, at) {
    if (byte === QUOTE) return this.#startString(at, false);
    if (startsWord(byte)) {
      this.#state = WORD;
      this.#text.start(true);
      return at;
    }
    if (byte !== OPEN_OBJECT && byte !== OPEN_ARRAY) {
      return this.#fault(`expected a value, not ${showByte(byte)}`, at);
    }
    const isArray = byte === OPEN_ARRAY;
    this.depth += 1;
    if (this.depth >= this.#isArray.length) {
      const larger = new Uint8Array(this.#isArray.length * 2);
      larger.set(this.#isArray);
      this.#isArray = larger;
    }
    this.#isArray[this.depth] = isArray ? 1 : 0;
    this.#state = isArray ? FIRST_ITEM : FIRST_KEY;
    this.wantsText = false;
    if (this.depth <= this.quietDepth) this.listener.onOpen(isArray);
    return at + 1;
  }

  /**
   * @param {number} byte
   * @param {number} at
   * @param {string} wanted
   * @returns {number}
   */
  #close(byte, at, wanted) {
    const closing = this.#isArray[this.depth] ? CLOSE_ARRAY : CLOSE_OBJECT;
    if (byte !== closing) return this.#fault(`expected ${wanted}, not ${showByte(byte)}`, at);
    this.offset += 1;
    if (this.depth <= this.quietDepth) this.listener.onClose();
    this.depth -= 1;
    this.#state = this.depth === 0 ? TOP : AFTER_VALUE;
    return at + 1;
  }

  /**
   * @param {number} at of the quote
   * @param {boolean} isKey
   * @returns {number}
   */
  #startString(at, isKey) {
    this.#isKey = isKey;
    this.#state = STRING;
    this.#text.start(isKey ? this.depth <= this.quietDepth : this.wantsText);
    return at + 1;
  }

  /**
   * @param {Buffer} bytes
   * @param {number} from
   * @returns {number}
   */
  #readString(bytes, from) {
    const text = this.#text;
    // Most keys of documents say nothing here.
    if (this.#isKey && this.onlySpecialKeys && text.bytes === 0 && bytes[from] !== UNDERSCORE) text.isWanted = false;
    let at = from;
    let byte = bytes[at];
    while (byte !== undefined && byte !== QUOTE && byte !== BACKSLASH && byte >= 0x20) {
      at += 1;
      byte = bytes[at];
    }
    if (byte === QUOTE) {
      const value = text.isWanted ? text.finish(bytes, from, at) : undefined;
      if (this.#isKey) {
        this.#state = AFTER_KEY;
        if (value !== undefined) this.listener.onKey(value);
      } else this.#endScalar(value, '', at);
      return at + 1;
    }
    if (byte === undefined || byte === BACKSLASH) {
      const end = byte === undefined ? at : at + 1;
      text.add(bytes, from, end);
      if (byte === BACKSLASH) {
        text.hasEscape = true;
        this.#state = ESCAPE;
      }
      return end;
    }
    return this.#fault('a string contains a line break or another control character', at);
  }

  /**
   * @param {string | undefined} text
   * @param {string} word
   * @param {number} at its last byte, or behind it
   */
  #endScalar(text, word, at) {
    this.offset = this.#pieceStart + at;
    this.wantsText = false;
    this.#state = this.depth === 0 ? TOP : AFTER_VALUE;
    if (this.depth <= this.quietDepth) this.listener.onScalar(text, word);
  }

  /**
   * @param {Buffer} bytes
   * @param {number} from
   * @returns {number}
   */
  #readWord(bytes, from) {
    let at = from;
    while (isWordByte(bytes[at])) at += 1;
    if (at < bytes.length) return this.#endWord(bytes, from, at);
    this.#text.add(bytes, from, at);
    return at;
  }

  /**
   * @param {Buffer} bytes
   * @param {number} from
   * @param {number} at
   * @returns {number}
   */
  #endWord(bytes, from, at) {
    const word = this.#text.finish(bytes, from, at);
    if (!NUMBER_OR_WORD.test(word)) return this.#fault(`\`${word.slice(0, 20)}\` is not a JSON value`, at);
    this.#endScalar(undefined, word, at);
    return at;
  }

  /**
   * @param {string} message
   * @param {number} at
   * @returns {number}
   */
  #fault(message, at) {
    this.offset = this.#pieceStart + at;
    const isText = this.#state === STRING || this.#state === ESCAPE;
    const where = this.listener.onFault(message);
    this.#recovery.start({
      where,
      listDepth: where === 'top' ? 0 : this.#isArray.indexOf(1, 1),
      depth: this.depth,
      indent: this.#memberIndent,
      isText,
      isLineHead: !isText && this.#isFirstOfLine,
    });
    this.depth = 0;
    this.quietDepth = Number.POSITIVE_INFINITY;
    this.wantsText = false;
    this.onlySpecialKeys = false;
    this.#state = BROKEN;
    return at;
  }

  /**
   * @param {number} byte
   * @param {number} at
   * @returns {number}
   */
  #passOver(byte, at) {
    const resumption = this.#recovery.take(byte);
    if (!resumption) return at + 1;
    this.#state = RESUMED[resumption.to];
    this.depth = resumption.depth;
    return resumption.isTaken ? at + 1 : at;
  }
}
