// Renders a plan of `advise` as JSON (share/schemas/plan.schema.json), as `confirm --plan` reads it.

import { stringifyJson } from './stringify-json.js';

/** @import { Plan } from '../advise/plan.js' */

/**
 * @param {Plan} plan
 * @returns {string} the plan as it is, nothing rounded
 */
export function renderPlanJson(plan) {
  return stringifyJson(plan);
}
