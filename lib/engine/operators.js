// The closed list of comparisons that a question may make. A fact that is a list is compared by the number of its
// items.

import { compareVersions } from '../shared/version.js';
import { matchesWildcards } from '../shared/wildcards.js';

/** @import { FactType, FactValue } from '../facts/fact.js' */
/** @import { Operator, Question } from './rule.js' */

/** Which operators fit a type of fact. Booleans take only `is`, so that no two questions say the same. @type {Record<FactType, Operator[]>} */
export const OPERATORS_OF_TYPE = {
  boolean: ['is'],
  text: ['is', 'isOneOf', 'contains', 'matches'],
  version: ['atLeast', 'above', 'atMost', 'below'],
  count: ['is', 'atLeast', 'above', 'atMost', 'below'],
  bytes: ['atLeast', 'above', 'atMost', 'below'],
  ms: ['atLeast', 'above', 'atMost', 'below'],
  share: ['atLeast', 'above', 'atMost', 'below'],
  list: ['atLeast', 'above', 'atMost', 'below'],
};

/**
 * @param {FactValue} value of a known fact
 * @param {Operator} operator one that fits the fact's type
 * @param {Question['value']} operand
 * @returns {boolean} the answer: true for yes
 */
export function compare(value, operator, operand) {
  if (operator === 'is') return value === operand;
  if (operator === 'isOneOf') return Array.isArray(operand) && operand.includes(/** @type {string} */ (value));
  if (operator === 'contains') return String(value).includes(String(operand));
  if (operator === 'matches') return matchesWildcards(String(operand), String(value));
  const difference = distance(value, operand);
  if (operator === 'atLeast') return difference >= 0;
  if (operator === 'above') return difference > 0;
  if (operator === 'atMost') return difference <= 0;
  return difference < 0;
}

/**
 * @param {FactValue} value
 * @param {Question['value']} operand
 * @returns {number} negative where the value is the lesser one
 */
function distance(value, operand) {
  if (typeof value === 'string') return compareVersions(value, String(operand));
  const size = Array.isArray(value) ? value.length : Number(value);
  return size - Number(operand);
}
