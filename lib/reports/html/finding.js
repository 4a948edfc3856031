// Renders one finding as a card: what was found, where, why it matters, what to do, and how that is known.

import { samePlaces } from '../../engine/findings/finding.js';
import { html, prose } from '../../shared/markup.js';
import { describeCost, describeSubject, docsOf } from '../report.js';
import { renderLogs, renderProof, renderVerdict } from './evidence.js';
import { renderPatch } from './patch.js';
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
