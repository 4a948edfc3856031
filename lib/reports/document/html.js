// Renders a document as one self-contained HTML page: nothing loaded, its style and its script, where it has one, named by hash in its policy. No text of it
// becomes markup.

import { html, Markup, prose, code as source } from '../../shared/markup.js';
import { printable } from '../../shared/printable.js';
import { barChart, flameGraph, histogram, intervalPlot, lineChart } from '../charts/index.js';
import { renderFrame } from '../charts/page-frame.js';
import { CHART_STYLE } from '../charts/style.js';
import { readRowsScript } from '../html/assets.js';
import { partsOf, shownOf, usedColumns } from './blocks.js';
import { PAGE_STYLE, SEARCH_STYLE } from './page-style.js';

/** @import { Block, Cell, Chart, Document, Fact, Inline, Item, Optional, Table } from './blocks.js' */

/** `id`: what names in the page begin with; `level` of headings; `count`: of names that were given so far. @typedef {{id: string, level: number, names: {count: number}, title?: Inline}} Place */

/** A picture is drawn in these widths, and the page shows the widest that it has room for. */
const WIDTHS = { narrow: 288, middle: 460, wide: 720 };
/** Of a picture that is a file of its own, in pixels; frames of a flame graph have names in them. */
const ALONE = 720;
const FLAME_ALONE = 1000;
/** So many rows of a table that is searched stand in the page before its script runs. */
const FIRST_ROWS = 25;

/** @type {Record<Chart['type'], (data: any) => string>} */
const DRAWN_BY = { bars: barChart, lines: lineChart, intervals: intervalPlot, histogram, flame: flameGraph };

/**
 * @param {Document} document
 * @returns {string} the whole page
 */
export function renderHtmlDocument({ title, lead, facts = [], blocks }) {
  const body = html`<header>
<h1>${title}</h1>
${lead !== undefined && html`<p>${inline(lead)}</p>`}
${facts.length > 0 && factList(facts)}
</header>
<main>
${renderBlocks(blocks, { id: '', level: 2, names: { count: 0 } })}</main>
`;
  const isSearched = hasSearch(blocks);
  const style = `${PAGE_STYLE}${isSearched ? SEARCH_STYLE : ''}${CHART_STYLE}\n`;
  return renderFrame({ title, style, body, ...(isSearched && { script: readRowsScript() }) });
}

/**
 * @param {Document} document
 * @param {string} id what names in the page begin with
 * @returns {Markup} what it holds, to stand below a heading of another page
 */
export function renderInside({ lead, facts = [], blocks }, id) {
  return html`${lead !== undefined && html`<p><b>${inline(lead)}</b></p>`}
${facts.length > 0 && factList(facts)}
${renderBlocks(blocks, { id: `${id}-`, level: 3, names: { count: 0 } })}`;
}

/** @param {Optional[]} blocks @returns {boolean} */
function hasSearch(blocks) {
  return blocks.some((block) => block && ('blocks' in block ? hasSearch(block.blocks) : 'isSearched' in block));
}

/**
 * @param {Optional[]} blocks
 * @param {Place} place
 * @returns {Markup[]} each on lines of its own
 */
function renderBlocks(blocks, place) {
  return blocks.flatMap((block) => {
    const markup = block && renderBlock(block, place);
    return markup ? [html`${markup}\n`] : [];
  });
}

/**
 * @param {Block} block
 * @param {Place} place
 * @returns {Markup | undefined} undefined where there is nothing to show
 */
