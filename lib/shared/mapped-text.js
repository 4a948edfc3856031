// Represents text as CouchDB sees it, tied to the file it was written in: a function inside a JSON string, an array of lines joined to one function,
// a function with another file pasted in by a macro. Every offset in the text leads back to its place.

import { SourceFile } from './source-file.js';

/** @import { Place, TextEdit } from './source-file.js' */

/**
 * How a stretch of text is written in its file: as it is (`raw`), inside a JSON string with escapes (`json`), inside a
 * JavaScript string or template (`javascript`), or not written there at all but computed (`opaque`).
 * @typedef {'raw' | 'json' | 'javascript' | 'opaque'} Encoding
 */

/**
 * @typedef {object} Piece A stretch of the text that comes from one stretch of one file.
 * @property {number} start offset of the stretch in the text
 * @property {number} length length in the text
 * @property {SourceFile} file
 * @property {number} fileStart offset in the file of the stretch's first character (behind an opening quote)
 * @property {number} fileEnd offset in the file behind its last character (before a closing quote)
 * @property {Encoding} encoding
 * @property {string} [quote] for `javascript`: the quote the literal is written in
 */

/** JSON and JavaScript escapes of one character, by the letter behind the backslash. */
const SIMPLE_ESCAPE_LENGTH = 2;

export class MappedText {
  /** Offsets in the file for every offset of an escaped piece, made at the first use. @type {Map<Piece, Int32Array>} */
  #maps = new Map();

  /**
   * @param {string} text
   * @param {Piece[]} pieces in order, covering the text without gaps
   */
  constructor(text, pieces) {
    this.text = text;
    this.pieces = pieces;
  }

  /**
   * Text that stands in the file as it is.
   * @param {SourceFile} file
   * @param {number} [start] offset of its first character
   * @param {number} [end] offset behind its last
   * @returns {MappedText}
   */
  static raw(file, start = 0, end = file.text.length) {
    const text = file.text.slice(start, end);
    return new MappedText(text, [
      { start: 0, length: text.length, file, fileStart: start, fileEnd: end, encoding: 'raw' },
    ]);
  }

  /**
   * Text that is the value of a string literal in the file.
   * @param {string} text the decoded value
   * @param {SourceFile} file
   * @param {number} start offset of the opening quote
   * @param {number} end offset behind the closing quote
   * @param {'json' | 'javascript'} [encoding]
   * @returns {MappedText}
   */
  static literal(text, file, start, end, encoding = 'json') {
    return new MappedText(text, [
      {
        start: 0,
        length: text.length,
        file,
        fileStart: start + 1,
        fileEnd: Math.max(start + 1, end - 1),
        encoding,
        quote: file.text[start] ?? '"',
      },
    ]);
  }

  /**
   * Text that is computed and has no characters of its own in the file; all of it is placed at one stretch.
   * @param {string} text
   * @param {SourceFile} file
   * @param {number} start
   * @param {number} end
   * @returns {MappedText}
   */
  static opaque(text, file, start, end) {
    return new MappedText(text, [
      { start: 0, length: text.length, file, fileStart: start, fileEnd: end, encoding: 'opaque' },
    ]);
  }

  /**
   * @param {MappedText[]} parts
   * @returns {MappedText} the parts behind one another
   */
  static concat(parts) {
    /** @type {Piece[]} */
    const pieces = [];
    let text = '';
    for (const part of parts) {
      for (const piece of part.pieces) pieces.push({ ...piece, start: piece.start + text.length });
      text += part.text;
    }
    return new MappedText(text, pieces);
  }

  /**
   * @param {number} start
   * @param {number} end
   * @returns {MappedText} that stretch of the text, with its places
   */
  slice(start, end) {
    /** @type {Piece[]} */
    const pieces = [];
    for (const piece of this.pieces) {
      const from = Math.max(start, piece.start);
      const to = Math.min(end, piece.start + piece.length);
      if (from >= to) continue;
      pieces.push({
        ...piece,
        start: from - start,
        length: to - from,
        fileStart: piece.encoding === 'opaque' ? piece.fileStart : this.#fileOffset(piece, from - piece.start),
        fileEnd: piece.encoding === 'opaque' ? piece.fileEnd : this.#fileOffset(piece, to - piece.start),
      });
    }
    return new MappedText(this.text.slice(start, end), pieces);
  }

  /** @returns {Place | undefined} the place of the whole text */
  get wholePlace() {
    return this.text.length > 0 ? this.place(0, this.text.length) : undefined;
  }

