// Looks for configuration files. Reads only enough to know whether a package.json holds one.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { mayRead } from '../files/confinement.js';
import { readTextFile } from '../files/open-file.js';
import { parseJson } from '../shared/parse-json.js';
import { UserError } from '../shared/user-error.js';
import { isFolder } from './read-if-there.js';

/** The name that is suggested where there is no configuration yet. */
export const CONFIG_FILE = 'couch-advisor.config.json';
/** The member of `package.json` that holds it. */
export const PACKAGE_KEY = 'couch-advisor';

const ENDINGS = ['json', 'jsonc', 'js', 'mjs', 'cjs', 'ts', 'mts', 'cts'];
export const CONFIG_FILES = ENDINGS.map((ending) => `couch-advisor.config.${ending}`);

/**
 * A project that is named from outside keeps its settings: `lint projects/shop` is as `lint` in it.
 * @param {string[]} paths
 * @param {string} cwd
 * @returns {string | undefined}
 * @throws {UserError} where two configurations lie in one folder
 */
export function findConfigFor(paths, cwd) {
  const [only] = paths;
  const folder = paths.length === 1 && only !== undefined && only !== '-' ? path.resolve(cwd, only) : cwd;
  return (folder !== cwd && isFolder(folder) ? findConfig(folder) : undefined) ?? findConfig(cwd);
}

/**
 * @param {string} from absolute path of a folder
 * @returns {string | undefined} the nearest configuration file, upwards to the root of the repository or the home folder
 * @throws {UserError} where two configurations lie in one folder
 */
export function findConfig(from) {
  const home = homedir();
  for (let folder = from; ; folder = path.dirname(folder)) {
    if (!mayRead(folder)) return undefined;
    const file = configIn(folder);
    if (file !== undefined) return file;
    const isLast = folder === home || folder === path.dirname(folder);
    if (isLast || existsSync(path.join(folder, '.git'))) return undefined;
  }
}

/**
 * @param {string} folder absolute
 * @returns {string | undefined} the configuration file in it
 * @throws {UserError} where there are two
 */
export function configIn(folder) {
  const [name, other] = CONFIG_FILES.filter((candidate) => existsSync(path.join(folder, candidate)));
  if (other !== undefined) {
    throw new UserError('config-twice', `${folder} contains two configuration files, ${name} and ${other}`, {
      hint: 'keep one of them, or select one with --config',
    });
  }
  if (name !== undefined) return path.join(folder, name);
  const packageFile = path.join(folder, 'package.json');
  return speaksOfUs(packageFile) ? packageFile : undefined;
}

/**
 * @param {string} packageFile
 * @returns {boolean} whether a configuration is in it; true where the file is broken and may hold one
 */
function speaksOfUs(packageFile) {
  let text;
  try {
    text = readTextFile(packageFile, { within: path.dirname(packageFile) });
  } catch {
    return false;
  }
  // The name is also that of the package: most files that have it have no configuration.
  if (!text.includes(`"${PACKAGE_KEY}"`)) return false;
  const value = /** @type {Record<string, unknown> | null | undefined} */ (parseJson(text));
  return value === undefined || value?.[PACKAGE_KEY] !== undefined;
}
