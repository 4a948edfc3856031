// Counts what CouchDB reads for a Mango query over given documents, as `execution_stats` reports it: index rows, documents
// and results (mango_cursor_view.erl, 3.4.3 and 3.5.0).

import { compareBytes } from '../../lib/facts/index-groups/erlang-term.js';
import { fieldAt, parsePath } from '../../lib/facts/mango/field-path.js';
import { columnsOf, isDesignDoc, mangoRows, partialFilterOf } from '../../lib/facts/mango/index-rows.js';
import { compareRaw } from '../../lib/facts/mango/matcher.js';
import { matchSelector } from '../../lib/facts/mango/selector.js';
import { remember } from '../../lib/shared/recent-memory.js';
import { compareKeys } from '../../lib/storage-model/view-keys.js';

/** @import { IndexChoice, MangoIndex, MangoQuery } from '../../lib/facts/mango/planner.js' */

/** @typedef {Record<string, unknown> & {_id: string}} Document */
/**
 * @typedef {object} PreparedIndex
 * @property {MangoIndex} index
 * @property {readonly Document[]} documents
 * @property {Int32Array} order positions of the documents of its rows, in the order of the index
 * @property {(readonly unknown[])[]} values of each column, by position of the document
 * @property {string} [unknown] why its rows are unknown
 */
/**
 * @typedef {object} Reads
 * @property {number} keysExamined `total_keys_examined` (in responses since 3.4): rows of the index
 * @property {number} docsExamined `total_docs_examined`: documents, none where the index covers the query
 * @property {string[]} ids of the results, in the order of the response
 */

const DEFAULT_LIMIT = 25;

/** What was computed of a list of documents, which must not change meanwhile. */
class DocumentSet {
  /** @type {Map<string, {ranks: Int32Array, values: unknown[]}>} */
  #columns = new Map();
  /** @type {Map<string, PreparedIndex>} */
  prepared = new Map();

  /** @param {readonly Document[]} documents */
  constructor(documents) {
    this.documents = documents;
    this.byId = Int32Array.from(documents.keys()).sort((one, other) =>
      compareBytes(documents[one]?._id ?? '', documents[other]?._id ?? ''),
    );
    this.idRanks = new Int32Array(documents.length);
    for (const [rank, position] of this.byId.entries()) this.idRanks[position] = rank;
  }

  /**
   * Sorts the values of a column once, so that indexes on it compare small numbers instead of keys.
   * @param {string} name
   * @returns {{ranks: Int32Array, values: unknown[]}} equal values have one rank
   */
  column(name) {
    let column = this.#columns.get(name);
    if (column === undefined) {
      const path = parsePath(name) ?? [];
      const values = this.documents.map((doc) => fieldAt(doc, path));
      const distinct = [...new Set(values)].filter((value) => typeof value !== 'symbol').sort(compareKeys);
      const rankOf = new Map();
      let rank = 0;
      for (const [at, value] of distinct.entries()) {
        if (at > 0 && compareKeys(distinct[at - 1], value) !== 0) rank += 1;
        rankOf.set(value, rank);
      }
      column = { values, ranks: Int32Array.from(values, (value) => rankOf.get(value) ?? -1) };
      this.#columns.set(name, column);
    }
    return column;
  }
}

const documentSet = remember((/** @type {readonly Document[]} */ documents) => new DocumentSet(documents));

/**
 * @param {MangoIndex} index of type `json` or `special`
 * @param {readonly Document[]} documents with `_id`, design documents included where the database has some; the list must
 *   not change, as what is computed of it is kept as long as it is
 * @returns {PreparedIndex} the order of its rows, computed once
 */
export function prepareIndex(index, documents) {
  const set = documentSet(documents);
  const key = JSON.stringify([index.type, columnsOf(index.def), partialFilterOf(index.def)]);
  const found = set.prepared.get(key) ?? (index.type === 'special' ? prepareAllDocs(set, index) : prepare(set, index));
  set.prepared.set(key, found);
  return found.index === index ? found : { ...found, index };
}

/** @param {DocumentSet} set @param {MangoIndex} index @returns {PreparedIndex} */
function prepareAllDocs({ documents, byId }, index) {
  return { index, documents, order: byId, values: [documents.map(({ _id }) => _id)] };
}

/** @param {DocumentSet} set @param {MangoIndex} index @returns {PreparedIndex} */
function prepare(set, index) {
  const { documents, idRanks } = set;
  const columns = columnsOf(index.def).map((name) => set.column(name));
  /** @type {number[]} */
  const held = [];
  let unknown = /** @type {string | undefined} */ (undefined);
  for (const [position, doc] of documents.entries()) {
    const rows = mangoRows(index.def, doc);
    if ('unknown' in rows) unknown ??= rows.unknown;
    else if (rows.length > 0) held.push(position);
  }
  const order = Int32Array.from(held).sort((one, other) => {
    for (const { ranks } of columns) {
      const difference = Number(ranks[one]) - Number(ranks[other]);
      if (difference !== 0) return difference;
    }
    return Number(idRanks[one]) - Number(idRanks[other]);
  });
  const values = columns.map((column) => column.values);
  return { index, documents, order, values, ...(unknown === undefined ? {} : { unknown }) };
}

