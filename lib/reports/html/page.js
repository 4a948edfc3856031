// Renders the report as one self-contained page: to read, filter, print and mail. Text of the input stays text, and
// nothing but the page's own script can run in it.

import { byCost } from '../../engine/findings/order.js';
import { html, Markup, prose } from '../../shared/markup.js';
import { renderFrame } from '../charts/page-frame.js';
import { countSeverities, describeCounts, summarize } from '../report.js';
import { readAssets } from './assets.js';
import { renderFinding } from './finding.js';
import { renderOverview, SEVERITIES } from './overview.js';
import { divide } from './sections.js';
import { renderSource } from './source.js';

/** @import { Report } from '../report.js' */
/** @import { Context } from './finding.js' */
/** @import { Section } from './sections.js' */

/** With more findings evidence is folded up, and sources are shown on demand. */
const MAX_SMALL = 60;
/** So many findings, the costliest, get charts: a page with thousands of charts would be slow to open. */
const MAX_DRAWN = 200;
/** So many views of a document are named at its head. */
const MAX_VIEWS = 12;
/** A longer source is folded up. */
const MAX_OPEN_LINES = 60;

/**
 * @param {Report} report
 * @param {{change?: Markup}} [options] `change`: the report holds only the new findings of a change, which this describes
 * @returns {string}
 */
export function renderHtml(report, { change } = {}) {
  const head = html`<meta name="referrer" content="no-referrer">
<meta name="generator" content="couch-advisor ${report.tool.version}">
`;
  const body = html`<a class="skip" href="#findings">To the findings</a>
<header>
<h1>couch-advisor <span>report</span></h1>
<label id="colours" hidden><span>Colours</span> <select id="theme"><option value="">of the system</option><option value="light">light</option><option value="dark">dark</option></select></label>
<p class="summary">${summarize(report)}</p>
<p class="made">${report.madeAt !== undefined && html`<time datetime="${report.madeAt}">${moment(report.madeAt)}</time> · `}for CouchDB ${report.target.version}${
    report.target.engine !== undefined && html` with ${report.target.engine}`
  } · couch-advisor ${report.tool.version}</p>
</header>
${renderFilters(report)}
<div class="columns">
${renderContents(report, change !== undefined)}
<main>
${change && html`<section id="change" aria-labelledby="change-title"><h2 id="change-title">The change</h2>${change}</section>`}
${renderMain(report, change !== undefined)}
</main>
</div>
<footer><p>Made by couch-advisor ${report.tool.version}. This page loads nothing and sends nothing.</p></footer>
`;
  const title = `couch-advisor: ${describeCounts(countSeverities(report.findings))}`;
  return renderFrame({ title, head, body, ...readAssets() });
}

/**
 * @param {Report} report
 * @param {boolean} [isOfChange] whether it holds only the new findings of a change
 * @returns {Markup} all that it says: the overview and the findings
 */
export function renderMain(report, isOfChange = false) {
  const { all, found, clean } = sectionsOf(report, isOfChange);
  const isSmall = report.findings.length <= MAX_SMALL;
  const costly = byCost(report.findings).slice(0, MAX_DRAWN);
  const drawn = new Set(costly.map(({ key }) => key));
  /** @type {Context} */
  const context = { report, rules: new Map(report.rules.map((rule) => [rule.id, rule])), isSmall, drawn };
  return html`${renderOverview(report, all)}
<div id="findings" tabindex="-1">
${found.map((section) => renderSection(section, context))}
<p id="none" hidden>No finding fits the filters.</p>
</div>
${clean.length > 0 && renderClean(clean)}`;
}

/**
 * @param {Report} report
 * @param {boolean} isOfChange
 * @returns {{all: Section[], found: Section[], clean: Section[]}} `clean`: those without findings
 */
function sectionsOf(report, isOfChange) {
  const isClean = (/** @type {Section} */ { findings, mentions }) => findings.length + mentions.length === 0;
  // Where a change brings nothing there may be old findings.
  const all = divide(report).filter((section) => !isOfChange || !isClean(section));
  return { all, found: all.filter((section) => !isClean(section)), clean: all.filter(isClean) };
}

/**
 * @param {string} instant ISO 8601
 * @returns {string} `2026-11-21 10:49 UTC`
 */
function moment(instant) {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}

/**
 * @param {Report} report
 * @returns {Markup} hidden until the script runs: without it they could do nothing
 */
