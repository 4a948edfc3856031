// Shrinking, as in QuickCheck: reduces a disagreement to the smallest rows and splits for which two answers still differ, as data and as lines that
// a person can check by hand. Calls the sandbox through the function it is given.

import { showJson } from '../shared/show-json.js';
import { inViewOrder } from './emitted-lists.js';
import { haveSameOrder, keepRows, rowsIn } from './splits.js';
import { greatestNumber, isSameAnswer } from './trials-compare.js';

/** @import { ReduceTree } from './splits.js' */
/** @import { TrialRow } from './trial-values.js' */
/** @import { TrialAnswer } from './trials-compare.js' */

/**
 * Why two answers differ: the rows were grouped otherwise, they came in another order, or a built-in gave the other.
 * @typedef {'rereduce' | 'order' | 'builtin'} DisagreementCause
 */

/**
 * @typedef {object} Counterexample
 * @property {DisagreementCause} cause
 * @property {TrialRow[]} rows in the order of the view
 * @property {ReduceTree} split the one that differs from one go; with a built-in, the one of both answers
 * @property {{by: string, split: ReduceTree, answer: TrialAnswer}[]} answers two; `by` is `reduce` or a built-in's name
 * @property {string[]} text the same in a few lines
 */

/**
 * @typedef {object} Disagreement
 * @property {ReduceTree} one
 * @property {ReduceTree} other
 * @property {DisagreementCause} cause
 * @property {(trees: ReduceTree[]) => Promise<TrialAnswer[]>} ask
 * @property {readonly TrialRow[]} [pool] rows that the map emits, where only these may stand in it
 * @property {string} [builtin]
 * @property {(tree: ReduceTree) => TrialAnswer} [askBuiltin] what gives the second answer, if it is not the reducer
 */

/** Rounds of shrinking: each takes rows or a pass away, or makes one value plainer. */
const ROUNDS = 40;
/** Pairs of a round, their rows, and the rows of all rounds. */
const MAX_CANDIDATES = 80;
const MAX_ROUND_ROWS = 4000;
const MAX_ALL_ROWS = 40_000;

/** @typedef {[ReduceTree, ReduceTree]} Pair */

/**
 * @param {Disagreement} disagreement whose answers differ
 * @returns {Promise<Counterexample>}
 */
export async function shrink(disagreement) {
  const { cause } = disagreement;
  const pool = disagreement.pool && plainestFirst(disagreement.pool);
  /** @type {Pair} */
  let pair = [disagreement.one, disagreement.other];
  let left = MAX_ALL_ROWS;
  for (let round = 0; round < ROUNDS && left > 0; round++) {
    const size = rowsIn(pair[0]).length;
    const candidates = [...smaller(pair, cause, pool)].slice(
      0,
      Math.min(MAX_CANDIDATES, Math.ceil(MAX_ROUND_ROWS / size)),
    );
    left -= candidates.length * size;
    if (candidates.length === 0) break;
    const answers = await answersOf(candidates, disagreement);
    const at = answers.findIndex(([one, other], index) => differ(one, other, candidates[index]));
    const found = candidates[at];
    if (!found) break;
    pair = found;
  }
  return describe(pair, disagreement);
}

/**
 * @param {TrialAnswer} one
 * @param {TrialAnswer} other
 * @param {Pair | undefined} pair
 * @returns {boolean}
 */
function differ(one, other, pair) {
  const scale = pair ? greatestNumber(rowsIn(pair[0]).map(({ value }) => value)) : 0;
  return !isSameAnswer(one, other, scale);
}

/**
 * @param {Pair[]} pairs
 * @param {Disagreement} disagreement
 * @returns {Promise<[TrialAnswer, TrialAnswer][]>}
 */
async function answersOf(pairs, { ask, askBuiltin }) {
  if (askBuiltin) {
    const answers = await ask(pairs.map(([tree]) => tree));
    return pairs.map(([tree], at) => [/** @type {TrialAnswer} */ (answers[at]), askBuiltin(tree)]);
  }
  const answers = await ask(pairs.flat());
  return pairs.map((_, at) => [
    /** @type {TrialAnswer} */ (answers[at * 2]),
    /** @type {TrialAnswer} */ (answers[at * 2 + 1]),
  ]);
}

/**
 * Plainer pairs, those that lose most first.
 * @param {Pair} pair
 * @param {DisagreementCause} cause
 * @param {TrialRow[]} [pool] what rows can be replaced by, the plainest first
 * @returns {Generator<Pair>}
 */
