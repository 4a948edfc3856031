// Words what stands over each view in an editor: what was found in it, what its reduce computes, and what an index rebuild takes.

import { samePlaces } from '../../../engine/findings/finding.js';
import { indexGroupsOf } from '../../../facts/index-groups/index-groups.js';
import { countSeverities, describeCounts } from '../../../reports/report.js';
import { printable } from '../../../shared/printable.js';
import { formatCount, formatDuration } from '../../../shared/units.js';

/** @import { Finding } from '../../../engine/findings/finding.js' */
/** @import { DesignDocSubject, Subject, ViewSubject } from '../../../facts/fact.js' */
/** @import { Proof } from '../../../proof/proof.js' */
/** @import { Place } from '../../../shared/source-file.js' */
/** @import { Speed } from '../../ci/index-builds.js' */

/** @typedef {{place: Place, title: string, rule?: string}} ViewLens `rule`: of its gravest finding */

const SEVERITIES = /** @type {const} */ (['error', 'warning', 'info']);
/** Other views that are named; a line over a view has room for few. */
const MAX_NAMES = 3;

/**
 * @param {readonly Subject[]} subjects
 * @param {readonly Finding[]} findings
 * @param {Speed} speed
 * @returns {ViewLens[]}
 */
export function viewLenses(subjects, findings, speed) {
  const views = subjects.filter((subject) => subject.kind === 'view');
  return views.map((view) => {
    const own = findings.filter((finding) => isAbout(finding, view));
    const [gravest] = SEVERITIES.flatMap((severity) => own.filter((finding) => finding.severity === severity));
    const parts = [describeCounts(countSeverities(own)), describeReduce(view.proof), describeRebuild(view, speed)];
    const title = printable(parts.filter((part) => part !== undefined).join(' \u00b7 '));
    return { place: view.place, title, ...(gravest ? { rule: gravest.rule } : {}) };
  });
}

/**
 * @param {Finding} finding
 * @param {ViewSubject} view
 * @returns {boolean} whether one of its places is in the view
 */
function isAbout(finding, { name, parent, node, mapNode, reduceNode }) {
  const { designDoc, view } = finding.subject;
  if (view === name && designDoc === (parent.record.id ?? undefined) && finding.place.file === node.file.path)
    return true;
  return [finding, ...samePlaces(finding)].some(({ place }) =>
    [node, mapNode, reduceNode].some((part) => {
      if (!part || part.file.path !== place.file || part.end <= part.start) return false;
      const at = (part.file.lineStarts[place.line - 1] ?? 0) + place.column - 1;
      return at >= part.start && at < part.end;
    }),
  );
}

/** @param {Proof | undefined} proof @returns {string | undefined} undefined where nothing was tried */
function describeReduce(proof) {
  if (!proof) return undefined;
  const { verdict, basis, builtin = '', condition, conditionHolds } = proof;
  if (verdict === 'unknown') return 'what the reduce computes is unknown';
  const known = basis === 'proved' ? ' (proved)' : ' (tried)';
  if (verdict === 'wrong') return `reduce wrong when rereduced${known}`;
  if (verdict === 'grows') return `result of the reduce grows with the rows${known}`;
  if (verdict === 'custom' || conditionHolds === 'not') return 'no built-in replaces the reduce';
  const only = condition && conditionHolds === 'if' ? ' under a condition' : '';
  return `reduce equals ${builtin}${verdict === 'equal' ? '' : ' after a rewrite'}${only}${known}`;
}

/**
 * @param {ViewSubject} view
 * @param {Speed} speed
 * @returns {string | undefined} undefined where there is nothing to say: it is alone in its index, and its build time is unknown
 */
function describeRebuild({ name, parent }, { documents, rate }) {
  const others = namesInIndex(parent).filter((other) => other !== name);
  const shown = others.slice(0, MAX_NAMES).join(', ');
  const rest = others.length > MAX_NAMES ? ` and ${others.length - MAX_NAMES} more` : '';
  const time =
    documents === undefined || !rate
      ? undefined
      : `${formatDuration(documents / rate.perSecond)} for ${formatCount(documents)} documents`;
  if (others.length === 0) return time && `index rebuild: ${time}`;
  return `a change also rebuilds ${shown}${rest}${time ? `: ${time}` : ''}`;
}

/** @param {DesignDocSubject} parent @returns {string[]} views whose rows are in the one index of the document */
function namesInIndex({ record }) {
  return indexGroupsOf(record).find(({ kind }) => kind === 'views')?.views ?? [];
}
