// Reads a plan back from its JSON, or reports one clear error. Nothing in a file is trusted.

import { findExcess } from '../shared/bounded-json.js';
import { parseJson } from '../shared/parse-json.js';
import { findFaults } from '../shared/schema/find-faults.js';
import { UserError } from '../shared/user-error.js';

/** @import { ArmRequest } from '../measure/experiments/experiment.js' */
/** @import { Plan } from './plan.js' */

/** What leads out of the database that a path is below: an absolute path, another server, a query, a step up, what ends a line of HTTP. */
const ESCAPES = /^\/|\/\/|^[a-z][a-z\d+.-]*:|[?#\\]|[\0-\x20\x7f]|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * @param {string} text of the file
 * @param {string} source where it comes from, for the error
 * @returns {Plan} its queries are known, and its requests stay within a database
 * @throws {UserError} of code `bad-plan`
 */
export function readPlan(text, source) {
  const excess = findExcess(text);
  const value = excess === undefined ? parseJson(text) : undefined;
  const fault = excess ?? (value === undefined ? 'invalid JSON' : faultOf(value));
  if (fault === undefined) return /** @type {Plan} */ (value);
  throw new UserError('bad-plan', `${source} is not a couch-advisor plan: ${fault}`, {
    hint: 'create one with `npx --no-install couch-advisor advise --output plan.json`',
  });
}

/**
 * @param {unknown} value
 * @returns {string | undefined}
 */
function faultOf(value) {
  const [fault] = findFaults('plan', value, 'the whole');
  if (fault) return fault.message;
  const { queries, steps } = /** @type {Plan} */ (value);
  const known = new Set(queries.map(({ id }) => id));
  if (known.size < queries.length) return 'two queries have the same id';
  for (const [at, step] of steps.entries()) {
    if (step.number !== at + 1) return `\`steps.${at}.number\` must be ${at + 1}`;
    for (const { query, requests } of step.queries) {
      const { before, after } = requests;
      if (!known.has(query)) return `step ${step.number} is about an unknown query ${JSON.stringify(query)}`;
      if (before.length !== after.length)
        return `step ${step.number} has ${before.length} requests before and ${after.length} after for query ${JSON.stringify(query)}`;
      const outside = [...before, ...after].find(leavesDatabase);
      if (outside) return `step ${step.number} has a request outside of its database: ${JSON.stringify(outside.path)}`;
    }
  }
  return undefined;
}

/**
 * @param {ArmRequest} request
 * @returns {boolean}
 */
function leavesDatabase({ path }) {
  return ESCAPES.test(path);
}
