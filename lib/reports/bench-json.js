// The result of a scenario as JSON: all of it, samples too; and without them, for what is kept beside a document.

import { stringifyJson } from './stringify-json.js';

/** @import { BenchResult } from '../scenarios/scenario.js' */

/**
 * @param {BenchResult} result
 * @returns {string}
 */
export function renderBenchJson(result) {
  return stringifyJson(rounded(result));
}

/**
 * @param {BenchResult} result
 * @returns {string} tables, comparisons and pictures without the samples they come from
 */
export function renderBenchSummary({ samples, ...rest }) {
  return stringifyJson(rounded({ ...rest, samples: samples.length }));
}

/**
 * @param {object} value
 * @returns {unknown} numbers with nine digits: microseconds are below what is measured
 */
function rounded(value) {
  return JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'number' ? Number(one.toPrecision(9)) : one)));
}
