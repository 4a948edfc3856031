// Finds the rules in a folder of rules.

import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The folder of the rules that come with the package. */
export const BUNDLED_RULES = path.join(import.meta.dirname, '../../rules');

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