/**
 * @param {MangoQuery} query
 * @param {IndexChoice} choice that `chooseIndex` made for it
 * @param {readonly Document[] | PreparedIndex} source the documents, or the chosen index as `prepareIndex` made it
 * @returns {Reads | {unknown: string}} what one request for the first page reads, in a database with one shard (q=1); with
 *   a limit CouchDB reads on to the result behind the last one
 */
export function countReads({ limit = DEFAULT_LIMIT, skip = 0, partition = '' }, choice, source) {
  if (partition !== '') return { unknown: 'it queries one partition' };
  const prepared = 'order' in source ? source : prepareIndex(choice.index, source);
  const reads = { keysExamined: 0, docsExamined: 0, ids: /** @type {string[]} */ ([]) };
  if (choice.isEmpty) return reads;
  if (prepared.unknown !== undefined) return { unknown: prepared.unknown };
  const readRow = choice.isCovering ? rowReader(prepared) : undefined;
  const { start, end } = rowsBetween(prepared, choice);
  let left = skip + limit;
  let pending = 0;
  for (let at = start; at < end; at += 1) {
    const position = Number(prepared.order[choice.isDescending ? start + end - 1 - at : at]);
    const stored = /** @type {Document} */ (prepared.documents[position]);
    const doc = readRow ? readRow(position) : stored;
    if (doc === undefined) return { unknown: 'a column of the index is in an array that another column holds' };
    pending += 1;
    const matched = matchSelector(choice.selector, doc);
    if (typeof matched === 'object') return matched;
    if (!matched) continue;
    const isListed = prepared.index.type !== 'special' || !isDesignDoc(stored);
    // What was read up to a design document that matches is left out of the figures (handle_all_docs_message/2).
    if (isListed) reads.keysExamined += pending;
    pending = 0;
    if (!isListed) continue;
    if (left === 0) return finish(reads, choice, skip);
    left -= 1;
    reads.ids.push(stored._id);
  }
  reads.keysExamined += pending;
  return finish(reads, choice, skip);
}

/** @param {Reads} reads @param {IndexChoice} choice @param {number} skip @returns {Reads} */
function finish({ keysExamined, ids }, { isCovering }, skip) {
  return { keysExamined, docsExamined: isCovering ? 0 : keysExamined, ids: ids.slice(skip) };
}

/**
 * @param {PreparedIndex} prepared
 * @param {IndexChoice} choice
 * @returns {{start: number, end: number}} positions in `order`, the end excluded
 */
function rowsBetween({ order, values, index }, { low, high }) {
  const compare = index.type === 'special' ? compareRaw : compareKeys;
  /** @param {number} at @param {unknown[]} bound @returns {number} of the first columns to the bound */
  const orderOf = (at, bound) => {
    for (const [column, value] of bound.entries()) {
      const step = compare(values[column]?.[Number(order[at])], value);
      if (step !== 0) return step;
    }
    return 0;
  };
  const start = firstOf(order.length, (at) => orderOf(at, low) >= 0);
  return {
    start,
    end: Math.max(
      start,
      firstOf(order.length, (at) => orderOf(at, high) > 0 && high.length > 0),
    ),
  };
}

/** @param {number} length @param {(at: number) => boolean} isBehind false, then true @returns {number} */
function firstOf(length, isBehind) {
  let [from, to] = [0, length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isBehind(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/**
 * @param {PreparedIndex} prepared
 * @returns {(position: number) => Record<string, unknown> | undefined} makes of a row what the selector is matched against
 *   where the index covers the query (derive_doc_from_index/2)
 */
function rowReader({ index, documents, values }) {
  const columns = columnsOf(index.def).map((name, at) => ({ path: parsePath(name) ?? [], held: values[at] ?? [] }));
  columns.reverse();
  return (position) => {
    /** @type {Record<string, unknown>} */
    const doc = { _id: documents[position]?._id };
    return columns.every(({ path, held }) => setField(doc, path, held[position])) ? doc : undefined;
  };
}

/**
 * Sets a field as `mango_doc:set_field/3` does where all values on the path are objects.
 * @param {Record<string, unknown>} target is changed
 * @param {readonly string[]} path
 * @param {unknown} value
 * @returns {boolean} false where a value on the path is an array, which 3.5.0 changes at another position; of other
 *   values nothing is changed
 */
function setField(target, path, value) {
  let current = target;
  for (const [index, name] of path.entries()) {
    if (index === path.length - 1) {
      define(current, name, value);
    } else {
      if (!Object.hasOwn(current, name)) define(current, name, {});
      const next = current[name];
      if (Array.isArray(next)) return false;
      if (typeof next !== 'object' || next === null) return true;
      const copy = { ...next };
      define(current, name, copy);
      current = copy;
    }
  }
  return true;
}

/** @param {object} target @param {string} name may be `__proto__` @param {unknown} value */
function define(target, name, value) {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
