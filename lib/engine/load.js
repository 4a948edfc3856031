// Reads rule folders. The bundled rules are held by the tests and trusted here; those of users are checked in full.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pageAddress } from '../shared/page-address.js';

/** @import { ReadError } from '../sources/record.js' */
/** @import { Rule } from './rule.js' */

/** The folder of the rules that come with the package. */
export const BUNDLED_RULES = path.join(import.meta.dirname, '../../rules');

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
 * @param {string} folder a rules folder
 * @returns {{id: string, file: string}[]} every `<family>/<name>/rule.json` below it, the id being that path
 * @throws {NodeJS.ErrnoException} where the folder cannot be read
 */
export function ruleFiles(folder) {
  return foldersIn(folder).flatMap((family) =>
    foldersIn(path.join(folder, family)).map((name) => ({
      id: `${family}/${name}`,
      file: path.join(folder, family, name, 'rule.json'),
    })),
  );
}

/**
 * @param {{id: string, file: string}} source
 * @returns {Rule}
 */
function readRule({ file }) {
  return { ...JSON.parse(readFileSync(file, 'utf8')), folder: path.dirname(file) };
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function foldersIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}
