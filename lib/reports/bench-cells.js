// Formats figures of scenarios for people, the same in text, on pages and in documents.

import { countOf, formatBytes, formatCount, formatMilliseconds, formatShare } from '../shared/units.js';

/** @import { BenchTable, Cell, Comparison, Unit } from '../measure/scenarios/scenario.js' */

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
