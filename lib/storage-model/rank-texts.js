// Ranks strings by the order of their bytes, so that trees compare numbers instead of strings.

/** Fewer texts are put in order one by one. */
const FEW = 12;

/**
 * @param {Uint8Array} bytes of all texts, one behind the other
 * @param {Float64Array} ends where each ends
 * @returns {{ranks: Uint32Array, distinct: number}} places from 0; equal texts have equal ones; and how many there are
 */
export function rankTexts(bytes, ends) {
  const count = ends.length;
  const order = new Uint32Array(count);
  for (let at = 0; at < count; at += 1) order[at] = at;
  let isSorted = true;
  for (let at = 1; at < count && isSorted; at += 1) isSorted = compare(bytes, ends, at - 1, at, 0) <= 0;
  if (!isSorted) sort(bytes, ends, order);
  const ranks = new Uint32Array(count);
  let rank = 0;
  for (let at = 0; at < count; at += 1) {
    const text = /** @type {number} */ (order[at]);
    if (at > 0 && compare(bytes, ends, /** @type {number} */ (order[at - 1]), text, 0) !== 0) rank += 1;
    ranks[text] = rank;
  }
  return { ranks, distinct: count === 0 ? 0 : rank + 1 };
}

/**
 * Quicksort by one byte after the other: texts that begin alike are compared once for each byte, and not once for each pair.
 * @param {Uint8Array} bytes
 * @param {Float64Array} ends
 * @param {Uint32Array} order
 */
function sort(bytes, ends, order) {
  const open = [0, order.length, 0];
  /** @param {number} text @param {number} depth @returns {number} the byte there, from 1; 0 behind the end */
  const byteAt = (text, depth) => {
    const at = (text === 0 ? 0 : /** @type {number} */ (ends[text - 1])) + depth;
    return at < /** @type {number} */ (ends[text]) ? /** @type {number} */ (bytes[at]) + 1 : 0;
  };
  while (open.length > 0) {
    const depth = /** @type {number} */ (open.pop());
    const to = /** @type {number} */ (open.pop());
    const from = /** @type {number} */ (open.pop());
    if (to - from <= FEW) {
      insert(bytes, ends, order, from, to, depth);
      continue;
    }
    const pivot = byteAt(/** @type {number} */ (order[(from + to) >> 1]), depth);
    let less = from;
    let more = to;
    for (let at = from; at < more; ) {
      const text = /** @type {number} */ (order[at]);
      const byte = byteAt(text, depth);
      if (byte < pivot) {
        order[at] = /** @type {number} */ (order[less]);
        order[less] = text;
        less += 1;
        at += 1;
      } else if (byte > pivot) {
        more -= 1;
        order[at] = /** @type {number} */ (order[more]);
        order[more] = text;
      } else at += 1;
    }
    if (less - from > 1) open.push(from, less, depth);
    if (to - more > 1) open.push(more, to, depth);
    if (pivot > 0 && more - less > 1) open.push(less, more, depth + 1);
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {Float64Array} ends
 * @param {Uint32Array} order
 * @param {number} from
 * @param {number} to
 * @param {number} depth so many bytes are known to be equal
 */
function insert(bytes, ends, order, from, to, depth) {
  for (let at = from + 1; at < to; at += 1) {
    const text = /** @type {number} */ (order[at]);
    let place = at;
    for (; place > from; place -= 1) {
      const before = /** @type {number} */ (order[place - 1]);
      if (compare(bytes, ends, before, text, depth) <= 0) break;
      order[place] = before;
    }
    order[place] = text;
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {Float64Array} ends
 * @param {number} first
 * @param {number} second
 * @param {number} depth so many bytes are known to be equal
 * @returns {number} below, at or above 0
 */
function compare(bytes, ends, first, second, depth) {
  const firstEnd = /** @type {number} */ (ends[first]);
  const secondEnd = /** @type {number} */ (ends[second]);
  let at = (first === 0 ? 0 : /** @type {number} */ (ends[first - 1])) + depth;
  let other = (second === 0 ? 0 : /** @type {number} */ (ends[second - 1])) + depth;
  for (; at < firstEnd && other < secondEnd; at += 1, other += 1) {
    const difference = /** @type {number} */ (bytes[at]) - /** @type {number} */ (bytes[other]);
    if (difference !== 0) return difference;
  }
  return firstEnd - at - (secondEnd - other);
}
