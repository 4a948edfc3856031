// Collects one string or word of JSON as it is read piece by piece: keeps what is wanted of it, up to a limit, and
// counts the rest.

import { attempt } from '../../shared/attempt.js';

/** Longer ones are cut: no key or id that matters is so long, and a hostile one must not be kept. */
const MAX_KEPT = 1024;

export class JsonText {
  /** Whether its bytes are wanted. */
  isWanted = false;
  hasEscape = false;
  /** How much of it was read in pieces before its last. */
  bytes = 0;
  /** @type {Buffer[]} */
  #pieces = [];
  #kept = 0;

  /** @param {boolean} isWanted */
  start(isWanted) {
    this.isWanted = isWanted;
    this.hasEscape = false;
    this.bytes = 0;
    this.#kept = 0;
    if (this.#pieces.length > 0) this.#pieces = [];
  }

  /**
   * @param {Buffer} bytes
   * @param {number} from
   * @param {number} to
   */
  add(bytes, from, to) {
    this.bytes += to - from;
    const room = MAX_KEPT - this.#kept;
    if (!this.isWanted || room <= 0 || to <= from) return;
    // A copy: the piece it lies in is reused by the reader.
    const piece = Buffer.from(bytes.subarray(from, Math.min(to, from + room)));
    this.#pieces.push(piece);
    this.#kept += piece.length;
  }

  /**
   * Ends it with its last bytes.
   * @param {Buffer} bytes
   * @param {number} from
   * @param {number} to
   * @returns {string} its bytes, one a character, so that such strings compare as bytes do; escapes are resolved
   */
  finish(bytes, from, to) {
    if (this.#pieces.length === 0) return bytes.toString('latin1', from, Math.min(to, from + MAX_KEPT));
    this.add(bytes, from, to);
    const kept = Buffer.concat(this.#pieces);
    this.#pieces = [];
    if (!this.hasEscape) return kept.toString('latin1');
    // Cut within an escape, or an escape with wrong digits.
    return attempt(
      () => Buffer.from(String(JSON.parse(`"${kept.toString('utf8')}"`))).toString('latin1'),
      kept.toString('latin1'),
    );
  }
}