function* smaller([one, other], cause, pool) {
  const rows = rowsIn(one);
  const same = cause === 'builtin';
  /** @param {ReduceTree | undefined} first @param {ReduceTree | undefined} second @returns {Pair[]} */
  const both = (first, second) => {
    if (!first || !second || (cause === 'rereduce' && !haveSameOrder(first, second))) return [];
    return [[first, second]];
  };
  if (rows.length > 3) {
    const half = rows.length >> 1;
    for (const part of [rows.slice(0, half), rows.slice(half)]) {
      const ids = new Set(part.map(({ id }) => id));
      yield* both(keepRows(one, ids), keepRows(other, ids));
    }
  }
  for (let size = rows.length >> 2; size > 1; size >>= 1) {
    for (let from = 0; from < rows.length; from += size) {
      const ids = new Set([...rows.slice(0, from), ...rows.slice(from + size)].map(({ id }) => id));
      yield* both(keepRows(one, ids), keepRows(other, ids));
    }
  }
  if (rows.length > 1) {
    for (const { id: gone } of rows.slice(0, 24)) {
      const ids = new Set(rows.map(({ id }) => id).filter((id) => id !== gone));
      yield* both(keepRows(one, ids), keepRows(other, ids));
    }
  }
  for (const plainer of flatter(other)) yield* both(same ? plainer : one, plainer);
  if (pool) {
    yield* replaced([one, other], pool);
    return;
  }
  for (const { id, value } of rows.slice(0, 8)) {
    for (const plainer of plainerValues(value)) {
      yield* both(withValue(one, id, plainer), withValue(other, id, plainer));
    }
  }
}

/**
 * @param {ReduceTree} tree
 * @returns {Generator<ReduceTree>} trees with one pass less
 */
function* flatter(tree) {
  if ('rows' in tree) return;
  // The first pass over all and one second pass: what every query of a cluster does.
  if (tree.parts.length > 1 || (tree.parts[0] && 'parts' in tree.parts[0])) yield { parts: [{ rows: rowsIn(tree) }] };
  for (const [at, part] of tree.parts.entries()) {
    if ('rows' in part) continue;
    const { parts } = tree;
    yield { parts: [...parts.slice(0, at), ...part.parts, ...parts.slice(at + 1)] };
    yield { parts: [...parts.slice(0, at), { rows: rowsIn(part) }, ...parts.slice(at + 1)] };
    for (const plainer of flatter(part)) yield { parts: [...parts.slice(0, at), plainer, ...parts.slice(at + 1)] };
  }
}

/** Rows of a pair that are replaced, and plainer values that are tried for each. */
const REPLACED = 6;
const PLAINER = 6;

/**
 * @param {readonly TrialRow[]} rows
 * @returns {TrialRow[]} those first whose values, keys and documents are short, and whose numbers are small
 */
function plainestFirst(rows) {
  const lengths = new Map(rows.map((row) => [row, JSON.stringify([row.value, row.key, row.document ?? null]).length]));
  const weigh = (/** @type {TrialRow} */ row) => {
    const value = JSON.stringify(row.value);
    return [value.length + (value.match(/[-.]/g)?.length ?? 0), greatestNumber(row.value), lengths.get(row) ?? 0];
  };
  const weighed = rows.map((row) => ({ row, weight: weigh(row) }));
  weighed.sort((one, other) => {
    const at = one.weight.findIndex((part, index) => part !== other.weight[index]);
    return at === -1 ? 0 : (one.weight[at] ?? 0) - (other.weight[at] ?? 0);
  });
  return weighed.map(({ row }) => row);
}

/**
 * @param {Pair} pair
 * @param {TrialRow[]} pool the plainest first
 * @returns {Generator<Pair>} the same with one row replaced by a plainer one, all in the order of the view
 */
function* replaced([one, other], pool) {
  const rows = inViewOrder(rowsIn(one));
  const ids = new Set(rows.map(({ id }) => id));
  for (const row of rows.slice(0, REPLACED)) {
    /** @type {Set<string>} */
    const values = new Set();
    for (const plainer of pool) {
      if (plainer === row || values.size >= PLAINER) break;
      const value = JSON.stringify(plainer.value);
      if (values.has(value) || ids.has(plainer.id)) continue;
      values.add(value);
      const now = inViewOrder(rows.map((kept) => (kept === row ? plainer : kept)));
      const places = new Map(rows.map((kept, at) => [kept, /** @type {TrialRow} */ (now[at])]));
      yield [withRows(one, places), withRows(other, places)];
    }
  }
}

/**
 * @param {ReduceTree} tree
 * @param {Map<TrialRow, TrialRow>} places for each of its rows the one that takes its place
 * @returns {ReduceTree}
 */
function withRows(tree, places) {
  if ('rows' in tree) return { rows: tree.rows.map((row) => places.get(row) ?? row) };
  return { parts: tree.parts.map((part) => withRows(part, places)) };
}