  /**
   * @param {number} start offset into the text
   * @param {number} [end] offset behind the last character
   * @returns {Place | undefined} where that stands in the file; undefined only for a text without pieces
   */
  place(start, end) {
    const first = this.#pieceAt(start);
    if (!first) return undefined;
    if (first.encoding === 'opaque') return first.file.place(first.fileStart, first.fileEnd);
    const from = this.#fileOffset(first, start - first.start);
    if (end === undefined) return first.file.place(from);
    const last = this.#pieceAt(Math.max(start, end - 1));
    // A stretch that ends in another file is placed by its beginning alone.
    if (!last || last.file !== first.file || last.encoding === 'opaque') return first.file.place(from);
    return first.file.place(from, this.#fileOffset(last, Math.max(start, end) - last.start));
  }

  /**
   * The edit of the file that makes this replacement in the text, or undefined where the text is not written as one
   * literal there (it crosses pieces, or is computed).
   * @param {number} start
   * @param {number} end
   * @param {string} replacement in the terms of the text, without escapes
   * @returns {TextEdit | undefined}
   */
  edit(start, end, replacement) {
    const piece = this.#pieceAt(start === end && start === this.text.length ? start - 1 : start);
    if (!piece || piece.encoding === 'opaque' || end > piece.start + piece.length) return undefined;
    return {
      file: piece.file,
      start: this.#fileOffset(piece, start - piece.start),
      end: this.#fileOffset(piece, end - piece.start),
      text: encode(replacement, piece),
    };
  }

  /**
   * @param {number} offset
   * @returns {Piece | undefined} the piece that holds the offset; the last one for the end of the text
   */
  #pieceAt(offset) {
    let low = 0;
    let high = this.pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (/** @type {Piece} */ (this.pieces[middle]).start <= offset) low = middle;
      else high = middle - 1;
    }
    return this.pieces[low];
  }

  /**
   * @param {Piece} piece
   * @param {number} offset offset inside the piece, its length included
   * @returns {number} offset in the file
   */
  #fileOffset(piece, offset) {
    // Equal lengths mean that nothing is escaped: each escape is longer in the file than in the text.
    if (piece.encoding === 'raw' || piece.fileEnd - piece.fileStart === piece.length) return piece.fileStart + offset;
    let map = this.#maps.get(piece);
    if (!map) {
      map = escapeMap(piece);
      this.#maps.set(piece, map);
    }
    return map[Math.max(0, Math.min(offset, piece.length))] ?? piece.fileEnd;
  }
}

/**
 * @param {Piece} piece an escaped piece
 * @returns {Int32Array} for each offset of the piece's text, and for its end, the offset in the file
 */
function escapeMap(piece) {
  const map = new Int32Array(piece.length + 1);
  const source = piece.file.text;
  let at = piece.fileStart;
  let index = 0;
  while (index < piece.length) {
    map[index] = at;
    if (source[at] !== '\\') {
      // In a JavaScript template a line end of two characters is one in the value (ECMA-262 12.9.6, TV).
      const isLineEnd = piece.encoding === 'javascript' && source[at] === '\r' && source[at + 1] === '\n';
      at += isLineEnd ? 2 : 1;
      index += 1;
      continue;
    }
    const [width, units] = escapeWidth(source, at, piece.encoding);
    if (units === 2) map[index + 1] = at;
    at += width;
    index += units;
  }
  map[piece.length] = at;
  return map;
}

/**
 * @param {string} source
 * @param {number} at offset of the backslash
 * @param {Encoding} encoding
 * @returns {[number, number]} how many characters the escape takes in the file, and how many code units it represents
 */
function escapeWidth(source, at, encoding) {
  const letter = source[at + 1];
  if (letter === 'u' && encoding === 'javascript' && source[at + 2] === '{') {
    const close = source.indexOf('}', at);
    const point = Number.parseInt(source.slice(at + 3, close), 16);
    return [close - at + 1, point > 0xffff ? 2 : 1];
  }
  if (letter === 'u') return [6, 1];
  if (encoding === 'javascript') {
    if (letter === 'x') return [4, 1];
    if (letter === '\r' && source[at + 2] === '\n') return [3, 0];
    if (letter === '\n' || letter === '\r' || letter === '\u2028' || letter === '\u2029') return [2, 0];
    const octal = /^[0-3][0-7]{0,2}|^[4-7][0-7]?/.exec(source.slice(at + 1, at + 4));
    if (octal) return [1 + octal[0].length, 1];
  }
  return [SIMPLE_ESCAPE_LENGTH, 1];
}

/**
 * @param {string} text
 * @param {Piece} piece the piece it goes into
 * @returns {string} the text with the escapes of the piece's literal
 */
function encode(text, piece) {
  if (piece.encoding === 'json') return JSON.stringify(text).slice(1, -1);
  if (piece.encoding !== 'javascript') return text;
  const quote = piece.quote ?? "'";
  let escaped = text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
  if (quote === '`') return escaped.replaceAll('${', '\\${');
  escaped = escaped.replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return escaped;
}
