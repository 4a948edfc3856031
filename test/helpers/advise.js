// Runs `couch-advisor advise` on generated traffic and documents, for tests of its plan.

import { harOfDay, shopOrders } from './find-traffic.js';
import { line } from './logged-facts.js';
import { createProject } from './temporary-project.js';

/** @import { Plan } from '../../lib/advise/plan.js' */
/** @import { Traffic } from './find-traffic.js' */

/**
 * @typedef {object} Advised
 * @property {Traffic[]} [traffic] of one day, in a HAR file
 * @property {string[]} [log] lines of CouchDB's own log
 * @property {object[]} [documents] 2,000 orders where absent; none where empty
 * @property {Record<string, string | object>} [files] design documents, indexes, code
 * @property {string[]} [args]
 */

/** A full scan of the 2,000 orders takes about so long. */
export const SCAN_MS = 150;

/**
 * @param {Advised} about
 * @returns {Promise<{plan: Plan, titles: string[], stderr: string, exitCode: number, project: ReturnType<typeof createProject>}>}
 */
export async function adviseOn(about) {
  const { stdout, stderr, exitCode, project } = await runAdvise({
    ...about,
    args: ['--format', 'json', ...(about.args ?? [])],
  });
  if (stdout === '') throw new Error(stderr);
  const plan = /** @type {Plan} */ (JSON.parse(stdout));
  return { plan, titles: plan.steps.map(({ title }) => title), stderr, exitCode, project };
}

/**
 * @param {Advised} about
 * @returns {Promise<{stdout: string, stderr: string, exitCode: number, project: ReturnType<typeof createProject>}>}
 */
export async function runAdvise({ traffic, log, documents = shopOrders(2000), files = {}, args = [] }) {
  const project = createProject({
    ...(traffic ? { 'shop.har': harOfDay(traffic) } : {}),
    ...(log ? { 'couch.log': `${log.join('\n')}\n` } : {}),
    ...(documents.length > 0 ? { 'orders.jsonl': `${documents.map((one) => JSON.stringify(one)).join('\n')}\n` } : {}),
    ...files,
  });
  const given = [
    'advise',
    ...(traffic ? ['--log', 'shop.har'] : []),
    ...(log ? ['--log', 'couch.log'] : []),
    ...(documents.length > 0 ? ['--docs', 'orders.jsonl'] : []),
    ...args,
  ];
  return { ...(await project.run(given)), project };
}

/**
 * @param {string} request `GET /shop 200 5`
 * @param {{times: number, days?: number}} about
 * @returns {string[]} lines of CouchDB's log, evenly over the days
 */
export function linesOf(request, { times, days = 1 }) {
  return Array.from({ length: times }, (_, at) =>
    line(request, Math.floor(((at + 0.5) * days * 86_400) / times), `a${at.toString(16).padStart(9, '0')}`),
  );
}

/**
 * @param {Plan} plan
 * @returns {unknown[]} columns of the first step, and the filter of its index where it has one
 */
export function firstIndex({ steps: [first] }) {
  const { fields, partial_filter_selector: filter } = first?.change.index ?? { fields: [] };
  return filter === undefined ? fields : [...fields, filter];
}
