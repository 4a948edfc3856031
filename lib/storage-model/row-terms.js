// Stores the terms of index rows one behind the other: the nodes of an index are packed from them.

import { DocumentTerm } from './document-term.js';
import { TermWriter } from './term-writer.js';

/** `131 104 1 108 count 104 2 109 length "v"` is in front of the value of `{"v": …}`, and one byte is behind it. */
const BEFORE_VALUE = 16;
const AFTER_VALUE = 1;

export class RowTerms {
  bytes = Buffer.alloc(64 * 1024);
  length = 0;
  #writer = new TermWriter();
  #term = new DocumentTerm(this.#writer);

  /** @param {Uint8Array} source */
  add(source) {
    if (this.length + source.length > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + source.length));
      this.bytes.copy(larger, 0, 0, this.length);
      this.bytes = larger;
    }
    this.bytes.set(source, this.length);
    this.length += source.length;
  }

  /**
   * @param {unknown} value JSON
   * @returns {Uint8Array} its term without the version, until the next call
   */
  termOf(value) {
    const json = Buffer.from(`{"v":${JSON.stringify(value ?? null)}}`);
    this.#term.encode(json, 0, json.length);
    return this.#writer.bytes.subarray(BEFORE_VALUE, this.#writer.length - AFTER_VALUE);
  }
}
