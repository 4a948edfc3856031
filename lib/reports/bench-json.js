// Renders the result of a scenario as JSON: all of it, samples too.

import { stringifyJson } from './stringify-json.js';

/** @import { BenchResult } from '../measure/scenarios/scenario.js' */

/**
 * @param {BenchResult} result
 * @returns {string} numbers with nine digits: microseconds are below what is measured
 */
export function renderBenchJson(result) {
  const written = JSON.stringify(result, (_, one) => (typeof one === 'number' ? Number(one.toPrecision(9)) : one));
  return stringifyJson(JSON.parse(written));
}