function renderFilters({ findings }) {
  const counts = countSeverities(findings);
  const rules = countBy(findings.map(({ rule }) => rule));
  const files = countBy(findings.map(({ place }) => place.file));
  const options = (/** @type {[string, number][]} */ list) =>
    list.map(([name, count]) => html`<option value="${name}">${name} (${count})</option>`);
  return html`<form id="filters" role="search" aria-label="Filter findings" hidden>
<label class="search"><span>Search</span><input type="search" id="text" autocomplete="off" spellcheck="false"></label>
<fieldset><legend>Severity</legend>${SEVERITIES.map(
    (severity) =>
      html`<label class="pill ${severity}"><input type="checkbox" name="severity" value="${severity}" checked> ${severity}s <b>${counts[severity]}</b></label>`,
  )}</fieldset>
<label><span>Rule</span><select id="rule"><option value="">all rules</option>${options(rules)}</select></label>
<label><span>File</span><select id="file"><option value="">all files</option>${options(files)}</select></label>
<button type="reset">Clear</button>
<output id="shown" role="status">${findings.length} of ${findings.length} findings</output>
</form>
`;
}

/**
 * @param {string[]} names
 * @returns {[string, number][]} each once, in order
 */
function countBy(names) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * @param {Report} report
 * @param {boolean} isOfChange
 * @returns {Markup}
 */
function renderContents(report, isOfChange) {
  const { found, clean } = sectionsOf(report, isOfChange);
  const items = found.map(({ anchor, title, findings, mentions }) => {
    const all = [...findings, ...mentions];
    const counts = countSeverities(all);
    const worst = SEVERITIES.find((severity) => counts[severity] > 0);
    return html`<li data-section="${anchor}"><a href="#${anchor}">${title}</a> <span class="count ${worst}">${all.length}</span></li>`;
  });
  return html`<nav aria-label="Contents"><ul>${isOfChange && html`<li><a href="#change">The change</a></li>`}<li><a href="#overview">Overview</a></li>${items}${
    clean.length > 0 && html`<li><a href="#clean">Nothing found</a> <span class="count">${clean.length}</span></li>`
  }</ul></nav>`;
}

/**
 * @param {Section} section
 * @param {Context} context
 * @returns {Markup}
 */
function renderSection(section, context) {
  const { anchor, title, file, kind, views, findings, mentions } = section;
  const links = mentions.map(({ anchor: to, message }) => html`<li><a href="#${to}">${prose(message)}</a></li>`);
  const about = [kind, ...(views.length > 0 ? [tellViews(views)] : [])].join(' · ');
  return html`<section class="part" id="${anchor}" aria-labelledby="${anchor}t"><h2 id="${anchor}t">${title}</h2>
<p class="about">${title !== file && html`<span class="place">${file}</span> · `}${about}</p>
${renderParts(section, context.isSmall)}
${links.length > 0 && html`<p class="related">Here too:</p><ul class="related">${links}</ul>`}
${findings.map((finding) => renderFinding(finding, context))}</section>
`;
}

/**
 * @param {string[]} views at least one
 * @returns {string} `views by_date, by_status and 3 more`
 */
function tellViews(views) {
  const rest = views.length - MAX_VIEWS;
  return `views ${views.slice(0, MAX_VIEWS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/**
 * @param {Section} section
 * @param {boolean} isSmall
 * @returns {Markup[]} each file of it with its source
 */
function renderParts({ parts, findings, mentions }, isSmall) {
  const marked = [...findings, ...mentions];
  return parts.map((part) => {
    const { file, start, end } = part;
    const lines = file.position(Math.max(start, end - 1)).line - file.position(start).line + 1;
    const isOpen = isSmall && lines <= MAX_OPEN_LINES && findings.some(({ place }) => place.file === file.path);
    return html`<details class="text"${isOpen && new Markup(' open')}><summary>Source of <span class="place">${file.path}</span> <span class="count">${lines} ${lines === 1 ? 'line' : 'lines'}</span></summary>${renderSource(part, marked)}</details>`;
  });
}

/**
 * @param {Section[]} clean
 * @returns {Markup}
 */
function renderClean(clean) {
  return html`<section id="clean" aria-labelledby="clean-title"><h2 id="clean-title">Nothing found</h2>
<p>In these design documents no rule found anything.</p>
${clean.map(
  (
    section,
  ) => html`<section class="part" id="${section.anchor}" aria-labelledby="${section.anchor}t"><h3 id="${section.anchor}t">${section.title}</h3>
<p class="about"><span class="place">${section.file}</span>${section.views.length > 0 && ` · ${tellViews(section.views)}`}</p>${renderParts(section, false)}</section>`,
)}</section>`;
}
