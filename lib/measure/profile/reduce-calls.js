// Makes the calls of a reduce from the rows of its view, as an index build makes them: nodes of rows, then nodes of
// nodes.

/** @typedef {{id: string, key: string, value: string}} Row key and value are JSON */

/**
 * A node of the tree is written when it is so large, in bytes of terms (couch_btree.erl get_chunk_size, CouchDB 3.5.0); JSON is taken for
 * as large as the terms.
 */
const NODE_CHARACTERS = 1279;

/**
 * @param {Row[]} rows
 * @returns {string[]} the arguments of each call, as JSON
 */
export function callsOfRows(rows) {
  // Which rows share a node matters little to the cost; that the order is always the same matters.
  const sorted = rows.toSorted((one, other) => compare(one.key, other.key) || compare(one.id, other.id));
  return intoNodes(sorted, ({ id, key, value }) => id.length + key.length + value.length + 8).map((node) => {
    const keys = node.map(({ id, key }) => `[${key},${JSON.stringify(id)}]`);
    return `[[${keys.join(',')}],[${node.map(({ value }) => value).join(',')}],false]`;
  });
}

/**
 * @param {string[]} reductions JSON of each
 * @returns {string[]} the arguments of the calls one level up; none where there is but one reduction
 */
export function callsOfReductions(reductions) {
  if (reductions.length < 2) return [];
  return intoNodes(reductions, (reduction) => reduction.length + 30).map((node) => `[null,[${node.join(',')}],true]`);
}

/**
 * @template T
 * @param {T[]} members
 * @param {(member: T) => number} size
 * @returns {T[][]} of two members at least, so that each level has fewer
 */
function intoNodes(members, size) {
  /** @type {T[][]} */
  const nodes = [];
  /** @type {T[]} */
  let node = [];
  let characters = 0;
  for (const member of members) {
    if (node.length >= 2 && characters + size(member) > NODE_CHARACTERS) {
      nodes.push(node);
      node = [];
      characters = 0;
    }
    node.push(member);
    characters += size(member);
  }
  if (node.length > 0) nodes.push(node);
  return nodes;
}

/**
 * @param {string} one
 * @param {string} other
 * @returns {number}
 */
function compare(one, other) {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
