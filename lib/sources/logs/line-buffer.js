// Cuts incoming bytes into whole lines, which it hands on in large pieces. Memory is bounded: a line that is too long
// is dropped and reported.

/** Longer lines are no log lines: CouchDB takes no address of more than some thousand bytes. */
export const MAX_LINE_BYTES = 1024 * 1024;
/** Small enough to stay in the processor's cache from the reading to the looking. */
const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 10;

/**
 * @callback TakeLines
 * @param {Buffer} bytes
 * @param {number} from start of a line
 * @param {number} to behind a line feed
 * @returns {void}
 */

export class LineBuffer {
  #bytes = Buffer.allocUnsafeSlow(CHUNK_BYTES + MAX_LINE_BYTES + 1);
  #used = 0;
  #take;
  #onLongLine;
  /** Bytes up to the place in front of which lines must start to be taken. */
  #remaining = Number.POSITIVE_INFINITY;
  #isSkipping = false;
  /** Whether all lines that start in front of the end were given out. */
  isDone = false;

  /**
   * @param {TakeLines} take
   * @param {() => void} onLongLine called instead for a line that was dropped
   */
  constructor(take, onLongLine) {
    this.#take = take;
    this.#onLongLine = onLongLine;
  }

  /**
   * Starts over.
   * @param {number} length bytes that belong to the part that is read now; lines that start in it are given out whole
   * @param {boolean} isInside whether the part begins one byte before it, perhaps within a line of the part before
   */
  begin(length, isInside) {
    this.#used = 0;
    this.#remaining = length + (isInside ? 1 : 0);
    this.#isSkipping = isInside;
    this.isDone = length <= 0;
  }

  /** @returns {Buffer} room for the next bytes, never empty; behind it fits the line feed that the last line may lack */
  room() {
    return this.#bytes.subarray(this.#used, Math.min(this.#used + CHUNK_BYTES, this.#bytes.length - 1));
  }

  /** @param {number} count of bytes that were put into the room */
  took(count) {
    this.#used += count;
    if (this.#isSkipping) this.#skip();
    if (this.isDone || this.#isSkipping) return;
    const bytes = this.#bytes;
    let end = bytes.lastIndexOf(LINE_FEED, this.#used - 1) + 1;
    if (this.#used === 0) end = 0;
    if (end > this.#remaining) {
      // The last line is the one that holds the last byte of the part.
      end = bytes.indexOf(LINE_FEED, this.#remaining - 1) + 1;
      this.isDone = true;
    }
    if (end > 0) this.#give(end);
    else if (this.#used >= MAX_LINE_BYTES) {
      this.#onLongLine();
      this.#drop(this.#used);
      this.#isSkipping = true;
    }
  }

  /** @param {Buffer} chunk of any size */
  push(chunk) {
    let at = 0;
    while (at < chunk.length) {
      const count = chunk.copy(this.room(), 0, at);
      this.took(count);
      at += count;
    }
  }

  /** No more bytes come: returns the last line, which may lack its line feed. */
  finish() {
    if (!this.isDone && !this.#isSkipping && this.#used > 0) {
      this.#bytes[this.#used] = LINE_FEED;
      this.#take(this.#bytes, 0, this.#used + 1);
    }
    this.#used = 0;
    this.isDone = true;
  }

  /** @param {number} end */
  #give(end) {
    this.#take(this.#bytes, 0, end);
    this.#drop(end);
  }

  /** @param {number} count */
  #drop(count) {
    this.#bytes.copy(this.#bytes, 0, count, this.#used);
    this.#used -= count;
    this.#remaining -= count;
  }

  #skip() {
    const feed = this.#bytes.subarray(0, this.#used).indexOf(LINE_FEED);
    this.#drop(feed === -1 ? this.#used : feed + 1);
    if (feed !== -1) this.#isSkipping = false;
    if (this.#remaining <= 0) this.isDone = true;
  }
}
