// Proves and tries functions before rules are judged: reduces, rows at other moments, documents that are given or made for them. Remembers the answers.

import { evidenceQuestions } from '../facts/function/evidence.js';
import { rowQuestions } from '../facts/function/rows.js';
import { writeQuestions } from '../facts/validate.js';
import { witnessQuestions } from '../facts/view/witness.js';
import { AnswerThreads } from '../proof/evidence/answer-threads.js';
import { findWitness, WITNESS_VERSION } from '../proof/evidence/find-witness.js';
import { EVIDENCE_VERSION, nameOfDocuments, runFunction } from '../proof/evidence/run-function.js';
import { shapeOf } from '../proof/evidence/shape.js';
import { tryWrites, WRITES_VERSION } from '../proof/evidence/try-writes.js';
import { proveViews, tryDocumentsOn } from '../proof/prove-views.js';
import { answerAll } from '../proof/synthesis/answer-all.js';
import { TRIAL_VERSION, tryRows } from '../proof/synthesis/try-rows.js';
import { EVERY_CORE, openSandbox } from '../sandbox/sandbox.js';
import { groupBy } from '../shared/group-by.js';

/** @import { RunSubject, SourceName, ViewSubject } from '../facts/fact.js' */
/** @import { Sandbox } from '../sandbox/sandbox.js' */
/** @import { Opening, Stage } from './pipeline.js' */

/** What runs functions. @typedef {Opening & {sandbox: Sandbox, threads: AnswerThreads}} Means */

/**
 * Proves and tries what rules need to know of functions.
 * @param {RunSubject} run changed
 * @param {Opening} opening
 * @param {{needs: (source: SourceName) => boolean, stage: Stage, skipsRuns?: boolean | undefined}} how
 */
export async function runFunctions(run, opening, { needs, stage, skipsRuns }) {
  // No thread starts before there is a function to run.
  const sandbox = openSandbox({ workers: EVERY_CORE });
  const functions = run.subjects.filter(({ kind }) => kind === 'function').length;
  const threads = new AnswerThreads(EVERY_CORE, functions);
  const means = { ...opening, sandbox, threads };
  try {
    if (needs('proof')) await stage('prove reduces', () => proveReduces(run, means));
    if (needs('trials')) await stage('try functions', () => tryFunctions(run, means));
    if (needs('documents') && !skipsRuns) await stage('run on documents', () => runOnDocuments(run, means));
    if (needs('witnesses') && !skipsRuns) await stage('look for witnesses', () => findWitnesses(run, means));
  } finally {
    await Promise.all([sandbox.close(), threads.close()]);
  }
}

/**
 * @param {RunSubject} run its functions are changed
 * @param {Means} means
 */
async function tryFunctions(run, { openProofs, sandbox, threads }) {
  if (!run.subjects.some(({ kind }) => kind === 'function')) return;
  const active = rowQuestions(run);
  if (active.length === 0) return;
  await answerAll(active, {
    about: ['rows', TRIAL_VERSION],
    answer: tryRows,
    give: (subject, trial) => {
      subject.trial = trial;
    },
    sandbox,
    memory: await openProofs?.(),
    many: { threads, kind: 'rows' },
  });
}

/**
 * Looks at the documents that were given, and runs maps, filters and validation functions on them.
 * @param {RunSubject} run its functions are changed
 * @param {Means} means
 */
async function runOnDocuments(run, { openProofs, openDocuments, onProgress, sandbox }) {
  const documents = (await openDocuments?.()) ?? [];
  if (documents.length === 0) return;
  const shape = { documents: documents.length, members: shapeOf(documents) };
  for (const subject of run.subjects) if (subject.kind === 'load') subject.shape = shape;
  const active = evidenceQuestions(run);
  await answerAll(active, {
    about: ['documents', EVIDENCE_VERSION, nameOfDocuments(documents)],
    answer: (question) => runFunction(question, documents, sandbox),
    give: (subject, evidence) => {
      subject.evidence = evidence;
    },
    sandbox,
    memory: await openProofs?.(),
    onProgress,
  });
}

/**
 * Looks for documents on which maps throw, for maps that depend on the clock or the time zone, and for writes that validation functions accept.
 * @param {RunSubject} run its functions are changed
 * @param {Means} means
 */
async function findWitnesses(run, { openProofs, onProgress, sandbox, threads }) {
  if (!run.subjects.some(({ kind }) => kind === 'function')) return;
  const [maps, writes] = [witnessQuestions(run), writeQuestions(run)];
  if (maps.length === 0 && writes.length === 0) return;
  const memory = await openProofs?.();
  await answerAll(maps, {
    about: ['witness', WITNESS_VERSION],
    answer: findWitness,
    give: (subject, witness) => {
      subject.witness = witness;
    },
    sandbox,
    memory,
    many: { threads, kind: 'witness' },
    onProgress,
  });
  await answerAll(writes, {
    about: ['writes', WRITES_VERSION],
    answer: tryWrites,
    give: (subject, trial) => {
      subject.writes = trial;
    },
    sandbox,
    memory,
  });
}

/**
 * @param {RunSubject} run its views are changed
 * @param {Means} means
 */
async function proveReduces(run, { openProofs, openDocuments, sandbox, threads }) {
  const views = run.subjects.filter((subject) => subject.kind === 'view' && subject.reduce !== undefined);
  if (views.length === 0) return;
  const byTarget = groupBy(/** @type {ViewSubject[]} */ (views), ({ parent }) => parent.parent.target.version);
  for (const [target, asking] of byTarget) {
    await proveViews(asking, { target, sandbox, memory: await openProofs?.(), threads });
    if (openDocuments) await tryDocumentsOn(asking, { target, sandbox, openDocuments });
  }
}
