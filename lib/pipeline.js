// Joins the stages: records to facts, facts to findings, findings to a report. Knows no command line and prints nothing.

import { describeSubject, judge } from './engine/judge.js';
import { coversLine, isMuted } from './engine/mute.js';
import { factCatalog } from './facts/catalog.js';
import { createAsk, ownerOfKind } from './facts/collect.js';
import { findIgnoreComments } from './facts/ignores.js';
import { createSubjects } from './facts/subjects.js';
import { byPlace } from './findings/order.js';
import { matchesGlob } from './shared/glob.js';
import { nearest } from './shared/nearest.js';

/** @import { Ask, Fact, Ignore, IgnoreSubject, RunSubject, Target } from './facts/fact.js' */
/** @import { Link, RuleSetting } from './engine/judge.js' */
/** @import { Mute } from './engine/mute.js' */
/** @import { Rule } from './engine/rule.js' */
/** @import { Finding, FindingSubject } from './findings/finding.js' */
/** @import { Opened } from './sources/open.js' */
/** @import { SourceRecord } from './sources/record.js' */
/** @import { Place } from './shared/source-file.js' */
/** @import { Report } from './reports/report.js' */

/** @typedef {'off' | 'error' | 'warning' | 'info'} SeveritySetting */

/**
 * @typedef {object} RuleSettings
 * @property {Map<string, SeveritySetting>} severities by rule id
 * @property {Map<string, Map<string, number>>} thresholds by rule id and question id
 */

/**
 * @typedef {RuleSettings & {
 *   target: Target,
 *   only?: string[] | undefined,
 *   overrides: (RuleSettings & {files: string[]})[],
 *   ignores: {rule: string, reason: string, designDoc?: string, view?: string, file?: string | undefined, key?: string, place: Place}[],
 * }} Settings `only` names the rules to ask; globs are relative to the working directory
 */

/** What is left of the report for others to add: how it is to be judged as a whole. @typedef {Omit<Report, 'failOn'>} Judged */

/**
 * @typedef {object} Advice
 * @property {Judged} report
 * @property {Link[]} links the findings of the report with what a fix needs, in the same order
 * @property {RunSubject} run
 * @property {Ask} ask
 * @property {number} staleBaselineCount findings of the baseline that were not found again
 */

/**
 * @param {object} options
 * @param {Opened} options.opened what was read
 * @param {Rule[]} options.rules
 * @param {Settings} options.settings
 * @param {string} options.version of couch-advisor
 * @param {ReadonlySet<string>} [options.baseline] keys of findings that are not reported
 * @returns {Advice}
 */
export function advise({ opened, rules, settings, version, baseline }) {
  const run = createSubjects(opened.records, settings.target);
  const ask = createAsk();
  const asked = settings.only ? rules.filter((rule) => settings.only?.includes(rule.id)) : rules;
  const options = { ask, target: settings.target, settingOf: settingsReader(settings) };

  const { links, cannotTell } = judge({ ...options, rules: asked, subjects: run.subjects });
  const mutes = findMutes(run, settings, rules);
  const spoken = links.filter(({ finding }) => !isMuted(finding, mutes));
  // Ignores are judged when it is known what each silenced; one of a rule that was not asked cannot be.
  const judgeable = mutes.filter(({ ignore }) => !ignore.knownRule || asked.some((rule) => rule.id === ignore.rule));
  const ofIgnores = judge({
    ...options,
    rules: asked,
    subjects: judgeable.map(({ ignore }) => ignoreSubject(ignore, run)),
  });

  const all = [...spoken, ...ofIgnores.links];
  const fresh = all.filter(({ finding }) => !baseline?.has(finding.key)).sort((a, b) => byPlace(a.finding, b.finding));
  const found = new Set(links.map(({ finding }) => finding.key));
  return {
    report: {
      version: 1,
      tool: { version },
      target: settings.target,
      findings: fresh.map(({ finding }) => finding),
      errors: opened.errors,
      notes: opened.notes,
      cannotTell: [...cannotTell, ...ofIgnores.cannotTell],
      read: opened.counts,
      silenced: { ignored: links.length - spoken.length, baseline: all.length - fresh.length },
      sources: opened.files,
      rules: asked.map(({ id, title, severity }) => ({ id, title, severity })),
    },
    links: fresh,
    run,
    ask,
    staleBaselineCount: [...(baseline ?? [])].filter((key) => !found.has(key)).length,
  };
}

/**
 * Every subject with every fact of its kind, for people who write rules.
 * @param {SourceRecord[]} records
 * @param {Target} target
 * @returns {(FindingSubject & {place: Place, facts: Map<string, Fact>})[]}
 */
export function collectAllFacts(records, target) {
  const run = createSubjects(records, target);
  const ask = createAsk();
  return run.subjects.map((subject) => ({
    ...describeSubject(subject),
    place: subject.place,
    facts: new Map(
      [...factCatalog.values()]
        .filter((declaration) => declaration.subject === subject.kind && ownerOfKind(subject, declaration.subject))
        .map(({ id }) => [id, ask(subject, id)]),
    ),
  }));
}

/**
 * @param {Settings} settings
 * @returns {(rule: Rule, file: string) => RuleSetting} the last override that fits the file and names the rule wins
 */
function settingsReader(settings) {
  return ({ id }, file) => {
    let severity = settings.severities.get(id);
    let thresholds = settings.thresholds.get(id);
    for (const override of settings.overrides) {
      const speaksOfRule = override.severities.has(id) || override.thresholds.has(id);
      if (!speaksOfRule || !override.files.some((glob) => matchesGlob(file, glob))) continue;
      severity = override.severities.get(id) ?? severity;
      thresholds = override.thresholds.get(id) ?? thresholds;
    }
    return { severity, thresholds };
  };
}

/**
 * @param {RunSubject} run
 * @param {Settings} settings
 * @param {Rule[]} rules
 * @returns {Mute[]}
 */
function findMutes(run, settings, rules) {
  const ids = rules.map((rule) => rule.id);
  /** @param {string} rule @param {string | undefined} reason @param {'comment' | 'config'} origin @param {Place} place @returns {Ignore} */
  const makeIgnore = (rule, reason, origin, place) => {
    const knownRule = ids.includes(rule);
    const nearestRule = knownRule ? undefined : nearest(rule, ids);
    return { rule, reason, origin, place, knownRule, nearestRule, silencedCount: 0 };
  };
  const comments = findIgnoreComments(run).map(({ rule, reason, place, covers }) => ({
    ignore: makeIgnore(rule, reason, 'comment', place),
    covers: coversLine(covers),
  }));
  const entries = settings.ignores.map((entry) => ({
    ignore: makeIgnore(entry.rule, entry.reason, 'config', entry.place),
    covers: (/** @type {Finding} */ { key, subject, place }) =>
      (entry.key === undefined || entry.key === key) &&
      (entry.designDoc === undefined || entry.designDoc === subject.designDoc) &&
      (entry.view === undefined || entry.view === subject.view) &&
      (entry.file === undefined || matchesGlob(place.file, entry.file)),
  }));
  return [...comments, ...entries];
}

/**
 * @param {Ignore} ignore
 * @param {RunSubject} run
 * @returns {IgnoreSubject}
 */
function ignoreSubject(ignore, run) {
  return { kind: 'ignore', name: ignore.rule, ignore, place: ignore.place, parent: run };
}
