// Writes the tables of docs/measurements.md from the kept results of full-size runs: nothing there is typed by hand.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describeEnvironment } from '../../lib/measure/experiments/environment.js';
import {
  benchCharts,
  COMPARISON_COLUMNS,
  cellsOf,
  comparisonCells,
  formatRatio,
  tellConfidence,
  tellDifferences,
} from '../../lib/reports/bench.js';
import { drawChart } from './internals.js';
import { root } from './run-cli.js';

/** @import { BenchResult, BenchTable } from '../../lib/measure/scenarios/scenario.js' */

/** A result without the samples it was made of. @typedef {Omit<BenchResult, 'samples'> & {samples: number}} KeptResult */

const folder = path.join(root, 'docs/measurements');

/** @returns {Map<string, KeptResult>} by the name of the file, in the order of the names */
export function readKept() {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return new Map(
    names
      .toSorted()
      .map((name) => [name.slice(0, -'.json'.length), JSON.parse(readFileSync(path.join(folder, name), 'utf8'))]),
  );
}

/**
 * @param {string} page with a pair of marks for each result: `<!-- measured: NAME -->` and `<!-- end: NAME -->`
 * @param {Map<string, KeptResult>} kept
 * @returns {string} the page with the text between them generated again
 * @throws {Error} where a mark has no result, or a result no mark
 */
export function refreshMeasurements(page, kept) {
  /** @type {Set<string>} */
  const used = new Set();
  const fresh = page.replace(/(<!-- measured: (\S+) -->\n)[\s\S]*?(<!-- end: \2 -->)/g, (_, begin, name, end) => {
    const result = kept.get(name);
    if (!result) throw new Error(`docs/measurements/${name}.json is missing`);
    used.add(name);
    return `${begin}${renderKept(result, name)}${end}`;
  });
  const unused = [...kept.keys()].filter((name) => !used.has(name));
  if (unused.length > 0) throw new Error(`docs/measurements.md has no place for ${unused.join(', ')}`);
  return fresh;
}

/**
 * @param {Map<string, KeptResult>} kept
 * @returns {Map<string, string>} pictures by the name of their file below docs/measurements
 */
export function drawKept(kept) {
  const drawn = [...kept].flatMap(([name, result]) =>
    benchCharts(result).map((chart, at) => {
      const note = `${result.environment.server.name}, ${result.at.slice(0, 10)}`;
      const svg = drawChart(chart, { id: `picture-${at + 1}`, note });
      return /** @type {[string, string]} */ ([pictureName(name, at), svg]);
    }),
  );
  return new Map(drawn);
}

/** @param {string} name @param {number} at @returns {string} */
function pictureName(name, at) {
  return at === 0 ? `${name}.svg` : `${name}-${at + 1}.svg`;
}

/**
 * @param {KeptResult} result
 * @param {string} name
 * @returns {string}
 */
function renderKept(result, name) {
  const {
    at,
    environment,
    settings,
    seed,
    tables,
    comparisons,
    missing,
    notes,
    warnings,
    published,
    verdict,
    samples,
    pictures,
  } = result;
  const sizes = Object.entries(settings).map(
    ([setting, value]) => `${setting} ${Array.isArray(value) ? value.join(', ') : value}`,
  );
  const told = [...new Set(comparisons.flatMap(({ note }) => note ?? []))];
  const comparison = {
    columns: COMPARISON_COLUMNS.map((title, column) => ({ title, isNumber: column > 0 && column < 4 })),
    rows: comparisons.map(comparisonCells),
  };
  const blocks = [
    [
      `- date: ${at.slice(0, 10)}`,
      ...describeEnvironment(environment).map((fact) => `- ${fact.name}: ${fact.value}`),
      `- sizes: ${sizes.join('; ')}; seed ${seed}; ${samples} samples`,
    ].join('\n'),
    ...tables.filter(({ rows }) => rows.length > 0).map(renderBenchTable),
    ...(verdict
      ? [
          `**Verdict: ${verdict.word}**, ${verdict.reason}${
            verdict.ratio === null || verdict.interval === null
              ? ''
              : `: ${formatRatio(verdict.ratio)} times as fast (${verdict.interval.map(formatRatio).join(' to ')})`
          }.`,
        ]
      : []),
    ...(comparisons.length > 0
      ? [
          '**Comparison with the published figures**, ratios only',
          renderTable(comparison),
          `${tellDifferences(comparisons).replace(/^./, (first) => first.toUpperCase())}.`,
          `Published: ${published}. Measured here: ${tellConfidence(comparisons)}.`,
        ]
      : []),
    pictures
      .filter(({ series }) => series.some(({ points }) => points.length > 0))
      .map(({ title }, number) => `![${title}](measurements/${pictureName(name, number)})`)
      .join('\n\n'),
    [
      ...told,
      ...missing.map((one) => `not here: ${one}`),
      ...notes,
      ...warnings.map(({ code, message }) => `${code}: ${message}`),
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
  ];
  return `\n${blocks.filter((block) => block !== '').join('\n\n')}\n\n`;
}

/**
 * @param {BenchTable} table
 * @returns {string}
 */
function renderBenchTable(table) {
  const { title, columns, notes = [] } = table;
  const shown = renderTable({
    columns: columns.map((column) => ({ title: column.title, isNumber: column.unit !== 'text' })),
    rows: cellsOf(table),
  });
  return [`**${title}**`, shown, ...notes.map((note) => `${note}.`)].join('\n\n');
}

/**
 * @param {{columns: {title: string, isNumber: boolean}[], rows: string[][]}} table
 * @returns {string}
 */
function renderTable({ columns, rows }) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = columns.map(({ isNumber }) => (isNumber ? '--:' : '---'));
  return [line(columns.map(({ title }) => title)), line(rule), ...rows.map(line)].join('\n');
}
