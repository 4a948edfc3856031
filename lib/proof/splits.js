// Makes trees that say which rows a reducer receives together and which of its answers it receives again: only trees
// that CouchDB can make. Runs nothing.

/** @import { RandomSource } from '../shared/seeded-random.js' */
/** @import { TrialRow } from './trial-values.js' */

/**
 * How an answer comes about: `rows` in one first pass, f([[key, id], …], values, false), or `parts` whose answers are given
 * to one second pass, f(null, answers, true).
 * @typedef {{rows: TrialRow[]} | {parts: ReduceTree[]}} ReduceTree
 */

/**
 * How a node of rows is given to the function by a query, whose own direction decides (couch_btree.erl
 * reduce_stream_kv_node2, 3.5.0: each row goes before those already taken; descending queries turn the node first).
 * A node that is stored is reduced in the order of its keys (reduce_node).
 * @template T
 * @param {T[]} rows
 * @returns {T[]}
 */
export function inReverse(rows) {
  return [...rows].reverse();
}

/**
 * @param {TrialRow[]} rows
 * @returns {ReduceTree} the whole in one first pass: what CouchDB 1.x gave for a small view
 */
export function inOneGo(rows) {
  return { rows };
}

/**
 * What every answer of a cluster is at least: the coordinator gives the answers of the shards to a second pass even where
 * there is only one (src/fabric/src/fabric_view.erl get_next_row, 3.5.0; the same since 2.0).
 * @param {TrialRow[]} rows
 * @returns {ReduceTree}
 */
export function byCoordinator(rows) {
  return { parts: [{ rows }] };
}

/**
 * The splits that every reducer must agree on, the plainest first, then random ones of several depths.
 * @param {TrialRow[]} rows in the order of the view, at least one
 * @param {RandomSource} random
 * @param {number} count of random trees
 * @returns {ReduceTree[]} first the one that others are compared with
 */
export function makeSplits(rows, random, count) {
  const reversed = inReverse(rows);
  /** @type {ReduceTree[]} */
  const splits = [inOneGo(rows), byCoordinator(rows), { parts: [byCoordinator(rows)] }, inOneGo(reversed)];
  if (rows.length > 1) {
    const middle = rows.length >> 1;
    splits.push(
      { parts: [{ rows: rows.slice(0, middle) }, { rows: rows.slice(middle) }] },
      { parts: rows.map((row) => ({ rows: [row] })) },
      { parts: [{ rows: inReverse(rows.slice(middle)) }, { rows: inReverse(rows.slice(0, middle)) }] },
      { parts: [{ rows: rows.filter((_, at) => at % 2 === 1) }, { rows: rows.filter((_, at) => at % 2 === 0) }] },
      leftComb(rows),
    );
  }
  if (rows.length > 2) {
    // A query over a range reduces the rows at both its ends together, and puts that answer before the stored ones
    // (couch_btree.erl final_reduce, 3.5.0).
    const ends = [/** @type {TrialRow} */ (reversed[0]), /** @type {TrialRow} */ (rows[0])];
    splits.push({ parts: [{ parts: [{ rows: ends }, { rows: rows.slice(1, -1) }] }] });
  }
  for (let at = 0; at < count; at++) splits.push({ parts: [randomTree(rows, random, 1 + (at % 4))] });
  return splits;
}

/** Random trees for each list of rows, beside the fixed ones. */
const RANDOM_TREES = 4;
/** Lists longer than this are split in a few ways only, and into single rows where they are no longer than that. */
const LONG = 100;
const MAX_SINGLE = 2500;

/**
 * The splits for rows that are more than a reducer mostly gets, or whose keys or ids are special.
 * @param {TrialRow[]} rows in the order of the view, at least one
 * @param {RandomSource} random
 * @param {boolean} isPlain whether the values are in nothing special
 * @returns {ReduceTree[]} first the one that others are compared with
 */
export function splitsFor(rows, random, isPlain) {
  if (isPlain && rows.length <= LONG) return makeSplits(rows, random, RANDOM_TREES);
  const splits = [inOneGo(rows), byCoordinator(rows)];
  if (rows.length < 2) return splits;
  const middle = rows.length >> 1;
  splits.push({ parts: [{ rows: rows.slice(0, middle) }, { rows: rows.slice(middle) }] });
  if (rows.length > LONG && rows.length <= MAX_SINGLE) splits.push({ parts: rows.map((row) => ({ rows: [row] })) });
  return splits;
}

/**
 * @param {TrialRow[]} rows
 * @returns {ReduceTree} as unbalanced as can be: ((a, b), c), d
 */
function leftComb(rows) {
  /** @type {ReduceTree} */
  let tree = { rows: rows.slice(0, 1) };
  for (const row of rows.slice(1, 12)) tree = { parts: [tree, { rows: [row] }] };
  return rows.length > 12 ? { parts: [tree, { rows: rows.slice(12) }] } : tree;
}

/**
 * @param {TrialRow[]} rows at least one
 * @param {RandomSource} random
 * @param {number} depth of second passes at most
 * @returns {ReduceTree}
 */
function randomTree(rows, random, depth) {
  if (depth === 0 || rows.length === 1) {
    return { rows: random.below(2) === 0 ? rows : inReverse(rows) };
  }
  const groups = random.below(3) === 0 ? shards(rows, random) : runs(rows, random);
  const parts = groups.map((group) => randomTree(group, random, depth - 1));
  return { parts: random.below(2) === 0 ? parts : random.shuffle(parts) };
}

/**
 * Rows of neighbouring keys stay together, as in the nodes of one tree.
 * @param {TrialRow[]} rows
 * @param {RandomSource} random
 * @returns {TrialRow[][]} none of them empty
 */
function runs(rows, random) {
  /** @type {TrialRow[][]} */
  const groups = [];
  let from = 0;
  while (from < rows.length) {
    const to = from + 1 + random.below(Math.max(1, Math.min(rows.length - from, 12)));
    groups.push(rows.slice(from, to));
    from = to;
  }
  return groups;
}

/**
 * Rows are spread by their document's id, as among the shards of a database.
 * @param {TrialRow[]} rows
 * @param {RandomSource} random
 * @returns {TrialRow[][]} none of them empty
 */
function shards(rows, random) {
  const count = 2 + random.below(3);
  /** @type {TrialRow[][]} */
  const groups = Array.from({ length: count }, () => []);
  for (const row of rows) groups[random.below(count)]?.push(row);
  return groups.filter((group) => group.length > 0);
}

/**
 * @param {ReduceTree} tree
 * @returns {TrialRow[]} all its rows, as they stand in it
 */
export function rowsIn(tree) {
  return 'rows' in tree ? tree.rows : tree.parts.flatMap(rowsIn);
}

/**
 * Whether two splits keep the rows in the same order, so that only the grouping differs.
 * @param {ReduceTree} one
 * @param {ReduceTree} other
 * @returns {boolean}
 */
export function haveSameOrder(one, other) {
  const rows = rowsIn(one);
  const others = rowsIn(other);
  return rows.length === others.length && rows.every((row, at) => row.id === others[at]?.id);
}

/**
 * @param {ReduceTree} tree
 * @param {Set<string>} ids of the rows to keep
 * @returns {ReduceTree | undefined} the tree without the other rows, and without the passes that had none but them
 */
export function keepRows(tree, ids) {
  if ('rows' in tree) {
    const rows = tree.rows.filter(({ id }) => ids.has(id));
    return rows.length > 0 ? { rows } : undefined;
  }
  const parts = tree.parts.map((part) => keepRows(part, ids)).filter((part) => part !== undefined);
  return parts.length > 0 ? { parts } : undefined;
}
