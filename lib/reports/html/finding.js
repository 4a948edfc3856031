// Renders one finding as a card: what was found, where, why it matters, what to do, and how that is known.

import { samePlaces } from '../../engine/findings/finding.js';
import { code, html, prose } from '../../shared/markup.js';
import { describeCost, describeSubject, docsOf } from '../report.js';
import { renderLogs, renderProof, renderVerdict } from './evidence.js';
import { renderPath } from './path.js';
import { renderExcerpt, SIGNS } from './source.js';

/** @import { Finding } from '../../engine/findings/finding.js' */
/** @import { Place } from '../../shared/source-file.js' */
/** @import { Report, RuleSummary } from '../report.js' */
/** @import { Markup } from '../../shared/markup.js' */
/** @import { Anchored } from './sections.js' */

/**
 * @typedef {object} Context
 * @property {Report} report
 * @property {Map<string, RuleSummary>} rules by id
 * @property {boolean} isSmall whether there is room to show evidence at once
 * @property {ReadonlySet<string>} drawn keys of the findings that get charts
 */

/**
 * @param {Anchored} finding
 * @param {Context} context
 * @returns {Markup}
 */
export function renderFinding(finding, { report, rules, isSmall, drawn }) {
  const { anchor, severity, rule, outcome, certainty, message, why, advice, place, related, key, fix, cost } = finding;
  const detail = report.details?.details.get(key);
  const docs = docsOf(finding, rules);
  const others = related.filter((item) => item.key === undefined);
  return html`<article class="finding ${severity}" id="${anchor}" data-severity="${severity}" data-rule="${rule}" data-file="${place.file}" aria-labelledby="${anchor}t">
<h3 id="${anchor}t"><span class="badge ${severity}"><span aria-hidden="true">${SIGNS[severity]}</span> ${severity}</span> ${prose(message)}</h3>
<p class="facts"><code>${rule}<wbr>#${outcome}</code><span>${showPlace(place)}</span>${finding.subject.kind !== 'request' && html`<span>${describeSubject(finding.subject)}</span>`}${
    certainty === 'high' ? '' : html`<span>${certainty} certainty</span>`
  }${cost && html`<span class="cost">${describeCost(cost)}</span>`}</p>
${renderExcerpt(report.sources.get(place.file), finding)}
${finding.verdict && renderVerdict(finding.verdict, anchor)}
${why !== '' && html`<p>${prose(why)}</p>`}
${advice !== '' && html`<p class="advice"><b>Do this:</b> ${prose(advice)}</p>`}
${finding.pattern && renderVerdict(finding.pattern, `${anchor}-pattern`, { isPattern: true })}
${renderEvidence(others)}${renderRelated('The same problem at:', samePlaces(finding))}
${fix && renderPatch(fix, detail?.patch)}
${detail?.logs && renderLogs(detail.logs, { id: anchor, isOpen: isSmall, isDrawn: drawn.has(key) })}
${detail?.proof && renderProof(detail.proof)}
${renderPath(finding, detail)}
<p class="foot">${
    docs !== undefined && /^https?:/.test(docs) && html`<a href="${docs}" rel="noreferrer">Documentation</a> `
  }<button type="button" class="copy" data-copies="${JSON.stringify(key)}">Copy key</button> <code class="key">${key}</code></p>
</article>
`;
}

/**
 * @param {Finding['related']} evidence
 * @returns {Markup | undefined}
 */
function renderEvidence(evidence) {
  if (evidence.length === 0) return undefined;
  const items = evidence.map(({ place, message }) =>
    message === '' ? html`<li>${showPlace(place)}</li>` : html`<li>${prose(message)} (${showPlace(place)})</li>`,
  );
  return html`<p class="related">Because:</p><ul class="related">${items}</ul>`;
}

/**
 * @param {string} heading
 * @param {Finding['related']} related
 * @returns {Markup | undefined}
 */
function renderRelated(heading, related) {
  if (related.length === 0) return undefined;
  const items = related.map(({ place, message }) => html`<li>${showPlace(place)} ${prose(message)}</li>`);
  return html`<p class="related">${heading}</p><ul class="related">${items}</ul>`;
}

/**
 * @param {Place} place
 * @returns {Markup}
 */
export function showPlace({ file, line, column }) {
  return html`<span class="place">${file}:<wbr>${line}:${column}</span>`;
}

// Renders the patch of a fix so that it can be read and copied.

/** A longer patch is for programs: a dump on one line would be in it twice. */
const MAX_CHARACTERS = 20_000;

/** What a page cannot hold as text: it is copied from an attribute instead. */
const ALTERED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u;

/** @type {Record<string, string>} */
const KINDS = { '+': 'added', '-': 'removed', '@': 'hunk' };

/**
 * @param {NonNullable<Finding['fix']>} fix
 * @param {string | undefined} patch
 * @returns {Markup}
 */
function renderPatch({ title, safe }, patch = '') {
  const how = safe ? 'safe: --fix' : 'may change results: --fix-unsafe';
  const summary = html`<summary>Fix: ${prose(title)} <span class="count">${how}</span></summary>`;
  if (patch === '') return html`<details class="fix">${summary}<p>The patch is not part of this report.</p></details>`;
  if (patch.length > MAX_CHARACTERS) {
    const command = 'npx --no-install couch-advisor lint --fix-dry-run';
    return html`<details class="fix">${summary}<p>The patch is too long for this page: <code>${command}</code> prints it.</p></details>`;
  }
  const lines = patch.split(/(?<=\n)/).map(renderLine);
  const exact =
    ALTERED.test(patch) && html` data-copies="${JSON.stringify(patch).replace(/[\x7f-\uffff]/g, escapeUnit)}"`;
  return html`<details class="fix">${summary}<div class="patch"><button type="button" class="copy"${exact}>Copy patch</button><pre>${lines}</pre></div></details>`;
}

/**
 * @param {string} line with its end
 * @returns {Markup}
 */
function renderLine(line) {
  const isHeader = /^(?:---|\+\+\+) /.test(line);
  const kind = isHeader ? 'name' : KINDS[line.charAt(0)];
  return kind ? html`<span class="${kind}">${code(line)}</span>` : code(line);
}

/**
 * @param {string} unit
 * @returns {string} as JSON may write it
 */
function escapeUnit(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
