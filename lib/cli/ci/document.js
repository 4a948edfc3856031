// Builds the document of what a change brings: new findings in full, what becomes of its indexes, the steps of a deploy, and the old findings.

import {
  code,
  codeBlock,
  details,
  findings,
  folded,
  list,
  numbers,
  paragraph,
  section,
  span,
  table,
} from '../../reports/document/blocks.js';
import { countOf, formatDuration } from '../../shared/units.js';
import { deploySteps } from './deploy-steps.js';
import { describeDisk, summarizeDisk } from './disk.js';
import { isBuilt } from './index-builds.js';
import { buildsByDocument, describeFindings, describeIndex, FATES, listShortly, summarizeBuilds } from './outcome.js';

/** @import { Cell, Document, Optional } from '../../reports/document/blocks.js' */
/** @import { ChangeOutcome } from './outcome.js' */
/** @import { IndexBuild } from './index-builds.js' */

/** So many indexes and old findings are listed where room is short; all are in the JSON. */
const MAX_BUILDS = 60;
const MAX_OLD = 30;

/**
 * @param {ChangeOutcome} outcome
 * @param {{database?: string | undefined}} [options]
 * @returns {Document}
 */
export function changeDocument(outcome, { database } = {}) {
  const { base, report, old, builds, disk } = outcome;
  return {
    title: 'couch-advisor: what the change brings',
    mark: 'couch-advisor ci',
    lead: `${describeFindings(outcome)}. ${summarizeBuilds(outcome)}`,
    facts: [{ name: 'compared with', value: [code(base.name), ' at ', code(base.commit.slice(0, 10))] }],
    blocks: [
      findings(report),
      section('Indexes', disk && builds.length > 0 && paragraph(summarizeDisk(disk)), buildTable(builds, disk)),
      ...[...buildsByDocument(builds).values()].map((group) => deployDetails(group, database)),
      old.length > 0 &&
        folded(
          `${countOf(old.length, 'old finding')} in the changed parts`,
          list([
            ...old
              .slice(0, MAX_OLD)
              .map(({ severity, message, place: { file, line, column }, rule, outcome: id }) => [
                `${severity} `,
                code(`${file}:${line}:${column}`),
                ' ',
                code(`${rule}#${id}`),
                ` ${message}`,
              ]),
            ...(old.length > MAX_OLD ? [`${old.length - MAX_OLD} more`] : []),
          ]),
        ),
    ],
  };
}

/**
 * @param {IndexBuild[]} builds
 * @param {ChangeOutcome['disk']} disk
 * @returns {Optional}
 */
function buildTable(builds, disk) {
  return table({
    columns: ['index', 'what happens', 'time', 'disk', ...numbers('signature')],
    rows: builds.map((build) => rowOf(build, disk)),
    most: MAX_BUILDS,
    noun: 'index build',
  });
}

/** @param {IndexBuild} build @param {ChangeOutcome['disk']} disk @returns {Cell[]} */
function rowOf(build, disk) {
  const { fate, parts, estimate, signature, unknown } = build;
  const found = disk?.indexes.find(({ index }) => index === build);
  const doubt = unknown === undefined ? '' : ` (compared as text because ${unknown})`;
  return [
    // Its names are not ours to mark as code.
    span(describeIndex(build), 'strong'),
    span(`${FATES[fate]}${becauseOf(fate, parts)}${doubt}`, 'muted'),
    estimate === undefined
      ? ''
      : 'missing' in estimate
        ? `time unknown, requires ${estimate.missing.join(' and ')}`
        : span(`about ${formatDuration(estimate.seconds)}, ${estimate.basis}`, 'muted'),
    found ? describeDisk(found) : '',
    isBuilt(fate) && signature !== undefined ? code(signature) : '',
  ];
}

/** @param {IndexBuild['fate']} fate @param {string[]} parts @returns {string} ` because by_date and total changed` */
function becauseOf(fate, parts) {
  if (parts.length === 0 || fate === 'kept') return '';
  const names = listShortly(parts.map((part) => part.replace(/^views\./, '')));
  return fate === 'rebuilt' ? ` because ${names} changed` : `, for ${names}`;
}

/**
 * @param {IndexBuild[]} builds of one document
 * @param {string | undefined} database
 * @returns {Optional}
 */
function deployDetails(builds, database) {
  const steps = deploySteps(builds, database);
  const [first] = builds;
  if (!first || steps.length === 0) return undefined;
  const views = builds.find(({ kind, fate }) => kind === 'views' && fate === 'rebuilt')?.views;
  const all = views?.length === 1 ? 'Its view has' : `Its ${views?.length} views share`;
  return details(
    ['Deploy ', code(first.designDoc ?? first.file), ' without a cold index'],
    views && paragraph(`${all} one index, which is rebuilt on the next query; requests wait until it is done.`),
    codeBlock(steps.join('\n'), 'sh'),
  );
}
