// Reads a plan from the text of its file.

import { parseJson } from '../shared/parse-json.js';
import { UserError } from '../shared/user-error.js';

/** @import { Plan } from './plan.js' */

/**
 * @param {string} text
 * @param {string} source the file as it is shown
 * @returns {Plan}
 * @throws {UserError} where it is no plan
 */
export function readPlan(text, source) {
  const value = /** @type {any} */ (parseJson(text));
  if (value?.kind === 'plan' && value.version === 1 && Array.isArray(value.steps)) return value;
  throw new UserError('bad-plan', `${source} is not a plan: expected JSON with "kind": "plan" and "version": 1`, {
    hint: 'couch-advisor advise --format json writes one',
  });
}
