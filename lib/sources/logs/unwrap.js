// Frees each line of a log of what was put around it: prefixes, JSON, colors. Lines that came in pieces are joined.

import { JsonField, JsonText } from './json-field.js';
import { MAX_LINE_BYTES } from './line-buffer.js';
import { lineEnd } from './log-line.js';
import { COLORS, jsonSource, MAX_PREFIX, PREFIX_WRAPPERS, parseLine } from './wrappers.js';

/** @import { LogLine } from './log-line.js' */
/** @import { PrefixWrapper } from './wrappers.js' */

/**
 * @typedef {{prefix: number} | {path: string[], hasPieces: boolean} | {colors: true}} Layer `prefix`: an index of PREFIX_WRAPPERS; `path`: of the member of
 *   a JSON line; `hasPieces`: whether a string without a line feed at its end is a piece, as in Docker's json-file
 */

/** @typedef {{layers: Layer[], sources: string[]}} Wrapper the outermost layer first; `sources`: the programs whose lines are the log, as far as layers name them */

/** What became of a line. */
export const FREED = Object.freeze({ LINE: 0, PIECE: 1, NO_LINE: 2, TOO_LONG: 3 });

const BRACE = 123;
const LINE_FEED = 10;
const ESCAPE = '\u001b';

/**
 * @param {Wrapper} wrapper
 * @returns {string} as reports show it
 */
export function wrapperName({ layers }) {
  return layers
    .map((layer) => {
      if ('prefix' in layer) return PREFIX_WRAPPERS[layer.prefix]?.name;
      if ('colors' in layer) return 'ANSI colors';
      return layer.hasPieces ? 'docker json-file' : `JSON (${layer.path.join('.')})`;
    })
    .join(', ');
}

/**
 * @param {Wrapper | undefined} wrapper
 * @returns {boolean} whether a line may go on in the next one, so that its file cannot be read in parts
 */
export function mayHavePieces(wrapper) {
  return wrapper?.layers.some((layer) => 'prefix' in layer && PREFIX_WRAPPERS[layer.prefix]?.hasPieces) ?? false;
}

export class Unwrapper {
  /** Where the freed line is. @type {Buffer} */
  bytes = Buffer.alloc(0);
  start = 0;
  end = 0;
  /** Whether it may be several lines. */
  hasFeeds = false;
  #layers;
  #sources;
  /** The line as it came. @type {Buffer} */
  #lineBytes = Buffer.alloc(0);
  #lineStart = 0;
  #lineEnd = 0;
  /** Pieces of lines, by stream. @type {Map<string, Buffer>} */
  #pieces = new Map();
  #stream = '';

