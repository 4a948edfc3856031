// Checks that a rule's tree is complete, and which facts are known where. Visits each question once, however many paths
// lead to it.

import { nearest } from '../shared/nearest.js';

/** @import { RuleFault } from './check-rule.js' */
/** @import { Question, Rule } from './rule.js' */

/** @typedef {'yes' | 'no' | 'unknown'} Answer */

/**
 * @param {Question} question
 * @returns {[Answer, string][]} each answer and where it leads
 */
function branchesOf({ yes, no, unknown }) {
  /** @type {[Answer, string][]} */
  const branches = [
    ['yes', yes],
    ['no', no],
  ];
  if (unknown !== undefined) branches.push(['unknown', unknown]);
  return branches;
}

/**
 * @param {Rule} rule
 * @param {string} id
 * @returns {Question | undefined}
 */
function questionOf(rule, id) {
  return Object.hasOwn(rule.questions, id) ? rule.questions[id] : undefined;
}

/**
 * @param {Rule} rule
 * @returns {RuleFault[]} branches that lead nowhere or in a circle, and what nothing leads to
 */
export function treeFaults(rule) {
  const { questions, outcomes, start } = rule;
  const names = [...Object.keys(questions), ...Object.keys(outcomes)];
  const exists = (/** @type {string} */ id) => Object.hasOwn(questions, id) || Object.hasOwn(outcomes, id);
  const guess = (/** @type {string} */ id) => {
    const near = nearest(id, names);
    return near && `did you mean \`${near}\`?`;
  };
  /** @type {RuleFault[]} */
  const faults = [];
  for (const id of Object.keys(questions)) {
    if (Object.hasOwn(outcomes, id)) {
      faults.push({ message: `\`${id}\` is a question and an outcome`, pointer: ['questions', id] });
    }
  }
  for (const [id, question] of Object.entries(questions)) {
    for (const [answer, next] of branchesOf(question)) {
      if (exists(next)) continue;
      const message = `\`${id}\` leads to \`${next}\`, which is no question and no outcome`;
      faults.push({ message, pointer: ['questions', id, answer], hint: guess(next) });
    }
    if (question.yes === question.no) {
      const message = `\`${id}\` leads to \`${question.yes}\` whatever the answer is`;
      faults.push({ message, pointer: ['questions', id] });
    }
  }
  if (!questionOf(rule, start)) {
    return [...faults, { message: `the start \`${start}\` is no question`, pointer: ['start'], hint: guess(start) }];
  }
  const reached = reachedFrom(rule);
  for (const id of names) {
    if (reached.has(id)) continue;
    const pointer = [Object.hasOwn(questions, id) ? 'questions' : 'outcomes', id];
    faults.push({ message: `nothing leads to \`${id}\``, pointer });
  }
  const ordered = new Set(questionsInOrder(rule, reached));
  const inCircle = [...reached].filter((id) => questionOf(rule, id) && !ordered.has(id));
  if (inCircle.length > 0) {
    const message = `the tree runs in a circle among \`${inCircle.join('`, `')}\``;
    faults.push({ message, pointer: ['questions', /** @type {string} */ (inCircle[0])] });
  }
  return faults;
}

/**
 * @param {Rule} rule
 * @param {string} outcome
 * @returns {Set<string>} the facts that have a value on every path to the outcome
 */
export function factsKnownAt(rule, outcome) {
  /** @type {Map<string, Set<string>>} */
  const known = new Map([[rule.start, new Set()]]);
  for (const id of questionsInOrder(rule, reachedFrom(rule))) {
    const question = /** @type {Question} */ (questionOf(rule, id));
    const here = known.get(id) ?? new Set();
    for (const [answer, next] of branchesOf(question)) {
      const there = answer === 'unknown' ? here : new Set([...here, question.fact]);
      const before = known.get(next);
      known.set(next, before ? new Set([...before].filter((fact) => there.has(fact))) : there);
    }
  }
  return known.get(outcome) ?? new Set();
}

/**
 * @param {Rule} rule
 * @returns {Set<string>} the questions and outcomes that some path leads to
 */
function reachedFrom(rule) {
  const reached = new Set([rule.start]);
  // A set is walked in the order of insertion, what is added on the way included.
  for (const id of reached) {
    const question = questionOf(rule, id);
    if (question) for (const [, next] of branchesOf(question)) reached.add(next);
  }
  return reached;
}

/**
 * @param {Rule} rule
 * @param {ReadonlySet<string>} reached
 * @returns {string[]} the questions, each behind all that lead to it (Kahn 1962); those of a circle are left out
 */
function questionsInOrder(rule, reached) {
  /** @type {Map<string, number>} */
  const waiting = new Map();
  for (const id of reached) {
    const question = questionOf(rule, id);
    if (question) for (const [, next] of branchesOf(question)) waiting.set(next, (waiting.get(next) ?? 0) + 1);
  }
  const ready = [rule.start].filter((id) => questionOf(rule, id) && !waiting.has(id));
  for (const id of ready) {
    for (const [, next] of branchesOf(/** @type {Question} */ (questionOf(rule, id)))) {
      const left = (waiting.get(next) ?? 0) - 1;
      waiting.set(next, left);
      if (left === 0 && questionOf(rule, next)) ready.push(next);
    }
  }
  return ready;
}
