// `couch-advisor rules`: lists the rules, as a table or as JSON, with the severity that each has in this project.

import { isActive } from '../../../engine/judge.js';
import { unknownRule } from '../../../engine/rule-names.js';
import { selectedIds } from '../../../engine/rule-selectors.js';
import { wrap } from '../../../reports/display-width.js';
import { stringifyJson } from '../../../reports/stringify-json.js';
import { printable } from '../../../shared/printable.js';
import { countOf } from '../../../shared/units.js';
import { EXIT } from '../../exit-codes.js';
import { findServerOf, prepareRules, ruleIds, settingsOf } from '../../prepare.js';
import { lineWidth } from '../../width.js';

/** @import { Severity } from '../../../engine/findings/finding.js' */
/** @import { Rule } from '../../../engine/rule.js' */
/** @import { Surroundings } from '../../main.js' */

/** `severity`: that it has in this project. @typedef {{rule: Rule, severity: Severity | 'off'}} Listed */

const SEVERITY_WIDTH = 7;

/**
 * @param {{format?: 'text' | 'json', config?: string | boolean, drafts?: boolean}} options
 * @param {string[]} given ids and families; all rules where empty
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 * @throws {import('../../../shared/user-error.js').UserError} where there is no such rule
 */
export async function run(options, given, { stdout, cwd }) {
  const { config, rules } = await prepareRules(options, cwd);
  const ids = ruleIds(rules);
  const unknown = given.find((selector) => selectedIds(selector, ids).length === 0);
  if (unknown !== undefined) throw unknownRule(unknown, ids);
  const wanted = new Set(given.length === 0 ? ids : given.flatMap((selector) => selectedIds(selector, ids)));
  const none = { only: undefined, rules: {} };
  const server = await findServerOf(config, {}, { cwd });
  const settings = settingsOf(options, config, { cwd, isWhole: false, ruleOptions: none, server });
  /** @type {Listed[]} */
  const listed = rules
    .filter(({ id }) => wanted.has(id))
    .map((rule) => {
      const setting = settings.settingOf(rule, '.');
      const isOn = isActive(rule, setting, settings.target);
      return { rule, severity: isOn ? (setting.severity ?? rule.severity) : 'off' };
    });
  stdout.write(options.format === 'json' ? renderJson(listed) : renderTable(listed, lineWidth(stdout)));
  return EXIT.CLEAN;
}

/**
 * @param {Listed[]} listed
 * @returns {string}
 */
function renderJson(listed) {
  const rules = listed.map(({ rule, severity: effective }) => {
    const { id, title, severity, status, since, subject, needs, sources } = rule;
    return { id, title, severity, effective, status, since, subject, needs, sources };
  });
  return stringifyJson({ version: 1, rules });
}

/**
 * @param {Listed[]} listed
 * @param {number} width
 * @returns {string}
 */
function renderTable(listed, width) {
  const idWidth = Math.max(...listed.map(({ rule }) => rule.id.length));
  const margin = idWidth + SEVERITY_WIDTH + 4;
  const lines = listed.flatMap(({ rule: { id, status, title }, severity }) => {
    const state = status === 'stable' ? '' : ` (${status})`;
    const [first = '', ...rest] = wrap(printable(`${title}${state}`), width - margin);
    return [
      `${id.padEnd(idWidth)}  ${severity.padEnd(SEVERITY_WIDTH)}  ${first}`,
      ...rest.map((line) => ' '.repeat(margin) + line),
    ];
  });
  const drafts = listed.filter(({ rule, severity }) => rule.status === 'draft' && severity === 'off').length;
  if (drafts > 0) {
    const note = `${countOf(drafts, 'draft')} off: rules that were not yet checked on enough real projects. \`--drafts\`, or \`"drafts": true\` in the configuration, turns them on; \`--rule ID\` runs one.`;
    lines.push('', ...wrap(note, width));
  }
  return `${lines.join('\n')}\n`;
}
