// Builds the document of the result of a scenario: tables, published ratios beside measured ones, charts, what is missing, warnings.

import { countOf, formatBytes, formatCount, formatMilliseconds, formatShare } from '../shared/units.js';
import { formatNumber } from './charts/numbers.js';
import { chart, facts, list, notes, paragraph, section, span, table } from './document/blocks.js';

/** @import { Verdict } from '../measure/experiments/experiment.js' */
/** @import { BenchPicture, BenchResult, BenchTable, Cell, Comparison, ScenarioSpec, Standing, Unit } from '../measure/scenarios/scenario.js' */
/** @import { Chart, Document, Fact, Optional, Style } from './document/blocks.js' */

/** @type {Record<Standing, Style>} */
const STYLES = {
  'as published': 'good',
  stronger: 'good',
  weaker: 'warning',
  gone: 'warning',
  new: 'warning',
  reversed: 'bad',
  unclear: 'muted',
  'not measured': 'muted',
};

/**
 * @param {BenchResult} result
 * @param {Fact[]} environment
 * @returns {Document}
 */
export function benchDocument(result, environment) {
  const { scenario, question, at, seed, settings, tables, missing, warnings, verdict } = result;
  return {
    title: `couch-advisor bench ${scenario}`,
    lead: question,
    facts: [
      { name: 'scenario', value: scenario },
      ...environment,
      { name: 'date', value: `${at.slice(0, 10)} ${at.slice(11, 16)} UTC` },
      {
        name: 'sizes',
        value: Object.entries(settings)
          .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(',') : value}`)
          .join(', '),
      },
      { name: 'seed', value: seed },
    ],
    blocks: [
      ...tables.map((one) =>
        section(
          one.title,
          table({
            columns: one.columns.map(({ title, unit }) => ({ label: title, isNumber: unit !== 'text' })),
            rows: cellsOf(one),
          }),
          one.rows.length > 0 && list(one.notes ?? []),
        ),
      ),
      section('Charts', ...benchCharts(result)),
      verdict && verdictSection(verdict),
      comparisonSection(result),
      notes([...missing.map((one) => `not available here: ${one}`), ...result.notes]),
      notes(
        warnings.map(({ code, message }) => `${message} (\`${code}\`)`),
        'warning',
      ),
    ],
  };
}

/** @param {Pick<BenchResult, 'pictures'>} result @returns {Chart[]} */
export function benchCharts({ pictures }) {
  return pictures.filter(isDrawable).map(chartOf);
}

/** @param {BenchResult} result @returns {Optional} */
function comparisonSection({ comparisons, published, samples }) {
  if (comparisons.length === 0 || samples.length === 0) return undefined;
  const remarks = [...new Set(comparisons.flatMap(({ note }) => note ?? []))];
  return section(
    'Comparison with the published figures (ratios only)',
    table({
      columns: COMPARISON_COLUMNS.map((label, column) => ({ label, isNumber: column > 0 && column < 4 })),
      rows: comparisons.map((one) => [...comparisonCells(one).slice(0, -1), span(one.standing, STYLES[one.standing])]),
    }),
    facts([{ name: 'published', value: published }]),
    list([tellDifferences(comparisons), tellConfidence(comparisons), ...remarks]),
  );
}

/** @param {Verdict} verdict @returns {Optional} */
function verdictSection({ word, reason, ratio, interval, rounds, neededRounds }) {
  const sure =
    interval === null || ratio === null
      ? ''
      : `: ${formatRatio(ratio)} times as fast after (${formatRatio(interval[0])} to ${formatRatio(interval[1])}, ${rounds} rounds)`;
  return section(
    `Verdict: ${word}${sure}`,
    paragraph(`${capital(reason)}.`),
    neededRounds !== null &&
      paragraph(`About ${neededRounds} rounds would give a clear result: --rounds ${neededRounds}.`),
  );
}

/**
 * @param {readonly ScenarioSpec[]} scenarios
 * @returns {string} what there is, with what may be set
 */
