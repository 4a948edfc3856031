// Renders the patch of a fix so that it can be read and copied.

import { code, html, prose } from '../../shared/markup.js';

/** @import { Finding } from '../../engine/findings/finding.js' */
/** @import { Markup } from '../../shared/markup.js' */

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
export function renderPatch({ title, safe }, patch = '') {
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
