// Searches for rows for which a rewritten view answers something else: the built-in over the new values is compared
// with the reduce over the old ones, in every grouping.

import { groupBy } from '../shared/group-by.js';
import { randomFrom } from '../shared/seeded-random.js';
import { reduceBuiltin } from './builtins.js';
import { inViewOrder } from './emitted-lists.js';
import { byCoordinator, splitsFor } from './splits.js';
import { withRevision } from './synthesis/find-choices.js';
import { greatestNumber, isSameAnswer } from './trials-compare.js';

/** @import { EmittedRow } from './emitted-rows.js' */
/** @import { Rewrite } from './proof.js' */
/** @import { ReduceTree } from './splits.js' */
/** @import { TrialRow, ValueSpec } from './trial-values.js' */
/** @import { TrialAnswer } from './trials-compare.js' */
/** @import { TrialSandbox } from './trials.js' */

/** Groups of rows that a map emitted. */
const MAX_GROUPS = 24;

/**
 * @typedef {object} Rewritten
 * @property {string} source of the reduce
 * @property {string} builtin
 * @property {string} target version of CouchDB
 * @property {Pick<Rewrite, 'emitted' | 'answer'>} rewrite
 * @property {Pick<TrialSandbox, 'map' | 'reduce'>} sandbox
 * @property {number} seed
 */

/** A row, and what the map emits for it after the rewrite. @typedef {TrialRow & {now: unknown}} RewrittenRow */
/** What a trial found: `text` names rows for which the two differ, and both answers. @typedef {{trials: number, text?: string}} Checked */

/**
 * @param {Rewritten} view
 * @param {TrialRow[][]} lists of rows that meet the condition
 * @returns {Promise<Checked>}
 * @throws {Error} where the sandbox throws
 */
export async function checkRewrite(view, lists) {
  return compare(view, await emitAgain(view, lists));
}

/**
 * @param {Rewritten} view
 * @param {TrialRow[]} rows some of which do not meet the condition
 * @param {(rows: TrialRow[]) => ReduceTree} [split] as a cluster with one shard does, where left out
 * @returns {Promise<string>} what both answer
 */
export async function answersOutside(view, rows, split = byCoordinator) {
  const [list = []] = await emitAgain(view, [rows]);
  const { text } = await compare(view, [list], (all) => [split(all)]);
  if (text !== undefined) return text;
  const [answer] = await view.sandbox.reduce({ source: view.source, trees: [split(rows)], goesOn: true });
  const same = answer && 'value' in answer ? answer.value : null;
  return `of ${describeRows(rows)} both answer ${JSON.stringify(same)}`;
}

/**
 * Runs the new text of a map on the documents of rows that the old one emitted.
 * @param {Rewritten & {map: string}} view with the new text
 * @param {EmittedRow[]} rows those of a document together
 * @param {ValueSpec} spec of the values that meet the condition
 * @returns {Promise<Checked & {rows: number}>} `rows` that could be compared
 * @throws {Error} where the sandbox throws
 */
export async function checkNewMap(view, rows, spec) {
  const documents = [...groupBy(rows, ({ document }) => document)].filter(([, own]) =>
    own.every(({ value }) => fitsSpec(value, spec)),
  );
  const docs = documents.map(([document]) => withRevision(document));
  const answers = docs.length === 0 ? [] : await view.sandbox.map({ source: view.map, docs });
  /** @type {RewrittenRow[]} */
  const all = [];
  for (const [at, [, own]] of documents.entries()) {
    const answer = answers[at];
    const emits = answer && 'emits' in answer ? answer.emits : [];
    const isSame = emits.length === own.length && own.every(({ key }, row) => sameText(key, emits[row]?.key));
    if (!isSame)
      return { trials: 0, rows: 0, text: `the new map emits other keys for ${JSON.stringify(own[0]?.document)}` };
    for (const [row, { id, key, value }] of own.entries())
      all.push({ id: `${id} ${row}`, key, value, now: emits[row]?.value });
  }
  return { ...(await compare(view, groupsOf(all))), rows: all.length };
}

/**
 * @param {RewrittenRow[]} rows
 * @returns {RewrittenRow[][]} as queries group them: by key, by the first part of it, all together
 */
function groupsOf(rows) {
  /** @type {Map<string, RewrittenRow[]>} */
  const groups = new Map();
  for (const row of inViewOrder(rows)) {
    const first = Array.isArray(row.key) ? row.key[0] : row.key;
    for (const name of [`key ${JSON.stringify(row.key)}`, `level 1 ${JSON.stringify(first)}`, 'all']) {
      groups.set(name, [...(groups.get(name) ?? []), row]);
    }
  }
  return [...groups.values()].sort((one, other) => other.length - one.length).slice(0, MAX_GROUPS);
}

