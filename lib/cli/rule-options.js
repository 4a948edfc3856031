// Reads `--rule`: an id or a family selects rules, with a severity it sets that of the rules.

import { unknownRule } from '../engine/rule-names.js';
import { selectedIds } from '../engine/rule-selectors.js';
import { nearest } from '../shared/nearest.js';
import { UserError } from '../shared/user-error.js';

/** @import { RuleSettings, SeveritySetting } from '../engine/settings.js' */

/** @typedef {{only: string[] | undefined, rules: RuleSettings}} RuleOptions `only`: the selected ids and families; undefined where none is selected */

/** @type {SeveritySetting[]} */
const SEVERITIES = ['off', 'error', 'warning', 'info'];

/**
 * @param {string[] | undefined} given the values of `--rule`: `view/fan-out` or `view/fan-out=error`
 * @param {string[]} known the ids of all rules
 * @returns {RuleOptions}
 * @throws {UserError} for a rule or a severity that does not exist, and for the severity of a rule that is not selected
 */
export function readRuleOptions(given, known) {
  /** @type {string[]} */
  const selected = [];
  /** @type {Record<string, SeveritySetting>} */
  const rules = {};
  for (const value of given ?? []) {
    const [id = '', ...rest] = value.split('=');
    if (selectedIds(id, known).length === 0) throw unknownRule(id, known);
    if (rest.length === 0) selected.push(id);
    else rules[id] = readSeverity(value, rest.join('='));
  }
  const run = new Set(selected.flatMap((selector) => selectedIds(selector, known)));
  const unused = Object.keys(rules).find((id) => run.size > 0 && !selectedIds(id, known).some((one) => run.has(one)));
  if (unused !== undefined) {
    throw new UserError('unused-option', `\`--rule ${unused}=${rules[unused]}\` has no effect: only other rules run`, {
      hint: `add --rule ${unused} to run it too`,
    });
  }
  return { only: selected.length > 0 ? selected : undefined, rules };
}

/**
 * @param {string} value
 * @param {string} severity
 * @returns {SeveritySetting}
 */
function readSeverity(value, severity) {
  const found = SEVERITIES.find((known) => known === severity);
  if (found) return found;
  const guess = nearest(severity, SEVERITIES);
  throw new UserError('bad-choice', `invalid severity in \`--rule ${value}\``, {
    hint: `${guess ? `did you mean \`${guess}\`? ` : ''}must be one of ${SEVERITIES.join(', ')}`,
  });
}
