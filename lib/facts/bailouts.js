// Names the functions that a limit kept from being analyzed in full: no finding about them does not mean that nothing is wrong with them.

import { refusalOf } from '../javascript/analyse.js';
import { bailoutReason } from '../shared/bailout.js';

/** @import { Extracted, FunctionSubject, RunSubject, Subject } from './fact.js' */

/**
 * @param {Subject} subject that a fact is about
 * @param {() => Extracted} extract
 * @returns {Extracted} unknown where an analysis exceeds a limit; the function that it is about is noted
 */
export function extractWithinLimits(subject, extract) {
  try {
    return extract();
  } catch (error) {
    const reason = bailoutReason(error);
    if (reason === undefined) throw error;
    noteBailout(functionOf(subject), reason);
    return { unknown: reason };
  }
}

/**
 * @param {FunctionSubject | undefined} subject changed: the first reason is kept
 * @param {string} reason
 */
export function noteBailout(subject, reason) {
  if (subject) subject.bailout ??= reason;
}

/**
 * @param {FunctionSubject} subject
 * @returns {string | undefined} why not all is known of it that facts of this run could have known
 */
function bailoutOf({ text, bailout, trial, witness, writes }) {
  return refusalOf(text) ?? bailout ?? trial?.bailout ?? witness?.bailout ?? writes?.bailout;
}

/**
 * @param {Subject} subject
 * @returns {FunctionSubject | undefined} the function that most of its facts are read from
 */
function functionOf(subject) {
  if (subject.kind === 'function') return subject;
  if (subject.kind === 'view') return subject.map ?? subject.reduce;
  return subject.kind === 'filter' || subject.kind === 'validate' ? subject.function : undefined;
}

/**
 * @param {RunSubject} run
 * @returns {{path: string, reason: string}[]} functions of which not all is known, because a limit cut trials or analyses off
 */
export function cutOffs(run) {
  return run.subjects.flatMap((subject) => {
    if (subject.kind === 'function') return cutOffsOf(subject);
    if (subject.kind !== 'view' || !subject.reduce) return [];
    const { name, proof, documentTrial, reduce } = subject;
    const limit = proof?.cutOff ?? documentTrial?.cutOff ?? proof?.bailout;
    if (limit === undefined) return [];
    const { file, line } = reduce.place;
    const what = proof?.verdict === 'unknown' ? 'could not be analyzed' : 'was only partly tested';
    const again = proof?.mayDiffer ? '; the next run tries again' : '';
    return [{ path: file, reason: `the reduce of ${name} at line ${line} ${what} (${limit})${again}` }];
  });
}

/**
 * @param {FunctionSubject} subject
 * @returns {{path: string, reason: string}[]} one at most
 */
function cutOffsOf(subject) {
  const { name, place, evidence } = subject;
  const limit = bailoutOf(subject);
  if (limit === undefined && evidence?.cutOff === undefined) return [];
  const what =
    limit === undefined
      ? `was stopped after ${evidence?.documents} documents (${evidence?.cutOff})`
      : `was not fully analyzed (${limit})`;
  return [{ path: place.file, reason: `${name} at line ${place.line} ${what}` }];
}
