// Renders the head of a report's page: how much was found, what costs most, what was read, and what remained unknown.

import { costliest } from '../../engine/findings/order.js';
import { html, Markup, prose } from '../../shared/markup.js';
import { countOf, formatMilliseconds, formatShare } from '../../shared/units.js';
import { countSeverities, describeRead, describeSubject, describeWanted } from '../report.js';
import { renderShare } from './charts.js';
import { showPlace } from './finding.js';

/** @import { Finding, Severity } from '../../engine/findings/finding.js' */
/** @import { OpenQuestion, Report, SeverityCounts, UnreadSource } from '../report.js' */
/** @import { Section } from './sections.js' */

/** So many findings are ranked by what they cost. */
const MAX_RANKED = 10;
/** So many documents and files are listed at once, those with the worst findings first; the others are folded up. */
const MAX_LISTED = 25;
/** So many subjects of one open question are named. */
const MAX_NAMED = 8;
/** So many passed-over paths are listed. */
const MAX_NOTES = 200;

/** @type {Severity[]} */
export const SEVERITIES = ['error', 'warning', 'info'];

/**
 * @param {Report} report
 * @param {Section[]} sections
 * @returns {Markup}
 */
export function renderOverview(report, sections) {
  const counts = countSeverities(report.findings);
  return html`<section id="overview" aria-labelledby="overview-title"><h2 id="overview-title">Overview</h2>
<ul class="tiles">${SEVERITIES.map(
    (severity) =>
      html`<li class="${severity}"><b>${counts[severity]}</b> ${severity}${counts[severity] === 1 ? '' : 's'}</li>`,
  )}<li class="fixable"><b>${report.findings.filter(({ fix }) => fix).length}</b> with a fix</li></ul>
${renderErrors(report.errors)}
${renderRanking(report, sections)}
${renderRules(report)}
<details class="rest"${report.findings.length === 0 && new Markup(' open')}><summary>What was read <span class="count">${describeRead(report.read)}</span></summary>
${renderRead(report, sections)}</details>
${renderUnknown(report)}
</section>
`;
}

/**
 * @param {UnreadSource[]} errors
 * @returns {Markup | undefined}
 */
function renderErrors(errors) {
  if (errors.length === 0) return undefined;
  return html`<h3>Could not be read</h3><ul class="unread">${errors.map(
    ({ message, place, hint }) =>
      html`<li>${place && html`${showPlace(place)} `}${prose(message)}${hint !== undefined && html` <span class="hint">(${prose(hint)})</span>`}</li>`,
  )}</ul>`;
}

/**
 * @param {Report} report
 * @param {Section[]} sections
 * @returns {Markup | undefined} what costs most in the logs
 */
function renderRanking({ findings, rules }, sections) {
  const ranked = costliest(findings, rules);
  if (ranked.length === 0) return undefined;
  const anchors = new Map(sections.flatMap((section) => section.findings.map(({ key, anchor }) => [key, anchor])));
  const rows = ranked.slice(0, MAX_RANKED).map(({ finding: { key, rule, message, severity, cost }, share }) => {
    const took = cost.totalMs === undefined ? '' : `${formatMilliseconds(cost.totalMs)} in `;
    return html`<li><span class="share">${renderShare(share)} <b>${formatShare(share)}</b></span><span class="what"><span class="dot ${severity}"></span><a href="#${anchors.get(key) ?? ''}">${prose(message)}</a> <span class="hint">${took}${countOf(cost.requests, 'request')} · <span class="rule">${rule}</span></span></span></li>`;
  });
  const rest = ranked.length - rows.length;
  const unit = ranked.some(({ finding }) => finding.cost.totalMs !== undefined) ? 'the request time' : 'all requests';
  return html`<h3>Costliest in the logs</h3>
<p class="hint">Share of ${unit} in the logs. Each request counts once, for the finding whose advice saves the most of it.</p>
<ol class="ranking">${rows}</ol>
${rest > 0 && html`<p class="hint">and ${countOf(rest, 'more finding')} with a cost</p>`}`;
}

/**
 * @param {Report} report
 * @param {Section[]} sections
 * @returns {Markup}
 */
