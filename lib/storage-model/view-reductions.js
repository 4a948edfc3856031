// Nodes of a view's tree in, how many bytes their reductions take out: `{Count, Reductions, ExternalSize}` (couch_mrview_util.erl,
// `make_reduce_fun`, 3.4.3). The built-in reduces of numbers are computed; of all others the caller knows the size.

import { integerBytes, LIST_BYTES, TUPLE_BYTES, VERSION_BYTES } from './term-writer.js';

/** @import { TermWriter } from './term-writer.js' */
/** @import { TreeNode } from './tree.js' */

/** @typedef {'_count' | '_sum' | '_stats'} ComputedReduce */
/** Sum, least, most and sum of squares of what is below a node. @typedef {[number, number, number, number]} Totals */

const NIL_BYTES = 1;
const FLOAT_BYTES = 9;
/** @param {number} value @returns {number} */
function numberBytes(value) {
  return Number.isSafeInteger(value) ? integerBytes(value) : FLOAT_BYTES;
}

/**
 * @param {ComputedReduce | undefined} kind
 * @param {number} count rows
 * @param {Totals} totals
 * @param {number} otherBytes of a reduction of another kind; 0 without a reduce
 * @returns {number} bytes of the list of reductions
 */
export function reductionsBytes(kind, count, totals, otherBytes) {
  if (kind === '_count') return listOfOne(integerBytes(count));
  if (kind === '_sum') return listOfOne(numberBytes(totals[0]));
  if (kind === '_stats') return LIST_BYTES + statsBytes(count, totals);
  return otherBytes === 0 ? NIL_BYTES : LIST_BYTES + otherBytes;
}

/** A list of one byte is written as a text. @param {number} bytes @returns {number} */
function listOfOne(bytes) {
  return bytes === 2 ? 4 : LIST_BYTES + bytes;
}

/**
 * `{Sum, Count, Least, Most, Squares}`: names come only when it is asked for. couch_query_servers.erl, `builtin_stats`.
 * @param {number} count
 * @param {Totals} totals
 * @returns {number}
 */
function statsBytes(count, totals) {
  return totals.reduce((bytes, number) => bytes + numberBytes(number), TUPLE_BYTES + integerBytes(count));
}

/**
 * @param {TermWriter} writer
 * @param {ComputedReduce | undefined} kind
 * @param {TreeNode} node
 * @param {Totals} totals
 * @param {Uint8Array} other a reduction of another kind, as a term without its version; empty without a reduce
 */
export function writeReductions(writer, kind, node, totals, other) {
  if (kind === undefined && other.length === 0) return writer.nil();
  const start = writer.length;
  writer.list(1);
  const before = writer.length;
  if (kind === '_count') writer.integer(node.count);
  else if (kind === '_sum') writeNumber(writer, totals[0]);
  else if (kind === '_stats') {
    writer.tuple(5);
    for (const number of [totals[0], node.count, totals[1], totals[2], totals[3]]) writeNumber(writer, number);
  } else writer.raw(other, 0, other.length);
  if (writer.length - before === 2 && kind !== undefined) writer.turnToString(start, 1);
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
