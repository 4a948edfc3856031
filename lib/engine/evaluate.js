// Walks one rule's tree with the facts of one subject and returns the outcome and the path that led to it.

import { isKnown } from '../facts/fact.js';
import { compare } from './operators.js';

/** @import { Fact, KnownFact } from '../facts/fact.js' */
/** @import { Step } from './findings/finding.js' */
/** @import { Question, Rule } from './rule.js' */

/** The outcome of a tree that tested an unknown fact and says nothing of its own for that case. */
export const CANNOT_TELL = 'cannot-tell';

/**
 * @typedef {object} TreeWalk A way through a tree, in brief: most end at nothing to report.
 * @property {string} outcome id of an outcome of the rule, or `cannot-tell`
 * @property {{question: string, fact: Fact, answer: Step['answer']}[]} trail
 * @property {{fact: string, reason: string}} [missing] the unknown fact that ended the walk
 */

/** @typedef {Omit<TreeWalk, 'trail'> & {path: Step[]}} Evaluation */

/**
 * @param {Rule} rule a sound rule: every branch names a question or an outcome, and there is no cycle
 * @param {(id: string) => Fact} getFact
 * @returns {Evaluation}
 */
export function evaluateRule(rule, getFact) {
  const { trail, ...walk } = walkRule(rule, getFact);
  return { ...walk, path: pathOf(rule, trail) };
}

/**
 * @param {Rule} rule a sound rule
 * @param {(id: string) => Fact} getFact
 * @returns {TreeWalk}
 */
export function walkRule(rule, getFact) {
  /** @type {TreeWalk['trail']} */
  const trail = [];
  let at = rule.start;
  for (;;) {
    const question = rule.questions[at];
    if (!question) return { outcome: at, trail };
    const fact = getFact(question.fact);
    if (isKnown(fact)) {
      const answer = compare(fact.value, question.operator, question.value) ? 'yes' : 'no';
      trail.push({ question: at, fact, answer });
      at = question[answer];
      continue;
    }
    trail.push({ question: at, fact, answer: 'unknown' });
    if (question.unknown === undefined) {
      return { outcome: CANNOT_TELL, trail, missing: { fact: question.fact, reason: fact.unknown } };
    }
    at = question.unknown;
  }
}

/**
 * @param {Rule} rule
 * @param {TreeWalk['trail']} trail
 * @returns {Step[]} the trail with all that reports show of it
 */
export function pathOf(rule, trail) {
  return trail.map(({ question: id, fact, answer }) => {
    const question = /** @type {Question} */ (rule.questions[id]);
    const { operator, value: operand, because } = question;
    const about = { question: id, fact: question.fact, operator, operand, because, place: fact.place, answer };
    if (isKnown(fact)) return { ...about, value: plainValue(fact), basis: fact.basis };
    return { ...about, value: null, basis: 'unknown', reason: fact.unknown };
  });
}

/**
 * @param {KnownFact} fact
 * @returns {Step['value']} the value without places, as reports show it
 */
function plainValue({ value }) {
  return Array.isArray(value) ? value.map((item) => item.value) : value;
}
