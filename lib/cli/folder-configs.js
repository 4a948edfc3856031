// Reads configurations in folders below that of the run: each applies to the files of its folder, and its settings for
// a whole run are not used.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { checkRuleNames } from '../engine/rule-names.js';
import { loadConfigFile } from './config.js';
import { configIn } from './find-config.js';

/** @import { IgnoreSetting, Settings } from '../engine/settings.js' */
/** @import { Rule } from '../engine/rule.js' */
/** @import { Opened } from '../sources/open.js' */
/** @import { Config } from './config.js' */

/** Keys that are about a run and not about files. */
const OF_RUNS = [
  ...['paths', 'loads', 'logs', 'logFormat', 'logField', 'ruleFolders', 'baseline', 'failOn', 'maxWarnings', 'queries'],
  ...['documents', 'documentsPerSecond', 'clients'],
];

export class FolderConfigs {
  /** Those below that of the run, by absolute path. @type {Map<string, Config>} */
  #configs = new Map();
  /** By the path that is shown. @type {Map<string, Config>} */
  #ofFile = new Map();
  /** The nearest configuration file by folder. @type {Map<string, string | undefined>} */
  #nearest = new Map();

  /**
   * @param {Config} main that of the run
   * @param {{cwd: string, rules: Rule[], isAlone: boolean}} options `isAlone`: whether no other one holds, because the user named
   *   this one, or none
   */
  constructor(main, { cwd, rules, isAlone }) {
    this.main = main;
    this.cwd = cwd;
    this.rules = rules;
    this.isAlone = isAlone;
  }

  /** @returns {Config[]} that of the run first */
  get all() {
    return [this.main, ...this.#configs.values()];
  }

  /**
   * @param {string} file as it is shown
   * @returns {Config} that holds for it
   */
  of(file) {
    if (this.#configs.size === 0) return this.main;
    let found = this.#ofFile.get(file);
    if (!found) {
      found = this.#configs.get(this.#find(file) ?? '') ?? this.main;
      this.#ofFile.set(file, found);
    }
    return found;
  }

  /**
   * Loads the configurations that hold for what was read.
   * @param {Pick<Opened, 'records' | 'errors'>} opened
   * @returns {Promise<boolean>} whether one of them excludes files, so that it has to be read again
   * @throws {import('../shared/user-error.js').UserError} where one is not sound
   */
  async loadFor({ records, errors }) {
    if (this.isAlone) return false;
    let hasExclusions = false;
    const files = new Set([
      ...records.map(({ file }) => file.path),
      ...errors.flatMap(({ place }) => place?.file ?? []),
    ]);
    for (const name of files) {
      const found = this.#find(name);
      if (found === undefined || this.#configs.has(found)) continue;
      const config = await loadConfigFile(found, { cwd: this.cwd, mayRun: false });
      for (const layer of config.layers) checkRuleNames(layer, this.rules);
      this.#configs.set(found, config);
      this.#ofFile.clear();
      hasExclusions ||= config.exclude.length > 0;
    }
    return hasExclusions;
  }

  /**
   * @param {(config: Config) => Settings} make
   * @returns {Settings} those of the run, and for files of a folder with a configuration those of that
   */
  settings(make) {
    /** @type {Map<Config, Settings>} */
    const known = new Map();
    const settingsFor = (/** @type {Config} */ config) => {
      const settings = known.get(config) ?? make(config);
      known.set(config, settings);
      return settings;
    };
    const of = (/** @type {string} */ file) => settingsFor(this.of(file));
    /** @param {Config} config @returns {IgnoreSetting[]} */
    const ignoresOf = (config) =>
      settingsFor(config).ignores.map(({ entry, covers, isAbout }) => ({
        entry,
        covers: (finding) => this.of(finding.place.file) === config && covers(finding),
        isAbout: (about) => this.of(about.place.file) === config && isAbout(about),
      }));
    const all = () => this.all;
    return {
      ...settingsFor(this.main),
      targetOf: (file) => of(file).target,
      settingOf: (rule, file) => of(file).settingOf(rule, file),
      get ignores() {
        return all().flatMap(ignoresOf);
      },
    };
  }

  /**
   * @param {string} file as it is shown
   * @returns {string | undefined} the configuration of its folder, absolute; undefined where that of the run holds
   */
  #find(file) {
    // What stands at an address has no folder.
    if (file.includes('://')) return undefined;
    return this.#findFrom(path.dirname(path.resolve(this.cwd, file)));
  }

  /**
   * @param {string} folder absolute
   * @returns {string | undefined} the nearest configuration from there up to the folder below that of the run
   */
  #findFrom(folder) {
    if (!folder.startsWith(path.join(this.main.folder, path.sep))) return undefined;
    if (!this.#nearest.has(folder)) {
      const isRepository = existsSync(path.join(folder, '.git'));
      this.#nearest.set(folder, configIn(folder) ?? (isRepository ? undefined : this.#findFrom(path.dirname(folder))));
    }
    return this.#nearest.get(folder);
  }
}

/**
 * @param {Config} config of a folder
 * @returns {string[]} the keys in its file that a run above it does not use
 */
export function unusedKeys({ source, origins }) {
  return OF_RUNS.filter((key) => source !== undefined && origins[key]?.file === source.path);
}
