// Renders the result of a scenario as a page, and its pictures as single files. Draws only with the charts in charts/.

import {
  COMPARISON_COLUMNS,
  cellsOf,
  comparisonCells,
  formatRatio,
  tellConfidence,
  tellDifferences,
} from './bench-cells.js';
import { barChart, figure, formatNumber, lineChart, list, paragraph, renderPage, table } from './charts/index.js';

/** @import { BenchPicture, BenchResult } from '../measure/scenarios/scenario.js' */

/** How wide a picture is that stands alone, in pixels. */
const WIDTH = 720;

/**
 * @param {BenchResult} result
 * @param {{environment: string[]}} options
 * @returns {string}
 */
export function renderBenchPage(result, { environment }) {
  const {
    scenario,
    question,
    at,
    seed,
    settings,
    tables,
    comparisons,
    pictures,
    missing,
    notes,
    warnings,
    published,
    verdict,
  } = result;
  return renderPage({
    title: `couch-advisor bench ${scenario}`,
    lead: question,
    facts: [
      ...environment.map((line) => {
        const [name = '', ...value] = line.split(':');
        return { name: name.trim(), value: value.join(':').trim() };
      }),
      { name: 'date', value: `${at.slice(0, 10)} ${at.slice(11, 16)} UTC` },
      {
        name: 'settings',
        value: Object.entries(settings)
          .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(',') : value}`)
          .join(', '),
      },
      { name: 'seed', value: seed },
    ],
    sections: [
      {
        title: 'Comparison with the published figures',
        blocks: [
          verdict &&
            paragraph(
              `Verdict: ${verdict.word}${verdict.ratio === null ? '' : ` (${formatRatio(verdict.ratio)} times as fast after the change)`}. ${capital(verdict.reason)}.`,
            ),
          table({
            caption: 'Ratios only; times from other machines are not comparable',
            columns: COMPARISON_COLUMNS.map((label, column) => ({ label, isNumber: column > 0 && column < 4 })),
            rows: comparisons.map(comparisonCells),
          }),
          paragraph(`${capital(tellDifferences(comparisons))}.`),
          paragraph(`Published: ${published}.`),
          paragraph(`Measured here: ${tellConfidence(comparisons)}.`),
          list([...new Set(comparisons.flatMap(({ note }) => note ?? []))]),
        ],
      },
      ...(pictures.length > 0
        ? [
            {
              title: 'Charts',
              blocks: pictures
                .filter(isDrawable)
                .map((picture, number) => figure(`picture-${number + 1}`, (size) => drawPicture(picture, size))),
            },
          ]
        : []),
      {
        title: 'Measurements',
        blocks: tables
          .filter(({ rows }) => rows.length > 0)
          .flatMap((one) => [
            table({
              caption: one.title,
              columns: one.columns.map(({ title, unit }) => ({ label: title, isNumber: unit !== 'text' })),
              rows: cellsOf(one),
            }),
            one.notes !== undefined && list(one.notes),
          ]),
      },
      ...(missing.length + notes.length + warnings.length > 0
        ? [
            {
              title: 'Notes',
              blocks: [
                list([
                  ...missing.map((one) => `not available here: ${one}`),
                  ...notes,
                  ...warnings.map(({ code, message }) => `Warning: ${message} (\`${code}\`)`),
                ]),
              ],
            },
          ]
        : []),
    ],
  });
}

/**
 * @param {Pick<BenchResult, 'pictures' | 'environment' | 'at'>} result
 * @returns {string[]} each picture as a file of its own
 */
export function renderBenchPictures({ pictures, environment, at }) {
  return pictures.filter(isDrawable).map((picture, number) =>
    drawPicture(picture, {
      id: `picture-${number + 1}`,
      width: WIDTH,
      note: `${environment.server.name}, ${at.slice(0, 10)}`,
    }),
  );
}

/** @param {string} text @returns {string} as a sentence begins */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {BenchPicture} picture @returns {boolean} whether there is a point in it */
function isDrawable({ series }) {
  return series.some(({ points }) => points.length > 0);
}

/**
 * @param {BenchPicture} picture
 * @param {{id: string, width: number, note?: string}} size
 * @returns {string} an `<svg>`
 */
function drawPicture({ title, kind, x, y, series }, size) {
  const drawn = series.filter(({ points }) => points.length > 0);
  const axis = {
    label: y.label,
    ...(y.unit === undefined ? {} : { unit: y.unit }),
    ...(y.isLogarithmic ? { scale: /** @type {const} */ ('log') } : {}),
  };
  if (kind === 'lines') {
    return lineChart({
      ...size,
      title,
      x: {
        label: x.label,
        ...(x.unit === undefined ? {} : { unit: x.unit }),
        ...(x.isLogarithmic ? { scale: /** @type {const} */ ('log') } : {}),
      },
      y: { ...axis, fromZero: !y.isLogarithmic },
      series: drawn.map(({ name, points }) => ({
        name,
        points: points.map((point) => ({ ...point, x: Number(point.x) })),
      })),
    });
  }
  const labels = [...new Set(drawn.flatMap(({ points }) => points.map((point) => String(point.x))))];
  return barChart({
    ...size,
    title,
    axis,
    series: drawn.length > 1 ? drawn.map(({ name }) => name) : [],
    rows: labels.map((label) => ({
      label,
      values: drawn.map(({ points }) => {
        const point = points.find((one) => String(one.x) === label);
        if (!point) return { value: undefined, text: 'not measured' };
        const { y: value, low, high } = point;
        return { value, ...(low === undefined || high === undefined ? {} : { low, high }), text: formatNumber(value) };
      }),
    })),
  });
}
