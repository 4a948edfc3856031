// Renders the path of a finding through the tree of its rule: a list whose lines are drawn by the style, so it is
// readable without the style too.

import { html, prose } from '../../shared/markup.js';

/** @import { Branch, Detail } from '../../engine/details.js' */
/** @import { Finding, Step } from '../../engine/findings/finding.js' */
/** @import { Markup } from '../../shared/markup.js' */

/** Longer values are cut: they are there to be recognised. */
const MAX_CHARACTERS = 300;

/** @type {Record<NonNullable<Branch['verdict']>, string>} */
const VERDICTS = { problem: 'another finding', fine: 'no finding', 'cannot-tell': 'cannot be determined' };

/**
 * @param {Finding} finding
 * @param {Detail | undefined} detail
 * @returns {Markup | undefined}
 */
export function renderPath({ path, outcome, severity, certainty }, detail) {
  if (path.length === 0) return undefined;
  const flip = detail?.flip;
  return html`<details class="how"><summary>How this was decided <span class="count">${path.length === 1 ? '1 question' : `${path.length} questions`}</span></summary>
<ol class="path">${path.map((step, at) => renderStep(step, detail?.steps[at], outcome))}<li class="end ${severity}"><b>${outcome}</b> <span>${severity}, ${certainty} certainty</span></li></ol>
${
  flip &&
  html`<p class="flip">Nearest change: if <code>${flip.fact}</code> were ${prose(flip.change)}, the outcome would be <code>${flip.outcome}</code>.</p>`
}</details>`;
}

/**
 * @param {Step} step
 * @param {Detail['steps'][number] | undefined} told
 * @param {string} outcome where the path ends
 * @returns {Markup}
 */
function renderStep(step, told, outcome) {
  const { fact, operator, operand, answer, value, basis, because, reason, place } = step;
  const asked = told?.asked ?? `${fact} ${operator} ${String(operand)}`;
  const branches = told?.branches ?? [];
  return html`<li><span class="asked"><code>${asked}</code>? <b class="answer">${answer}</b></span>
<span class="value"><code>${fact}</code> ${value === null ? html`is unknown: ${reason ?? ''}` : html`= ${shown(value)}, ${basis}`}${
    place && html` <span class="place">${place.file}:<wbr>${place.line}</span>`
  }</span>
<span class="because">because ${prose(because)}</span>${
    branches.length > 0 && html`<ul>${branches.map((branch) => renderBranch(branch, outcome))}</ul>`
  }</li>`;
}

/**
 * @param {Branch} branch
 * @param {string} outcome where the path ends
 * @returns {Markup}
 */
function renderBranch({ answers, to, verdict }, outcome) {
  const where = verdict
    ? html`<code>${to}</code> (${to === outcome ? 'this finding' : VERDICTS[verdict]})`
    : html`continues with <code>${to}</code>`;
  return html`<li class="other">${answers}: ${where}</li>`;
}

/**
 * @param {NonNullable<Step['value']>} value
 * @returns {Markup}
 */
function shown(value) {
  if (Array.isArray(value) && value.length === 0) return html`none`;
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  // Some values are sentences with names in them.
  return cut.includes('`') ? prose(cut) : html`<code>${cut}</code>`;
}
