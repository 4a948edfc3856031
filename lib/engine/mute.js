// Silences findings by comments beside the code, by the configuration and by a baseline, and counts what each ignore
// silenced.

import { nearest } from '../shared/nearest.js';
import { describeSubject, isActive } from './judge.js';
import { familyOf, selectedIds, selectsRule } from './rule-selectors.js';

/** @import { Ignore, RunSubject } from '../facts/fact.js' */
/** @import { findIgnoreComments } from '../facts/ignores.js' */
/** @import { Finding } from './findings/finding.js' */
/** @import { Place } from '../shared/source-file.js' */
/** @import { Rule } from './rule.js' */
/** @import { Settings } from './settings.js' */

/** @typedef {Pick<Finding, 'key' | 'subject' | 'place'>} Covered what an ignore can go by, beside the rule */
/** An ignore with what it covers. @typedef {{ignore: Ignore, covers: (finding: Covered) => boolean}} Mute */

/**
 * @param {ReturnType<typeof findIgnoreComments>} comments
 * @param {{run: RunSubject, settings: Settings, rules: Rule[], active: Rule[]}} about `active`: the rules that this run evaluates
 * @param {Mute[]} mutes all ignores are added here
 * @returns {Ignore[]} those that could have silenced something: of the others it is not known whether they are of use
 */
export function findMutes(comments, { run, settings, rules, active }, mutes) {
  const ids = rules.map((rule) => rule.id);
  const selectors = [...ids, ...new Set(ids.map(familyOf))];
  /** @type {Ignore[]} */
  const judgeable = [];
  /** @param {Rule} rule @param {string} file */
  const isSetFor = (rule, file) => isActive(rule, settings.settingOf(rule, file), settings.targetOf(file));
  /** @param {Omit<Ignore, 'knownRule' | 'nearestRule' | 'silencedCount'>} written @param {Mute['covers']} covers @param {boolean} isJudged */
  const add = (written, covers, isJudged) => {
    const knownRule = selectedIds(written.rule, ids).length > 0;
    const nearestRule = knownRule ? undefined : nearest(written.rule, selectors);
    /** @type {Ignore} */
    const ignore = { ...written, knownRule, nearestRule, silencedCount: 0 };
    mutes.push({ ignore, covers });
    const meant = rules.filter(({ id }) => selectsRule(ignore.rule, id));
    const wanted = meant.filter((rule) => isSetFor(rule, ignore.place.file));
    // Of a family, each rule could have had the finding that is silenced.
    const isEvaluated = wanted.length > 0 && wanted.every((rule) => active.includes(rule));
    const isOfNoUse = !knownRule || ignore.nearestForm !== undefined;
    if (isOfNoUse || (isJudged && isEvaluated)) judgeable.push(ignore);
  };
  for (const { covers, ...written } of comments) {
    add({ ...written, origin: 'comment' }, covers ? coversLine(covers) : () => false, true);
  }
  for (const { entry, covers, isAbout } of settings.ignores) {
    const { rule, reason, key, place = run.place } = entry;
    // Of a part of the project, only what an entry says of that part can be known to be of no use.
    const isRead = () =>
      run.subjects.some((subject) => isAbout({ subject: describeSubject(subject), place: subject.place }));
    const isJudged = settings.isWhole || (key === undefined && isRead());
    add({ rule, reason, origin: 'config', place }, covers, isJudged);
  }
  return judgeable;
}

/**
 * @param {Finding} finding
 * @param {Mute[]} mutes
 * @returns {boolean} whether some ignore covers it; every ignore that does is counted
 */
export function isMuted(finding, mutes) {
  let muted = false;
  for (const { ignore, covers } of mutes) {
    if (!selectsRule(ignore.rule, finding.rule) || !covers(finding)) continue;
    ignore.silencedCount += 1;
    muted = true;
  }
  return muted;
}

/**
 * @param {Place} line the stretch of a file that a comment speaks of
 * @returns {(finding: Pick<Covered, 'place'>) => boolean} whether a finding begins in it
 */
export function coversLine(line) {
  return ({ place }) => {
    if (place.file !== line.file) return false;
    const endLine = line.endLine ?? line.line;
    if (place.line < line.line || place.line > endLine) return false;
    if (place.line === line.line && place.column < line.column) return false;
    return place.line !== endLine || place.column <= (line.endColumn ?? Number.POSITIVE_INFINITY);
  };
}
