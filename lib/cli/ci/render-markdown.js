// Renders what a change brings as GitHub-flavored Markdown: for a job summary, and for a comment on a pull or merge
// request. Names from the input stay text.

import {
  code,
  escapeMarkdown,
  fence,
  renderErrors,
  renderFinding,
  showPlace,
  withCode,
} from '../../reports/markdown.js';
import { countOf, countSeverities, describeCounts } from '../../reports/report.js';
import { formatDuration } from '../../shared/units.js';
import { deploySteps } from './deploy-steps.js';
import { describeDisk, summarizeDisk } from './disk.js';
import { buildsByDocument, FATES, summarizeBuilds } from './outcome.js';

/** @import { ChangeOutcome } from './outcome.js' */
/** @import { IndexBuild } from './index-builds.js' */

/** A comment on GitHub takes 65,536 characters. */
const MAX_CHARACTERS = 60_000;
const MAX_OLD = 30;
const MAX_BUILDS = 60;
const MAX_VIEWS = 12;

/**
 * By this mark a program that posts comments finds the one that it posted before.
 */
const MARK = '<!-- couch-advisor ci -->';

/**
 * @param {ChangeOutcome} outcome
 * @param {{database?: string | undefined}} [options]
 * @returns {string} at most about 60,000 characters
 */
export function renderChangeMarkdown(outcome, { database } = {}) {
  const { report, base } = outcome;
  const sections = [
    `${MARK}\n## couch-advisor\n\n${renderSummary(outcome)}`,
    ...renderBuilds(outcome, database),
    ...(report.errors.length > 0 ? [renderErrors(report.errors)] : []),
    ...renderNew(outcome),
    ...renderOld(outcome),
    `<sub>Compared with ${code(base.name)} at ${code(base.commit.slice(0, 10))}.</sub>`,
  ];
  return `${sections.join('\n\n')}\n`;
}

/** @param {ChangeOutcome} outcome @returns {string} */
function renderSummary(outcome) {
  const { report, gone, old, elsewhere } = outcome;
  const fresh =
    report.findings.length === 0 ? 'No new findings' : `**New: ${describeCounts(countSeverities(report.findings))}**`;
  const others = [];
  if (gone > 0) others.push(`${countOf(gone, 'finding')} fixed or gone`);
  if (old.length > 0) others.push(`${countOf(old.length, 'existing finding')} in the changed parts`);
  if (elsewhere > 0) others.push(`${elsewhere} elsewhere`);
  const rest = others.length > 0 ? `; ${others.join(', ')}` : '';
  return `${fresh}${rest}. ${escapeMarkdown(summarizeBuilds(outcome))}`;
}

/**
 * @param {ChangeOutcome} outcome
 * @param {string | undefined} database
 * @returns {string[]}
 */
function renderBuilds({ builds, disk }, database) {
  if (builds.length === 0) return [];
  const rows = builds.slice(0, MAX_BUILDS).map((build) => {
    const found = disk?.indexes.find(({ index }) => index === build);
    const cells = [code(build.designDoc ?? build.file), nameOf(build), FATES[build.fate], renderEstimate(build)];
    if (disk) cells.push(found ? escapeMarkdown(describeDisk(found)) : '');
    return `| ${cells.join(' | ')} |`;
  });
  const sections = [
    [
      '### Indexes',
      ...(disk ? ['', withCode(summarizeDisk(disk))] : []),
      '',
      `| Document | Index | | Time |${disk ? ' Disk |' : ''}`,
      `| --- | --- | --- | --- |${disk ? ' --- |' : ''}`,
      ...rows,
    ].join('\n'),
  ];
  if (builds.length > MAX_BUILDS) sections.push(`${builds.length - MAX_BUILDS} more are not shown here.`);
  for (const group of buildsByDocument(builds).values()) {
    const [first] = group;
    const steps = deploySteps(group, database);
    if (!first || steps.length === 0 || sections.join('').length > MAX_CHARACTERS / 2) continue;
    const reason = renderReason(group);
    const title = `Deploy ${code(first.designDoc ?? first.file)} without a cold index`;
    const shell = fence(steps.join('\n')).replace(/^(`+)text/, '$1sh');
    sections.push(`${reason}\n\n<details><summary>${title}</summary>\n\n${shell}\n\n</details>`);
  }
  return sections;
}

/** @param {IndexBuild} build @returns {string} */
function nameOf({ kind, name, views }) {
  if (kind !== 'views') return `${kind} ${code(name)}`;
  const rest = views.length - MAX_VIEWS;
  return views.slice(0, MAX_VIEWS).map(code).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** @param {IndexBuild} build @returns {string} */
function renderEstimate({ estimate }) {
  if (!estimate) return '';
  if ('missing' in estimate) return `unknown: requires ${estimate.missing.map(withCode).join(' and ')}`;
  return `about ${formatDuration(estimate.seconds)}: ${escapeMarkdown(estimate.basis)}`;
}

/** @param {IndexBuild[]} builds of one document @returns {string} why its indexes are rebuilt */
function renderReason(builds) {
  const views = builds.find(({ kind, fate }) => kind === 'views' && fate === 'rebuilt');
  const [first] = builds;
  const parts = (first?.parts ?? []).slice(0, MAX_VIEWS).map(code).join(', ');
  const changed = `${code(first?.designDoc ?? '')} changes ${parts}.`;
  if (!views) return changed;
  const all = views.views.length === 1 ? 'Its view has' : `Its ${views.views.length} views share`;
  return `${changed} ${all} one index, which is rebuilt on the next query; requests wait until it is done.`;
}

/** @param {ChangeOutcome} outcome @returns {string[]} */
function renderNew({ report }) {
  if (report.findings.length === 0) return [];
  const rules = new Map(report.rules.map((rule) => [rule.id, rule]));
  const sections = ['### New findings'];
  let length = 0;
  for (const [index, finding] of report.findings.entries()) {
    const detail = renderFinding(finding, report, rules);
    length += detail.length;
    if (length > MAX_CHARACTERS / 2) {
      sections.push(`${report.findings.length - index} more new findings are not shown here.`);
      break;
    }
    sections.push(detail);
  }
  return sections;
}

/** @param {ChangeOutcome} outcome @returns {string[]} */
function renderOld({ old }) {
  if (old.length === 0) return [];
  const items = old.slice(0, MAX_OLD).map(({ severity, message, place, rule, outcome }) => {
    return `- ${severity} ${code(showPlace(place))} ${code(`${rule}#${outcome}`)} ${withCode(message)}`;
  });
  if (old.length > MAX_OLD) items.push(`- ${old.length - MAX_OLD} more`);
  const title = `${countOf(old.length, 'existing finding')} in the changed parts`;
  return [`<details><summary>${title}</summary>\n\n${items.join('\n')}\n\n</details>`];
}