/**
 * @param {Rewritten} view
 * @param {TrialRow[][]} lists
 * @returns {Promise<RewrittenRow[][]>}
 */
async function emitAgain({ sandbox, rewrite }, lists) {
  const values = lists.flat().map(({ value }) => value);
  const now = await evaluateIn(sandbox, rewrite.emitted ?? 'value', values);
  let at = 0;
  return lists.map((rows) => rows.map((row) => ({ ...row, now: now[at++] })));
}

/**
 * @param {Rewritten} view
 * @param {RewrittenRow[][]} lists
 * @param {(rows: RewrittenRow[]) => ReduceTree[]} [split]
 * @returns {Promise<Checked>}
 */
async function compare({ source, builtin, target, rewrite, sandbox, seed }, lists, split) {
  const random = randomFrom(seed);
  const trials = lists.flatMap((rows) => {
    const values = new Map(rows.map(({ id, now }) => [id, now]));
    const trees = split ? split(rows) : splitsFor(rows, random, true);
    return trees.map((tree) => ({ rows, tree, native: reduceBuiltin(builtin, withValues(tree, values), target) }));
  });
  const answers = await sandbox.reduce({ source, trees: trials.map(({ tree }) => tree), goesOn: true });
  const natives = trials.map(({ native }) => ('value' in native ? native.value : null));
  const read = rewrite.answer === undefined ? natives : await evaluateIn(sandbox, rewrite.answer, natives);
  for (const [at, { rows, native }] of trials.entries()) {
    const own = answers[at];
    if (!own || ('error' in own && own.error.kind !== 'threw')) continue;
    const old = { value: 'value' in own ? own.value : null };
    /** @type {TrialAnswer} */
    const now = 'value' in native ? { value: read[at] } : native;
    if (isSameAnswer(old, now, greatestNumber(rows.map(({ value }) => value)))) continue;
    const other = 'value' in now ? JSON.stringify(now.value) : 'an error';
    const text = `for ${describeRows(rows)} the reduce returns ${JSON.stringify(old.value)}, and \`${builtin}\` after the rewrite returns ${other}`;
    return { trials: trials.length, text };
  }
  return { trials: trials.length };
}

/** @param {TrialRow[]} rows @returns {string} */
function describeRows(rows) {
  return JSON.stringify(rows.map(({ value }) => value));
}

/**
 * @param {Pick<TrialSandbox, 'map'>} sandbox
 * @param {string} expression of `value`
 * @param {unknown[]} values
 * @returns {Promise<unknown[]>} what it gives for each, as JSON
 */
async function evaluateIn(sandbox, expression, values) {
  const docs = values.map((value, at) => ({ _id: String(at), value }));
  const source = `function (doc) { var value = doc.value; emit(null, ${expression}); }`;
  const answers = await sandbox.map({ source, docs });
  return answers.map((answer) => ('emits' in answer ? answer.emits[0]?.value : undefined));
}

/**
 * @param {ReduceTree} tree
 * @param {Map<string, unknown>} values by id
 * @returns {ReduceTree}
 */
function withValues(tree, values) {
  if ('rows' in tree) return { rows: tree.rows.map((row) => ({ ...row, value: values.get(row.id) })) };
  return { parts: tree.parts.map((part) => withValues(part, values)) };
}

/** @param {unknown} one @param {unknown} other @returns {boolean} */
function sameText(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * @param {unknown} value
 * @param {ValueSpec} spec of the kinds that conditions are made of
 * @returns {boolean} whether it is such a value; what else an object or list holds does not count
 */
function fitsSpec(value, spec) {
  switch (spec.kind) {
    case 'any':
      return true;
    case 'literal':
      return sameText(value, spec.value);
    case 'oneOf':
      return spec.of.some((of) => fitsSpec(value, of));
    case 'object':
    case 'array': {
      if (typeof value !== 'object' || value === null || Array.isArray(value) !== (spec.kind === 'array')) return false;
      const members =
        spec.kind === 'object' ? spec.members : spec.items.map((of, at) => /** @type {const} */ ([String(at), of]));
      return members.every(([name, of]) => fitsSpec(/** @type {Record<string, unknown>} */ (value)[name] ?? null, of));
    }
    case 'null':
      return value === null;
    default:
      return typeof value === spec.kind;
  }
}
