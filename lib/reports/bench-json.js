// Makes the JSON of the result of a scenario: all of it, samples too.

/** @import { BenchResult } from '../measure/scenarios/scenario.js' */

/**
 * @param {BenchResult} result
 * @returns {object} numbers with nine digits: microseconds are below what is measured
 */
export function benchJson(result) {
  return JSON.parse(JSON.stringify(result, (_, one) => (typeof one === 'number' ? Number(one.toPrecision(9)) : one)));
}
