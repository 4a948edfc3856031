// Draws a histogram of values, or of counts of bins.

import { bin } from 'd3-array';
import { html } from '../../shared/markup.js';
import {
  closePicture,
  MARGIN,
  nameOfAxis,
  openPicture,
  renderLegend,
  renderLyingAxis,
  renderUprightAxis,
  renderUprightName,
} from './frame.js';
import { formatNumber, formatWithUnit } from './numbers.js';
import { makeScale } from './scales.js';
import { round } from './style.js';

/** @import { LegendEntry, Picture } from './frame.js' */
/** @import { Axis } from './scales.js' */

/** @typedef {{from: number, to: number, count: number}} Bin `to` is not part of it */

/**
 * @typedef {object} HistogramDetails
 * @property {Axis} axis of the values
 * @property {string} [countLabel] what is counted: `requests`
 * @property {number[]} [values] put into bins here
 * @property {Bin[]} [bins] or the bins themselves, in order
 * @property {{value: number, label: string}[]} [marks] upright lines, as for the median
 */

/** @typedef {Picture & HistogramDetails} Histogram */

const DASHES = ['4 3', '1 3', '8 3 2 3', '12 3'];

/**
 * @param {Histogram} chart
 * @returns {string} an `<svg>`
 */
export function histogram(chart) {
  const { axis, title, marks = [], countLabel = 'count' } = chart;
  const isLog = axis.scale === 'log';
  const bins = (chart.bins ?? divide(chart.values ?? [], isLog)).filter(
    ({ from, to }) => Number.isFinite(from) && Number.isFinite(to) && (!isLog || to > 0),
  );
  const { id, width, title: heading } = openPicture(chart);
  const legend = renderLegend(marks.map(markEntry), width, heading.bottom + 4);
  const countAxis = { label: countLabel, fromZero: true };
  const yName = renderUprightName(countLabel, width, legend.bottom);
  const top = yName.bottom + 10;
  const bottom = top + Math.round(Math.max(130, Math.min(260, width * 0.38)));
  const y = makeScale(
    countAxis,
    bins.map((one) => one.count),
    { from: bottom, to: top, isUpright: true },
  );
  const left = MARGIN + y.labelWidth + 8;
  const right = width - MARGIN - 8;
  const x = makeScale(axis, [...bins.flatMap(({ from, to }) => [from, to]), ...marks.map((mark) => mark.value)], {
    from: left,
    to: right,
    room: [MARGIN, width - MARGIN],
  });
  const place = { left, right, top, bottom, width };
  const lying = renderLyingAxis(axis, x, { ...place, hasGrid: false });
  const upright = renderUprightAxis(y, place);
  return closePicture({
    id,
    width,
    height: lying.bottom,
    title,
    description: chart.description ?? describe(chart, bins),
    note: chart.note,
    body: [
      heading.markup,
      legend.markup,
      yName.markup,
      upright.grid,
      bins.map(({ from, to, count }) => {
        const start = Math.max(left, x.shows(from) ? x.at(from) : left);
        const wide = Math.max(0.5, x.at(to) - start - 1);
        const end = y.at(count);
        return html`<rect class="cx-f0" x="${round(start + 0.5)}" y="${round(end)}" width="${round(wide)}" height="${round(bottom - end)}"/>`;
      }),
      marks.map(({ value }, at) =>
        x.shows(value)
          ? html`<path class="cx-halo" d="M${round(x.at(value))},${round(top - 4)}V${round(bottom)}"/><path class="cx-whisker" stroke-dasharray="${DASHES[at % DASHES.length] ?? ''}" d="M${round(x.at(value))},${round(top - 4)}V${round(bottom)}"/>`
          : html``,
      ),
      lying.markup,
      upright.markup,
    ],
  });
}

/**
 * @param {number[]} values
 * @param {boolean} isLog
 * @returns {Bin[]} of equal width, on the axis they are shown on
 */
function divide(values, isLog) {
  const shown = values.filter((value) => Number.isFinite(value) && (!isLog || value > 0));
  const made = bin()(isLog ? shown.map(Math.log10) : shown);
  const back = (/** @type {number | undefined} */ edge) => (isLog ? 10 ** (edge ?? 0) : (edge ?? 0));
  return made.map((one) => ({ from: back(one.x0), to: back(one.x1), count: one.length }));
}

/**
 * @param {{value: number, label: string}} mark
 * @param {number} at
 * @returns {LegendEntry}
 */
function markEntry({ label }, at) {
  return {
    label,
    width: 12,
    draw: (x, y) =>
      html`<path class="cx-whisker" stroke-dasharray="${DASHES[at % DASHES.length] ?? ''}" d="M${round(x + 6)},${round(y - 8)}v16"/>`,
  };
}

/**
 * @param {Histogram} chart
 * @param {Bin[]} bins
 * @returns {string}
 */
function describe({ axis, countLabel = 'count', marks = [] }, bins) {
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  const unit = axis.unit ?? '';
  const fullest = bins.reduce((best, one) => (one.count > (best?.count ?? -1) ? one : best), bins[0]);
  const most = fullest
    ? ` The most, ${formatNumber(fullest.count)}, lie between ${formatWithUnit(fullest.from, unit)} and ${formatWithUnit(fullest.to, unit)}.`
    : '';
  const told = marks.map(({ label, value }) => ` ${label}: ${formatWithUnit(value, unit)}.`).join('');
  return `Histogram of ${nameOfAxis(axis)}, ${formatNumber(total)} ${countLabel}.${most}${told}`;
}
