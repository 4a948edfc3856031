// Determines what the user's configuration says of each rule at each file: severity, thresholds, ignores and the target
// version.

import { matchesGlob } from '../shared/glob.js';
import { familyOf, normalizeSelector, selectsRule } from './rule-selectors.js';

/** @import { Target } from '../facts/fact.js' */
/** @import { Finding, Severity } from './findings/finding.js' */
/** @import { Place } from '../shared/source-file.js' */
/** @import { RuleSetting } from './judge.js' */
/** @import { Rule } from './rule.js' */

/** @typedef {Severity | 'off'} SeveritySetting */
/** @typedef {Record<string, SeveritySetting | {severity?: SeveritySetting, thresholds?: Record<string, number>}>} RuleSettings by rule id or family; an id wins */
/** @typedef {{files?: string[], rules: RuleSettings}} OverrideEntry globs of files, all where absent, and what holds there */
/** @typedef {{rule: string, reason: string, designDoc?: string, view?: string, file?: string, key?: string, place?: Place | undefined}} IgnoreEntry `place`: where it stands */

/**
 * @typedef {object} Wishes
 * @property {Target} target
 * @property {string[]} [only] ids and families of the rules to run; all where absent
 * @property {boolean} [drafts] whether drafts run as stable rules do; only those that are named where absent
 * @property {RuleSettings} [rules]
 * @property {OverrideEntry[]} [overrides] later ones win
 * @property {IgnoreEntry[]} [ignore]
 * @property {boolean} [isWhole] whether all of the project is read: only then an ignore that silences nothing is known to be
 *   of no use
 */

/**
 * @typedef {object} IgnoreSetting
 * @property {IgnoreEntry} entry
 * @property {(finding: Pick<Finding, 'key' | 'subject' | 'place'>) => boolean} covers whether all that the entry says holds
 *   for a finding
 * @property {(about: Pick<Finding, 'subject' | 'place'>) => boolean} isAbout whether the entry names this document or file
 */

/**
 * @typedef {object} Settings
 * @property {Target} target of the run
 * @property {(file: string) => Target} targetOf of what a file holds
 * @property {(id: string) => boolean} isSelected whether the rule is among those to run
 * @property {boolean} isWhole
 * @property {(rule: Rule, file: string) => RuleSetting} settingOf
 * @property {IgnoreSetting[]} ignores
 */

/** @type {RuleSetting} */
const NOTHING_SET = { severity: undefined, thresholds: undefined };

/**
 * @param {Wishes} wishes
 * @param {(file: string) => string} [locate] from a path as findings have it to the one that globs are matched with
 * @returns {Settings}
 */
export function createSettings(wishes, locate = (file) => file) {
  const { target, only, drafts = false, rules = {}, overrides = [], ignore = [], isWhole = true } = wishes;
  const general = readRuleSettings(rules);
  const special = overrides.map((override) => ({ files: override.files, settings: readRuleSettings(override.rules) }));
  /** @type {Map<string, Map<string, RuleSetting>[]>} */
  const byFile = new Map();
  /** @param {string} file */
  const specialOf = (file) => {
    let fitting = byFile.get(file);
    if (!fitting) {
      const located = locate(file);
      fitting = special
        .filter(({ files }) => files?.some((glob) => matchesGlob(located, glob)) ?? true)
        .map(({ settings }) => settings);
      byFile.set(file, fitting);
    }
    return fitting;
  };
  return {
    target,
    targetOf: () => target,
    isWhole,
    isSelected: (id) => only?.some((selector) => selectsRule(selector, id)) ?? true,
    settingOf: ({ id, severity, status }, file) => {
      const isOptIn = status === 'draft' && !drafts;
      const found = special.length > 0 ? specialOf(file) : [];
      const setting =
        [general, ...found].map((settings) => settingIn(settings, id, isOptIn)).reduce(merge, NOTHING_SET) ??
        NOTHING_SET;
      // Who names a draft wants to hear it.
      const isWanted = status === 'draft' && setting.severity === undefined && (drafts || only?.includes(id));
      return isWanted ? { ...setting, severity } : setting;
    },
    ignores: ignore.map((entry) => readIgnore(entry, locate)),
  };
}

/**
 * @param {RuleSetting | undefined} general
 * @param {RuleSetting | undefined} special
 * @returns {RuleSetting | undefined} what the special one leaves open is as the general one says
 */
function merge(general, special) {
  if (!special || !general) return special ?? general;
  const thresholds = special.thresholds && new Map([...(general.thresholds ?? []), ...special.thresholds]);
  return { severity: special.severity ?? general.severity, thresholds: thresholds ?? general.thresholds };
}

/**
 * @param {Map<string, RuleSetting>} settings
 * @param {string} id
 * @param {boolean} isOptIn whether a severity of its family does not turn the rule on
 * @returns {RuleSetting | undefined} what is set for its family, and for itself, which wins
 */
function settingIn(settings, id, isOptIn) {
  const ofFamily = settings.get(familyOf(id));
  const usable = isOptIn && ofFamily?.severity !== 'off' ? undefined : ofFamily;
  return merge(usable, settings.get(id));
}

/**
 * @param {RuleSettings} settings
 * @returns {Map<string, RuleSetting>}
 */
function readRuleSettings(settings) {
  return new Map(
    Object.entries(settings).map(([id, setting]) => {
      const { severity, thresholds } =
        typeof setting === 'string' ? { severity: setting, thresholds: undefined } : setting;
      return [normalizeSelector(id), { severity, thresholds: thresholds && new Map(Object.entries(thresholds)) }];
    }),
  );
}

/**
 * @param {IgnoreEntry} entry
 * @param {(file: string) => string} locate
 * @returns {IgnoreSetting}
 */
function readIgnore(entry, locate) {
  const { key, designDoc, view, file } = entry;
  /** @type {IgnoreSetting['isAbout']} */
  const fits = ({ subject, place }) =>
    (designDoc === undefined || bareName(designDoc) === bareName(subject.designDoc)) &&
    (file === undefined || matchesGlob(locate(place.file), file));
  return {
    entry,
    covers: (finding) =>
      (key === undefined || key === finding.key) &&
      (view === undefined || view === finding.subject.view) &&
      fits(finding),
    isAbout: (about) => (designDoc !== undefined || file !== undefined) && fits(about),
  };
}

/**
 * @param {string | undefined} id of a design document
 * @returns {string | undefined} without what every such id begins with
 */
function bareName(id) {
  return id?.replace(/^_design\//, '');
}
