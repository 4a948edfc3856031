// Renders the result of a scenario as text: tables, published ratios beside measured ones, what is missing, warnings.

import { printable } from '../shared/printable.js';
import {
  COMPARISON_COLUMNS,
  cellsOf,
  comparisonCells,
  formatRatio,
  tellConfidence,
  tellDifferences,
} from './bench-cells.js';
import { createColors } from './colors.js';
import { displayWidth } from './display-width.js';

/** @import { Verdict } from '../measure/experiments/experiment.js' */
/** @import { BenchResult, BenchTable, Comparison, Standing, ScenarioSpec } from '../measure/scenarios/scenario.js' */
/** @import { Colors, Style } from './colors.js' */

/** @type {Record<Standing, Style>} */
const PAINTS = {
  'as published': 'green',
  stronger: 'green',
  weaker: 'yellow',
  gone: 'yellow',
  new: 'yellow',
  reversed: 'red',
  unclear: 'dim',
  'not measured': 'dim',
};

/**
 * @param {BenchResult} result
 * @param {{environment: string[], color?: boolean}} options `environment`: lines for people
 * @returns {string}
 */
export function renderBenchText(result, { environment, color = false }) {
  const colors = createColors(color);
  const { scenario, question, settings, published, tables, comparisons, missing, notes, warnings, seed } = result;
  const blocks = [
    [
      `${colors.bold(scenario)}  ${question}`,
      ...environment.map(printable),
      `sizes:   ${Object.entries(settings)
        .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(',') : value}`)
        .join(', ')}; seed ${printable(seed)}`,
    ],
    ...tables.filter(({ rows }) => rows.length > 0).map((table) => tableLines(table, colors)),
    ...(result.verdict ? [verdictLines(result.verdict, colors)] : []),
    ...(comparisons.length > 0 && result.samples.length > 0 ? [comparisonLines(comparisons, published, colors)] : []),
    missing.map((one) => `not available here: ${printable(one)}`),
    notes.map((one) => `note: ${printable(one)}`),
    warnings.map(({ code, message }) => `${colors.yellow('warning')} ${code}: ${printable(message)}`),
  ];
  return blocks
    .filter((block) => block.length > 0)
    .map((block) => `${block.join('\n')}\n`)
    .join('\n');
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

/**
 * @param {BenchTable} table
 * @param {Colors} colors
 * @returns {string[]}
 */
function tableLines(table, colors) {
  const { title, columns, notes = [] } = table;
  const rows = [columns.map((column) => column.title), ...cellsOf(table)];
  const isNumber = columns.map(({ unit }) => unit !== 'text');
  return [colors.bold(title), ...alignRows(rows, isNumber), ...notes.map((note) => `  ${note}`)];
}

/**
 * @param {Comparison[]} comparisons
 * @param {string} published
 * @param {Colors} colors
 * @returns {string[]}
 */
function comparisonLines(comparisons, published, colors) {
  const rows = [COMPARISON_COLUMNS, ...comparisons.map(comparisonCells)];
  const lines = alignRows(rows, [false, true, true, true, false]);
  const painted = lines.map((line, at) => {
    const standing = comparisons[at - 1]?.standing;
    return standing === undefined ? line : line.replace(new RegExp(`${standing}$`), colors[PAINTS[standing]](standing));
  });
  const notes = [...new Set(comparisons.flatMap(({ note }) => note ?? []))];
  return [
    colors.bold('Comparison with the published figures (ratios only)'),
    ...painted,
    `  published: ${published}`,
    `  ${tellDifferences(comparisons)}`,
    `  ${tellConfidence(comparisons)}`,
    ...notes.map((note) => `  ${printable(note)}`),
  ];
}

/**
 * @param {Verdict} verdict
 * @param {Colors} colors
 * @returns {string[]}
 */
function verdictLines({ word, reason, ratio, interval, rounds, neededRounds }, colors) {
  const sure =
    interval === null || ratio === null
      ? ''
      : `: ${formatRatio(ratio)} times as fast after (${formatRatio(interval[0])} to ${formatRatio(interval[1])}, ${rounds} rounds)`;
  const more =
    neededRounds === null ? [] : [`  about ${neededRounds} rounds would give a clear result: --rounds ${neededRounds}`];
  return [`${colors.bold('Verdict')}  ${word}${sure}`, `  ${reason}`, ...more];
}

/**
 * @param {string[][]} rows
 * @param {boolean[]} isNumber numbers stand to the right
 * @returns {string[]}
 */
function alignRows(rows, isNumber) {
  const shown = rows.map((row) => row.map(printable));
  const widths = isNumber.map((_, at) => Math.max(...shown.map((row) => displayWidth(row[at] ?? ''))));
  return shown.map((row) => {
    const cells = row.map((cell, at) => {
      const gap = ' '.repeat(Math.max(0, (widths[at] ?? 0) - displayWidth(cell)));
      return isNumber[at] ? gap + cell : cell + gap;
    });
    return `  ${cells.join('  ')}`.trimEnd();
  });
}
