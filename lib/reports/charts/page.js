// Renders headings, paragraphs, tables and pictures as one self-contained HTML page: nothing loaded, its style and its
// script, where it has one, named by hash in its policy. Any text may be passed in: none becomes markup.

import { code, html, Markup, prose } from '../../shared/markup.js';
import { renderFrame } from './page-frame.js';
import { CHART_STYLE } from './style.js';

/** @typedef {{title: string, blocks: (Markup | false | undefined)[]}} PageSection */

/**
 * @typedef {object} Page
 * @property {string} title
 * @property {string} [lead] what the page says, in a sentence or two; names between backticks become code
 * @property {{name: string, value: string}[]} [facts] below it: version, server, date, seed
 * @property {PageSection[]} sections
 * @property {string} [style] of what only this page has
 * @property {string} [script] runs once the page is there
 */

/** @typedef {string | number | Markup | undefined} Cell */

/**
 * @typedef {object} Table
 * @property {string} caption
 * @property {{label: string, isNumber?: boolean, isCode?: boolean}[]} columns numbers stand to the right; code is shown as it is, with its
 *   spaces; the first column names the row
 * @property {Cell[][]} rows backticks in texts become code
 */

/** A picture is drawn in these widths, and the page shows the widest that it has room for. */
const WIDTHS = { narrow: 288, middle: 460, wide: 720 };

const PAGE_STYLE = `:root{color-scheme:light dark;--ink:#1f2328;--muted:#57606a;--paper:#fff;--soft:#f6f8fa;--rule:#d0d7de;--link:#0b5cad}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e6edf3;--muted:#a3acb5;--paper:#0d1117;--soft:#161b22;--rule:#30363d;--link:#6cb6ff}}
*{box-sizing:border-box}body{margin:0 auto;max-width:60rem;padding:1rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI","Helvetica Neue",Arial,sans-serif}
h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0}h2{font-size:1.25rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--rule);padding-bottom:.25rem}
h1,h2,p,li,dd,figcaption,caption{overflow-wrap:anywhere}p,ul{margin:.5rem 0}a{color:var(--link)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.75rem 0;color:var(--muted);font-size:.875rem}dd{margin:0;color:var(--ink)}
code,pre{font-family:ui-monospace,"SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.875em}code{background:var(--soft);border-radius:3px;padding:0 .2em}pre{tab-size:2}pre code{background:none;padding:0;font-size:1em}
figure{margin:1rem 0}figcaption{color:var(--muted);font-size:.875rem}figure svg{display:none;max-width:100%;height:auto}figure .narrow svg{display:block}
.scroll{overflow-x:auto;margin:1rem 0;border:1px solid var(--rule);border-radius:6px}.scroll pre{margin:0;padding:.75rem}
table{border-collapse:collapse;width:100%;font-size:.875rem}caption{text-align:left;font-weight:600;padding:.5rem .75rem}caption span{display:inline-block;position:sticky;left:.75rem;max-width:calc(100vw - 4rem)}
th,td{text-align:left;vertical-align:top;padding:.3rem .75rem;border-top:1px solid var(--rule)}th{font-weight:600}tbody th{font-weight:400}tbody th:not(.number){min-width:10rem}.source tbody th{min-width:0}.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}thead th{background:var(--soft)}thead .number{white-space:normal}td.code{font-family:ui-monospace,"SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;tab-size:2}.source tbody th,.source tbody td{border-top:0;padding-top:.05rem;padding-bottom:.05rem}
@media (min-width:500px){figure .narrow svg{display:none}figure .middle svg{display:block}}
@media (min-width:760px){figure .middle svg{display:none}figure .wide svg{display:block}}
@media print{body{max-width:none;padding:0}.scroll{overflow:visible;border:0}.scroll pre,td.code{white-space:pre-wrap;overflow-wrap:anywhere}figure,tr{break-inside:avoid}h2{break-after:avoid}}
`;

/**
 * @param {Page} page
 * @returns {string} the whole page
 */
export function renderPage({ title, lead, facts = [], sections, style = '', script }) {
  const body = html`<header>
<h1>${title}</h1>
${lead && html`<p>${prose(lead)}</p>`}
${facts.length > 0 && html`<dl>${facts.map(({ name, value }) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`}
</header>
<main>
${sections.map(
  (section, at) => html`<section aria-labelledby="section-${at + 1}">
<h2 id="section-${at + 1}">${section.title}</h2>
${section.blocks.map((block) => html`${block}\n`)}</section>
`,
)}</main>
`;
  return renderFrame({
    title,
    style: `${PAGE_STYLE}${style}${CHART_STYLE}\n`,
    body,
    ...(script !== undefined && { script }),
  });
}

/**
 * @param {string} text names between backticks become code
 * @returns {Markup}
 */
export function paragraph(text) {
  return html`<p>${prose(text)}</p>`;
}

/**
 * @param {string[]} items
 * @returns {Markup}
 */
export function list(items) {
  return html`<ul>${items.map((item) => html`<li>${prose(item)}</li>`)}</ul>`;
}

/**
 * @param {Table} table
 * @returns {Markup} it scrolls for itself where the page is too narrow for it
 */
export function table({ caption, columns, rows }) {
  const kind = (/** @type {number} */ at) =>
    columns[at]?.isNumber ? html` class="number"` : columns[at]?.isCode && html` class="code"`;
  const show = (/** @type {Cell} */ cell, /** @type {number} */ at) =>
    typeof cell === 'string' ? (columns[at]?.isCode ? code(cell) : prose(cell)) : cell;
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}"><table${columns.some((column) => column.isCode) && html` class="source"`}>
<caption><span>${caption}</span></caption>
<thead><tr>${columns.map((column, at) => html`<th scope="col"${kind(at)}>${column.label}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (cells) =>
    html`<tr>${cells.map((cell, at) =>
      at === 0 ? html`<th scope="row"${kind(at)}>${show(cell, at)}</th>` : html`<td${kind(at)}>${show(cell, at)}</td>`,
    )}</tr>\n`,
)}</tbody>
</table></div>`;
}

/**
 * A picture in three widths, of which the reader's window shows one.
 * @param {string} id prefix of names, different for each picture of the page
 * @param {(size: {id: string, width: number}) => string} draw gives the `<svg>`: `(size) => barChart({...size, title, rows, axis})`
 * @param {string} [caption] below it
 * @returns {Markup}
 */
export function figure(id, draw, caption) {
  const drawn = Object.entries(WIDTHS).map(([name, width]) => {
    const svg = draw({ id: `${id}-${name}`, width });
    return html`<div class="${name}">${withoutStyle(svg)}</div>`;
  });
  return html`<figure>${drawn}${caption && html`<figcaption>${prose(caption)}</figcaption>`}</figure>`;
}

/**
 * @param {string} svg
 * @returns {Markup} without the style that the page has once, which its policy would not allow a second time anyway
 */
function withoutStyle(svg) {
  return new Markup(
    svg.replace(`<style>${CHART_STYLE}</style>\n`, '').replace(`<style>${CHART_STYLE}</style>`, '').trim(),
  );
}
