// Lists the files of rules: those of the package, and those in folders of users.

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { PACKAGE_FOLDER } from '../package-folder.js';

/** The folder of the rules that come with the package. */
export const BUNDLED_RULES = path.join(PACKAGE_FOLDER, 'rules');

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
 * @param {string} folder
 * @returns {string[]}
 */
function foldersIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}
