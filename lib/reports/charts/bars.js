// Draws a chart of horizontal bars, each with its error bar and its value in figures.

import { html } from '../../shared/markup.js';
import { line, nameOfAxis, openPicture } from './frame.js';
import { formatWithUnit } from './numbers.js';
import { renderRows } from './rows.js';
import { fillingOf, renderMarker, renderPatterns, round } from './style.js';

/** @import { Markup } from '../../shared/markup.js' */
/** @import { Picture } from './frame.js' */
/** @import { Beside, Reference } from './rows.js' */
/** @import { Axis, Scale } from './scales.js' */

/**
 * @typedef {object} Measure
 * @property {number | undefined} value undefined where there is none; `text` says why
 * @property {number} [low] lower end of its interval
 * @property {number} [high]
 * @property {string} [text] stands beside the bar; the value with its unit where absent
 */

/** @typedef {{label: string, values: Measure[]}} BarRow one value for each series */

/**
 * @typedef {object} BarDetails
 * @property {Axis} axis of the values; on a logarithmic one, points are drawn instead of bars, which would have no beginning
 * @property {BarRow[]} rows from top to bottom
 * @property {string[]} [series] their names, for the legend; none for one series
 * @property {Reference} [reference]
 */

/** @typedef {Picture & BarDetails} BarChart */

const BAR_HEIGHT = 16;
/** Between bars of one row. */
const BAR_GAP = 4;

/**
 * @param {BarChart} chart
 * @returns {string} an `<svg>`
 */
export function barChart(chart) {
  const { rows, series = [], reference } = chart;
  const axis = { fromZero: true, ...chart.axis };
  const unit = axis.unit ?? '';
  const isLog = axis.scale === 'log';
  const opened = openPicture(chart);
  const { id } = opened;
  const count = Math.max(1, series.length, ...rows.map((row) => row.values.length));
  const told = rows.map((row) => row.values.map((measure) => textOf(measure, unit)));
  const zeroOf = (/** @type {Scale} */ scale) => scale.at(Math.max(scale.lowest, Math.min(0, scale.highest)));
  return renderRows(chart, {
    opened,
    axis,
    legend: [
      ...series.map((name, at) => sampleOf(name, at, id, isLog)),
      ...(reference ? [referenceSample(reference.label)] : []),
    ],
    values: [
      ...rows.flatMap((row) => row.values.flatMap(({ value, low, high }) => [value, low, high])),
      reference?.value,
    ],
    heights: rows.map((row) => Math.max(1, row.values.length) * (BAR_HEIGHT + BAR_GAP) - BAR_GAP),
    beside: told,
    description: describe(chart, told),
    patterns: renderPatterns(id, isLog ? 0 : count),
    drawRow: (at, middle, scale, tell) => {
      const { values } = /** @type {BarRow} */ (rows[at]);
      const half = ((values.length - 1) * (BAR_HEIGHT + BAR_GAP)) / 2;
      return html`${values.map((measure, one) => {
        const y = middle - half + one * (BAR_HEIGHT + BAR_GAP);
        const beside = tell(/** @type {Beside} */ (told[at]?.[one]), y);
        return html`${renderBar(measure, one, y, { id, scale, zero: zeroOf(scale) })}${beside}`;
      })}`;
    },
    drawLines: (scale, upright) => ({
      over: [
        !isLog && upright('cx-axis', zeroOf(scale)),
        reference && scale.shows(reference.value) && upright('cx-reference', scale.at(reference.value)),
      ],
    }),
  });
}

/**
 * @param {Measure} measure
 * @param {number} series
 * @param {number} y its middle
 * @param {{id: string, scale: Scale, zero: number}} plot
 * @returns {Markup}
 */
function renderBar({ value, low, high }, series, y, { id, scale, zero }) {
  const hasWhisker = scale.shows(low) && scale.shows(high);
  const whisker = hasWhisker && renderWhisker(scale.at(low), scale.at(high), y);
  if (!scale.shows(value)) return html`${whisker}`;
  const end = scale.at(value);
  if (scale.isLog) return html`${whisker}${renderMarker(series, end, y)}`;
  const { fill, className } = fillingOf(id, series);
  const from = Math.min(zero, end);
  const bar = html`<rect class="${className}" x="${round(from)}" y="${round(y - BAR_HEIGHT / 2)}" width="${round(Math.abs(end - zero))}" height="${BAR_HEIGHT}"${fill !== '' && html` fill="${fill}"`}/>`;
  return html`${bar}${hasWhisker && html`<path class="cx-halo" d="M${round(scale.at(low))},${round(y)}H${round(scale.at(high))}"/>`}${whisker}`;
}

/**
 * @param {number} from
 * @param {number} to
 * @param {number} y
 * @returns {Markup}
 */
export function renderWhisker(from, to, y) {
  const [low, high] = [round(from), round(to)];
  return html`<path class="cx-whisker" d="M${low},${round(y)}H${high}M${low},${round(y - 5)}v10M${high},${round(y - 5)}v10"/>`;
}

/**
 * @param {string} name
 * @param {number} series
 * @param {string} id
 * @param {boolean} isLog
 * @returns {import('./frame.js').LegendEntry}
 */
function sampleOf(name, series, id, isLog) {
  const { fill, className } = fillingOf(id, series);
  return {
    label: name,
    width: isLog ? 12 : 22,
    draw: (x, y) =>
      isLog
        ? renderMarker(series, x + 6, y)
        : html`<rect class="${className}" x="${round(x)}" y="${round(y - 6)}" width="22" height="12"${fill !== '' && html` fill="${fill}"`}/>`,
  };
}

/**
 * @param {string} label
 * @returns {import('./frame.js').LegendEntry}
 */
export function referenceSample(label) {
  return { label, width: 12, draw: (x, y) => line('cx-reference', x + 6, y - 8, x + 6, y + 8) };
}

/**
 * @param {Measure} measure
 * @param {string} unit
 * @returns {Beside}
 */
function textOf({ value, text }, unit) {
  const isEmpty = value === undefined || !Number.isFinite(value);
  return { told: text ?? (isEmpty ? 'not measured' : formatWithUnit(value, unit)), isEmpty };
}

/**
 * @param {BarChart} chart
 * @param {Beside[][]} told texts of the values
 * @returns {string}
 */
function describe({ axis, rows, series = [] }, told) {
  const lines = rows.map(({ label, values }, at) => {
    const all = values.map(({ low, high }, one) => {
      const name = series.length > 1 ? `${series[one] ?? ''} ` : '';
      const range =
        low === undefined || high === undefined
          ? ''
          : ` (${formatWithUnit(low, '')} to ${formatWithUnit(high, axis.unit ?? '')})`;
      return `${name}${told[at]?.[one]?.told ?? ''}${range}`;
    });
    return `${label}: ${all.join(', ')}.`;
  });
  return `Bar chart of ${nameOfAxis(axis)}. ${lines.join(' ')}`;
}
