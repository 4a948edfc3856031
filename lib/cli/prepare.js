// What every command that reads sources does first: configuration, rules, sources, settings.

import path from 'node:path';
import { loadRules } from '../engine/load.js';
import { UserError } from '../shared/user-error.js';
import { isVersion, NEWEST_COUCHDB } from '../shared/version.js';
import { openSources } from '../sources/open.js';
import { checkRuleNames, loadConfig, unknownRule } from './config.js';

/** @import { Readable } from 'node:stream' */
/** @import { Rule } from '../engine/rule.js' */
/** @import { EngineName, Target } from '../facts/fact.js' */
/** @import { Opened } from '../sources/open.js' */
/** @import { Settings } from '../pipeline.js' */
/** @import { Config, RuleSettings } from './config.js' */
/** @import { Surroundings } from './main.js' */

/**
 * @typedef {object} SourceOptions
 * @property {string} [target]
 * @property {EngineName} [engine]
 * @property {string | boolean} [config]
 * @property {string} [stdinFilename]
 * @property {string[]} [rule]
 */

/** @typedef {{config: Config, rules: Rule[], settings: Settings, opened: Opened}} Prepared */

/**
 * @param {SourceOptions} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<Prepared>}
 * @throws {UserError} where the command line or the configuration cannot be used
 */
export async function prepare(options, paths, surroundings) {
  const { cwd, stdin } = surroundings;
  const { config, rules } = await prepareRules(options, cwd);
  const target = targetOf(options, config);
  for (const id of options.rule ?? []) {
    if (!rules.some((rule) => rule.id === id))
      throw unknownRule(
        id,
        rules.map((rule) => rule.id),
      );
  }
  const opened = await openSources({
    paths: paths.length > 0 ? paths : config.paths.map((item) => path.relative(cwd, item) || '.'),
    cwd,
    exclude: config.exclude.map((glob) => relativeGlob(glob, config.folder, cwd)),
    stdin: paths.includes('-') ? { text: await readAll(stdin), filename: options.stdinFilename } : undefined,
  });
  return { config, rules, opened, settings: settingsOf(options, config, target, cwd) };
}

/**
 * @param {{config?: string | boolean}} options
 * @param {string} cwd
 * @returns {Promise<{config: Config, rules: Rule[]}>}
 */
export async function prepareRules(options, cwd) {
  const config = await loadConfig({ cwd, config: options.config });
  const { rules, errors } = await loadRules({ folders: config.ruleFolders });
  const [error] = errors;
  if (error) throw new UserError('bad-rule', error.message, { place: error.place, hint: error.hint });
  checkRuleNames(config, rules);
  return { config, rules };
}

/**
 * @param {SourceOptions} options
 * @param {Config} config
 * @returns {Target}
 */
function targetOf(options, config) {
  const version = options.target ?? config.target.version ?? NEWEST_COUCHDB;
  if (!isVersion(version)) {
    throw new UserError('bad-version', `--target is \`${version}\`, which is no CouchDB version`, {
      hint: 'write it like --target 3.3',
    });
  }
  return { version, engine: options.engine ?? config.target.engine };
}

/**
 * @param {SourceOptions} options
 * @param {Config} config
 * @param {Target} target
 * @param {string} cwd
 * @returns {Settings}
 */
function settingsOf(options, config, target, cwd) {
  return {
    target,
    only: options.rule,
    ...splitRuleSettings(config.rules),
    overrides: config.overrides.map(({ files, rules }) => ({
      files: files.map((glob) => relativeGlob(glob, config.folder, cwd)),
      ...splitRuleSettings(rules),
    })),
    ignores: config.ignore.map((ignore) => ({
      ...ignore,
      file: ignore.file === undefined ? undefined : relativeGlob(ignore.file, config.folder, cwd),
    })),
  };
}

/**
 * @param {RuleSettings} settings
 * @returns {Pick<Settings, 'severities' | 'thresholds'>}
 */
function splitRuleSettings(settings) {
  /** @type {Settings['severities']} */
  const severities = new Map();
  /** @type {Settings['thresholds']} */
  const thresholds = new Map();
  for (const [id, setting] of Object.entries(settings)) {
    const severity = typeof setting === 'string' ? setting : setting.severity;
    if (severity) severities.set(id, severity);
    if (typeof setting === 'object' && setting.thresholds)
      thresholds.set(id, new Map(Object.entries(setting.thresholds)));
  }
  return { severities, thresholds };
}

/**
 * @param {string} glob relative to the configuration file
 * @param {string} folder of the configuration file
 * @param {string} cwd
 * @returns {string} relative to the working directory, as the paths of findings are
 */
function relativeGlob(glob, folder, cwd) {
  const prefix = path.relative(cwd, folder).replaceAll(path.sep, '/');
  return prefix === '' ? glob : `${prefix}/${glob}`;
}

/**
 * @param {Readable} stream
 * @returns {Promise<Buffer>}
 */
async function readAll(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}
