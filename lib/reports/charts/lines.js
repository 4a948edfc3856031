// Draws series of points as lines: one or both axes may be logarithmic, points may have intervals.

import { area, line as linePath } from 'd3-shape';
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
  text,
} from './frame.js';
import { formatWithUnit } from './numbers.js';
import { makeScale } from './scales.js';
import { FONT, lookOf, renderMarker, round } from './style.js';
import { textWidth } from './text-size.js';

/** @import { Markup } from '../../shared/markup.js' */
/** @import { Picture } from './frame.js' */
/** @import { Axis, Scale } from './scales.js' */

/** @typedef {{x: number, y: number | undefined, low?: number, high?: number}} Point `y`: undefined leaves a gap in the line */

/**
 * @typedef {object} Series
 * @property {string} name
 * @property {Point[]} points in the order of the line
 * @property {'bars' | 'band'} [intervals] how `low` and `high` are shown; as error bars where absent
 * @property {boolean} [isPlain] no markers: for curves of very many points
 */

/** @typedef {Picture & {x: Axis, y: Axis, series: Series[]}} LineChart */
/** @typedef {{x: Scale, y: Scale}} Scales */

/** A line with more points has markers at some of them only. */
const MAX_MARKERS = 24;
/** Names beside the ends of lines need so much room in a picture, and take at most this part of it. */
const DIRECT_WIDTH = 520;
const DIRECT_SHARE = 0.3;
const MAX_DIRECT = 8;

/**
 * @param {LineChart} chart
 * @returns {string} an `<svg>`
 */
export function lineChart(chart) {
  const { x: xAxis, y: yAxis, series, title } = chart;
  const { id, width, title: heading } = openPicture(chart);
  const names = series.map((one) => one.name);
  const widestName = Math.max(0, ...names.map((name) => textWidth(name, FONT.text)));
  const isDirect =
    series.length > 1 &&
    series.length <= MAX_DIRECT &&
    width >= DIRECT_WIDTH &&
    widestName + 30 <= width * DIRECT_SHARE;
  const legend = renderLegend(
    series.length > 1 && !isDirect ? series.map((one, at) => legendEntry(one.name, at)) : [],
    width,
    heading.bottom + 4,
  );
  const yName = renderUprightName(nameOfAxis(yAxis), width, legend.bottom);
  const top = yName.bottom + 10;
  const bottom = top + Math.round(Math.max(150, Math.min(340, width * 0.5)));
  const points = series.flatMap((one) => one.points);
  const y = makeScale(
    yAxis,
    points.flatMap((point) => [point.y, point.low, point.high]),
    { from: bottom, to: top, isUpright: true },
  );
  const left = MARGIN + y.labelWidth + 8;
  const right = width - MARGIN - (isDirect ? widestName + 30 : 8);
  const x = makeScale(
    xAxis,
    points.map((point) => point.x),
    { from: left, to: right, room: [MARGIN, width - MARGIN] },
  );
  const scales = { x, y };
  const place = { left, right, top, bottom, width };
  const lying = renderLyingAxis(xAxis, x, place);
  const upright = renderUprightAxis(y, place);
  const unshown = points.filter((point) => point.y !== undefined && !isShown(point, scales)).length;
  return closePicture({
    id,
    width,
    height: lying.bottom,
    title,
    description: chart.description ?? describe(chart),
    note: noteOf(chart.note, unshown),
    body: [
      heading.markup,
      legend.markup,
      yName.markup,
      lying.grid,
      upright.grid,
      lying.markup,
      upright.markup,
      series.map((one, at) => renderIntervals(one, at, scales)),
      series.map((one, at) => renderLine(one, at, scales)),
      isDirect && html`${renderNames(series, scales, place)}`,
    ],
  });
}

/**
 * @param {Point} point
 * @param {Scales} scales
 * @returns {point is Point & {y: number}}
 */
function isShown(point, { x, y }) {
  return x.shows(point.x) && y.shows(point.y);
}

/**
 * @param {string | undefined} note
 * @param {number} unshown points
 * @returns {string | undefined}
 */
function noteOf(note, unshown) {
  if (unshown === 0) return note;
  const missing = `${unshown === 1 ? '1 point' : `${unshown} points`} cannot be shown on a logarithmic axis.`;
  return note ? `${note} ${missing}` : missing;
}

/**
 * @param {string} name
 * @param {number} at number of the series
 * @returns {import('./frame.js').LegendEntry}
 */
function legendEntry(name, at) {
  return {
    label: name,
    width: 34,
    draw: (x, y) => html`${stroke(at, `M${round(x)},${round(y)}h34`)}${renderMarker(at, x + 17, y)}`,
  };
}