function renderRead({ silenced, notes }, sections) {
  const rows = sections.map((section) => ({
    section,
    counts: countSeverities([...section.findings, ...section.mentions]),
  }));
  const isLong = rows.length > MAX_LISTED;
  if (isLong) rows.sort((one, other) => byWorst(one.counts, other.counts));
  const kept = [];
  if (silenced.ignored > 0) kept.push(`${countOf(silenced.ignored, 'finding')} ignored`);
  if (silenced.baseline > 0) kept.push(`${countOf(silenced.baseline, 'finding')} in the baseline`);
  return html`${kept.length > 0 && html`<p>Not shown here: ${kept.join(', ')}.</p>`}
${rows.length > 0 && renderSections(rows.slice(0, MAX_LISTED))}
${
  isLong &&
  html`<details><summary>More <span class="count">${rows.length - MAX_LISTED}</span></summary>${renderSections(rows.slice(MAX_LISTED))}</details>`
}
${
  notes.length > 0 &&
  html`<details><summary>Skipped <span class="count">${notes.length}</span></summary><ul>${notes
    .slice(0, MAX_NOTES)
    .map(({ path, reason }) => html`<li><span class="place">${path}</span>: ${prose(reason)}</li>`)}${
    notes.length > MAX_NOTES && html`<li>and ${notes.length - MAX_NOTES} more</li>`
  }</ul></details>`
}`;
}

/** @typedef {{section: Section, counts: SeverityCounts}} Row */

/**
 * @param {Row[]} rows
 * @returns {Markup}
 */
function renderSections(rows) {
  const body = rows.map(({ section: { anchor, title, kind, file }, counts }) => {
    const where = title !== file && html` <span class="place">${file}</span>`;
    return html`<tr><td><a href="#${anchor}">${title}</a> <span class="kind">${kind}</span>${where}</td>${renderCounts(counts)}</tr>`;
  });
  return renderTable('Where', body);
}

/**
 * @param {Report} report
 * @returns {Markup | undefined} how often each rule found something, the worst and most frequent first
 */
function renderRules({ findings, rules }) {
  if (findings.length === 0) return undefined;
  /** @type {Map<string, Finding[]>} */
  const byRule = new Map();
  for (const finding of findings) {
    const list = byRule.get(finding.rule) ?? [];
    list.push(finding);
    byRule.set(finding.rule, list);
  }
  const titles = new Map(rules.map(({ id, title }) => [id, title]));
  const rows = [...byRule].map(([rule, own]) => ({ rule, counts: countSeverities(own) }));
  rows.sort((one, other) => byWorst(one.counts, other.counts));
  const body = rows.map(
    ({ rule, counts }) =>
      html`<tr><td>${prose(titles.get(rule) ?? '')} <code class="rule">${rule}</code></td>${renderCounts(counts)}</tr>`,
  );
  return html`<details><summary>Findings by rule <span class="count">${countOf(rows.length, 'rule')}</span></summary>${renderTable('Rule', body)}</details>`;
}

/**
 * @param {string} head of its first column
 * @param {Markup[]} body
 * @returns {Markup}
 */
function renderTable(head, body) {
  return html`<table class="read"><thead><tr><th scope="col">${head}</th><th scope="col" class="number">Errors</th><th scope="col" class="number">Warnings</th><th scope="col" class="number">Infos</th></tr></thead><tbody>${body}</tbody></table>`;
}

/**
 * @param {SeverityCounts} counts
 * @returns {Markup[]}
 */
function renderCounts(counts) {
  return SEVERITIES.map((severity) => {
    const count = counts[severity];
    return html`<td class="number ${count > 0 && severity}">${count === 0 ? '–' : count}</td>`;
  });
}

/** @param {SeverityCounts} one @param {SeverityCounts} other @returns {number} the one with more of the worst first */
function byWorst(one, other) {
  return other.error - one.error || other.warning - one.warning || other.info - one.info;
}

/**
 * @param {Report} report
 * @returns {Markup}
 */
function renderUnknown({ cannotTell, wanted }) {
  if (cannotTell.length === 0) {
    return html`<p class="hint">What could not be determined: nothing. No check lacked input.</p>`;
  }
  /** @type {Map<string, OpenQuestion[]>} */
  const alike = new Map();
  for (const question of cannotTell) {
    const key = JSON.stringify([question.fact, question.reason]);
    const list = alike.get(key) ?? [];
    list.push(question);
    alike.set(key, list);
  }
  const groups = [...alike.values()].sort((one, other) => other.length - one.length);
  return html`<details class="rest"><summary>What could not be determined <span class="count">${countOf(cannotTell.length, 'check')} lacked input</span></summary>
<p>A rule that cannot be decided reports nothing.${wanted && wanted.length > 0 && ` For more of these checks, add files or a server: ${describeWanted(wanted).join('; ')}.`}</p>
<ul class="unknown">${groups.map(renderAlike)}</ul></details>`;
}

/**
 * @param {OpenQuestion[]} questions about one fact, for one reason
 * @returns {Markup}
 */
function renderAlike(questions) {
  const [first] = questions;
  const names = questions
    .slice(0, MAX_NAMED)
    .map(({ rule, subject }) => html`<li>${describeSubject(subject)} <code class="rule">${rule}</code></li>`);
  const rest = questions.length - names.length;
  return html`<li><code>${first?.fact}</code>: ${prose(first?.reason ?? '')}<ul>${names}${rest > 0 && html`<li>and ${rest} more</li>`}</ul></li>`;
}
