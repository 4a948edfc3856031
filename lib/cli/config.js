// Loads the configuration of a run: finds it and reads it with all that it extends, as one object.

import path from 'node:path';
import { readConfig } from './config-extends.js';
import { findConfigFor } from './find-config.js';

/** @import { IgnoreEntry, OverrideEntry, RuleSettings } from '../engine/settings.js' */
/** @import { EngineName } from '../javascript/engines.js' */
/** @import { Place, SourceFile } from '../shared/source-file.js' */

/**
 * @typedef {object} ConfigLayer What one file says of rules.
 * @property {SourceFile} source
 * @property {RuleSettings} rules
 * @property {OverrideEntry[]} overrides
 * @property {(pointer: (string | number)[]) => Place | undefined} placeOf where a part of the file stands
 */

/**
 * @typedef {object} Config
 * @property {SourceFile | undefined} source its text; undefined where there is none
 * @property {string} folder what its globs start from
 * @property {{version?: string, engine?: EngineName}} target
 * @property {string[]} paths absolute
 * @property {string[]} exclude
 * @property {string[]} loads files or globs, absolute
 * @property {string[]} logs files or globs, absolute
 * @property {string | undefined} logFormat
 * @property {string | undefined} logField
 * @property {ConfigLayer[]} layers the files that it extends and then itself: later ones win
 * @property {boolean} drafts whether drafts run as stable rules do
 * @property {IgnoreEntry[]} ignore
 * @property {string[]} ruleFolders absolute
 * @property {string | undefined} baseline absolute
 * @property {'error' | 'warning' | 'info' | 'never' | undefined} failOn
 * @property {number | undefined} maxWarnings
 * @property {{database: string, body: Record<string, unknown>}[]} queries Mango queries whose plans are requested from a server
 * @property {number | undefined} documents of the database
 * @property {number | undefined} documentsPerSecond that it indexes
 * @property {Record<string, string>} clients names of clients by the code that stands for one
 * @property {Record<string, Place | undefined>} origins where each of its keys was set last
 */

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
  const isNamed = typeof config === 'string';
  const file = isNamed ? path.resolve(cwd, config) : findConfigFor(paths, cwd);
  return file === undefined ? emptyConfig(cwd) : loadConfigFile(file, { cwd, mayRun: isNamed });
}

/**
 * @param {string} file absolute
 * @param {{cwd: string, mayRun: boolean}} options `mayRun`: whether configurations that are JavaScript are run
 * @returns {Promise<Config>}
 * @throws {import('../shared/user-error.js').UserError} as loadConfig
 */
export async function loadConfigFile(file, options) {
  return { ...emptyConfig(path.dirname(file)), ...(await readConfig(file, options)) };
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
    logField: undefined,
    layers: [],
    drafts: false,
    ignore: [],
    ruleFolders: [],
    baseline: undefined,
    failOn: undefined,
    maxWarnings: undefined,
    queries: [],
    documents: undefined,
    documentsPerSecond: undefined,
    clients: {},
    origins: {},
  };
}
