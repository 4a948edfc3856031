// Renders a digest as JSON (schemas/digest.schema.json): for files and programs, and on one line for streams of partial
// digests.

import { stringifyJson } from './stringify-json.js';

/**
 * @param {Record<string, unknown>} digest version 1 of the shape
 * @returns {string}
 */
export function renderDigestJson(digest) {
  return stringifyJson(digest);
}

/**
 * @param {Record<string, unknown>} digest
 * @returns {string} one line, without tabs: programs that sort and split lines leave it whole
 */
export function renderDigestLine(digest) {
  return stringifyJson(digest, 0);
}
