// Estimates with their intervals in, a picture with one row each out: ratios of two ways of doing a thing, with the line of "no difference".

import { html } from '../shared/markup.js';
import { referenceSample, renderWhisker } from './bars.js';
import { closePicture, line, MARGIN, nameOfAxis, openPicture, renderLegend, renderLyingAxis } from './frame.js';
import { formatNumber } from './numbers.js';
import { layOutRows } from './rows.js';
import { makeScale } from './scales.js';
import { round } from './style.js';

/** @import { Markup } from '../shared/markup.js' */
/** @import { LegendEntry, Picture } from './frame.js' */
/** @import { Beside } from './rows.js' */
/** @import { Axis, Scale } from './scales.js' */

/**
 * @typedef {object} IntervalRow
 * @property {string} label
 * @property {number | undefined} estimate undefined where there is none; `text` says why
 * @property {number} [low]
 * @property {number} [high]
 * @property {string} [text] stands beside; the figures where absent
 */

/**
 * @typedef {object} IntervalDetails
 * @property {Axis} axis logarithmic where it does not say: ratios
 * @property {IntervalRow[]} rows
 * @property {{value: number, label: string}} [reference] 1, `no difference`, where absent
 */

/** @typedef {Picture & IntervalDetails} IntervalPlot */

const ROW_HEIGHT = 16;
const RADIUS = 4.5;

/**
 * @param {IntervalPlot} chart
 * @returns {string} an `<svg>`
 */
export function intervalPlot(chart) {
  const { rows, title, reference = { value: 1, label: 'no difference' } } = chart;
  /** @type {Axis} */
  const axis = { scale: 'log', ...chart.axis };
  const { id, width, title: heading } = openPicture(chart);
  const told = rows.map(textOf);
  const legend = renderLegend(
    [
      referenceSample(reference.label),
      rows.some((row) => isClear(row, reference.value)) && sample('interval without it', true),
      rows.some((row) => row.low !== undefined && !isClear(row, reference.value)) && sample('interval with it', false),
    ].filter((entry) => entry !== false),
    width,
    heading.bottom + 4,
  );
  const layout = layOutRows({
    labels: rows.map((row) => row.label),
    heights: rows.map(() => ROW_HEIGHT),
    beside: told,
    width,
    top: legend.bottom + 8,
  });
  const { left, right, top, bottom } = layout;
  const scale = makeScale(
    axis,
    [...rows.flatMap(({ estimate, low, high }) => [estimate, low, high]), reference.value],
    { from: left + RADIUS, to: right - RADIUS, room: [MARGIN, width - MARGIN] },
  );
  const lying = renderLyingAxis(axis, scale, { left, right, top, bottom, width });
  const zero = scale.at(reference.value);
  return closePicture({
    id,
    width,
    height: lying.bottom,
    title,
    description: chart.description ?? describe(chart, told),
    note: chart.note,
    body: [
      heading.markup,
      legend.markup,
      lying.grid,
      scale.shows(reference.value) && line('cx-reference', zero, top, zero, bottom),
      rows.map((row, at) => {
        const { middle } = /** @type {{middle: number}} */ (layout.rows[at]);
        const beside = layout.tell(/** @type {Beside} */ (told[at]), middle);
        return html`${renderRow(row, middle, scale, isClear(row, reference.value))}${beside}`;
      }),
      layout.markup,
      lying.markup,
    ],
  });
}

/**
 * @param {IntervalRow} row
 * @param {number} reference
 * @returns {boolean} whether the interval lies on one side of the reference
 */
function isClear({ low, high }, reference) {
  return low !== undefined && high !== undefined && (low > reference || high < reference);
}

/**
 * @param {IntervalRow} row
 * @param {number} y
 * @param {Scale} scale
 * @param {boolean} isFull
 * @returns {Markup}
 */
function renderRow({ estimate, low, high }, y, scale, isFull) {
  const hasInterval = scale.shows(low) && scale.shows(high);
  return html`${hasInterval && renderWhisker(scale.at(low), scale.at(high), y)}${
    scale.shows(estimate) && renderDot(scale.at(estimate), y, isFull)
  }`;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {boolean} isFull
 * @returns {Markup}
 */
function renderDot(x, y, isFull) {
  return html`<circle class="${isFull ? 'cx-f0' : 'cx-hollow'} cx-s0" stroke-width="2" cx="${round(x)}" cy="${round(y)}" r="${RADIUS}"/>`;
}

/**
 * @param {string} label
 * @param {boolean} isFull
 * @returns {LegendEntry}
 */
function sample(label, isFull) {
  return { label, width: 12, draw: (x, y) => renderDot(x + 6, y, isFull) };
}

/**
 * @param {IntervalRow} row
 * @returns {Beside}
 */
function textOf({ estimate, low, high, text }) {
  const isEmpty = estimate === undefined || !Number.isFinite(estimate);
  if (text !== undefined) return { told: text, isEmpty };
  if (isEmpty) return { told: 'not measured', isEmpty };
  const range = low === undefined || high === undefined ? '' : ` (${formatNumber(low)} to ${formatNumber(high)})`;
  return { told: `${formatNumber(estimate)}${range}`, isEmpty };
}

/**
 * @param {IntervalPlot} chart
 * @param {Beside[]} told
 * @returns {string}
 */
function describe({ axis, rows }, told) {
  const lines = rows.map(({ label }, at) => `${label}: ${told[at]?.told ?? ''}.`);
  return `Estimates with intervals of ${nameOfAxis(axis)}. ${lines.join(' ')}`;
}
