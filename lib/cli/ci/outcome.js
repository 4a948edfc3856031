// Compares two judged states of a project: findings that are new, old ones in what the change touches, those that are
// gone, and the cost of its indexes. Pure.

import { keysOf } from '../../engine/findings/finding.js';
import { groupBy } from '../../shared/group-by.js';
import { countOf } from '../../shared/units.js';
import { isBuilt } from './index-builds.js';

/** @import { Finding } from '../../engine/findings/finding.js' */
/** @import { Report } from '../../reports/report.js' */
/** @import { DiskCost } from './disk.js' */
/** @import { IndexBuild } from './index-builds.js' */

/**
 * @typedef {object} ChangeOutcome
 * @property {{name: string, commit: string}} base
 * @property {string[]} touched documents, indexes and settings: the files of those that the change touches
 * @property {Report} report whose findings are the new ones
 * @property {Finding[]} old findings in what is touched that were there before
 * @property {number} elsewhere how many findings were there before in what is not touched
 * @property {number} gone how many findings the change removes
 * @property {IndexBuild[]} builds
 * @property {DiskCost | undefined} [disk] that the indexes take; undefined where nothing is known of it
 */

/**
 * @param {object} given
 * @param {ChangeOutcome['base']} given.base
 * @param {Report} given.report of the state as it is now, with the findings that the base did not have
 * @param {readonly Finding[]} given.before findings of the base
 * @param {readonly Finding[]} given.known those of the base that are still there
 * @param {IndexBuild[]} given.builds
 * @param {DiskCost | undefined} [given.disk]
 * @param {(finding: Finding) => boolean} given.isTouched
 * @param {string[]} given.touched
 * @returns {ChangeOutcome}
 */
export function outcomeOf({ base, report, before, known, builds, disk, isTouched, touched }) {
  const present = new Set(known.flatMap(keysOf));
  const inTouched = known.filter(isTouched);
  return {
    base,
    touched,
    report,
    old: inTouched,
    elsewhere: known.length - inTouched.length,
    gone: before.filter((finding) => !keysOf(finding).some((key) => present.has(key))).length,
    builds,
    disk,
  };
}

/**
 * @param {IndexBuild[]} builds
 * @returns {Map<string, IndexBuild[]>} by design document, in order
 */
export function buildsByDocument(builds) {
  return groupBy(builds, ({ designDoc, file }) => JSON.stringify([designDoc, file]));
}

/**
 * @param {ChangeOutcome} outcome
 * @returns {string} `3 new findings, 1 fixed; 14 old findings unchanged, 2 of them in the changed parts`
 */
export function describeFindings({ report, gone, old, elsewhere }) {
  const fresh = report.findings.length === 0 ? 'No new findings' : countOf(report.findings.length, 'new finding');
  const fixed = gone > 0 ? `, ${gone} fixed` : '';
  const unchanged = old.length + elsewhere;
  if (unchanged === 0) return `${fresh}${fixed}`;
  const inside = old.length === 0 ? '' : `, ${old.length} of them in the changed parts`;
  return `${fresh}${fixed}; ${countOf(unchanged, 'old finding')} unchanged${inside}`;
}

/**
 * @param {ChangeOutcome} outcome
 * @returns {string} what the change costs, in one sentence
 */
export function summarizeBuilds({ builds }) {
  const count = (/** @type {IndexBuild['fate']} */ fate) => builds.filter((build) => build.fate === fate).length;
  const [rebuilt, fresh, kept] = [count('rebuilt'), count('new'), count('kept') + count('shared')];
  if (!builds.some(({ fate }) => isBuilt(fate))) {
    return kept === 0 ? 'No index is affected.' : 'No index is rebuilt.';
  }
  const parts = [];
  if (rebuilt > 0) parts.push(`${rebuilt} ${rebuilt === 1 ? 'index is' : 'indexes are'} rebuilt`);
  if (fresh > 0) parts.push(`${fresh} new ${fresh === 1 ? 'index is' : 'indexes are'} built`);
  return `${parts.join(', ')}.`;
}

/**
 * @param {IndexBuild} build
 * @returns {string} `the views of _design/orders (by_date, total)`; raw
 */
export function describeIndex({ designDoc, file, kind, name, views }) {
  const document = designDoc ?? file;
  if (kind === 'views') return `the views of ${document} (${listShortly(views)})`;
  if (kind === 'mango') return `the Mango index ${name === '' ? `in ${file}` : name}`;
  return `the ${kind} index ${name} of ${document}`;
}

/** Longer lists say no more. */
const MAX_LISTED = 5;

/** @param {string[]} names @returns {string} */
export function listShortly(names) {
  const rest = names.length - MAX_LISTED;
  return names.slice(0, MAX_LISTED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** What each fate means, for people. @type {Record<IndexBuild['fate'], string>} */
export const FATES = {
  rebuilt: 'rebuilt',
  new: 'new, built',
  shared: 'exists already, under another design document',
  kept: 'kept',
  dropped: 'removed; its file stays until _view_cleanup',
};
