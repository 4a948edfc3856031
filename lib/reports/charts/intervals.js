// Draws estimates with their intervals, one row each: ratios of two ways of doing a thing, with the line of "no
// difference".

import { html } from '../../shared/markup.js';
import { referenceSample, renderWhisker } from './bars.js';
import { nameOfAxis, openPicture } from './frame.js';
import { formatNumber } from './numbers.js';
import { renderRows } from './rows.js';
import { round } from './style.js';

/** @import { Markup } from '../../shared/markup.js' */
/** @import { LegendEntry, Picture } from './frame.js' */
/** @import { Beside, Reference } from './rows.js' */
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
 * @property {Reference} [reference] 1, `no difference`, where absent
 */

/** @typedef {Picture & IntervalDetails} IntervalPlot */

const ROW_HEIGHT = 16;
const RADIUS = 4.5;

/**
 * @param {IntervalPlot} chart
 * @returns {string} an `<svg>`
 */
export function intervalPlot(chart) {
  const { rows, reference = { value: 1, label: 'no difference' } } = chart;
  const told = rows.map(textOf);
  return renderRows(chart, {
    opened: openPicture(chart),
    axis: { scale: 'log', ...chart.axis },
    legend: [
      referenceSample(reference.label),
      rows.some((row) => isClear(row, reference.value)) && sample('clear difference', true),
      rows.some((row) => row.low !== undefined && !isClear(row, reference.value)) &&
        sample('no clear difference', false),
    ].filter((entry) => entry !== false),
    values: [...rows.flatMap(({ estimate, low, high }) => [estimate, low, high]), reference.value],
    heights: rows.map(() => ROW_HEIGHT),
    beside: told.map((text) => [text]),
    inset: RADIUS,
    description: describe(chart, told),
    drawRow: (at, middle, scale, tell) => {
      const row = /** @type {IntervalRow} */ (rows[at]);
      const beside = tell(/** @type {Beside} */ (told[at]), middle);
      return html`${renderRow(row, middle, scale, isClear(row, reference.value))}${beside}`;
    },
    drawLines: (scale, upright) => ({
      under: scale.shows(reference.value) && upright('cx-reference', scale.at(reference.value)),
    }),
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
