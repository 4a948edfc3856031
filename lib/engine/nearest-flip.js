// Finds the single change of one fact that would have ended a rule's walk elsewhere: "were it below 2, the outcome
// would be …".

import { isKnown } from '../facts/fact.js';
import { evaluateRule } from './evaluate.js';

/** @import { Fact, FactValue, Item, KnownFact } from '../facts/fact.js' */
/** @import { Step } from './findings/finding.js' */
/** @import { Rule } from './rule.js' */

/**
 * @typedef {object} Flip
 * @property {string} fact
 * @property {string} question where the path would leave
 * @property {string} change how the fact would have to be: `below 2`, `false`, `not \`_stats\``
 * @property {string} outcome id of the outcome it would lead to
 */

/** What is there beside the texts that a question names. */
const ANOTHER_TEXT = '\0';

/**
 * Looks at the number questions of the path first, the last of them before the others, because a number is what changes
 * most easily; then at the rest, again from the end.
 * @param {Rule} rule
 * @param {Step[]} path the walk that was taken
 * @param {(id: string) => Fact} getFact the facts it was taken with, and others that another branch may need
 * @returns {Flip | undefined} undefined where no change of one known fact leads elsewhere
 */
export function nearestFlip(rule, path, getFact) {
  const walked = withOperandsOf(rule, path);
  const outcome = evaluateRule(walked, getFact).outcome;
  const steps = path.filter((step) => step.answer !== 'unknown').reverse();
  const numbers = steps.filter((step) => typeof step.operand === 'number');
  for (const step of [...numbers, ...steps.filter((other) => !numbers.includes(other))]) {
    const fact = getFact(step.fact);
    if (!isKnown(fact)) continue;
    for (const { value, change } of changesOf(step, fact)) {
      const changed = { ...fact, value };
      const other = evaluateRule(walked, (id) => (id === step.fact ? changed : getFact(id))).outcome;
      if (other !== outcome) return { fact: step.fact, question: step.question, change, outcome: other };
    }
  }
  return undefined;
}

/**
 * @param {Rule} rule
 * @param {Step[]} path
 * @returns {Rule} the rule with the thresholds that the path was walked with, which may be the user's
 */
function withOperandsOf(rule, path) {
  const questions = { ...rule.questions };
  for (const { question, operand } of path) {
    const changed = questions[question];
    if (changed) questions[question] = { ...changed, value: operand };
  }
  return { ...rule, questions };
}

/**
 * @param {Pick<Step, 'operator' | 'operand' | 'answer'>} step
 * @param {KnownFact} fact
 * @returns {{value: FactValue, change: string}[]} the nearest values that turn the step's answer round
 */
export function changesOf({ operator, operand, answer }, fact) {
  if (typeof fact.value === 'boolean') return [{ value: !fact.value, change: String(!fact.value) }];
  if (operator === 'is') {
    if (answer === 'no') return [{ value: /** @type {string | number} */ (operand), change: show(operand) }];
    const value = typeof fact.value === 'number' ? fact.value + 1 : ANOTHER_TEXT;
    return [{ value, change: `not ${show(operand)}` }];
  }
  if (operator === 'isOneOf') {
    const values = /** @type {string[]} */ (operand);
    if (answer === 'no') return values.map((value) => ({ value, change: show(value) }));
    return [{ value: ANOTHER_TEXT, change: `none of ${values.map(show).join(', ')}` }];
  }
  // Which string would be nearest is not known.
  if (operator === 'contains' || operator === 'matches') return [];
  return [sizeChange(operator, operand, answer, fact)];
}

/**
 * @param {string} operator one of those that compare sizes
 * @param {Step['operand']} operand
 * @param {string} answer
 * @param {KnownFact} fact
 * @returns {{value: FactValue, change: string}}
 */
function sizeChange(operator, operand, answer, fact) {
  const includesLimit = operator === 'atLeast' || operator === 'atMost';
  const looksUp = operator === 'atLeast' || operator === 'above';
  // The limit itself turns a "no" of "at least" into a yes, and a "yes" of "above" into a no.
  const isOnLimit = includesLimit === (answer === 'no');
  const goesUp = looksUp === (answer === 'no');
  const words = goesUp ? { on: 'at least', off: 'above' } : { on: 'at most', off: 'below' };
  const change = `${isOnLimit ? words.on : words.off} ${show(operand)}`;
  if (typeof operand === 'string') return { value: isOnLimit ? operand : versionBeside(operand, goesUp), change };
  const limit = Number(operand);
  const unit = Number.isInteger(limit) ? 1 : Math.abs(limit) / 100;
  const value = isOnLimit ? limit : limit + (goesUp ? unit : -unit);
  return { value: Array.isArray(fact.value) ? itemsOf(value) : value, change };
}

/**
 * @param {string} version
 * @param {boolean} isLater
 * @returns {string} a version just after it, or one before it
 */
function versionBeside(version, isLater) {
  return isLater ? `${version}.0.0.1` : '0';
}

/**
 * @param {number} count
 * @returns {Item[]}
 */
function itemsOf(count) {
  return Array.from({ length: Math.max(0, count) }, () => ({ value: '' }));
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function show(value) {
  return typeof value === 'string' && !/^\d+(\.\d+)*$/.test(value) ? `\`${value}\`` : String(value);
}
