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

  /**
   * @param {Document[]} documents
   * @param {number} total how many there are where they come from; at least as many
   */
  constructor(documents, total) {
    this.documents = documents;
    this.total = Math.max(total, documents.length);
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
    return this.selectedByAll({ [field]: { [`$${operator}`]: operand } });
  }

  /**
   * @param {Record<string, unknown>} selector
   * @returns {Uint8Array | undefined} as above
   */
  selectedByAll(selector) {
    const text = JSON.stringify(selector);
    const key = text.length > LONG ? hashText(text) : text;
    if (this.#selected.has(key)) return this.#selected.get(key);
    const selected = this.#match(selector);
    if (this.#selected.size >= MAX_KEPT) this.#selected.clear();
    this.#selected.set(key, selected);
    return selected;
  }

  /** @param {Record<string, unknown>} selector @returns {Uint8Array | undefined} */
  #match(selector) {
    const normalized = normalizeSelector(selector);
    if (!('selector' in normalized)) return undefined;
    const selected = new Uint8Array(this.size);
    for (const [at, document] of this.documents.entries()) {
      const matches = matchSelector(normalized.selector, document);
      if (typeof matches !== 'boolean') return undefined;
      if (matches) selected[at] = 1;
    }
    return selected;
  }
}