/**
 * @param {number} at number of the series
 * @param {string} path
 * @returns {Markup}
 */
function stroke(at, path) {
  const { color, dash } = lookOf(at);
  return html`<path class="cx-line cx-s${color}"${dash !== '' && html` stroke-dasharray="${dash}"`} d="${path}"/>`;
}

/**
 * @param {Series} series
 * @param {number} at
 * @param {Scales} scales
 * @returns {Markup}
 */
function renderLine({ points, isPlain }, at, scales) {
  const path = linePath(
    (/** @type {Point} */ point) => round(scales.x.at(point.x)),
    (/** @type {Point} */ point) => round(scales.y.at(point.y ?? 0)),
  ).defined((point) => isShown(point, scales));
  const shown = points.filter((point) => isShown(point, scales));
  const every = Math.ceil(shown.length / MAX_MARKERS);
  // Series begin at different points, so that markers of lines that lie on each other do not hide one another.
  const marked = isPlain ? [] : shown.filter((_, index) => index % every === at % every);
  return html`${stroke(at, path(points) ?? '')}${marked.map((point) =>
    renderMarker(at, scales.x.at(point.x), scales.y.at(/** @type {number} */ (point.y))),
  )}`;
}

/**
 * @param {Series} series
 * @param {number} at
 * @param {Scales} scales
 * @returns {Markup}
 */
function renderIntervals({ points, intervals }, at, scales) {
  const { x, y } = scales;
  const ranged = points.filter((point) => isShown(point, scales) && y.shows(point.low) && y.shows(point.high));
  const { color } = lookOf(at);
  if (intervals === 'band') {
    const path = area(
      (/** @type {Point} */ point) => round(x.at(point.x)),
      (/** @type {Point} */ point) => round(y.at(/** @type {number} */ (point.low))),
      (/** @type {Point} */ point) => round(y.at(/** @type {number} */ (point.high))),
    );
    return html`<path class="cx-band cx-f${color}" d="${path(ranged) ?? ''}"/>`;
  }
  const whiskers = ranged.map((point) => {
    const middle = round(x.at(point.x));
    const [low, high] = [round(y.at(Number(point.low))), round(y.at(Number(point.high)))];
    return `M${middle},${low}V${high}M${middle - 4},${low}h8M${middle - 4},${high}h8`;
  });
  return html`${whiskers.length > 0 && html`<path class="cx-whisker" d="${whiskers.join('')}"/>`}`;
}

/**
 * @param {Series[]} series
 * @param {Scales} scales
 * @param {{right: number, top: number, bottom: number}} place
 * @returns {Markup[]} names beside the ends of the lines, moved apart where these end close to each other
 */
function renderNames(series, scales, { right, top, bottom }) {
  const step = FONT.text * 1.4;
  const ends = series.map((one, at) => {
    const last = one.points.findLast((point) => isShown(point, scales));
    return { name: one.name, series: at, wanted: last ? scales.y.at(/** @type {number} */ (last.y)) : bottom };
  });
  const sorted = ends.toSorted((one, other) => one.wanted - other.wanted || one.series - other.series);
  /** @type {number[]} */
  const places = [];
  for (const { wanted } of sorted) places.push(Math.max(wanted, (places.at(-1) ?? top - step) + step));
  // What was pushed out below moves up again.
  for (
    let at = places.length - 1, limit = bottom;
    at >= 0;
    at -= 1, limit = /** @type {number} */ (places[at + 1]) - step
  ) {
    places[at] = Math.min(/** @type {number} */ (places[at]), limit);
  }
  return sorted.map(({ name, series: at }, index) => {
    const y = /** @type {number} */ (places[index]);
    return html`${renderMarker(at, right + 16, y)}${text(name, right + 26, y + FONT.text * 0.35)}`;
  });
}

/**
 * @param {LineChart} chart
 * @returns {string}
 */
function describe({ x, y, series }) {
  const told = series.map(({ name, points }) => {
    const known = points.filter((point) => point.y !== undefined);
    const [first, last] = [known[0], known.at(-1)];
    if (!first || !last) return `${name}: no points.`;
    const at = (/** @type {Point} */ point) =>
      `${formatWithUnit(Number(point.y), y.unit ?? '')} at ${formatWithUnit(point.x, x.unit ?? '')}`;
    const highest = known.reduce((best, point) => (Number(point.y) > Number(best.y) ? point : best));
    return `${name}: from ${at(first)} to ${at(last)}, highest ${at(highest)}.`;
  });
  return `Line chart of ${nameOfAxis(y)} over ${nameOfAxis(x)}. ${told.join(' ')}`;
}
