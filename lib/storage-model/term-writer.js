// Writes values in Erlang's external term format, as `term_to_binary` with minor version 1 does, which is what CouchDB stores (couch_db.hrl,
// `term_to_bin`). The sizes alone are computed without writing: `integerBytes`, `atomBytes`, `binaryBytes`.

const SMALL_INTEGER = 97;
const INTEGER = 98;
const NEW_FLOAT = 70;
const SMALL_BIG = 110;
const LARGE_BIG = 111;
const SMALL_TUPLE = 104;
const LARGE_TUPLE = 105;
const ATOM = 100;
const BINARY = 109;
const STRING = 107;
const LIST = 108;
const NIL = 106;
const MAP = 116;
const VERSION = 131;

/** A list and its count, with the empty list behind it. */
export const LIST_BYTES = 6;
/** The byte that every term on disk begins with; `external_size` counts it, too. */
export const VERSION_BYTES = 1;
/** A tuple of fewer than 256 members, without them. */
export const TUPLE_BYTES = 2;

/**
 * @param {number} value at most 2^53
 * @returns {number} bytes of an integer as a term
 */
export function integerBytes(value) {
  if (value >= 0 && value < 256) return 2;
  if (value >= -(2 ** 31) && value < 2 ** 31) return 5;
  let digits = 4;
  for (let rest = Math.floor(Math.abs(value) / 2 ** 32); rest > 0; rest = Math.floor(rest / 256)) digits += 1;
  return 3 + digits;
}

/** @param {string} name of Latin letters @returns {number} bytes of an atom as a term */
export function atomBytes(name) {
  return 3 + name.length;
}

/** @param {number} length @returns {number} bytes of a binary as a term */
export function binaryBytes(length) {
  return 5 + length;
}

export class TermWriter {
  bytes = Buffer.alloc(64 * 1024);
  length = 0;

  /** Starts over. */
  reset() {
    this.length = 0;
  }

  /** @param {number} more bytes that are about to be written */
  reserve(more) {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + more));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  /** @param {number} byte */
  #byte(byte) {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  /** @param {number} value */
  #word(value) {
    this.reserve(4);
    this.bytes.writeUInt32BE(value, this.length);
    this.length += 4;
  }

  version() {
    this.#byte(VERSION);
  }

  /** @param {number} members */
  tuple(members) {
    if (members < 256) {
      this.#byte(SMALL_TUPLE);
      this.#byte(members);
    } else {
      this.#byte(LARGE_TUPLE);
      this.#word(members);
    }
  }

  /** @param {number} count its members follow, then `nil` */
  list(count) {
    this.#byte(LIST);
    this.#word(count);
  }

  nil() {
    this.#byte(NIL);
  }

  emptyMap() {
    this.#byte(MAP);
    this.#word(0);
  }

  /** @param {string} name of Latin letters */
  atom(name) {
    this.#byte(ATOM);
    this.#byte(0);
    this.#byte(name.length);
    this.reserve(name.length);
    this.length += this.bytes.write(name, this.length, 'latin1');
  }

  /** @param {number | bigint} value a whole number; of at most 2^53 where it is no bigint */
  integer(value) {
    if (value >= 0 && value < 256) {
      this.#byte(SMALL_INTEGER);
      this.#byte(Number(value));
    } else if (value >= -(2 ** 31) && value < 2 ** 31) {
      this.#byte(INTEGER);
      this.#word(Number(value) >>> 0);
    } else this.big(BigInt(value));
  }

  /** @param {bigint} value of more than 32 bits */
  big(value) {
    let hex = (value < 0n ? -value : value).toString(16);
    if (hex.length % 2 === 1) hex = `0${hex}`;
    const digits = Buffer.from(hex, 'hex').reverse();
    if (digits.length < 256) {
      this.#byte(SMALL_BIG);
      this.#byte(digits.length);
    } else {
      this.#byte(LARGE_BIG);
      this.#word(digits.length);
    }
    this.#byte(value < 0n ? 1 : 0);
    this.raw(digits, 0, digits.length);
  }

  /** @param {number} value */
  float(value) {
    this.#byte(NEW_FLOAT);
    this.reserve(8);
    this.length = this.bytes.writeDoubleBE(value, this.length);
  }

  /**
   * @param {Uint8Array} source
   * @param {number} start
   * @param {number} end
   */
  binary(source, start, end) {
    this.#byte(BINARY);
    this.#word(end - start);
    this.raw(source, start, end);
  }

  /**
   * @param {Uint8Array} source
   * @param {number} start
   * @param {number} end
   */
  raw(source, start, end) {
    this.reserve(end - start);
    // Short texts are copied faster byte by byte than by a call.
    if (end - start > 48) this.bytes.set(source.subarray(start, end), this.length);
    else {
      const { bytes, length } = this;
      for (let at = start; at < end; at += 1) bytes[length + at - start] = /** @type {number} */ (source[at]);
    }
    this.length += end - start;
  }

  /** @param {number} at where a list begins; its members were counted meanwhile @param {number} count */
  setCount(at, count) {
    this.bytes.writeUInt32BE(count, at + 1);
  }

  /**
   * The list from here on holds nothing but bytes: as `term_to_binary` does, it becomes a string.
   * @param {number} at where the list begins
   * @param {number} count at most 65,535
   */
  turnToString(at, count) {
    const { bytes } = this;
    bytes[at] = STRING;
    bytes.writeUInt16BE(count, at + 1);
    // Each member was a mark and a byte.
    for (let member = 0; member < count; member += 1)
      bytes[at + 3 + member] = /** @type {number} */ (bytes[at + 5 + 2 * member + 1]);
    this.length = at + 3 + count;
  }
}
