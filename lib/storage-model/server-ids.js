// Makes ids as a server does by `[uuids] algorithm = sequential`, the default from 1.1 to 3.5 (couch_uuids.erl, 3.4.3).
// Not random: the same load is predicted the same way each time.

/** From here on a new prefix is taken. couch_uuids.erl, `handle_call`: 16#fff000. */
const LIMIT = 0xfff000;
const PREFIX_DIGITS = 26;
/** Steps are random, from 1 to this. couch_uuids.erl, `inc`. */
const LARGEST_STEP = 0xffe;

export class ServerIds {
  #state = 1;
  #prefix = '';
  #number = LIMIT;

  /** @returns {string} the next id: 26 digits that stay and six that grow */
  next() {
    if (this.#number >= LIMIT) {
      this.#prefix = '';
      while (this.#prefix.length < PREFIX_DIGITS) this.#prefix += (this.#random() % 16).toString(16);
      this.#number = 0;
    }
    this.#number += 1 + (this.#random() % LARGEST_STEP);
    return this.#prefix + this.#number.toString(16).padStart(6, '0');
  }

  /** @returns {number} */
  #random() {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state >>> 8;
  }
}
