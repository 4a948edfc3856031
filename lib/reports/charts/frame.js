// Draws the parts that all pictures share: the outer element with its names for screen readers, the title, the legend,
// the note, the axes.

import { html, Markup } from '../../shared/markup.js';
import { CHART_STYLE, FONT, LINE_HEIGHT, round } from './style.js';
import { textWidth, wrapText } from './text-size.js';

/** @import { Axis, Scale } from './scales.js' */

/**
 * @typedef {object} Picture What every picture receives.
 * @property {string} id prefix of all names in it; pictures of one page need different ones
 * @property {string} title
 * @property {number} [width] pixels, from 240; 720 where absent
 * @property {string} [description] for those who do not see it; made of the values where absent
 * @property {string} [note] stands below the picture: how it was measured, what to read from it
 */

/** @typedef {{markup: Markup, bottom: number}} Laid something drawn, and where it ends */

/** Around the whole picture. */
export const MARGIN = 8;
const DEFAULT_WIDTH = 720;
const MIN_WIDTH = 240;
/** No picture says more than this to a screen reader. */
const LONGEST_DESCRIPTION = 2000;

/**
 * @param {Picture} picture
 * @returns {{id: string, width: number, title: Laid}} checked, with the title drawn
 */
export function openPicture({ id, width = DEFAULT_WIDTH, title }) {
  const name = /^[A-Za-z]/.test(id) ? id : `c${id}`;
  const wide = Number.isFinite(width) ? Math.max(MIN_WIDTH, Math.round(width)) : DEFAULT_WIDTH;
  return { id: name.replace(/[^\w-]/g, '-'), width: wide, title: renderTitle(title, wide) };
}

/**
 * @param {object} parts
 * @param {string} parts.id
 * @param {number} parts.width
 * @param {number} parts.height of what was drawn, without the note
 * @param {string} parts.title
 * @param {string} parts.description
 * @param {string | undefined} parts.note
 * @param {(Markup | false | undefined | (Markup | false | undefined)[])[]} parts.body
 * @returns {string} the whole `<svg>`
 */
