// `couch-advisor rules`: lists every rule, as a table or as JSON.

import { wrap } from '../../../reports/display-width.js';
import { stringifyJson } from '../../../reports/stringify-json.js';
import { printable } from '../../../shared/printable.js';
import { EXIT } from '../../exit-codes.js';
import { prepareRules } from '../../prepare.js';
import { lineWidth } from '../../width.js';

/** @import { Rule } from '../../../engine/rule.js' */
/** @import { Surroundings } from '../../main.js' */

const SEVERITY_WIDTH = 7;

/**
 * @param {{format?: 'text' | 'json', config?: string | boolean}} options
 * @param {string[]} _given
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 */
export async function run(options, _given, { stdout, cwd }) {
  const { rules } = await prepareRules(options, cwd);
  stdout.write(options.format === 'json' ? renderJson(rules) : renderTable(rules, lineWidth(stdout)));
  return EXIT.CLEAN;
}

/**
 * @param {Rule[]} rules
 * @returns {string}
 */
function renderJson(rules) {
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
  return stringifyJson({ version: 1, rules: listed });
}

/**
 * @param {Rule[]} rules
 * @param {number} width
 * @returns {string}
 */
function renderTable(rules, width) {
  const idWidth = Math.max(...rules.map((rule) => rule.id.length));
  const margin = idWidth + SEVERITY_WIDTH + 4;
  const lines = rules.flatMap(({ id, severity, status, title }) => {
    const state = status === 'stable' ? '' : ` (${status})`;
    const [first = '', ...rest] = wrap(printable(`${title}${state}`), width - margin);
    return [
      `${id.padEnd(idWidth)}  ${severity.padEnd(SEVERITY_WIDTH)}  ${first}`,
      ...rest.map((line) => ' '.repeat(margin) + line),
    ];
  });
  return `${lines.join('\n')}\n`;
}