function renderBlock(block, place) {
  switch (block.kind) {
    case 'section': {
      const id = nameIn(place, 'section');
      const inner = renderBlocks(block.blocks, { ...place, level: place.level + 1, title: block.title });
      if (inner.length === 0) return undefined;
      const heading = new Markup(`h${Math.min(place.level, 6)}`);
      return html`<section aria-labelledby="${id}">
<${heading} id="${id}">${inline(block.title)}</${heading}>
${inner}</section>`;
    }
    case 'details':
      return html`<details${block.anchor !== undefined && html` id="${block.anchor}"`}${block.isOpen && new Markup(' open')}><summary>${inline(block.summary)}</summary>
${renderBlocks(block.blocks, place)}</details>`;
    case 'paragraph':
      return html`<p>${inline(block.text)}</p>`;
    case 'facts':
      return factList(block.facts);
    case 'list': {
      if (block.items.length === 0) return undefined;
      const items = block.items.map((item) => renderItem(item, block.isCheckList ? '☐ ' : ''));
      return block.isOrdered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`;
    }
    case 'notes': {
      const word = block.word === 'note' ? '' : html`<b>${block.word}:</b> `;
      return block.items.length === 0
        ? undefined
        : html`<ul>${block.items.map((item) => html`<li>${word}${inline(item)}</li>`)}</ul>`;
    }
    case 'code':
      // The page of lint, whose style and script these are, copies it on request.
      return place.id === ''
        ? html`<div class="scroll"><pre><code>${source(block.text)}</code></pre></div>`
        : html`<div class="patch"><button type="button" class="copy">Copy</button><pre>${source(`${block.text.trimEnd()}\n`)}</pre></div>`;
    case 'table':
      return block.isSearched ? searchedTable(usedColumns(block)) : plainTable(usedColumns(block), place);
    case 'findings':
      return undefined;
    case 'chart':
      return figure(block, nameIn(place, 'chart'));
  }
}

/** @param {Place} place @param {string} kind @returns {string} */
function nameIn({ id, names }, kind) {
  names.count += 1;
  return `${id}${kind}-${names.count}`;
}

/** @param {Fact[]} facts @returns {Markup} */
function factList(facts) {
  return html`<dl>${facts.map(({ name, value }) => html`<dt>${name}</dt><dd>${inline(value)}</dd>`)}</dl>`;
}

/** @param {Item} item @param {string} [mark] in front of it @returns {Markup} */
function renderItem(item, mark = '') {
  if (typeof item !== 'object' || !('item' in item)) return html`<li>${mark}${inline(item)}</li>`;
  const below = item.below.length > 0 && html`<ul>${item.below.map((one) => renderItem(one))}</ul>`;
  return html`<li>${mark}${inline(item.item)}${below}</li>`;
}

/** @param {Inline} given @returns {Markup} */
function inline(given) {
  const parts = partsOf(given).map((part) => {
    if (typeof part === 'string') return prose(part);
    if (part.to !== undefined) return html`<a href="#${part.to}">${part.text}</a>`;
    if (part.as === 'code') return html`<code>${source(part.text)}</code>`;
    return part.as === 'muted' ? html`<span>${part.text}</span>` : html`<b>${part.text}</b>`;
  });
  return html`${parts}`;
}

/**
 * @param {Table} table
 * @param {Place} place
 * @returns {Markup | undefined} it scrolls for itself where the page is too narrow for it
 */
function plainTable({ caption, columns, rows }, { title = '', names }) {
  if (rows.length === 0) return undefined;
  const kind = (/** @type {number} */ at) =>
    columns[at]?.isNumber ? html` class="number"` : columns[at]?.isCode && html` class="code"`;
  const show = (/** @type {Cell} */ cell, /** @type {number} */ at) => {
    const text = shownOf(cell);
    return columns[at]?.isCode && typeof text === 'string' ? source(text) : inline(text);
  };
  names.count += 1;
  const label = caption ?? `table ${names.count}: ${textOf(title)}`;
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${label}"><table${columns.some(({ isCode }) => isCode) && html` class="source"`}>
${caption !== undefined && html`<caption><span>${caption}</span></caption>\n`}<thead><tr>${columns.map((column, at) => html`<th scope="col"${kind(at)}>${column.label}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (cells) =>
    html`<tr>${cells.map((cell, at) =>
      at === 0 ? html`<th scope="row"${kind(at)}>${show(cell, at)}</th>` : html`<td${kind(at)}>${show(cell, at)}</td>`,
    )}</tr>\n`,
)}</tbody>
</table></div>${legendOf(columns)}`;
}

/** @param {Table['columns']} columns @returns {Markup | false} */
function legendOf(columns) {
  const legends = columns.flatMap(({ legend }) => legend ?? []);
  return (
    legends.length > 0 &&
    html`\n<p class="legend">${legends.map((legend, at) => html`${at > 0 && html`<br>`}${legend}`)}</p>`
  );
}

/**
 * A table that the script of the page searches and sorts. Its names are those of html/browser/rows.js.
 * @param {Table} table
 * @returns {Markup}
 */
function searchedTable({ caption = '', columns, rows, noun = 'row' }) {
  const data = rows.map(([name, ...cells]) => [
    textOf(name),
    ...cells.map((cell) => [typeof cell === 'object' && 'sort' in cell ? cell.sort : textOf(cell), textOf(cell)]),
  ]);
  const first = rows
    .slice(0, FIRST_ROWS)
    .map(
      ([name, ...cells]) =>
        html`<tr><th scope="row">${inline(shownOf(name))}</th>${cells.map((cell) => html`<td class="number">${inline(shownOf(cell))}</td>`)}</tr>\n`,
    );
  // Nothing in it can end the element: every `<` is an escape.
  const json = new Markup(JSON.stringify(data).replaceAll('<', '\\u003c'));
  const [name, ...figures] = columns;
  return html`<form id="filter" role="search" aria-label="Search" hidden><label>Search <input type="search" id="search" autocomplete="off" spellcheck="false"></label><output id="shown" role="status" data-noun="${noun}s"></output></form>
<div class="scroll" role="region" tabindex="0" aria-label="${caption}"><table id="rows">
<caption><span>${caption}</span></caption>
<thead><tr><th scope="col">${name?.label}</th>${figures.map(({ label }) => html`<th scope="col" class="number">${label}</th>`)}</tr></thead>
<tbody>
${first}</tbody>
</table></div>
<button type="button" id="more" hidden>Show more</button>
<script type="application/json" id="data">${json}</script>${
    rows.length > FIRST_ROWS &&
    html`\n<noscript><p>The other ${rows.length - FIRST_ROWS} rows need JavaScript.</p></noscript>`
  }${legendOf(columns)}`;
}

/** @param {Cell | undefined} cell @returns {string} */
function textOf(cell) {
  const parts = partsOf(shownOf(cell)).map((part) => (typeof part === 'string' ? part : part.text));
  return printable(parts.join(''));
}

/**
 * @param {Chart} chart
 * @param {{id: string, width?: number, note?: string}} size
 * @returns {string} an `<svg>` that can be a file of its own
 */
export function drawChart({ type, data }, size) {
  return DRAWN_BY[type]({ width: type === 'flame' ? FLAME_ALONE : ALONE, ...data, ...size });
}

/**
 * A picture in three widths, of which the reader's window shows one.
 * @param {Chart} chart
 * @param {string} id prefix of names, different for each picture of the page
 * @returns {Markup}
 */
function figure(chart, id) {
  const drawn = Object.entries(WIDTHS).map(([name, width]) => {
    const svg = drawChart(chart, { id: `${id}-${name}`, width });
    return html`<div class="${name}">${withoutStyle(svg)}</div>`;
  });
  return html`<figure class="drawn">${drawn}${chart.caption && html`<figcaption>${prose(chart.caption)}</figcaption>`}</figure>`;
}

/** @param {string} svg @returns {Markup} without the style that the page has once, which its policy would not allow a second time anyway */
function withoutStyle(svg) {
  return new Markup(
    svg.replace(`<style>${CHART_STYLE}</style>\n`, '').replace(`<style>${CHART_STYLE}</style>`, '').trim(),
  );
}
