// Computes what CouchDB returns for a built-in reduce and a tree of rows, errors included. Pure; runs no foreign
// function.

import { BUILTIN_REDUCES, MAX_RANK, RANKED_SINCE } from '../shared/reduce-builtins.js';
import { compareVersions } from '../shared/version.js';
import { joinPicked, joinRanked, pickRow, rankValues } from './builtin-rank.js';
import { countValues, joinStats, packStats } from './builtin-stats.js';
import { errorOfSum, sumRows, sumSums } from './builtin-sum.js';
import { add, BuiltinFailure, fromTerm, toTerm } from './builtin-terms.js';

/** @import { StatsSoFar } from './builtin-stats.js' */
/** @import { Term } from './builtin-terms.js' */

/** A row of a view, in CouchDB's terms. @typedef {{id: string, key: Term, value: Term}} Row */

/**
 * Rows for a first pass, or parts whose answers go into a second one; the same trees as those of the sandbox.
 * @typedef {{rows: {id: string, key: unknown, value: unknown}[]} | {parts: BuiltinTree[]}} BuiltinTree
 */

/**
 * Why there is no value.
 * - `errorRow`: the request succeeds, but its value is an object that reports an error (`row`)
 * - `overflow`: likewise, for the sum grew too large
 * - `invalidValue`, `badarith`, `caseClause`, `functionClause`: the request fails with status 500
 * - `noBuiltin`: this CouchDB has no such built-in
 * @typedef {object} BuiltinError
 * @property {'errorRow' | 'overflow' | 'invalidValue' | 'badarith' | 'caseClause' | 'functionClause' | 'noBuiltin'} kind
 * @property {string} message
 * @property {unknown} [row] what a client reads as the value
 */

/**
 * What a built-in answers. `isApproximate`: CouchDB estimates this number, the value here is the exact one.
 * @typedef {{value: unknown, isApproximate?: true} | {error: BuiltinError} | {unknown: string}} BuiltinAnswer
 */

/** @typedef {'_sum' | '_count' | '_stats' | '_approx_count_distinct' | '_first' | '_last' | '_top' | '_bottom'} BuiltinKind */

/** A built-in: which, and of how many values. @typedef {{kind: BuiltinKind, count: number}} Builtin */

/**
 * How a built-in works: what comes from rows, from parts, and how it is answered. `So` is what is kept between.
 * @template So
 * @typedef {object} Reducer
 * @property {(rows: Row[], count: number) => So} first
 * @property {(parts: So[], count: number) => So} second
 * @property {(sofar: So) => Term} answer
 */

const RANKED = /^(_top|_bottom)_([0-9]+)$/;

/** @type {Reducer<Term>} */
const sum = { first: sumRows, second: sumSums, answer: (total) => total };

/** @type {Reducer<bigint>} */
const count = {
  first: (rows) => BigInt(rows.length),
  second: (parts) => parts.reduce((total, part) => /** @type {bigint} */ (add(total, part)), 0n),
  answer: (total) => total,
};

/** @type {Reducer<StatsSoFar>} */
const stats = {
  first: (rows) => countValues(rows.map((row) => row.value)),
  second: joinStats,
  answer: packStats,
};

/**
 * CouchDB counts keys by a HyperLogLog over their bytes (couch_hyper.erl): 500 keys gave 512. Keys are the same where they
 * are written the same, members of objects in the same order.
 * @type {Reducer<Set<string>>}
 */
const distinct = {
  first: (rows) => new Set(rows.map((row) => JSON.stringify(fromTerm(row.key)))),
  second: (parts) => new Set(parts.flatMap((part) => [...part])),
  answer: (keys) => BigInt(keys.size),
};

/** @param {boolean} isLast @returns {Reducer<Row | undefined>} */
const picked = (isLast) => ({
  first: (rows) => pickRow(rows, isLast),
  second: (parts) => joinPicked(parts, isLast),
  // finalize leaves the empty list of a view without rows.
  answer: (row) => (row ? row.value : []),
});

/** @param {boolean} isTop @returns {Reducer<Term[]>} */
const ranked = (isTop) => ({
  first: (rows, most) =>
    rankValues(
      rows.map((row) => row.value),
      most,
      isTop,
    ),
  second: (parts, most) => joinRanked(parts, most, isTop),
  answer: (values) => values,
});

/** @type {Record<BuiltinKind, Reducer<any>>} */
const REDUCERS = {
  _sum: sum,
  _count: count,
  _stats: stats,
  _approx_count_distinct: distinct,
  _first: picked(false),
  _last: picked(true),
  _top: ranked(true),
  _bottom: ranked(false),
};

/**
 * @param {string} name as it stands in a design document
 * @param {string} target version of CouchDB
 * @returns {Builtin | undefined} the built-in that this CouchDB runs for the name; undefined where it has none
 */
export function builtinOf(name, target) {
  const [, kind, digits] = RANKED.exec(name) ?? [];
  if (digits !== undefined) {
    const most = Number(digits);
    if (most < 1 || most > MAX_RANK || compareVersions(target, RANKED_SINCE) < 0) return undefined;
    return { kind: kind === '_top' ? '_top' : '_bottom', count: most };
  }
  const [known, since] = BUILTIN_REDUCES.find(([beginning]) => name.startsWith(beginning)) ?? [];
  if (!known || !since || compareVersions(target, since) < 0) return undefined;
  return { kind: known, count: 1 };
}

/**
 * Reduces a tree as CouchDB does. Whole numbers are added without limit, as in Erlang, and given as the nearest double, so
 * that answers beyond 2^53 are right too; keys and values are taken as the query server writes them (-0 as 0, NaN as null).
 * @param {string} name as it stands in a design document
 * @param {BuiltinTree} tree
 * @param {string} target version of CouchDB
 * @returns {BuiltinAnswer} unknown only where values are nested too deeply to be looked at
 */
export function reduceBuiltin(name, tree, target) {
  const builtin = builtinOf(name, target);
  if (!builtin) return { error: { kind: 'noBuiltin', message: `CouchDB ${target} has no built-in reduce ${name}` } };
  const reducer = REDUCERS[builtin.kind];
  try {
    const term = reducer.answer(reduceTree(reducer, tree, builtin.count));
    const error = builtin.kind === '_sum' ? errorOfSum(term) : undefined;
    const value = fromTerm(term);
    if (error) return { error: { ...error, row: value } };
    return builtin.kind === '_approx_count_distinct' ? { value, isApproximate: true } : { value };
  } catch (error) {
    if (error instanceof BuiltinFailure) return { error: { kind: error.kind, message: error.message } };
    if (error instanceof RangeError) return { unknown: 'the values are nested too deeply' };
    throw error;
  }
}

/**
 * @template So
 * @param {Reducer<So>} reducer
 * @param {BuiltinTree} tree
 * @param {number} most
 * @returns {So}
 */
function reduceTree(reducer, tree, most) {
  if ('parts' in tree) {
    return reducer.second(
      tree.parts.map((part) => reduceTree(reducer, part, most)),
      most,
    );
  }
  const rows = tree.rows.map(({ id, key, value }) => ({ id, key: toTerm(key), value: toTerm(value) }));
  return reducer.first(rows, most);
}
