// Collects the details of a run that only a full page has room for: where else a tree would have ended, the nearest change that would end it
// elsewhere, the proof, figures of the logs, the patch of each fix, and which documents were read. Uses the findings as they are and judges nothing a
// second time.

import { logEvidence } from '../facts/log/evidence.js';
import { patchOf } from './fixes/unified-diff.js';
import { nearestFlip } from './nearest-flip.js';
import { describeQuestion } from './tree-picture.js';

/** @import { Flip } from './nearest-flip.js' */
/** @import { Operator, Outcome, Rule } from './rule.js' */
/** @import { DesignDocSubject, Subject } from '../facts/fact.js' */
/** @import { LogEvidence } from '../facts/log/evidence.js' */
/** @import { Step } from './findings/finding.js' */
/** @import { Analysis } from './pipeline.js' */
/** @import { Proof } from '../proof/proof.js' */
/** @import { TextEdit } from '../shared/source-file.js' */
/** @import { ValueNode } from '../sources/record.js' */

/**
 * @typedef {object} Branch Where another answer would have led.
 * @property {string} answers `no`, `no or unknown`
 * @property {string} to id of a question or an outcome
 * @property {Outcome['verdict']} [verdict] where it is an outcome
 */

/**
 * @typedef {object} ShownProof
 * @property {Proof['verdict']} verdict
 * @property {boolean} isProved whether it follows from the code; if not, it rests on trials
 * @property {string} [builtin]
 * @property {string} [condition]
 * @property {Proof['conditionHolds']} [conditionHolds]
 * @property {string[]} steps
 * @property {string[]} counterexample
 * @property {number} trials
 */

/**
 * @typedef {object} Detail
 * @property {{asked: string, branches: Branch[]}[]} steps those of the path: the question in words, and where other answers led
 * @property {Flip} [flip] the nearest change that would end elsewhere
 * @property {ShownProof} [proof]
 * @property {LogEvidence} [logs]
 * @property {string} [patch] what its fix changes, as a unified diff
 */

/**
 * @typedef {object} ReadDocument A design document that was read, whether anything was found in it or not.
 * @property {string | null} id null where the file names none
 * @property {string} name
 * @property {string[]} views
 * @property {{file: string, start: number, end: number}[]} parts where its text stands, as offsets; the first is its main file
 */

/** @typedef {{details: Map<string, Detail>, documents: ReadDocument[]}} RunDetails details by key of the finding */

/**
 * @param {Pick<Analysis, 'links' | 'run' | 'ask'>} analysis
 * @param {Rule[]} rules
 * @param {ReadonlyMap<string, TextEdit[]>} [edits] of fixes, by key of the finding
 * @returns {RunDetails}
 */
export function describeRun({ links, run, ask }, rules, edits) {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const logsOf = logEvidence(run);
  /** @type {Map<string, Detail>} */
  const details = new Map();
  for (const { finding, subject } of links) {
    const rule = byId.get(finding.rule);
    if (!rule) continue;
    const own = edits?.get(finding.key);
    const proof = rule.needs.includes('proof') ? proofOf(subject) : undefined;
    const logs = logsOf(subject);
    const flip = nearestFlip(rule, finding.path, (id) => ask(subject, id));
    details.set(finding.key, {
      steps: finding.path.map((step) => describeStep(rule, step)),
      ...(flip ? { flip } : {}),
      ...(proof ? { proof } : {}),
      ...(logs ? { logs } : {}),
      ...(own ? { patch: patchOf(own) } : {}),
    });
  }
  const documents = run.subjects.flatMap((subject) =>
    subject.kind === 'design-doc' ? [describeDocument(subject)] : [],
  );
  return { details, documents };
}

/**
 * @param {Rule} rule
 * @param {Step} step
 * @returns {Detail['steps'][number]}
 */
function describeStep(rule, step) {
  const { fact, operator, operand } = step;
  const asked = describeQuestion({ fact, operator: /** @type {Operator} */ (operator), value: operand });
  return { asked, branches: branchesBeside(rule, step) };
}

/**
 * @param {Rule} rule
 * @param {Step} step
 * @returns {Branch[]} answers that lead to one place together
 */
function branchesBeside(rule, { question, answer }) {
  const node = rule.questions[question];
  if (!node) return [];
  /** @type {Map<string, string[]>} */
  const answersTo = new Map();
  for (const other of /** @type {const} */ (['yes', 'no', 'unknown'])) {
    const to = node[other];
    if (other === answer || to === undefined || to === node[answer]) continue;
    answersTo.set(to, [...(answersTo.get(to) ?? []), other]);
  }
  return [...answersTo].map(([to, answers]) => {
    const verdict = rule.outcomes[to]?.verdict;
    return { answers: answers.join(' or '), to, ...(verdict ? { verdict } : {}) };
  });
}

/**
 * @param {Subject} subject
 * @returns {ShownProof | undefined}
 */
function proofOf(subject) {
  const proof = subject.kind === 'view' ? subject.proof : undefined;
  if (!proof || proof.verdict === 'unknown') return undefined;
  const { verdict, basis, builtin, condition, conditionHolds, steps, counterexample, trials } = proof;
  return {
    verdict,
    isProved: basis === 'proved',
    ...(builtin ? { builtin } : {}),
    ...(condition ? { condition: condition.text } : {}),
    ...(conditionHolds ? { conditionHolds } : {}),
    steps,
    counterexample: counterexample?.text ?? [],
    trials,
  };
}

/**
 * @param {DesignDocSubject} subject
 * @returns {ReadDocument}
 */
function describeDocument({ record, name, views }) {
  const { node } = record;
  /** @type {Map<string, {file: string, start: number, end: number}>} */
  const parts = new Map([[node.file.path, { file: node.file.path, start: node.start, end: node.end }]]);
  for (const other of nodesIn(node)) {
    const { file } = other;
    // What lies in other files is a file of its own of a couchapp.
    if (file !== node.file) parts.set(file.path, { file: file.path, start: 0, end: file.text.length });
  }
  return { id: record.id, name, views: views.map((view) => view.name), parts: [...parts.values()] };
}

/**
 * @param {ValueNode} root
 * @returns {Generator<ValueNode>} all nodes below it; not by calling itself, as documents may be nested deeply
 */
function* nodesIn(root) {
  const waiting = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node !== root) yield node;
    if (node.type === 'object') for (const item of node.entries) waiting.push(item.node);
    else if (node.type === 'array') for (const item of node.items) waiting.push(item);
  }
}