export function closePicture({ id, width, height, title, description, note, body }) {
  const below = note ? renderNote(note, width, height) : undefined;
  const whole = Math.ceil((below?.bottom ?? height) + MARGIN);
  const told =
    description.length > LONGEST_DESCRIPTION ? `${description.slice(0, LONGEST_DESCRIPTION - 1)}…` : description;
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="cx" width="${width}" height="${whole}" viewBox="0 0 ${width} ${whole}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${title}</title>
<desc id="${id}-desc">${told}</desc>
<style>${new Markup(CHART_STYLE)}</style>
<rect class="cx-paper" width="${width}" height="${whole}"/>
${/** @type {Markup[]} */ (body.flat().filter(Boolean)).map((part) => html`${part}\n`)}${below?.markup}
</svg>
`.text;
}

/**
 * @param {string} title
 * @param {number} width
 * @returns {Laid}
 */
function renderTitle(title, width) {
  const lines = wrapText(title, width - 2 * MARGIN, FONT.title, { lines: 4, isBold: true });
  return renderLines(lines, MARGIN, MARGIN, 'cx-title', FONT.title);
}

/**
 * @param {string} note
 * @param {number} width
 * @param {number} top
 * @returns {Laid}
 */
function renderNote(note, width, top) {
  const lines = wrapText(note, width - 2 * MARGIN, FONT.small, { lines: 12 });
  return renderLines(lines, MARGIN, top + 6, 'cx-small cx-muted', FONT.small);
}

/**
 * @param {string[]} lines
 * @param {number} x
 * @param {number} top
 * @param {string} className
 * @param {number} size of the font
 * @returns {Laid}
 */
function renderLines(lines, x, top, className, size) {
  const step = size * LINE_HEIGHT;
  return {
    markup: new Markup(lines.map((line, at) => text(line, x, top + step * at + size, { className }).text).join('')),
    bottom: top + step * lines.length,
  };
}

/**
 * @param {string} content
 * @param {number} x
 * @param {number} y of the line the letters stand on
 * @param {{className?: string, anchor?: 'middle' | 'end'}} [options]
 * @returns {Markup}
 */
export function text(content, x, y, { className = '', anchor } = {}) {
  return html`<text x="${round(x)}" y="${round(y)}"${className !== '' && html` class="${className}"`}${anchor && html` text-anchor="${anchor}"`}>${content}</text>`;
}

/**
 * @param {string} className
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 * @returns {Markup}
 */
export function line(className, x1, y1, x2, y2) {
  return html`<path class="${className}" d="M${round(x1)},${round(y1)}L${round(x2)},${round(y2)}"/>`;
}

/**
 * @typedef {object} LegendEntry
 * @property {string} label
 * @property {number} width of its sample
 * @property {(x: number, y: number) => Markup} draw the sample, beginning at x, its middle at y
 */

/**
 * @param {LegendEntry[]} entries
 * @param {number} width of the picture
 * @param {number} top
 * @returns {Laid} entries beside each other, as many a line as there is room for
 */
export function renderLegend(entries, width, top) {
  const gap = 6;
  const step = FONT.text * 1.6;
  let x = MARGIN;
  let y = top + step / 2;
  /** @type {Markup[]} */
  const parts = [];
  for (const { label, width: sample, draw } of entries) {
    const lines = wrapText(label, width - 2 * MARGIN - sample - gap, FONT.text, { lines: 3 });
    const needed = sample + gap + Math.max(0, ...lines.map((part) => textWidth(part, FONT.text)));
    if (x > MARGIN && x + needed > width - MARGIN) {
      x = MARGIN;
      y += step;
    }
    parts.push(draw(x, y));
    for (const [at, part] of lines.entries()) {
      parts.push(text(part, x + sample + gap, y + at * FONT.text * LINE_HEIGHT + FONT.text * 0.35));
    }
    x += needed + 18;
    if (lines.length > 1) {
      x = width;
      y += (lines.length - 1) * FONT.text * LINE_HEIGHT;
    }
  }
  return {
    markup: new Markup(parts.map((part) => part.text).join('')),
    bottom: entries.length > 0 ? y + step / 2 : top,
  };
}

/**
 * @param {string} name of the upright axis, which stands above it
 * @param {number} width of the picture
 * @param {number} top
 * @returns {Laid}
 */
export function renderUprightName(name, width, top) {
  const lines = wrapText(name, width - 2 * MARGIN, FONT.text, { lines: 2 });
  return renderLines(lines, MARGIN, top + 6, '', FONT.text);
}

/**
 * @param {Axis} axis
 * @returns {string} `request time (ms)`, and whether its scale is logarithmic
 */
export function nameOfAxis({ label, unit = '', scale }) {
  const name = unit === '' ? label : `${label} (${unit})`;
  return scale === 'log' ? `${name}, log scale` : name;
}

/**
 * @param {Axis} axis
 * @param {Scale} scale
 * @param {object} place
 * @param {number} place.left of the plot
 * @param {number} place.right
 * @param {number} place.top
 * @param {number} place.bottom
 * @param {number} place.width of the picture
 * @param {boolean} [place.hasGrid]
 * @returns {{grid: Markup, markup: Markup, bottom: number}} grid lines to be drawn first; the axis with its labels and its name below
 */
export function renderLyingAxis(axis, scale, { left, right, top, bottom, width, hasGrid = true }) {
  const grid = hasGrid ? scale.ticks.map(({ at }) => line('cx-grid', at, top, at, bottom)) : [];
  const ticks = scale.ticks.map(({ at, label, labelAt }) => [
    line('cx-axis', at, bottom, at, bottom + 4),
    text(label, labelAt, bottom + 6 + FONT.small, { className: 'cx-small cx-muted', anchor: 'middle' }),
  ]);
  const name = wrapText(nameOfAxis(axis), width - 2 * MARGIN, FONT.text, { lines: 2 });
  const widest = Math.max(0, ...name.map((part) => textWidth(part, FONT.text)));
  const x = Math.max(MARGIN, Math.min((left + right - widest) / 2, width - MARGIN - widest));
  const told = renderLines(name, x, bottom + FONT.small + 12, '', FONT.text);
  return {
    grid: html`${grid}`,
    markup: html`${line('cx-axis', left, bottom, right, bottom)}${ticks.flat()}${told.markup}`,
    bottom: told.bottom,
  };
}

/**
 * @param {Scale} scale
 * @param {{left: number, right: number, top: number, bottom: number}} place of the plot
 * @returns {{grid: Markup, markup: Markup}} the name of the axis is not drawn: it stands above the plot
 */
export function renderUprightAxis(scale, { left, right, top, bottom }) {
  return {
    grid: html`${scale.ticks.map(({ at }) => line('cx-grid', left, at, right, at))}`,
    markup: html`${line('cx-axis', left, top, left, bottom)}${scale.ticks.map(({ at, label }) =>
      text(label, left - 6, at + FONT.small * 0.35, { className: 'cx-small cx-muted', anchor: 'end' }),
    )}`,
  };
}
