// Finds a string in a line of JSON by the path of its member, and decodes it, both on bytes: parsing each line would take longer than reading the log in
// it.

const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;
const LINE_FEED = 10;
const SMALL_U = 117;

/**
 * @param {Buffer} bytes
 * @param {number} at
 * @param {number} end
 * @returns {number} the first offset that holds no white space
 */
function skipSpace(bytes, at, end) {
  let next = at;
  while (next < end && (bytes[next] ?? 0) <= 32) next += 1;
  return next;
}

/**
 * @param {Buffer} bytes
 * @param {number} start behind the opening quote
 * @param {number} end
 * @returns {number} the offset of the closing quote, `end` where there is none
 */
function closingQuote(bytes, start, end) {
  let at = start;
  while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return Math.min(at, end);
}

export class JsonField {
  #keys;
  /** Where the member stood in the line before, from its start: it mostly stands there again. */
  #hint = 0;

  /** @param {string[]} path */
  constructor(path) {
    // As they stand in the line, quotes included.
    this.#keys = path.map((name) => Buffer.from(JSON.stringify(name)));
  }

  /**
   * @param {Buffer} bytes
   * @param {number} start of the line
   * @param {number} end
   * @returns {number} where its characters begin, 0 where the line has no such string
   */
  find(bytes, start, end) {
    const hinted = this.#hint > 0 ? this.#valueAt(bytes, start + this.#hint, end) : 0;
    if (hinted > 0 && bytes[start + this.#hint - 1] !== BACKSLASH) return hinted;
    return this.#walk(bytes, start, end);
  }

  /**
   * @param {Buffer} bytes
   * @param {number} at where the last key of the path may stand
   * @param {number} end
   * @returns {number} where its string begins, 0 where there is no such key or no string
   */
  #valueAt(bytes, at, end) {
    const key = /** @type {Buffer} */ (this.#keys.at(-1));
    if (!isAt(bytes, at, key)) return 0;
    const colon = skipSpace(bytes, at + key.length, end);
    if (bytes[colon] !== COLON) return 0;
    const value = skipSpace(bytes, colon + 1, end);
    return bytes[value] === QUOTE && value < end ? value + 1 : 0;
  }

  /**
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   * @returns {number} as `find`
   */
  #walk(bytes, start, end) {
    const keys = this.#keys;
    let depth = 0;
    /** How many keys of the path lead to the present object. */
    let inside = 0;
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at];
      if (byte === 123 || byte === 91) depth += 1;
      else if (byte === 125 || byte === 93) {
        depth -= 1;
        if (depth <= inside) inside = Math.max(0, depth - 1);
      } else if (byte === QUOTE) {
        const close = closingQuote(bytes, at + 1, end);
        if (depth === inside + 1 && isAt(bytes, at, keys[inside])) {
          if (inside === keys.length - 1) {
            const value = this.#valueAt(bytes, at, end);
            if (value > 0) {
              this.#hint = at - start;
              return value;
            }
          } else {
            const colon = skipSpace(bytes, close + 1, end);
            if (bytes[colon] === COLON && bytes[skipSpace(bytes, colon + 1, end)] === 123) inside += 1;
          }
        }
        at = close;
      }
    }
    return 0;
  }
}

/**
 * @param {Buffer} bytes
 * @param {number} at
 * @param {Buffer | undefined} key with its quotes
 * @returns {boolean}
 */
function isAt(bytes, at, key) {
  if (key === undefined) return false;
  let index = 0;
  while (index < key.length && bytes[at + index] === key[index]) index += 1;
  return index === key.length;
}

/** What a letter behind a backslash stands for, by its code; other characters stand for themselves. */
const ESCAPES = Uint8Array.from({ length: 256 }, (_, code) => {
  const at = 'bfnrt'.indexOf(String.fromCharCode(code));
  return [8, 12, 10, 13, 9][at] ?? code;
});

/** A decoded string: offsets into the line, or into a buffer of its own where it has escapes. */
export class JsonText {
  /** @type {Buffer} */
  bytes = Buffer.alloc(0);
  start = 0;
  end = 0;
  /** Whether a line feed is in it before its last character. */
  hasFeeds = false;
  /** Whether the string before had escapes: Docker writes them into each line, others into none. */
  #hadEscapes = false;
  /** Grows to the longest line. */
  #own = Buffer.alloc(0);

  /**
   * @param {Buffer} bytes
   * @param {number} start behind the opening quote
   * @param {number} end of the line
   */
  decode(bytes, start, end) {
    if (!this.#hadEscapes) {
      let at = start;
      while (at < end && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at += 1;
      this.#hadEscapes = at < end && bytes[at] === BACKSLASH;
      this.bytes = bytes;
      this.start = start;
      this.end = at;
      this.hasFeeds = false;
    }
    if (this.#hadEscapes) this.#decodeEscapes(bytes, start, end);
  }

  /**
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   */
  #decodeEscapes(bytes, start, end) {
    if (this.#own.length < end - start) this.#own = Buffer.allocUnsafeSlow(2 * (end - start));
    const own = this.#own;
    let to = 0;
    let feed = -1;
    this.#hadEscapes = false;
    for (let at = start; at < end; ) {
      const byte = /** @type {number} */ (bytes[at]);
      if (byte === BACKSLASH) {
        this.#hadEscapes = true;
        const letter = bytes[at + 1] ?? 0;
        let code = ESCAPES[letter] ?? 0;
        at += 2;
        if (letter === SMALL_U) {
          code = hexAt(bytes, at);
          at += 4;
          if (code > 127) {
            const isPair = code >= 0xd800 && code < 0xdc00 && bytes[at] === BACKSLASH && bytes[at + 1] === SMALL_U;
            const text = isPair ? String.fromCharCode(code, hexAt(bytes, at + 2)) : String.fromCharCode(code);
            if (isPair) at += 6;
            to += own.write(text, to, 'utf8');
            continue;
          }
        }
        if (code === LINE_FEED && feed < 0) feed = to;
        own[to++] = code;
      } else if (byte === QUOTE) break;
      else {
        own[to++] = byte;
        at += 1;
      }
    }
    this.bytes = own;
    this.start = 0;
    this.end = to;
    this.hasFeeds = feed >= 0 && feed < to - 1;
  }
}

/** The value of each hexadecimal digit, by its code; 16 for what is none. */
const HEX_DIGITS = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? 16 : value;
});

/**
 * @param {Buffer} bytes
 * @param {number} at
 * @returns {number} of the four hexadecimal digits there; that of a replacement character where there are none
 */
function hexAt(bytes, at) {
  const a = HEX_DIGITS[bytes[at] ?? 0] ?? 16;
  const b = HEX_DIGITS[bytes[at + 1] ?? 0] ?? 16;
  const c = HEX_DIGITS[bytes[at + 2] ?? 0] ?? 16;
  const d = HEX_DIGITS[bytes[at + 3] ?? 0] ?? 16;
  return (a | b | c | d) > 15 ? 0xfffd : (a << 12) | (b << 8) | (c << 4) | d;
}
