// Defines how pictures look: colors for light and dark, and what distinguishes series without any color: dashes,
// markers, fillings.

import { symbol, symbolCircle, symbolDiamond, symbolSquare, symbolTimes, symbolTriangle, symbolWye } from 'd3-shape';
import { html, Markup } from '../../shared/markup.js';

/** Sizes of fonts, in pixels. */
export const FONT = { title: 15, text: 12, small: 11 };
/** From one line of text to the next, as a part of the font's size. */
export const LINE_HEIGHT = 1.35;

const LIGHT = ['#0b5cad', '#b23c00', '#17703f', '#7a3a9e', '#7d6000', '#4a4f55'];
const DARK = ['#6cb6ff', '#ff9a62', '#5fd19a', '#cfa2f5', '#e0c050', '#c4c9cf'];
const DASHES = ['', '7 3', '2 3', '9 3 2 3', '5 2', '12 4 2 4 2 4'];
/** Drawn from the centre; those of strokes only are thicker. */
const SYMBOLS = [
  { type: symbolCircle, area: 46 },
  { type: symbolSquare, area: 46 },
  { type: symbolTriangle, area: 44 },
  { type: symbolDiamond, area: 44 },
  { type: symbolWye, area: 46 },
  { type: symbolTimes, area: 36 },
];

/** The `<style>` element of every picture, the same for all. A page that has it once may leave it out of its pictures. */
export const CHART_STYLE = `.cx{font-family:system-ui,-apple-system,"Segoe UI","Helvetica Neue",Arial,sans-serif;font-size:12px;max-width:100%;height:auto}
.cx text{fill:#1f2328;paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}.cx .cx-muted{fill:#57606a}.cx .cx-title{font-size:15px;font-weight:600}.cx .cx-small{font-size:11px}
.cx .cx-paper{fill:#fff}.cx .cx-grid{stroke:#d8dee4;fill:none}.cx .cx-axis,.cx .cx-whisker{stroke:#57606a;fill:none}.cx .cx-whisker{stroke:#1f2328;stroke-width:1.5}
.cx .cx-reference{stroke:#1f2328;stroke-dasharray:4 3;fill:none}.cx .cx-halo{stroke:#fff;stroke-width:4;fill:none}.cx .cx-hollow{fill:#fff}
.cx .cx-line{fill:none;stroke-width:2}.cx .cx-band{stroke:none;fill-opacity:.18}.cx .cx-mono{font-family:ui-monospace,"SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace}
.cx .cx-plain{stroke:none}.cx .cx-frame0{fill:#d5e5f7;stroke:#0b5cad;stroke-width:.5}.cx .cx-frame1{fill:#fbe3d4;stroke:#b23c00;stroke-width:.5}.cx .cx-frame2{fill:#f1f3f5;stroke:#57606a;stroke-width:.5;stroke-dasharray:3 2}
${rules(LIGHT)}
@media screen and (prefers-color-scheme:dark){.cx text{fill:#e6edf3;stroke:#0d1117}.cx .cx-muted{fill:#a3acb5}.cx .cx-paper,.cx .cx-hollow{fill:#0d1117}.cx .cx-grid{stroke:#30363d}.cx .cx-axis{stroke:#a3acb5}.cx .cx-whisker,.cx .cx-reference{stroke:#e6edf3}.cx .cx-halo{stroke:#0d1117}.cx .cx-plain{stroke:none}.cx .cx-frame0{fill:#16365c;stroke:#6cb6ff}.cx .cx-frame1{fill:#54290f;stroke:#ff9a62}.cx .cx-frame2{fill:#21262d;stroke:#a3acb5}
${rules(DARK)}}`;

/**
 * @param {string[]} colors
 * @returns {string} rules of CSS: `cx-f0` fills, `cx-s0` strokes
 */
function rules(colors) {
  return colors.map((color, at) => `.cx .cx-f${at}{fill:${color}}.cx .cx-s${at}{stroke:${color}}`).join('');
}

/**
 * What distinguishes a series from the others, in six times six combinations.
 * @param {number} series its number, from 0
 * @returns {{color: number, dash: string, marker: string, isHollow: boolean}} `marker`: path data around 0,0
 */
export function lookOf(series) {
  const turn = Math.floor(series / SYMBOLS.length);
  const { type, area } = /** @type {{type: typeof symbolCircle, area: number}} */ (SYMBOLS[series % SYMBOLS.length]);
  return {
    color: series % LIGHT.length,
    dash: DASHES[(series + turn) % DASHES.length] ?? '',
    marker: roundPath(symbol(type, area)() ?? ''),
    isHollow: turn % 2 === 1,
  };
}

/**
 * @param {number} series
 * @param {number} x
 * @param {number} y
 * @returns {Markup}
 */
export function renderMarker(series, x, y) {
  const { color, marker, isHollow } = lookOf(series);
  const fill = isHollow ? 'cx-hollow' : `cx-f${color}`;
  return html`<path class="${fill} cx-s${color}" stroke-width="1.5" transform="translate(${round(x)},${round(y)})" d="${marker}"/>`;
}

/** Fillings of bars, in the order of series: full, empty, and four patterns. */
const FILLINGS = 6;

/**
 * @param {string} id prefix of the picture
 * @param {number} series
 * @returns {{fill: string, className: string}} attribute and class of what is filled with it
 */
export function fillingOf(id, series) {
  const filling = series % FILLINGS;
  const color = series % LIGHT.length;
  if (filling === 0) return { fill: '', className: `cx-f${color} cx-s${color}` };
  if (filling === 1) return { fill: '', className: `cx-hollow cx-s${color}` };
  return { fill: `url(#${id}-p${filling})`, className: `cx-s${color}` };
}

/**
 * @param {string} id prefix of the picture
 * @param {number} count of series
 * @returns {Markup} the patterns that they need
 */
export function renderPatterns(id, count) {
  /** Lines of each pattern in a square of 6 pixels. @type {Record<number, string>} */
  const paths = { 2: 'M-1,1l2,-2M0,6l6,-6M5,7l2,-2', 3: 'M0,3h6', 4: 'M3,0v6', 5: 'M0,0l6,6M0,6l6,-6' };
  const needed = Object.keys(paths).filter((filling) => Number(filling) < count);
  if (needed.length === 0) return new Markup('');
  const patterns = needed.map(
    (filling) =>
      html`<pattern id="${id}-p${filling}" width="6" height="6" patternUnits="userSpaceOnUse"><rect class="cx-paper" width="6" height="6"/><path class="cx-s${filling}" stroke-width="1.5" d="${paths[Number(filling)]}"/></pattern>`,
  );
  return html`<defs>${patterns}</defs>`;
}

/**
 * @param {number} value
 * @returns {number} with one decimal place, which is finer than a screen
 */
export function round(value) {
  return Math.round(value * 10) / 10 || 0;
}

/**
 * @param {string} path data
 * @returns {string} with numbers of two decimal places
 */
function roundPath(path) {
  return path.replace(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number) * 100) / 100));
}
