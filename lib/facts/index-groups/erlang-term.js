// Erlang terms in, their external format and their order out, as far as design documents need them. CouchDB names an index
// by a hash of that format, so every byte counts. Pure; hashes nothing.

/** @typedef {{atom: string}} Atom */
/** @typedef {import('./erlang-term.js').Term[]} TermList */
/** @typedef {{tuple: Term[]}} Tuple */
/** @typedef {{map: []}} EmptyMap the only map that CouchDB puts into a signature */
/** A text stands for a binary of UTF-8, a bigint for an integer, a number for a float, an array for a list. @typedef {string | bigint | number | Atom | Tuple | EmptyMap | TermList} Term */

/** Tags of the external term format (erl_ext_dist, OTP 25). */
const TAG = {
  version: 131,
  float: 70,
  smallInteger: 97,
  integer: 98,
  atom: 100,
  smallTuple: 104,
  largeTuple: 105,
  nil: 106,
  string: 107,
  list: 108,
  binary: 109,
  smallBig: 110,
  largeBig: 111,
  map: 116,
};

const MOST_BYTES_OF_STRING = 0xffff;
const INT32 = 1n << 31n;

/**
 * @param {Term} term
 * @returns {Uint8Array} as `term_to_binary(Term, [{minor_version, 1}])` gives it (couch_db.hrl, `term_to_bin`, CouchDB 3.4 to 3.5.2;
 *   earlier versions give the same up to OTP 25)
 */
export function encodeTerm(term) {
  const writer = new Writer();
  writer.byte(TAG.version);
  writer.term(term);
  return writer.bytes();
}

class Writer {
  #bytes = new Uint8Array(1024);
  #length = 0;

  /** @returns {Uint8Array} */
  bytes() {
    return this.#bytes.slice(0, this.#length);
  }

  /** @param {number} value */
  byte(value) {
    this.#reserve(1);
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }

  /** @param {Term} term */
  term(term) {
    if (typeof term === 'string') this.#binary(term);
    else if (typeof term === 'bigint') this.#integer(term);
    else if (typeof term === 'number') this.#float(term);
    else if (Array.isArray(term)) this.#list(term);
    else if ('atom' in term) this.#atom(term.atom);
    else if ('map' in term) {
      this.byte(TAG.map);
      this.#uint32(0);
    } else this.#tuple(term.tuple);
  }

  /** @param {string} text */
  #binary(text) {
    const bytes = new TextEncoder().encode(text);
    this.byte(TAG.binary);
    this.#uint32(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** @param {bigint} value */
  #integer(value) {
    if (value >= 0n && value <= 255n) {
      this.byte(TAG.smallInteger);
      this.byte(Number(value));
    } else if (value >= -INT32 && value < INT32) {
      this.byte(TAG.integer);
      this.#uint32(Number(BigInt.asUintN(32, value)));
    } else {
      const digits = [];
      for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 8n) digits.push(Number(rest & 255n));
      const isSmall = digits.length <= 255;
      this.byte(isSmall ? TAG.smallBig : TAG.largeBig);
      if (isSmall) this.byte(digits.length);
      else this.#uint32(digits.length);
      this.byte(value < 0n ? 1 : 0);
      for (const digit of digits) this.byte(digit);
    }
  }

  /** @param {number} value */
  #float(value) {
    this.byte(TAG.float);
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value);
    for (const one of bytes) this.byte(one);
  }

  /** @param {Term[]} items */
  #list(items) {
    if (items.length === 0) {
      this.byte(TAG.nil);
      return;
    }
    // A list of bytes is written as what Erlang calls a string.
    const isString = items.length <= MOST_BYTES_OF_STRING && items.every(isByte);
    if (isString) {
      this.byte(TAG.string);
      this.byte(items.length >> 8);
      this.byte(items.length & 255);
      for (const item of items) this.byte(Number(item));
      return;
    }
    this.byte(TAG.list);
    this.#uint32(items.length);
    for (const item of items) this.term(item);
    this.byte(TAG.nil);
  }

  /** @param {Term[]} items */
  #tuple(items) {
    if (items.length <= 255) {
      this.byte(TAG.smallTuple);
      this.byte(items.length);
    } else {
      this.byte(TAG.largeTuple);
      this.#uint32(items.length);
    }
    for (const item of items) this.term(item);
  }

  /** @param {string} name in ASCII */
  #atom(name) {
    this.byte(TAG.atom);
    this.byte(name.length >> 8);
    this.byte(name.length & 255);
    for (const letter of name) this.byte(letter.charCodeAt(0));
  }

  /** @param {number} value */
  #uint32(value) {
    for (const shift of [24, 16, 8, 0]) this.byte((value >>> shift) & 255);
  }

  /** @param {number} more */
  #reserve(more) {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** @param {Term} item @returns {boolean} */
function isByte(item) {
  return typeof item === 'bigint' && item >= 0n && item <= 255n;
}

/** Numbers come before atoms, then tuples, maps, lists and binaries. @param {Term} term @returns {number} */
function rankOf(term) {
  if (typeof term === 'bigint' || typeof term === 'number') return 0;
  if (typeof term === 'string') return 6;
  if (Array.isArray(term)) return term.length === 0 ? 4 : 5;
  if ('atom' in term) return 1;
  return 'tuple' in term ? 2 : 3;
}

/**
 * The order of Erlang's terms, by which views are sorted before they are hashed.
 * @param {Term} first
 * @param {Term} second
 * @returns {number} below 0, 0 or above 0
 */
export function compareTerms(first, second) {
  if (typeof first === 'string' && typeof second === 'string') return compareBytes(first, second);
  const ranks = rankOf(first) - rankOf(second);
  if (ranks !== 0) return ranks;
  if (isNumber(first) && isNumber(second)) return first < second ? -1 : Number(first > second);
  if (Array.isArray(first) && Array.isArray(second)) return compareItems(first, second);
  if (typeof first !== 'object' || typeof second !== 'object') return 0;
  if ('atom' in first && 'atom' in second) return compareBytes(first.atom, second.atom);
  if (!('tuple' in first && 'tuple' in second)) return 0;
  return first.tuple.length - second.tuple.length || compareItems(first.tuple, second.tuple);
}

/** @param {Term} term @returns {term is bigint | number} */
function isNumber(term) {
  return typeof term === 'bigint' || typeof term === 'number';
}

/** @param {Term[]} first @param {Term[]} second @returns {number} */
function compareItems(first, second) {
  for (const [index, item] of first.entries()) {
    const other = second[index];
    if (other === undefined) return 1;
    const order = compareTerms(item, other);
    if (order !== 0) return order;
  }
  return first.length - second.length;
}

/** @param {string} first @param {string} second @returns {number} the order of their UTF-8 bytes */
function compareBytes(first, second) {
  if (first === second) return 0;
  const [a, b] = [new TextEncoder().encode(first), new TextEncoder().encode(second)];
  for (const [index, byte] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (byte !== other) return byte - other;
  }
  return a.length - b.length;
}
