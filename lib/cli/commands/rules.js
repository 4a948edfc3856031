// `couch-advisor rules`: every rule, as a table or as JSON.

import { EXIT } from '../exit-codes.js';
import { prepareRules } from '../prepare.js';

/** @import { Surroundings } from '../main.js' */

/**
 * @param {{format: 'text' | 'json', config?: string | boolean}} options
 * @param {string[]} _paths
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 */
export async function run(options, _paths, { stdout, cwd }) {
  const { rules } = await prepareRules(options, cwd);
  if (options.format === 'json') {
    const listed = rules.map(({ id, title, severity, status, since, subject, needs, sources }) => ({
      id,
      title,
      severity,
      status,
      since,
      subject,
      needs,
      sources,
    }));
    stdout.write(`${JSON.stringify({ version: 1, rules: listed }, null, 2)}\n`);
    return EXIT.CLEAN;
  }
  const width = Math.max(...rules.map((rule) => rule.id.length));
  for (const { id, severity, status, title } of rules) {
    const state = status === 'stable' ? '' : ` (${status})`;
    stdout.write(`${id.padEnd(width)}  ${severity.padEnd(7)}  ${title}${state}\n`);
  }
  return EXIT.CLEAN;
}