  /** @param {Wrapper} wrapper */
  constructor({ layers, sources }) {
    this.#layers = layers.map((layer) => {
      if ('prefix' in layer) return /** @type {PrefixWrapper} */ (PREFIX_WRAPPERS[layer.prefix]);
      return 'path' in layer ? { ...layer, field: new JsonField(layer.path), text: new JsonText() } : layer;
    });
    this.#sources = new Set(sources);
  }

  /**
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end behind the line, without its line end
   * @returns {number} of FREED; a line without the wrapper is left as it is
   */
  unwrap(bytes, start, end) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.hasFeeds = false;
    this.#lineBytes = bytes;
    this.#lineStart = start;
    this.#lineEnd = end;
    let isPiece = false;
    for (const layer of this.#layers) {
      if ('pattern' in layer) isPiece = this.#freePrefix(layer) || isPiece;
      else if ('colors' in layer) this.#removeColors();
      else if (this.bytes[this.start] === BRACE) {
        const member = this.#freeJson(layer);
        if (member === false) return FREED.NO_LINE;
        // What is cut off is no JSON.
        if (member === undefined) continue;
        isPiece = (layer.hasPieces && this.#endsInPiece()) || isPiece;
        this.#trim();
      }
    }
    return isPiece || this.#pieces.size > 0 ? this.#join(isPiece) : FREED.LINE;
  }

  /**
   * What is left of lines whose last piece did not come.
   * @returns {boolean} whether there is one more line
   */
  finish() {
    const [first] = this.#pieces;
    if (first === undefined) return false;
    [this.#stream, this.bytes] = [first[0], Buffer.alloc(0)];
    this.start = this.end = 0;
    this.#join(false);
    return true;
  }

  /** @returns {boolean} whether a program wrote the present line whose lines are not the log */
  isOfOtherProgram() {
    if (this.#sources.size === 0) return false;
    const source = this.source();
    return source !== '' && !this.#sources.has(source);
  }

  /** @returns {string} what layers say about the program that wrote the present line; empty where they say nothing */
  source() {
    return sourceOf(this.#layers, this.#lineBytes.subarray(this.#lineStart, this.#lineEnd));
  }

  /** @param {LogLine} line that has no time of its own; gets that of the journal, which is in microseconds */
  setTime(line) {
    const text = this.#lineBytes.toString('latin1', this.#lineStart, this.#lineEnd);
    const micros = /"__REALTIME_TIMESTAMP" ?: ?"(\d{10,17})"/.exec(text)?.[1];
    if (micros === undefined) return;
    const ms = Math.floor(Number(micros) / 1000);
    line.minute = Math.floor(ms / 60_000);
    line.millisecond = ms % 60_000;
  }

  /**
   * @param {PrefixWrapper} wrapper
   * @returns {boolean} whether the line is a piece
   */
  #freePrefix({ pattern, hasPieces }) {
    const { bytes, start, end } = this;
    pattern.lastIndex = 0;
    if (!pattern.test(bytes.toString('latin1', start, Math.min(end, start + MAX_PREFIX)))) return false;
    this.start = start + pattern.lastIndex;
    if (!hasPieces) return false;
    // `stderr P `
    this.#stream = bytes[this.start - 4] === 116 ? 'stdout' : 'stderr';
    return bytes[this.start - 2] === 80;
  }

  /**
   * @param {{path: string[], field: JsonField, text: JsonText}} layer
   * @returns {boolean | undefined} whether the line holds the string; undefined where it is no JSON
   */
  #freeJson({ path, field, text }) {
    const value = field.find(this.bytes, this.start, this.end);
    if (value > 0) {
      text.decode(this.bytes, value, this.end);
      this.hasFeeds ||= text.hasFeeds;
      this.bytes = text.bytes;
      this.start = text.start;
      this.end = text.end;
      return true;
    }
    // journald gives what is not printable as a list of bytes.
    /** @type {any} */
    let member = parseLine(this.bytes.toString('utf8', this.start, this.end));
    if (member === undefined) return undefined;
    for (const name of path) member = member?.[name];
    if (!Array.isArray(member)) return false;
    this.bytes = Buffer.from(member);
    this.start = 0;
    this.end = this.bytes.length;
    this.hasFeeds = true;
    return true;
  }

  /** @returns {boolean} */
  #endsInPiece() {
    if (this.end > this.start && this.bytes[this.end - 1] === LINE_FEED) return false;
    const tail = this.#lineBytes.toString(
      'latin1',
      Math.max(this.#lineStart, this.#lineEnd - MAX_PREFIX),
      this.#lineEnd,
    );
    this.#stream = tail.includes('"stdout"') ? 'stdout' : 'stderr';
    return true;
  }

  /** The line feed that ends the line is none within it. */
  #trim() {
    if (this.end > this.start && this.bytes[this.end - 1] === LINE_FEED)
      this.end = lineEnd(this.bytes, this.start, this.end - 1);
  }

  #removeColors() {
    const text = this.bytes.toString('latin1', this.start, this.end);
    if (!text.includes(ESCAPE)) return;
    this.bytes = Buffer.from(text.replaceAll(COLORS, ''), 'latin1');
    this.start = 0;
    this.end = this.bytes.length;
  }

  /**
   * @param {boolean} isPiece
   * @returns {number} of FREED
   */
  #join(isPiece) {
    const before = this.#pieces.get(this.#stream);
    if (before === undefined && !isPiece) return FREED.LINE;
    this.#pieces.delete(this.#stream);
    const joined = Buffer.concat([before ?? Buffer.alloc(0), this.bytes.subarray(this.start, this.end)]);
    if (joined.length > MAX_LINE_BYTES) return FREED.TOO_LONG;
    if (isPiece) {
      this.#pieces.set(this.#stream, joined);
      return FREED.PIECE;
    }
    this.bytes = joined;
    this.start = 0;
    this.end = joined.length;
    return FREED.LINE;
  }
}

/**
 * @param {(object)[]} layers prefixes with their patterns, and others
 * @param {Buffer} line as it came
 * @returns {string} what its layers say about the program that wrote it, one after another; empty where they say nothing
 */
function sourceOf(layers, line) {
  let text = line.toString('latin1', 0, line.length);
  /** @type {string[]} */
  const found = [];
  for (const layer of layers) {
    if ('pattern' in layer) {
      const { pattern } = /** @type {PrefixWrapper} */ (layer);
      pattern.lastIndex = 0;
      const match = pattern.exec(text.slice(0, MAX_PREFIX));
      if (match?.groups?.['source']) found.push(match.groups['source']);
      text = text.slice(match?.[0].length ?? 0);
    } else if ('path' in layer) {
      const value = parseLine(text);
      found.push(jsonSource(value));
      /** @type {any} */
      let member = value;
      for (const name of /** @type {string[]} */ (layer.path)) member = member?.[name];
      text = typeof member === 'string' ? member : '';
    }
  }
  return found.filter(Boolean).join(' ');
}