/**
 * @param {unknown} value
 * @returns {unknown[]} plainer values of its kind
 */
function plainerValues(value) {
  if (typeof value === 'number')
    return [1, 2, 3].filter((plain) => plain < value || value < 0 || !Number.isInteger(value));
  if (typeof value === 'string' && value.length > 1) return /^\d/.test(value) ? ['1'] : ['a', 'b'];
  if (!Array.isArray(value)) return [];
  return value.flatMap((member, at) =>
    plainerValues(member).map((plain) => [...value.slice(0, at), plain, ...value.slice(at + 1)]),
  );
}

/**
 * @param {ReduceTree} tree
 * @param {string} changed id of the row
 * @param {unknown} value
 * @returns {ReduceTree}
 */
function withValue(tree, changed, value) {
  if ('rows' in tree) return { rows: tree.rows.map((row) => (row.id === changed ? { ...row, value } : row)) };
  return { parts: tree.parts.map((part) => withValue(part, changed, value)) };
}

/**
 * @param {Pair} pair
 * @param {Disagreement} disagreement
 * @returns {Promise<Counterexample>}
 */
async function describe(pair, disagreement) {
  const { cause, ask, builtin } = disagreement;
  const [one, other] = pair;
  const [both] = await answersOf([pair], disagreement);
  const [first, second] = /** @type {[TrialAnswer, TrialAnswer]} */ (both);
  const rows = inViewOrder(rowsIn(one));
  const steps = [...passesOf(other)];
  const given = await ask(steps);
  const written = new Map(steps.map((step, at) => [step, /** @type {TrialAnswer} */ (given[at])]));
  const text = [`Rows: ${listed(rows.map(showRow))}`];
  const documents = [...new Set(rows.flatMap(({ document }) => (document ? [document] : [])))];
  if (documents.length > 0) text.unshift(`Documents: ${listed(documents.map(show))}`);
  const whole = `${showPass(one, new Map())} returns ${showAnswer(first)}`;
  if (cause !== 'builtin') text.push(`All rows at once: ${whole}`);
  const shown = steps.length > LISTED ? steps.slice(-LISTED) : steps;
  if (shown.length < steps.length) text.push(`${steps.length - shown.length} earlier passes are not shown`);
  const lines = shown.map((step) => `${showPass(step, written)} returns ${showAnswer(written.get(step))}`);
  // One group of all rows is the pass that is shown above.
  text.push(...(cause === 'builtin' ? lines : lines.filter((line) => line !== whole)));
  if (cause === 'builtin') text.push(`${builtin} of the same rows returns ${showAnswer(second)}`);
  return {
    cause,
    rows,
    split: other,
    answers: [
      { by: 'reduce', split: one, answer: first },
      { by: builtin ?? 'reduce', split: other, answer: second },
    ],
    text,
  };
}

/**
 * @param {ReduceTree} tree
 * @returns {Generator<ReduceTree>} every pass of it, in the order they are run
 */
function* passesOf(tree) {
  if ('parts' in tree) for (const part of tree.parts) yield* passesOf(part);
  yield tree;
}

/**
 * @param {ReduceTree} tree
 * @param {Map<ReduceTree, TrialAnswer>} known answers of its parts
 * @returns {string}
 */
function showPass(tree, known) {
  if ('rows' in tree) return `reduce([${listed(tree.rows.map(({ value }) => show(value)))}])`;
  return `rereduce([${listed(tree.parts.map((part) => showAnswer(known.get(part))))}])`;
}

/** Ids of rows that were made up and represent any. */
const PLAIN_ID = /^order-\d+$/;

/** @param {TrialRow} row @returns {string} with its id where that may count, and no document shows it */
function showRow({ id, key, value, document }) {
  const named = document || PLAIN_ID.test(id) ? '' : ` (id ${show(id)})`;
  return `${show(key)}${named} → ${show(value)}`;
}

/** More than these are counted, not shown. */
const LISTED = 12;

/**
 * @param {string[]} texts
 * @returns {string}
 */
function listed(texts) {
  const more = texts.length - LISTED;
  return more > 0 ? `${texts.slice(0, LISTED).join(', ')} and ${more} more` : texts.join(', ');
}

/**
 * @param {TrialAnswer | undefined} answer
 * @returns {string}
 */
function showAnswer(answer) {
  if (!answer || 'unknown' in answer) return 'an unknown result';
  if ('value' in answer) return show(answer.value);
  const { kind, message, row } = answer.error;
  return row === undefined ? `an error (${kind}: ${message})` : show(row);
}

/** Longer texts are cut: the data holds them in full. */
const SHOWN = 160;

/** @param {unknown} value @returns {string} as JSON */
function show(value) {
  return showJson(value, SHOWN);
}
