// A row of values in, a small picture without axes out, as high as a line of text or two.

import { extent } from 'd3-array';
import { line as linePath } from 'd3-shape';
import { html, Markup } from '../reports/html/markup.js';
import { formatWithUnit } from './numbers.js';
import { makeScale } from './scales.js';
import { CHART_STYLE, round } from './style.js';

/**
 * @typedef {object} Sparkline
 * @property {string} id prefix of all names in it
 * @property {string} title
 * @property {(number | undefined)[]} values gaps where undefined
 * @property {string} [unit] of the values
 * @property {number} [width] pixels; 160 where absent
 * @property {number} [height] 32 where absent
 */

/**
 * @param {Sparkline} chart
 * @returns {string} an `<svg>`; its last value is marked
 */
export function sparkline({ id: given, title, values, unit = '', width = 160, height = 32 }) {
  const id = `c${given}`.replace(/[^\w-]/g, '-');
  const y = makeScale({ label: '' }, values, { from: height - 4, to: 4, isUpright: true });
  const step = values.length > 1 ? (width - 12) / (values.length - 1) : 0;
  const x = (/** @type {number} */ at) => round(4 + at * step);
  const path = linePath(
    (/** @type {number | undefined} */ _, at) => x(at),
    (value) => round(y.at(value ?? 0)),
  ).defined((value) => y.shows(value));
  const last = values.findLastIndex((value) => y.shows(value));
  const shown = values.filter((value) => y.shows(value));
  const [low = 0, high = 0] = extent(shown);
  const told =
    shown.length === 0
      ? 'No values.'
      : `${shown.length} values from ${formatWithUnit(low, unit)} to ${formatWithUnit(high, unit)}, the last ${formatWithUnit(Number(values[last]), unit)}.`;
  const dot =
    last >= 0 && html`<circle class="cx-f0" cx="${x(last)}" cy="${round(y.at(Number(values[last])))}" r="2.5"/>`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="cx" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">${title}</title><desc id="${id}-desc">${told}</desc><style>${new Markup(CHART_STYLE)}</style><path class="cx-line cx-s0" d="${path(values) ?? ''}"/>${dot}</svg>
`.text;
}
