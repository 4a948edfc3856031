// Reads rule folders. The bundled rules are held by the tests and trusted here; those of users are checked in full.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pageAddress } from '../shared/page-address.js';
import { BUNDLED_RULES, ruleFiles } from './rule-files.js';

/** @import { ReadError } from '../sources/record.js' */
/** @import { Rule } from './rule.js' */

/**
 * @param {object} [options]
 * @param {string[]} [options.folders] rule folders of the user, absolute
 * @returns {Promise<{rules: Rule[], errors: ReadError[]}>} the bundled rules and those of the user, ordered by id; a
 *   rule of the user that is not sound gives an error and is left out
 */
export async function loadRules({ folders = [] } = {}) {
  const manifest = JSON.parse(readFileSync(path.join(BUNDLED_RULES, '../package.json'), 'utf8'));
  /** @type {Rule[]} */
  const rules = ruleFiles(BUNDLED_RULES).map((source) => ({
    ...readRule(source),
    page: pageAddress(manifest, `rules/${source.id}/README.md`),
  }));
  /** @type {ReadError[]} */
  const errors = [];
  if (folders.length > 0) {
    const { readUserRules } = await import('./user-rules.js');
    const users = readUserRules(folders, new Set(rules.map((rule) => rule.id)));
    rules.push(...users.rules);
    errors.push(...users.errors);
  }
  rules.sort((first, second) => (first.id < second.id ? -1 : 1));
  return { rules, errors };
}

/**
 * @param {{id: string, file: string}} source
 * @returns {Rule}
 */
function readRule({ file }) {
  return { ...JSON.parse(readFileSync(file, 'utf8')), folder: path.dirname(file) };
}
