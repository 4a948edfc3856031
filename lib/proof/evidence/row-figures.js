// Describes the rows of a map: how many, of which types and sizes, and which values the built-in reduce of the view
// refuses.

import { showJson } from '../../shared/show-json.js';
import { reduceBuiltin } from '../builtins.js';

/** @typedef {'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'} JsonType */
/** How many rows have which type. @typedef {Partial<Record<JsonType, number>>} TypeCounts */
/** @typedef {{types: TypeCounts, bytes: number, maxBytes: number}} Sizes bytes of JSON: of all rows, and of the largest */

/**
 * @typedef {object} RowFigures
 * @property {number} rows
 * @property {number} emitting documents with at least one row
 * @property {{rows: number, id: string}} most the document with the most rows
 * @property {Sizes} keys
 * @property {Sizes} values
 * @property {Record<string, TypeCounts>} positions types of a key that is no array (`key`), and of the members of one that is (`key[0]`)
 * @property {{rows: number, id: string, value: string, answer: string}} [refused] rows whose values the built-in refuses, and the first of them
 */

/** Members of a key that are looked at. */
const MAX_POSITIONS = 6;
/** Built-ins that compute with values; the others take any. */
const COMPUTING = /^_(?:sum|stats)/;
/** Longer values are cut. */
const SHOWN = 60;

/** @typedef {{id: string, key: unknown, value: unknown}} Row */

export class RowCounter {
  /** @type {RowFigures} */
  figures = {
    rows: 0,
    emitting: 0,
    most: { rows: 0, id: '' },
    keys: { types: {}, bytes: 0, maxBytes: 0 },
    values: { types: {}, bytes: 0, maxBytes: 0 },
    positions: {},
  };

  /** A row of each type of value, to meet those of later documents. @type {Map<JsonType, Row>} */
  #met = new Map();

  /** @param {string | undefined} builtin the reduce of the view @param {string} target CouchDB version */
  constructor(builtin, target) {
    this.builtin = builtin !== undefined && COMPUTING.test(builtin) ? builtin : undefined;
    this.target = target;
  }

  /** @param {Row[]} rows of one document, or of several */
  #check(rows) {
    const { builtin } = this;
    if (builtin === undefined || rows.length === 0) return;
    const before = [...this.#met.values()];
    for (const row of rows) if (!this.#met.has(typeOf(row.value))) this.#met.set(typeOf(row.value), row);
    if (this.#refusal(builtin, [...before, ...rows]) === undefined) return;
    const alone = rows.filter((row) => this.#refusal(builtin, [row]) !== undefined);
    // A lone value may be taken that the built-in cannot add to others.
    const [first] = before.length > 0 ? before : rows;
    const refused = alone.length > 0 || !first ? alone : rows.filter((row) => this.#refusal(builtin, [first, row]));
    const [row] = refused;
    if (!row) return;
    const answer = this.#refusal(builtin, alone.length > 0 || !first ? [row] : [first, row]) ?? '';
    this.figures.refused ??= { rows: 0, id: row.id, value: showJson(row.value, SHOWN), answer };
    this.figures.refused.rows += refused.length;
  }

  /**
   * @param {string} builtin
   * @param {Row[]} rows
   * @returns {string | undefined} what the built-in says instead of a value
   */
  #refusal(builtin, rows) {
    const answer = reduceBuiltin(builtin, { rows }, this.target);
    if (!('error' in answer) || answer.error.kind === 'overflow' || answer.error.kind === 'noBuiltin') return undefined;
    return answer.error.kind === 'errorRow' ? 'an error row' : 'status 500';
  }

  /** @param {Row[][]} documents the rows of each */
  add(documents) {
    const { figures } = this;
    for (const rows of documents) {
      const [first] = rows;
      if (!first) continue;
      figures.emitting += 1;
      figures.rows += rows.length;
      if (rows.length > figures.most.rows) figures.most = { rows: rows.length, id: first.id };
      for (const { key, value } of rows) {
        measure(figures.keys, key);
        measure(figures.values, value);
        if (!Array.isArray(key)) this.#place('key', key);
        else for (const [at, part] of key.slice(0, MAX_POSITIONS).entries()) this.#place(`key[${at}]`, part);
      }
    }
    this.#check(documents.flat());
  }

  /** @param {string} position @param {unknown} value */
  #place(position, value) {
    this.figures.positions[position] ??= {};
    count(this.figures.positions[position], value);
  }
}

/** @param {Sizes} sizes @param {unknown} value */
function measure(sizes, value) {
  count(sizes.types, value);
  const bytes = Buffer.byteLength(JSON.stringify(value));
  sizes.bytes += bytes;
  sizes.maxBytes = Math.max(sizes.maxBytes, bytes);
}

/** @param {TypeCounts} counts @param {unknown} value */
function count(counts, value) {
  const type = typeOf(value);
  counts[type] = (counts[type] ?? 0) + 1;
}

/** @param {unknown} value a JSON value @returns {JsonType} */
export function typeOf(value) {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  return /** @type {JsonType} */ (typeof value);
}
