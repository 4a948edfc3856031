// Measures how close a subject came to the threshold of a rule that reported nothing about it.

import { isKnown } from '../facts/fact.js';
import { walkRule } from './evaluate.js';
import { changesOf } from './nearest-flip.js';

/** @import { Fact } from '../facts/fact.js' */
/** @import { FindingSubject } from './findings/finding.js' */
/** @import { TreeWalk } from './evaluate.js' */
/** @import { Question, Rule } from './rule.js' */

/**
 * @typedef {object} BelowThreshold
 * @property {string} rule
 * @property {FindingSubject} subject
 * @property {number} requests that it represents
 * @property {string} fact
 * @property {number} value
 * @property {string} [words] the fact with its value, for people: `80 requests in the busiest minute`
 * @property {string} reportedAt `at least 600`
 * @property {number} part of the way to the threshold, 0 to 1
 */

/** What is farther away is not near. */
const MIN_PART = 0.1;

/**
 * @param {Rule} rule
 * @param {TreeWalk} walk that ended at nothing to report
 * @param {(id: string) => Fact} getFact
 * @returns {Omit<BelowThreshold, 'rule' | 'subject' | 'requests'> | undefined} undefined where the last question is not about a number, or another answer to
 *   it would not be reported either
 */
export function belowThreshold(rule, { trail }, getFact) {
  const last = trail.at(-1);
  if (!last || last.answer === 'unknown' || !isKnown(last.fact)) return undefined;
  const { fact, operator, value: threshold } = /** @type {Question} */ (rule.questions[last.question]);
  const { value } = last.fact;
  if (typeof value !== 'number' || typeof threshold !== 'number') return undefined;
  const part = value < threshold ? value / threshold : threshold / value;
  const [turned] = changesOf({ operator, operand: threshold, answer: last.answer }, last.fact);
  if (!turned || !(part >= MIN_PART && part <= 1)) return undefined;
  const changed = { ...last.fact, value: turned.value };
  const { outcome } = walkRule(rule, (id) => (id === fact ? changed : getFact(id)));
  if (rule.outcomes[outcome]?.verdict !== 'problem') return undefined;
  return { fact, value, reportedAt: turned.change, part: Number(part.toPrecision(2)) };
}
