// Computes how many bytes the reductions of a view's B-tree node take: `{Count, Reductions, ExternalSize}` (couch_mrview_util.erl,
// `make_reduce_fun`, 3.5.0). `_count`, and `_sum` and `_stats` of numbers are computed; for others the caller says the size.

import { integerBytes, LIST_BYTES, TUPLE_BYTES, VERSION_BYTES } from './term-writer.js';

/** @import { TermWriter } from './term-writer.js' */
/** @import { TreeNode } from './tree.js' */

/**
 * A reduce as the B-tree stores its result: computed, or of another kind as a term without its version.
 * @typedef {'_count' | '_sum' | '_stats' | Uint8Array} StoredReduce
 */
/** Sum, minimum, maximum and sum of squares of what is below a node. @typedef {[number, number, number, number]} Totals */

const NIL_BYTES = 1;
const FLOAT_BYTES = 9;
/** @param {number} value @returns {number} */
function numberBytes(value) {
  return Number.isSafeInteger(value) ? integerBytes(value) : FLOAT_BYTES;
}

/**
 * @param {StoredReduce[]} reduces of all views that share the tree
 * @param {number} count rows
 * @param {Totals} totals
 * @returns {number} bytes of the list of reductions
 */
export function reductionsBytes(reduces, count, totals) {
  if (reduces.length === 0) return NIL_BYTES;
  let bytes = LIST_BYTES;
  for (const reduce of reduces) {
    if (reduce === '_count') bytes += integerBytes(count);
    else if (reduce === '_sum') bytes += numberBytes(totals[0]);
    else if (reduce === '_stats') bytes += statsBytes(count, totals);
    else bytes += reduce.length;
  }
  // A list of small integers alone is written as a string of bytes.
  return bytes === LIST_BYTES + 2 * reduces.length ? 3 + reduces.length : bytes;
}

/**
 * `{Sum, Count, Min, Max, SumOfSquares}`: names are added when it is queried. couch_query_servers.erl, `builtin_stats`.
 * @param {number} count
 * @param {Totals} totals
 * @returns {number}
 */
function statsBytes(count, totals) {
  return totals.reduce((bytes, number) => bytes + numberBytes(number), TUPLE_BYTES + integerBytes(count));
}

/**
 * @param {TermWriter} writer
 * @param {StoredReduce[]} reduces
 * @param {TreeNode} node
 * @param {Totals} totals
 */
export function writeReductions(writer, reduces, node, totals) {
  if (reduces.length === 0) return writer.nil();
  const start = writer.length;
  writer.list(reduces.length);
  const before = writer.length;
  for (const reduce of reduces) {
    if (reduce === '_count') writer.integer(node.count);
    else if (reduce === '_sum') writeNumber(writer, totals[0]);
    else if (reduce === '_stats') {
      writer.tuple(5);
      for (const number of [totals[0], node.count, totals[1], totals[2], totals[3]]) writeNumber(writer, number);
    } else writer.raw(reduce, 0, reduce.length);
  }
  if (writer.length - before === 2 * reduces.length) writer.turnToString(start, reduces.length);
  else writer.nil();
}

/** @param {TermWriter} writer @param {number} value */
function writeNumber(writer, value) {
  if (Number.isSafeInteger(value)) writer.integer(value);
  else writer.float(value);
}

/**
 * What counts as external beside the rows: `term_size` of the reductions of each leaf (`kv_external_size`).
 * @param {number} bytes of the list of reductions
 * @returns {number}
 */
export function externalOfReductions(bytes) {
  return VERSION_BYTES + bytes;
}
