// Judges what was read for two versions of CouchDB, and compares the findings.

import { analyze } from '../../../engine/pipeline.js';
import { answerQuestions, stopsBefore } from '../../../facts/function/answers.js';
import { compareAnswers } from '../../../proof/evidence/compare-answers.js';
import { answerAll } from '../../../proof/synthesis/answer-all.js';
import { EVERY_CORE, openSandbox } from '../../../sandbox/sandbox.js';
import { version } from '../../version.js';

/** @import { Finding } from '../../../engine/findings/finding.js' */
/** @import { Analysis } from '../../../engine/pipeline.js' */
/** @import { FunctionSubject, RunSubject, Target } from '../../../facts/fact.js' */
/** @import { AnswerTrial } from '../../../proof/evidence/compare-answers.js' */
/** @import { Prepared } from '../../prepare.js' */

/** @typedef {{finding: Finding, rule: Prepared['rules'][number] | undefined}} Judged */

/** By function and by the name of the difference. @typedef {Map<FunctionSubject, Record<string, AnswerTrial>>} Answers */

/**
 * @typedef {object} Comparison
 * @property {Analysis} before the judgement for the version that runs now
 * @property {Analysis} after
 * @property {Judged[]} appearing findings that only the new version has
 * @property {Judged[]} vanishing findings that only the old version has
 * @property {Finding[]} all findings for the new version
 * @property {Answers} answers of functions for the new version that were run as both engines would run them
 */

/**
 * @param {Prepared} prepared
 * @param {{from: Target, to: Target}} between
 * @returns {Promise<Comparison>}
 */
export async function compareRuns(prepared, { from, to }) {
  // Targets of folders are those of today too: one upgrade is judged at a time.
  const judge = (/** @type {Target} */ target) =>
    analyze({ ...prepared, settings: { ...prepared.settings, target, targetOf: () => target }, version: version() });
  const before = await judge(from);
  const after = await judge(to);
  const ruleBy = new Map(prepared.rules.map((rule) => [rule.id, rule]));
  const only = (/** @type {Analysis} */ here, /** @type {Analysis} */ there) => {
    const known = new Set(there.report.findings.flatMap(namesOf));
    return here.report.findings
      .filter((finding) => namesOf(finding).every((name) => !known.has(name)))
      .map((finding) => ({ finding, rule: ruleBy.get(finding.rule) }));
  };
  return {
    before,
    after,
    appearing: only(after, before).filter(({ finding }) => !isUnreached(finding, before)),
    vanishing: only(before, after),
    all: after.report.findings,
    answers: await answersOf(before.run, after.run),
  };
}

/** @param {RunSubject} before @param {RunSubject} after @returns {Promise<Answers>} */
async function answersOf(before, after) {
  /** @type {Answers} */
  const answers = new Map();
  // No thread starts before there is a function to run.
  const sandbox = openSandbox({ workers: EVERY_CORE });
  try {
    await answerAll(answerQuestions(before, after), {
      about: [],
      answer: compareAnswers,
      give: (subject, { byName }) => answers.set(subject, byName),
      sandbox,
      memory: undefined,
    });
  } finally {
    await sandbox.close();
  }
  return answers;
}

/** @param {Finding} finding @param {Analysis} before @returns {boolean} whether it says where the new engine stops, and the old one stops before that */
function isUnreached({ certainty, place, subject: { name, designDoc } }, before) {
  // What is certain refuses the whole function.
  if (certainty === 'high') return false;
  return before.run.subjects.some(
    (subject) =>
      subject.kind === 'function' &&
      subject.name === name &&
      subject.place.file === place.file &&
      subject.parent.record.id === designDoc &&
      stopsBefore(subject, place),
  );
}

/**
 * @param {Finding} finding
 * @returns {string[]} its key, and its rule and outcome by its place: the key changes with what the finding names, such as the engines that refuse a function
 */
function namesOf({ key, rule, outcome, place: { file, line, column } }) {
  return [key, JSON.stringify([rule, outcome, file, line, column])];
}
