// Makes the check list of an upgrade: what was found of each change, and what the findings of two versions have in which they differ.

import { compareVersions } from '../../../shared/version.js';
import { changesBetween, readTables, releaseOf } from './changes.js';
import { detect } from './detect.js';
import { changedDefaults, setOptions } from './options.js';

/** @import { Target } from '../../../facts/fact.js' */
/** @import { CheckItem, Upgrade } from '../../../reports/upgrade.js' */
/** @import { SourceRecord } from '../../../sources/record.js' */
/** @import { Change } from './changes.js' */
/** @import { Comparison, Judged } from './compare-runs.js' */
/** @import { Detection, Evident } from './detect.js' */

const PHASES = ['before', 'during', 'after'];
const KINDS = ['first', 'skip', 'breaks', 'silent', 'better', 'deprecated'];
const STATES = ['found', 'by-hand', 'lacking', 'clear'];

/**
 * @param {Comparison} comparison
 * @param {SourceRecord[]} records
 * @param {{from: Target, to: Target}} targets
 * @returns {Upgrade}
 */
export function checkList(comparison, records, { from, to }) {
  const { changes, options: table } = readTables();
  const between = { from: releaseOf(from.version, table), to: releaseOf(to.version, table) };
  const set = setOptions(records, table, between.from);
  /** @type {Evident} */
  const evident = { comparison, records, set, table, between, used: new Set() };
  const items = changesBetween(changes, between).map((change) => itemOf(change, detect(change, evident)));
  items.push(...otherFindings(comparison, evident));
  items.sort(
    (one, other) =>
      PHASES.indexOf(one.phase) - PHASES.indexOf(other.phase) ||
      STATES.indexOf(one.state) - STATES.indexOf(other.state) ||
      KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) ||
      compareVersions(one.since ?? '0.0.0', other.since ?? '0.0.0'),
  );
  return {
    from: { ...from, version: between.from },
    to: { ...to, version: between.to },
    items,
    defaults: changedDefaults(set, table, between),
  };
}

/** @param {Change} change @param {Detection} detection @returns {CheckItem} */
function itemOf(change, detection) {
  const { id, since, kind, phase, severity, title, advice, commands, source, triedOn, notTried } = change;
  return {
    id,
    ...(compareVersions(since, '1.1') < 0 ? {} : { since }),
    kind,
    phase,
    severity,
    title,
    advice,
    commands: commands ?? [],
    source,
    triedOn,
    ...(notTried === undefined ? {} : { notTried }),
    state: detection.state,
    evidence: ('evidence' in detection && detection.evidence) || [],
    ...('reason' in detection ? { reason: detection.reason } : {}),
  };
}

/**
 * @param {Comparison} comparison
 * @param {Evident} evident
 * @returns {CheckItem[]} findings that only one of the versions has and that no change of the table explains, one item for each outcome of a rule
 */
function otherFindings({ appearing, vanishing }, { used, between }) {
  /** @type {Map<string, CheckItem>} */
  const items = new Map();
  const add = (/** @type {Judged} */ { finding, rule }, /** @type {boolean} */ isNew) => {
    const kind = kindOf({ finding, rule }, between, isNew);
    const id = `${finding.rule}#${finding.outcome}${isNew ? '' : ' (gone)'}`;
    const item = items.get(id) ?? {
      id,
      kind,
      phase: kind === 'breaks' || kind === 'silent' ? 'before' : 'after',
      severity: isNew ? finding.severity : 'info',
      title: isNew ? finding.title : `no longer a problem: ${finding.title}`,
      advice: isNew ? finding.advice : 'Nothing has to be done.',
      commands: [],
      source: finding.sources[0] ?? '',
      triedOn: [],
      state: 'found',
      evidence: [],
    };
    item.evidence.push({ text: finding.message, place: finding.place, key: finding.key });
    items.set(id, item);
  };
  for (const judged of appearing) if (!used.has(judged.finding.key)) add(judged, true);
  // What is advised against in the new version as well, with another outcome, has not gone.
  const same = new Set(appearing.map(({ finding }) => placeOf(finding)));
  for (const judged of vanishing) if (!same.has(placeOf(judged.finding))) add(judged, false);
  return [...items.values()];
}

/** @param {Judged['finding']} finding @returns {string} */
function placeOf({ rule, place }) {
  return `${rule} ${place.file}:${place.line}`;
}

/**
 * @param {Judged} judged
 * @param {{from: string}} between
 * @param {boolean} isNew
 * @returns {CheckItem['kind']}
 */
function kindOf({ finding, rule }, { from }, isNew) {
  const since = rule?.appliesTo?.from;
  // A rule that begins with the new version advises on what that version can do.
  const isAbility = since !== undefined && compareVersions(from, since) < 0;
  if (!isNew || isAbility) return 'better';
  return finding.severity === 'error' ? 'breaks' : 'silent';
}
