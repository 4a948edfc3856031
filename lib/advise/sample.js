// Holds sample documents, and which of them a clause selects. Answers are kept: many queries share their clauses.

import { fieldAt, parsePath } from '../facts/mango/field-path.js';
import { matchSelector, normalizeSelector } from '../facts/mango/selector.js';
import { hashText } from '../shared/hash-text.js';

/** @import { Clause } from './find.js' */

/** @typedef {Record<string, unknown>} Document */

/** So many answers are kept, of a byte a document. */
const MAX_KEPT = 2000;
/** Longer operands are known by their hash. */
const LONG = 200;

export class Sample {
  /** @type {Map<string, Uint8Array | undefined>} */
  #selected = new Map();
  /** @type {Map<string, unknown[]>} */
  #values = new Map();
  /** @type {Map<string, {codes: Int32Array, firsts: number[]} | undefined>} */
  #distinct = new Map();

  /**
   * @param {Document[]} documents
   * @param {number} total how many there are in the database
   */
  constructor(documents, total) {
    this.documents = documents;
    this.total = total;
  }

  /**
   * @param {number} total
   * @returns {Sample} of a database with so many documents; answers are kept for all
   */
  ofTotal(total) {
    const other = new Sample(this.documents, total);
    other.#selected = this.#selected;
    other.#values = this.#values;
    other.#distinct = this.#distinct;
    return other;
  }

  /** @returns {number} */
  get size() {
    return this.documents.length;
  }

  /**
   * @param {string} field
   * @returns {unknown[]} of each document; undefined where it has none
   */
  valuesOf(field) {
    const known = this.#values.get(field);
    if (known) return known;
    const path = parsePath(field);
    const values = this.documents.map((document) => {
      const value = path === undefined ? undefined : fieldAt(document, path);
      return typeof value === 'symbol' ? undefined : value;
    });
    this.#values.set(field, values);
    return values;
  }

  /**
   * @param {Clause} clause whose operand is known
   * @returns {Uint8Array | undefined} 1 for each document that it selects; undefined where that cannot be determined
   */
  selectedBy({ field, operator, operand }) {
    return this.#remembered({ [field]: { [`$${operator}`]: operand } }, (selector) =>
      this.#matchField(selector, field),
    );
  }

  /**
   * @param {string} field
   * @returns {number} how many different values it has; an object is different from all others
   */
  distinctOf(field) {
    return this.#codesOf(field)?.firsts.length ?? 0;
  }

  /**
   * @param {Record<string, unknown>} selector
   * @returns {Uint8Array | undefined} as above
   */
  selectedByAll(selector) {
    return this.#remembered(selector, (one) => this.#match(one, this.documents));
  }

  /**
   * @param {Record<string, unknown>} selector
   * @param {(selector: Record<string, unknown>) => Uint8Array | undefined} match
   * @returns {Uint8Array | undefined}
   */
  #remembered(selector, match) {
    const text = JSON.stringify(selector);
    const key = text.length > LONG ? hashText(text) : text;
    if (this.#selected.has(key)) return this.#selected.get(key);
    const selected = match(selector);
    if (this.#selected.size >= MAX_KEPT) this.#selected.clear();
    this.#selected.set(key, selected);
    return selected;
  }

  /**
   * Equal values are compared once: a field of 20,000 documents often has a few.
   * @param {Record<string, unknown>} selector about one field
   * @param {string} field
   * @returns {Uint8Array | undefined}
   */
  #matchField(selector, field) {
    const distinct = this.#codesOf(field);
    if (!distinct) return this.#match(selector, this.documents);
    const { codes, firsts } = distinct;
    const ofCodes = this.#match(
      selector,
      firsts.map((at) => /** @type {Document} */ (this.documents[at])),
    );
    if (!ofCodes) return undefined;
    const selected = new Uint8Array(this.size);
    for (let at = 0; at < selected.length; at += 1) selected[at] = ofCodes[codes[at] ?? 0] ?? 0;
    return selected;
  }

  /**
   * @param {string} field
   * @returns {{codes: Int32Array, firsts: number[]} | undefined} `codes`: number of the value of each document; `firsts`: a document with each;
   *   undefined where the name of the field is none
   */
  #codesOf(field) {
    if (this.#distinct.has(field)) return this.#distinct.get(field);
    const path = parsePath(field);
    /** @type {Map<unknown, number>} */
    const numbers = new Map();
    /** @type {number[]} */
    const firsts = [];
    const codes = new Int32Array(path === undefined ? 0 : this.size);
    for (let at = 0; at < codes.length; at += 1) {
      const value = fieldAt(/** @type {Document} */ (this.documents[at]), path ?? []);
      const known = numbers.get(value);
      codes[at] = known ?? firsts.length;
      if (known !== undefined) continue;
      numbers.set(value, firsts.length);
      firsts.push(at);
    }
    const distinct = path === undefined ? undefined : { codes, firsts };
    this.#distinct.set(field, distinct);
    return distinct;
  }

  /** @param {Record<string, unknown>} selector @param {Document[]} documents @returns {Uint8Array | undefined} */
  #match(selector, documents) {
    const normalized = normalizeSelector(selector);
    if (!('selector' in normalized)) return undefined;
    const selected = new Uint8Array(documents.length);
    for (const [at, document] of documents.entries()) {
      const matches = matchSelector(normalized.selector, document);
      if (typeof matches !== 'boolean') return undefined;
      if (matches) selected[at] = 1;
    }
    return selected;
  }
}
