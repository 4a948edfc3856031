// Proves the custom reduce functions of views. Remembers earlier proofs, and uses the sandbox only where something is new.

import { groupBy } from '../shared/group-by.js';
import { isProof, PROVER_VERSION } from './proof.js';
import { tryDocuments } from './try-documents.js';

/** @import { Sandbox } from '../sandbox/sandbox.js' */
/** @import { AnswerThreads } from './evidence/answer-threads.js' */
/** @import { Proof } from './proof.js' */
/** @import { DocumentTrial } from './try-documents.js' */

/** The part of a view that is needed here. @typedef {{reduce: {text: {text: string}} | undefined, map: {text: {text: string}} | undefined, proof: Proof | undefined, documentTrial: DocumentTrial | undefined}} ProvableView */

/** Where proofs are kept between runs, but for those with `mayDiffer`: the next run tries these again. @typedef {{get: (question: string) => Proof | undefined, set: (question: string, proof: Proof) => void}} ProofMemory */

/** Built-ins that show by a single row whether it meets the condition; a rank of one is the row itself, whatever it is. */
const BY_ROW = new Set(['_sum', '_stats']);

/**
 * @param {ProvableView[]} views their proofs are set; those without a reduce in JavaScript are skipped
 * @param {object} options
 * @param {string} options.target CouchDB version
 * @param {Sandbox} options.sandbox
 * @param {ProofMemory} [options.memory]
 * @param {Pick<AnswerThreads, 'sizeFor' | 'answer'>} [options.threads]
 * @returns {Promise<void>}
 */
export async function proveViews(views, { target, sandbox, memory, threads }) {
  // One reduce often serves many views.
  const byQuestion = groupBy(
    views.filter(({ reduce }) => reduce),
    ({ reduce, map }) => JSON.stringify([PROVER_VERSION, target, reduce?.text.text, map?.text.text ?? null]),
  );
  /** @type {[string, ProvableView[]][]} */
  const open = [];
  for (const [question, waiting] of byQuestion) {
    const kept = memory?.get(question);
    const known = isProof(kept) ? kept : undefined;
    if (!known) open.push([question, waiting]);
    for (const view of waiting) view.proof = known;
  }
  if (open.length === 0) return;

  // A fifth of the program, and most runs find every proof kept.
  const { proveOne } = await import('./prove.js');
  const size = threads?.sizeFor(open.length) ?? 0;
  if (size > 0) sandbox.rest();
  /** @returns {Promise<void>} when nothing is left to prove */
  const proveInTurn = async () => {
    for (let next = open.shift(); next; next = open.shift()) {
      const [question, waiting] = next;
      const [reduce, map] = [waiting[0]?.reduce?.text.text ?? '', waiting[0]?.map?.text.text];
      const sources = { reduce: { source: reduce }, map: map === undefined ? undefined : { source: map }, target };
      const own = size > 0 ? await threads?.answer('proof', sources) : undefined;
      const proof = own ?? (await proveOne(sources, sandbox));
      memory?.set(question, proof);
      for (const view of waiting) view.proof = proof;
    }
  };
  // While one proof waits for its trials the next is read.
  await Promise.all(Array.from({ length: size || sandbox.threads }, proveInTurn));
}

/** @typedef {(most?: number) => Promise<Record<string, unknown>[]>} OpenDocuments documents of the database, as far as they were given */

/**
 * Tries documents on the views whose reduce equals a built-in only if the documents are as they should be.
 * @param {ProvableView[]} views changed
 * @param {object} options
 * @param {string} options.target CouchDB version
 * @param {Sandbox} options.sandbox
 * @param {OpenDocuments} options.openDocuments
 * @returns {Promise<void>}
 */
export async function tryDocumentsOn(views, { target, sandbox, openDocuments }) {
  const waiting = views.filter(
    ({ map, proof }) =>
      map && proof?.verdict === 'equal' && proof.conditionHolds === 'if' && BY_ROW.has(proof.builtin ?? ''),
  );
  if (waiting.length === 0) return;
  const documents = await openDocuments();
  if (documents.length === 0) return;
  for (const view of waiting) {
    const [map, reduce] = [view.map?.text.text ?? '', view.reduce?.text.text ?? ''];
    const question = { map, reduce, builtin: view.proof?.builtin ?? '', target };
    view.documentTrial = await tryDocuments(question, documents, sandbox.forView());
  }
}
