// Draws pictures of rows on a horizontal axis: labels beside the plot where there is room for them, above their row
// where there is none.

import { html } from '../../shared/markup.js';
import { closePicture, line, MARGIN, renderLegend, renderLyingAxis, text } from './frame.js';
import { makeScale } from './scales.js';
import { FONT, LINE_HEIGHT } from './style.js';
import { shorten, textWidth, wrapText } from './text-size.js';

/** @import { Markup } from '../../shared/markup.js' */
/** @import { Laid, LegendEntry, Picture } from './frame.js' */
/** @import { Axis, Scale } from './scales.js' */

/** @typedef {{told: string, isEmpty: boolean}} Beside a text beside a row; where this row draws nothing (`isEmpty`), the text takes its place */

/** @typedef {{value: number, label: string}} Reference a line across all rows */

/** Labels beside the plot take at most this part of the width. */
const LABEL_SHARE = 0.32;
/** A narrower plot is no good: then labels go above. */
const MIN_PLOT = 150;
/** Texts on the right take at most this part. */
const BESIDE_SHARE = 0.45;
const ROW_GAP = 12;
const MAX_LINES = 4;

/**
 * @param {Picture & {rows: {label: string}[]}} chart
 * @param {object} parts
 * @param {{id: string, width: number, title: Laid}} parts.opened what `openPicture` gave
 * @param {Axis} parts.axis
 * @param {LegendEntry[]} parts.legend
 * @param {(number | undefined)[]} parts.values all that the axis must show
 * @param {number[]} parts.heights of the rows without labels
 * @param {Beside[][]} parts.beside of each row the texts on the right
 * @param {string} parts.description where the chart has none
 * @param {number} [parts.inset] room for marks at both ends of the plot
 * @param {Markup} [parts.patterns] that the rows are filled with
 * @param {(at: number, middle: number, scale: Scale, tell: (beside: Beside, y: number) => Markup) => Markup} parts.drawRow
 * @param {(scale: Scale, upright: (className: string, x: number) => Markup) => {under?: Markup | false, over?: (Markup | false | undefined)[]}} parts.drawLines
 *   lines across all rows, under them and over them
 * @returns {string} an `<svg>`
 */
export function renderRows(chart, { opened: { id, width, title }, axis, inset = 0, ...parts }) {
  const legend = renderLegend(parts.legend, width, title.bottom + 4);
  const layout = layOutRows({
    labels: chart.rows.map((row) => row.label),
    heights: parts.heights,
    beside: parts.beside.flat(),
    width,
    top: legend.bottom + 8,
  });
  const { left, right, top, bottom } = layout;
  const room = /** @type {[number, number]} */ ([MARGIN, width - MARGIN]);
  const scale = makeScale(axis, parts.values, { from: left + inset, to: right - inset, room });
  const lying = renderLyingAxis(axis, scale, { left, right, top, bottom, width });
  const { under, over = [] } = parts.drawLines(scale, (className, x) => line(className, x, top, x, bottom));
  return closePicture({
    id,
    width,
    height: lying.bottom,
    title: chart.title,
    description: chart.description ?? parts.description,
    note: chart.note,
    body: [
      parts.patterns,
      title.markup,
      legend.markup,
      lying.grid,
      under,
      layout.rows.map(({ middle }, at) => parts.drawRow(at, middle, scale, layout.tell)),
      layout.markup,
      lying.markup,
      over,
    ],
  });
}

/**
 * @param {object} given
 * @param {string[]} given.labels
 * @param {number[]} given.heights of the rows without labels
 * @param {Beside[]} given.beside the texts on the right
 * @param {number} given.width of the picture
 * @param {number} given.top
 * @returns {{left: number, right: number, top: number, bottom: number, rows: {middle: number}[], markup: Markup,
 *   tell: (beside: Beside, y: number) => Markup}} the plot, the middle of what each row draws, the labels; `tell` draws a text on the right
 */
function layOutRows({ labels, heights, beside, width, top }) {
  const widestBeside = Math.max(
    0,
    ...beside.filter(({ isEmpty }) => !isEmpty).map(({ told }) => textWidth(told, FONT.text)),
  );
  const right = width - MARGIN - Math.min(widestBeside, width * BESIDE_SHARE) - 12;
  const widest = Math.max(0, ...labels.map((label) => textWidth(label, FONT.text)));
  const column = Math.min(widest, width * LABEL_SHARE);
  const isBeside =
    right - (MARGIN + column + 10) >= MIN_PLOT &&
    labels.every((label) => wrapText(label, column + 1, FONT.text).length <= MAX_LINES);
  const left = isBeside ? MARGIN + column + 10 : MARGIN + 4;
  const step = FONT.text * LINE_HEIGHT;
  /** @type {{middle: number}[]} */
  const rows = [];
  /** @type {Markup[]} */
  const parts = [];
  let y = top + 4;
  for (const [at, label] of labels.entries()) {
    const height = heights[at] ?? 0;
    const room = isBeside ? column + 1 : width - 2 * MARGIN;
    const lines = wrapText(label, room, FONT.text, { lines: MAX_LINES });
    const labelHeight = lines.length * step;
    const rowHeight = isBeside ? Math.max(height, labelHeight) : height + labelHeight + 4;
    const middle = isBeside ? y + rowHeight / 2 : y + labelHeight + 4 + height / 2;
    const first = isBeside ? middle - labelHeight / 2 : y;
    rows.push({ middle });
    for (const [one, part] of lines.entries()) {
      const baseline = first + one * step + FONT.text * 1.02;
      parts.push(isBeside ? text(part, left - 10, baseline, { anchor: 'end' }) : text(part, MARGIN, baseline));
    }
    y += rowHeight + ROW_GAP;
  }
  /** @param {Beside} text @param {number} middle */
  const tell = ({ told, isEmpty }, middle) => {
    const baseline = middle + FONT.text * 0.35;
    if (isEmpty)
      return text(shorten(told, width - MARGIN - left - 6, FONT.text), left + 6, baseline, { className: 'cx-muted' });
    return text(shorten(told, width - MARGIN - right - 11, FONT.text), width - MARGIN, baseline, { anchor: 'end' });
  };
  return { left, right: Math.max(left + 40, right), top, bottom: y - ROW_GAP + 8, rows, markup: html`${parts}`, tell };
}
