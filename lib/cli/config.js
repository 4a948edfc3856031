// The configuration: looked for, read where there is one, and turned into settings. What it says is checked elsewhere.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** @import { IgnoreEntry, OverrideEntry, RuleSettings } from '../engine/settings.js' */
/** @import { EngineName } from '../facts/fact.js' */
/** @import { Place, SourceFile } from '../shared/source-file.js' */

/**
 * @typedef {object} Config
 * @property {SourceFile | undefined} source its text; undefined where there is none
 * @property {string} folder what its paths and globs start from
 * @property {{version?: string, engine?: EngineName}} target
 * @property {string[]} paths absolute
 * @property {string[]} exclude
 * @property {string[]} loads files or globs, absolute
 * @property {string[]} logs files or globs, absolute
 * @property {string | undefined} logFormat
 * @property {RuleSettings} rules
 * @property {OverrideEntry[]} overrides
 * @property {IgnoreEntry[]} ignore
 * @property {string[]} ruleFolders absolute
 * @property {string | undefined} baseline absolute
 * @property {'error' | 'warning' | 'info' | 'never' | undefined} failOn
 * @property {number | undefined} maxWarnings
 * @property {{database: string, body: Record<string, unknown>}[]} queries Mango queries whose plans a server is asked for
 * @property {number | undefined} documents of the database
 * @property {number | undefined} documentsPerSecond that it indexes
 * @property {(pointer: (string | number)[]) => Place | undefined} placeOf where a part of it stands
 */

export const CONFIG_FILE = 'couch-advisor.config.json';
/** The member of `package.json` that holds it. */
export const PACKAGE_KEY = 'couch-advisor';

/**
 * @param {object} options
 * @param {string} options.cwd
 * @param {string | boolean | undefined} options.config a path; false for none; otherwise it is looked for upwards
 * @param {string[]} [options.paths] what is to be read: where that is one folder, it is looked for from there first
 * @returns {Promise<Config>}
 * @throws {import('../shared/user-error.js').UserError} where it cannot be read or says something that is not understood
 */
export async function loadConfig({ cwd, config, paths = [] }) {
  if (config === false) return emptyConfig(cwd);
  const file = typeof config === 'string' ? path.resolve(cwd, config) : findConfigFor(paths, cwd);
  if (!file) return emptyConfig(cwd);
  const { readConfig } = await import('./config-file.js');
  return { ...emptyConfig(path.dirname(file)), ...(await readConfig(file, cwd)) };
}

/**
 * A project that is named from outside keeps its settings: `lint projects/shop` is as `lint` in it.
 * @param {string[]} paths
 * @param {string} cwd
 * @returns {string | undefined}
 */
export function findConfigFor(paths, cwd) {
  const [only] = paths;
  const folder = paths.length === 1 && only !== undefined && only !== '-' ? path.resolve(cwd, only) : cwd;
  const isFolder = folder !== cwd && (statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false);
  return (isFolder ? findConfig(folder) : undefined) ?? findConfig(cwd);
}

/**
 * @param {string} cwd
 * @returns {string | undefined} the nearest configuration file, upwards to the root of the repository or the home folder
 */
function findConfig(cwd) {
  const home = homedir();
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    const file = path.join(folder, CONFIG_FILE);
    if (existsSync(file)) return file;
    const packageFile = path.join(folder, 'package.json');
    if (speaksOfUs(packageFile)) return packageFile;
    const isLast = folder === home || folder === path.dirname(folder);
    if (isLast || existsSync(path.join(folder, '.git'))) return undefined;
  }
}

/**
 * @param {string} packageFile
 * @returns {boolean} whether a configuration is in it; true where the file is broken and may hold one
 */
function speaksOfUs(packageFile) {
  let text;
  try {
    text = readFileSync(packageFile, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return false;
  }
  // The name is also that of the package: most files that have it have no configuration.
  if (!text.includes(`"${PACKAGE_KEY}"`)) return false;
  try {
    return JSON.parse(text)?.[PACKAGE_KEY] !== undefined;
  } catch {
    return true;
  }
}

/**
 * @param {string} folder
 * @returns {Config} the settings where there is no configuration file
 */
function emptyConfig(folder) {
  return {
    source: undefined,
    folder,
    target: {},
    paths: [],
    exclude: [],
    loads: [],
    logs: [],
    logFormat: undefined,
    rules: {},
    overrides: [],
    ignore: [],
    ruleFolders: [],
    baseline: undefined,
    failOn: undefined,
    maxWarnings: undefined,
    queries: [],
    documents: undefined,
    documentsPerSecond: undefined,
    placeOf: () => undefined,
  };
}