export function renderScenarioList(scenarios) {
  return scenarios
    .map(({ name, about, defaults, full }) => {
      const settings = Object.entries(defaults).map(([key, value]) => {
        const [small, large] = [value, full[key]].map((one) => (Array.isArray(one) ? one.join(',') : String(one)));
        return `--${key} ${small}${small === large ? '' : ` (--full: ${large})`}`;
      });
      return `${name}\n  ${about}\n${settings.map((line) => `    ${line}\n`).join('')}`;
    })
    .join('\n');
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
 * @returns {Chart}
 */
function chartOf({ title, kind, x, y, series }) {
  const drawn = series.filter(({ points }) => points.length > 0);
  const axis = {
    label: y.label,
    ...(y.unit === undefined ? {} : { unit: y.unit }),
    ...(y.isLogarithmic ? { scale: /** @type {const} */ ('log') } : {}),
  };
  if (kind === 'lines') {
    return chart('lines', {
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
  return chart('bars', {
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

// Formats figures of scenarios for people, the same in text, on pages and in documents.

/** What is shown where nothing was measured. */
const NOTHING = '-';

/**
 * @param {Cell | undefined} value
 * @param {Unit} unit
 * @returns {string}
 */
export function formatCell(value, unit) {
  if (value === null || value === undefined || Number.isNaN(value)) return NOTHING;
  if (typeof value === 'string') return value;
  if (unit === 'ms') return formatMilliseconds(value);
  if (unit === 'bytes') return formatBytes(Math.round(value));
  if (unit === 'share') return formatShare(value);
  if (unit === 'times') return formatRatio(value);
  return formatFigure(value);
}

/**
 * @param {number} ratio
 * @returns {string} `1.37`, `0.0213`, `48.5`, `1,250`
 */
export function formatRatio(ratio) {
  if (ratio >= 100) return formatCount(Math.round(ratio));
  return String(Number(ratio.toPrecision(3)));
}

/**
 * @param {number} value
 * @returns {string} `19,821`; three figures below a hundred
 */
function formatFigure(value) {
  if (value < 100 && !Number.isInteger(value)) return String(Number(value.toPrecision(3)));
  return formatCount(Math.round(value));
}

/**
 * @param {BenchTable} table
 * @returns {string[][]} all cells as text
 */
export function cellsOf({ columns, rows }) {
  return rows.map((row) => row.map((cell, at) => formatCell(cell, columns[at]?.unit ?? 'text')));
}

/** Rounds of which an interval holds at 95 %: below that no ratio is held against a published one (scenarios/compare.js). */
const MIN_ROUNDS = 6;

/** The columns of comparisons; all but the first and the last are numbers. */
export const COMPARISON_COLUMNS = ['ratio', 'published', 'measured', 'interval', 'result'];

/**
 * @param {Comparison} comparison
 * @returns {string[]}
 */
export function comparisonCells({ what, published, measured, interval, confidence, standing }) {
  const here = measured === null ? NOTHING : formatRatio(measured);
  // Of one round the interval is a point, and says nothing.
  const span =
    interval === null || confidence === 0 ? NOTHING : `${formatRatio(interval[0])} to ${formatRatio(interval[1])}`;
  return [what, formatRatio(published), here, span, standing];
}

/**
 * @param {readonly Comparison[]} comparisons
 * @returns {string} how sure the intervals are
 */
export function tellConfidence(comparisons) {
  const known = comparisons.filter(({ interval, confidence }) => interval !== null && confidence > 0);
  if (known.length === 0) return 'one round gives no interval';
  const least = Math.min(...known.map(({ confidence }) => confidence));
  const rounds = Math.min(...known.map((one) => one.rounds));
  const sure = `confidence of the intervals: at least ${Math.floor(least * 100)} %, from at least ${countOf(rounds, 'round')}`;
  return rounds >= MIN_ROUNDS ? sure : `${sure}; below 95 % a ratio is unclear, use --rounds ${MIN_ROUNDS}`;
}

/**
 * @param {readonly Comparison[]} comparisons
 * @returns {string} where the measured ratios differ from the published ones
 */
export function tellDifferences(comparisons) {
  const measured = comparisons.filter(({ standing }) => standing !== 'not measured');
  const settled = measured.filter(({ standing }) => standing !== 'unclear');
  const open = measured.length - settled.length;
  if (measured.length === 0) return 'no ratio was measured';
  if (settled.length === 0) return `no ratio is clear: ${open} of ${comparisons.length} are unclear`;
  const unclear = open === 0 ? '' : `; ${open} of ${comparisons.length} ratios are unclear`;
  const other = settled.filter(({ standing }) => standing !== 'as published');
  if (other.length === 0) return `${settled.length} of ${comparisons.length} ratios are as published${unclear}`;
  return `not as published: ${other.map(({ what, standing }) => `${what} (${standing})`).join('; ')}${unclear}`;
}

// Makes the JSON of the result of a scenario: all of it, samples too.

/**
 * @param {BenchResult} result
 * @returns {object} numbers with nine digits: microseconds are below what is measured
 */
export function benchJson(result) {
  return JSON.parse(JSON.stringify(result, (_, one) => (typeof one === 'number' ? Number(one.toPrecision(9)) : one)));
}
