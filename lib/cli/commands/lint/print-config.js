// `--print-config`: prints the configuration that applies to one file, and where each part of it was set.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { isActive } from '../../../engine/judge.js';
import { selectedIds, selectsRule } from '../../../engine/rule-selectors.js';
import { stringifyJson } from '../../../reports/stringify-json.js';
import { matchesGlob } from '../../../shared/glob.js';
import { UserError } from '../../../shared/user-error.js';
import { createExclusion } from '../../../sources/ignore-rules.js';
import { EXIT } from '../../exit-codes.js';
import { findServerOf, pathFrom, prepareRules, ruleIds, settingsOf } from '../../prepare.js';
import { isFolder } from '../../read-if-there.js';
import { readRuleOptions } from '../../rule-options.js';

/** @import { Rule } from '../../../engine/rule.js' */
/** @import { Settings } from '../../../engine/settings.js' */
/** @import { Place } from '../../../shared/source-file.js' */
/** @import { Config } from '../../config.js' */
/** @import { Surroundings } from '../../main.js' */
/** @import { SourceOptions } from '../../prepare.js' */
/** @import { RuleOptions } from '../../rule-options.js' */

/**
 * @param {SourceOptions & {failOn?: string, maxWarnings?: number}} options
 * @param {string} name of the file, which need not exist
 * @param {string[]} paths that the command line names
 * @param {Pick<Surroundings, 'cwd' | 'stdout'>} surroundings
 * @returns {Promise<number>} the exit code
 * @throws {UserError} where a folder is named, or the configuration cannot be used
 */
export async function printConfig(options, name, paths, { cwd, stdout }) {
  const file = path.resolve(cwd, name);
  if (paths.length > 0) {
    throw new UserError('unused-path', `--print-config takes no paths, but \`${paths[0]}\` was given`, {
      hint: 'put one file after --print-config',
    });
  }
  if (isFolder(file)) {
    throw new UserError('not-a-file', `--print-config requires a file; \`${name}\` is a folder`, {
      hint: 'use a file in it, which need not exist',
    });
  }
  let folder = path.dirname(file);
  while (!existsSync(folder)) folder = path.dirname(folder);
  const { config, rules } = await prepareRules(options, cwd, [folder]);
  const ruleOptions = readRuleOptions(options.rule, ruleIds(rules));
  const server = await findServerOf(config, options, { cwd });
  const settings = settingsOf(options, config, { cwd, isWhole: false, ruleOptions, server });
  const shown = pathFrom(cwd, file);
  const located = pathFrom(config.folder, file);
  const isExcluded = await createExclusion([{ patterns: config.exclude, folder: config.folder }]);
  const { layers, origins, ignore, baseline } = config;
  const shownAll = (/** @type {string[]} */ names) => names.map((one) => pathFrom(cwd, one));
  const printed = {
    version: 1,
    file: shown,
    configurations: layers.map(({ source }) => source.path),
    isExcluded: isExcluded(file, false),
    target: settings.target,
    failOn: options.failOn ?? config.failOn ?? 'error',
    maxWarnings: options.maxWarnings ?? config.maxWarnings,
    paths: shownAll(config.paths),
    drafts: options.drafts ?? config.drafts,
    exclude: config.exclude,
    loads: shownAll(config.loads),
    logs: shownAll(config.logs),
    logFormat: config.logFormat,
    logField: config.logField,
    ruleFolders: shownAll(config.ruleFolders),
    baseline: baseline && pathFrom(cwd, baseline),
    queries: config.queries,
    documents: config.documents,
    documentsPerSecond: config.documentsPerSecond,
    clients: config.clients,
    ignore: ignore
      .filter((entry) => entry.file === undefined || matchesGlob(located, entry.file))
      .map(({ place, ...entry }) => ({ ...entry, from: describePlace(place) })),
    rules: describeRules({ rules, settings, ruleOptions, shown }, placesOfRules(config, located, ruleIds(rules))),
    from: Object.fromEntries(Object.entries(origins).map(([key, place]) => [key, describePlace(place)])),
  };
  stdout.write(stringifyJson(printed));
  return EXIT.CLEAN;
}

/**
 * @param {{rules: Rule[], settings: Settings, ruleOptions: RuleOptions, shown: string}} about `shown`: the file
 * @param {Map<string, Place | undefined>} places where each rule was set
 * @returns {Record<string, object>} by rule id
 */
function describeRules({ rules, settings, ruleOptions, shown }, places) {
  const typed = Object.keys(ruleOptions.rules);
  const described = rules.map((rule) => {
    const setting = settings.settingOf(rule, shown);
    const isOn = isActive(rule, setting, settings.target) && settings.isSelected(rule.id);
    const isTyped = ruleOptions.only !== undefined || typed.some((selector) => selectsRule(selector, rule.id));
    const from = isTyped ? '--rule' : describePlace(places.get(rule.id));
    const severity = isOn ? (setting.severity ?? rule.severity) : 'off';
    const thresholds = setting.thresholds && Object.fromEntries(setting.thresholds);
    return [rule.id, { severity, thresholds, from }];
  });
  return Object.fromEntries(described);
}

/**
 * @param {Config} config
 * @param {string} located the file, from the folder of the configuration
 * @param {string[]} ids of all rules
 * @returns {Map<string, Place | undefined>} where each rule was set last
 */
function placesOfRules({ layers }, located, ids) {
  /** @type {Map<string, Place | undefined>} */
  const places = new Map();
  /** @param {string} selector @param {object} set all that is set beside it @param {Place | undefined} place */
  const add = (selector, set, place) => {
    // An id wins over its family.
    for (const id of selectedIds(selector, ids)) if (id === selector || !Object.hasOwn(set, id)) places.set(id, place);
  };
  for (const { rules, overrides, placeOf } of layers) {
    for (const selector of Object.keys(rules)) add(selector, rules, placeOf(['rules', selector]));
    for (const [index, override] of overrides.entries()) {
      if (!override.files?.some((glob) => matchesGlob(located, glob))) continue;
      for (const selector of Object.keys(override.rules)) {
        add(selector, override.rules, placeOf(['overrides', index, 'rules', selector]));
      }
    }
  }
  return places;
}

/** @param {Place | undefined} place @returns {string | undefined} */
function describePlace(place) {
  return place && `${place.file}:${place.line}:${place.column}`;
}
