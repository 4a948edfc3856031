// Checks the cases of a rule against its tree, strictly, so that a case can name neither too many facts nor too few.

import { CANNOT_TELL, evaluateRule } from './evaluate.js';

/** @import { Fact } from '../facts/fact.js' */
/** @import { Rule } from './rule.js' */

/** @typedef {boolean | number | string | string[] | {unknown: string}} CaseFact */
/** @typedef {{name: string, facts: Record<string, CaseFact>, outcome: string}} Case facts by id, and the id of the outcome that they must lead to */

/**
 * @param {Rule} rule
 * @param {Case} row
 * @returns {string | undefined} what is wrong; undefined where the case holds
 */
export function caseFault(rule, { facts, outcome: expected }) {
  /** @type {Set<string>} */
  const used = new Set();
  let notGiven = '';
  const { outcome } = evaluateRule(rule, (id) => {
    used.add(id);
    const given = Object.hasOwn(facts, id) ? facts[id] : undefined;
    if (given !== undefined) return toFact(given);
    notGiven ||= id;
    return { unknown: 'the case does not say' };
  });
  if (notGiven !== '') return `the rule uses \`${notGiven}\`, which the case does not give`;
  if (outcome !== expected) return `the outcome is \`${outcome}\`, not \`${expected}\``;
  const unused = Object.keys(facts).filter((id) => !used.has(id));
  return unused.length === 0 ? undefined : `the rule does not use \`${unused.join('`, `')}\` on this path`;
}

/**
 * @param {Rule} rule
 * @param {Case[]} cases
 * @returns {string[]} ids of the outcomes that no case reaches; `cannot-tell` where a question may end there
 */
export function outcomesWithoutCase({ questions, outcomes }, cases) {
  const reached = new Set(cases.map(({ outcome }) => outcome));
  const mayEnd = Object.values(questions).some(({ unknown }) => unknown === undefined);
  return [...Object.keys(outcomes), ...(mayEnd ? [CANNOT_TELL] : [])].filter((id) => !reached.has(id));
}

/**
 * @param {CaseFact} given
 * @returns {Fact}
 */
export function toFact(given) {
  if (Array.isArray(given)) return { value: given.map((value) => ({ value })), basis: 'declared' };
  return typeof given === 'object' ? given : { value: given, basis: 'declared' };
}
