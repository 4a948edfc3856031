// Reads the rule folders of this project for tests and tools: rule, cases and page.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ruleFiles } from '../../lib/engine/rule-files.js';
import { root } from './run-cli.js';

/** @import { Rule } from '../../lib/engine/rule.js' */
/** @import { Case } from '../../lib/engine/cases.js' */

/** @typedef {{id: string, folder: string, rule: Rule, cases: Case[], page: string, pageFile: string}} RuleFolder */

export const rulesRoot = path.join(root, 'rules');

/** @returns {RuleFolder[]} ordered by id */
export function readRuleFolders() {
  return ruleFiles(rulesRoot).map(({ id, file }) => readRuleFolder(id, path.dirname(file)));
}

/**
 * @param {string} id
 * @param {string} folder
 * @returns {RuleFolder} without cases or page where the folder has none; the test of the rule says so
 */
export function readRuleFolder(id, folder) {
  const pageFile = path.join(folder, 'README.md');
  const casesFile = path.join(folder, 'cases.json');
  return {
    id,
    folder,
    rule: { ...JSON.parse(readFileSync(path.join(folder, 'rule.json'), 'utf8')), folder },
    cases: existsSync(casesFile) ? JSON.parse(readFileSync(casesFile, 'utf8')) : [],
    page: existsSync(pageFile) ? readFileSync(pageFile, 'utf8') : '',
    pageFile,
  };
}

/**
 * @param {string} file below the rules folder
 * @returns {import('ajv').AnySchema}
 */
export function readRulesJson(file) {
  return JSON.parse(readFileSync(path.join(rulesRoot, file), 'utf8'));
}

/** What a rule needs that is about a server: its configuration, its answers. */
const ABOUT_SERVERS = new Set(['server-config', 'live-server', 'settings']);

/**
 * @param {Pick<Rule, 'id' | 'needs' | 'status'>[]} rules
 * @returns {{rules: Record<string, 'off'>}} share/presets/server.json: all rules are off that need nothing of a server
 */
export function serverPreset(rules) {
  const others = rules.filter(
    ({ needs, status }) => status !== 'retired' && !needs.some((one) => ABOUT_SERVERS.has(one)),
  );
  return { rules: Object.fromEntries(others.map(({ id }) => [id, 'off'])) };
}
