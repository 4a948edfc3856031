// Finds the first line of a file that is not UTF-8, which CouchDB would refuse, while the file passes in pieces. Keeps
// at most three bytes.

import { isUtf8 } from 'node:buffer';

const LINE_FEED = 0x0a;
/** A character has at most so many bytes. */
const LONGEST = 4;

export class Utf8Check {
  /** The first bytes of a character whose others come with the next piece. */
  #rest = Buffer.alloc(0);
  #hasFailed = false;

  /**
   * @param {Buffer} piece
   * @param {number} line that it begins in
   * @returns {number | undefined} the line of the first bytes that are not UTF-8; reported once
   */
  add(piece, line) {
    if (this.#hasFailed) return undefined;
    const whole = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    const end = endOfWhole(whole);
    this.#rest = Buffer.from(whole.subarray(end));
    const checked = whole.subarray(0, end);
    if (isUtf8(checked)) return undefined;
    this.#hasFailed = true;
    let at = line;
    let start = 0;
    for (let feed = checked.indexOf(LINE_FEED); feed !== -1; feed = checked.indexOf(LINE_FEED, start)) {
      if (!isUtf8(checked.subarray(start, feed))) return at;
      start = feed + 1;
      at += 1;
    }
    return at;
  }
}

/**
 * @param {Buffer} bytes
 * @returns {number} where the last character ends that is there whole
 */
function endOfWhole(bytes) {
  for (let back = 1; back < LONGEST && back <= bytes.length; back += 1) {
    const byte = /** @type {number} */ (bytes[bytes.length - back]);
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}
