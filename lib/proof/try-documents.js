// Counts how many documents meet the condition under which a view's reduce equals a built-in. Runs the map and the
// reduce in the sandbox only.

import { isCutOff } from '../sandbox/limits.js';
import { showJson } from '../shared/show-json.js';
import { reduceBuiltin } from './builtins.js';
import { isSameAnswer } from './trials-compare.js';

/** @import { SandboxError } from '../sandbox/limits.js' */
/** @import { Sandbox } from '../sandbox/sandbox.js' */

/**
 * @typedef {object} DocumentTrial
 * @property {number} documents that were tried
 * @property {number} rows that the map emitted for them
 * @property {{id: string, value: string, answer: string}} [failing] the first document for which the built-in answers
 *   something else, what was emitted for it, and what the built-in says
 * @property {string} [cutOff] the limit of the sandbox that kept some documents from being tried
 */

/** Longer values are cut. */
const SHOWN = 80;

/**
 * @param {object} view
 * @param {string} view.map
 * @param {string} view.reduce
 * @param {string} view.builtin
 * @param {string} view.target
 * @param {Record<string, unknown>[]} documents
 * @param {Pick<Sandbox, 'map' | 'reduce'>} sandbox
 * @returns {Promise<DocumentTrial>} a document for which the map throws has no rows, as in CouchDB
 */
export async function tryDocuments({ map, reduce, builtin, target }, documents, sandbox) {
  const emitted = await sandbox.map({ source: map, docs: documents });
  const rows = emitted.flatMap((answer, at) =>
    'emits' in answer ? answer.emits.map(({ key, value }) => ({ id: idOf(documents[at], at), key, value })) : [],
  );
  // One row at a time: whatever two rows have in common, each must meet the condition by itself.
  const trees = rows.map((row) => ({ rows: [row] }));
  const answers = await sandbox.reduce({ source: reduce, trees });
  /** @type {DocumentTrial} */
  const trial = { documents: documents.length, rows: rows.length };
  for (const answer of [...emitted, ...answers]) {
    if ('error' in answer && isUntried(answer.error)) trial.cutOff ??= answer.error.message;
  }
  for (const [at, tree] of trees.entries()) {
    const [own, other] = [answers[at], reduceBuiltin(builtin, tree, target)];
    if (own && 'error' in own && isUntried(own.error)) continue;
    const isSame = own && 'value' in own ? isSameAnswer({ value: own.value }, other) : false;
    const [row] = tree.rows;
    if (isSame || !row) continue;
    return { ...trial, failing: { id: row.id, value: showJson(row.value, SHOWN), answer: showAnswer(other) } };
  }
  return trial;
}

/**
 * @param {SandboxError} error
 * @returns {boolean} whether it says nothing about the document
 */
function isUntried(error) {
  return isCutOff(error) || error.kind === 'tampered';
}

/**
 * @param {Record<string, unknown> | undefined} document
 * @param {number} at
 * @returns {string}
 */
export function idOf(document, at) {
  const id = document?.['_id'];
  return typeof id === 'string' ? id : `number ${at + 1}`;
}

/**
 * @param {ReturnType<typeof reduceBuiltin>} answer
 * @returns {string}
 */
function showAnswer(answer) {
  if ('value' in answer) return showJson(answer.value, SHOWN);
  return 'error' in answer ? `an error (${answer.error.kind})` : 'an unknown result';
}
