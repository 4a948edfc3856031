// Loads rules. Bundled rules are checked by the tests and trusted here; rules of users are checked in full.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PACKAGE_FOLDER } from '../package-folder.js';
import { pageAddress } from '../shared/page-address.js';
import { readBundledRules } from './bundled-rules.js';
import { BUNDLED_RULES } from './rule-files.js';
import { readUserRules } from './user-rules.js';

/** @import { ReadError } from '../sources/record.js' */
/** @import { Rule } from './rule.js' */

/**
 * @param {object} [options]
 * @param {string[]} [options.folders] rule folders of the user, absolute
 * @returns {Promise<{rules: Rule[], errors: ReadError[]}>} the bundled rules and those of the user, ordered by id; a
 *   rule of the user that is not sound gives an error and is left out
 */
export async function loadRules({ folders = [] } = {}) {
  const manifest = JSON.parse(readFileSync(path.join(PACKAGE_FOLDER, 'package.json'), 'utf8'));
  const bundled = readBundledRules().map((rule) => ({
    ...rule,
    folder: path.join(BUNDLED_RULES, rule.id),
    page: pageAddress(manifest, `rules/${rule.id}/README.md`),
  }));
  const users = readUserRules(folders, new Set(bundled.map((rule) => rule.id)));
  const rules = [...bundled, ...users.rules].sort((first, second) => (first.id < second.id ? -1 : 1));
  return { rules, errors: users.errors };
}
