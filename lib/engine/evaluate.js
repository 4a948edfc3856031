// Walks one rule's tree with the facts of one subject: the outcome and the path that led to it.

import { isKnown } from '../facts/fact.js';
import { compare } from './operators.js';

/** @import { Fact, KnownFact } from '../facts/fact.js' */
/** @import { Step } from '../findings/finding.js' */
/** @import { Rule } from './rule.js' */

/** The outcome of a tree that asked for an unknown fact and says nothing of its own for that case. */
export const CANNOT_TELL = 'cannot-tell';

/**
 * @typedef {object} Evaluation
 * @property {string} outcome id of an outcome of the rule, or `cannot-tell`
 * @property {Step[]} path
 * @property {{fact: string, reason: string}} [missing] the unknown fact that ended the walk
 */

/**
 * @param {Rule} rule a sound rule: every branch names a question or an outcome, and there is no cycle
 * @param {(id: string) => Fact} getFact
 * @returns {Evaluation}
 */
export function evaluateRule(rule, getFact) {
  /** @type {Step[]} */
  const path = [];
  let at = rule.start;
  for (;;) {
    const question = rule.questions[at];
    if (!question) return { outcome: at, path };
    const fact = getFact(question.fact);
    const asked = {
      question: at,
      fact: question.fact,
      operator: question.operator,
      operand: question.value,
      because: question.because,
      place: fact.place,
    };
    if (isKnown(fact)) {
      const answer = compare(fact.value, question.operator, question.value) ? 'yes' : 'no';
      path.push({ ...asked, value: plainValue(fact), basis: fact.basis, answer });
      at = question[answer];
      continue;
    }
    path.push({ ...asked, value: null, basis: 'unknown', answer: 'unknown', reason: fact.unknown });
    if (question.unknown === undefined) {
      return { outcome: CANNOT_TELL, path, missing: { fact: question.fact, reason: fact.unknown } };
    }
    at = question.unknown;
  }
}

/**
 * @param {KnownFact} fact
 * @returns {Step['value']} the value without places, as reports show it
 */
function plainValue({ value }) {
  return Array.isArray(value) ? value.map((item) => item.value) : value;
}
