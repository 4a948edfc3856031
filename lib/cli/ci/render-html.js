// Renders what a change brings as one page: the new findings as `lint` shows them, and before them the indexes, the
// steps of a deploy and the old findings.

import { renderHtml } from '../../reports/html/page.js';
import { countOf } from '../../reports/report.js';
import { code, html, prose } from '../../shared/markup.js';
import { formatDuration } from '../../shared/units.js';
import { deploySteps } from './deploy-steps.js';
import { describeDisk, summarizeDisk } from './disk.js';
import { buildsByDocument, describeFindings, describeIndex, FATES, listShortly, summarizeBuilds } from './outcome.js';

/** @import { Markup } from '../../shared/markup.js' */
/** @import { ChangeOutcome } from './outcome.js' */
/** @import { IndexBuild } from './index-builds.js' */

/**
 * @param {ChangeOutcome} outcome
 * @param {{database?: string | undefined}} [options]
 * @returns {string}
 */
export function renderChangeHtml(outcome, { database } = {}) {
  return renderHtml(outcome.report, { change: renderChange(outcome, database) });
}

/**
 * @param {ChangeOutcome} outcome
 * @param {string | undefined} database
 * @returns {Markup}
 */
function renderChange(outcome, database) {
  const { base, builds, old, disk } = outcome;
  return html`<p>${describeFindings(outcome)}; compared with <code>${base.name}</code> at <code>${base.commit.slice(0, 10)}</code>. ${summarizeBuilds(outcome)} ${disk && prose(summarizeDisk(disk))}</p>
${
  builds.length > 0 &&
  html`<table><thead><tr><th scope="col">Index</th><th scope="col">Because of</th><th scope="col">What happens</th><th scope="col">Time</th>${disk && html`<th scope="col">Disk</th>`}</tr></thead><tbody>${builds.map((build) => renderBuild(build, disk))}</tbody></table>`
}
${[...buildsByDocument(builds).values()].map((group) => renderSteps(group, database))}
${
  old.length > 0 &&
  html`<details><summary>${countOf(old.length, 'existing finding')} in the changed parts</summary><ul>${old.map(
    ({ severity, place, rule, outcome: id, message }) =>
      html`<li>${severity} <span class="place">${place.file}:${place.line}:${place.column}</span> <code class="rule">${rule}#${id}</code> ${prose(message)}</li>`,
  )}</ul></details>`
}`;
}

/** @param {IndexBuild} build @param {ChangeOutcome['disk']} disk @returns {Markup} */
function renderBuild(build, disk) {
  const found = disk?.indexes.find(({ index }) => index === build);
  const { fate, parts, unknown } = build;
  return html`<tr><td>${describeIndex(build)}</td><td>${fate !== 'kept' && listShortly(parts)}</td><td>${FATES[fate]}${
    unknown !== undefined && `; compared as text because ${unknown}`
  }</td><td>${renderEstimate(build)}</td>${disk && html`<td>${found && describeDisk(found)}</td>`}</tr>`;
}

/** @param {IndexBuild} build @returns {Markup | undefined} */
function renderEstimate({ estimate }) {
  if (!estimate) return undefined;
  if ('missing' in estimate) return prose(`unknown: requires ${estimate.missing.join(' and ')}`);
  return html`about ${formatDuration(estimate.seconds)}: ${estimate.basis}`;
}

/**
 * @param {IndexBuild[]} builds of one document
 * @param {string | undefined} database
 * @returns {Markup | undefined}
 */
function renderSteps(builds, database) {
  const steps = deploySteps(builds, database);
  if (steps.length === 0) return undefined;
  return html`<details><summary>Deploy <code>${builds[0]?.designDoc}</code> without a cold index</summary><div class="patch"><button type="button" class="copy">Copy commands</button><pre>${code(`${steps.join('\n')}\n`)}</pre></div></details>`;
}
