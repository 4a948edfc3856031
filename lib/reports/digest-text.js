// A digest as text: what the log held, its query shapes ranked by the time they took, builds of indexes, what was wrong.

import { printable } from '../shared/printable.js';
import { nameOf } from '../shared/query-name.js';
import { formatBytes, formatMilliseconds, formatShare } from '../shared/units.js';
import { createColors } from './colors.js';

/** @import { Colors } from './colors.js' */

/** @typedef {{p50: number, p95: number, p99: number, max: number, mean: number, total: number}} Latency */
/** @typedef {{file: string, line: number, target?: string, user?: string, peer?: string}} ExampleLine */

/**
 * @typedef {object} ReportedShape
 * @property {string} method
 * @property {string | null} database
 * @property {string} endpoint
 * @property {string} [designDoc]
 * @property {string} [view]
 * @property {string} [function]
 * @property {string[]} parameters
 * @property {boolean} [replication]
 * @property {number} count
 * @property {Record<string, number>} statuses
 * @property {number} [bytes]
 * @property {Latency} [latencyMs]
 * @property {{mean: number, peak: number, peakMinutes: number}} ratePerMinute
 * @property {number} share
 * @property {{basis: 'measured' | 'at-most', p50: number, p95: number, max: number}} [rows]
 * @property {ExampleLine[]} examples
 */

/** @typedef {{kind: string, count: number, examples: ExampleLine[]}} ReportedTally */

/**
 * @typedef {object} ReportedDigest The part of the JSON that the text shows.
 * @property {string | null} from
 * @property {string | null} to
 * @property {{read: number, requests: number, other: number, malformed: number}} lines
 * @property {'time' | 'requests'} shareOf
 * @property {boolean} folded
 * @property {number} coarseness
 * @property {ReportedShape[]} shapes
 * @property {{pattern: string, name?: string, count: number, exact: boolean}[]} databases
 * @property {{database: string | null, designDoc: string, builds: number, buildMs?: Latency, first: string | null}[]} indexBuilds
 * @property {ReportedTally[]} queryServers
 * @property {ReportedTally[]} problems
 */

/** So many shapes and indexes stand in the table; all are in the JSON. */
const MOST_ROWS = 25;
/** So many shapes have their first line named. */
const MOST_EXAMPLES = 10;

/** What was given up to keep the digest small, by coarseness. */
const COARSE_NOTES = [
  '',
  'databases were folded by pattern although --no-fold was given: there are too many',
  'all databases count as one: there are too many without a pattern',
  'databases, design documents and views are not told apart: there are too many',
  'only methods and endpoints are told apart: there are too many shapes',
];

/** @type {ReadonlyMap<string, string>} */
const PROBLEM_TEXTS = new Map([
  ['malformed', 'lines that fit no format'],
  ['other-format', 'lines in another format than the rest of their file'],
  ['too-long', 'lines of more than 1 MiB'],
  ['nul-bytes', 'lines with NUL bytes'],
  ['clock-jumped-back', 'lines more than ten minutes earlier than the line before'],
  ['bad-percent-escape', 'requests with a broken percent escape'],
  ['invalid-utf8', 'requests with bytes that are no UTF-8'],
]);

/**
 * @param {ReportedDigest} digest
 * @param {{color?: boolean}} [options]
 * @returns {string}
 */
export function renderDigestText(digest, { color = false } = {}) {
  const colors = createColors(color);
  const { lines, from, to, shapes } = digest;
  const blocks = [
    [
      `${count(lines.read, 'line')}: ${count(lines.requests, 'request')}, ${lines.other} other, ${lines.malformed} malformed`,
      from && to ? `${from} to ${to}` : 'no line tells a time',
      ...(COARSE_NOTES[digest.coarseness] ? [`note: ${COARSE_NOTES[digest.coarseness]}`] : []),
    ],
    shapes.length > 0 ? shapeTable(digest, colors) : ['no requests'],
    folded(digest),
    indexTable(digest, colors),
    tallies('Query servers failed', digest.queryServers, new Map()),
    tallies('Worth a look in the log itself', digest.problems, PROBLEM_TEXTS),
  ];
  return blocks
    .filter((block) => block.length > 0)
    .map((block) => `${block.join('\n')}\n`)
    .join('\n');
}

/**
 * @param {ReportedDigest} digest
 * @param {Colors} colors
 * @returns {string[]}
 */
function shapeTable({ shapes, shareOf }, colors) {
  const hasTimes = shapes.some((shape) => shape.latencyMs);
  const head = ['#', shareOf === 'time' ? 'time' : 'share', 'calls', '/min', 'peak'];
  if (hasTimes) head.push('total', 'p50', 'p95', 'p99');
  head.push('rows', 'bytes', 'errors', 'query');
  const rows = shapes.slice(0, MOST_ROWS).map((shape, at) => {
    const { latencyMs: ms, ratePerMinute: rate } = shape;
    const row = [String(at + 1), formatShare(shape.share), String(shape.count), short(rate.mean), short(rate.peak)];
    if (hasTimes) row.push(...(ms ? [ms.total, ms.p50, ms.p95, ms.p99].map(formatMilliseconds) : ['-', '-', '-', '-']));
    row.push(
      rowsOf(shape),
      shape.bytes === undefined ? '-' : formatBytes(shape.bytes),
      errorsOf(shape),
      printable(nameOf(shape)),
    );
    return row;
  });
  const left = shapes.length - rows.length;
  return [
    ...table(head, rows, colors),
    ...(left > 0 ? [`and ${count(left, 'more shape')}, in the JSON`] : []),
    ...examples(shapes),
  ];
}

/**
 * @param {ReportedShape[]} shapes
 * @returns {string[]}
 */
function examples(shapes) {
  const lines = shapes.slice(0, MOST_EXAMPLES).flatMap((shape, at) => {
    const [first] = shape.examples;
    if (!first) return [];
    const { target, user, peer } = first;
    const values = [target, user && `user ${user}`, peer && `peer ${peer}`].filter(Boolean).join(', ');
    return [
      `  ${String(at + 1).padStart(2)}  ${printable(`${first.file}:${first.line}${values ? `  ${values}` : ''}`)}`,
    ];
  });
  return lines.length > 0 ? ['', 'First lines of each:', ...lines] : [];
}

/**
 * @param {ReportedDigest} digest
 * @returns {string[]}
 */
function folded({ databases }) {
  const patterns = databases.filter((entry) => entry.name === undefined);
  if (patterns.length === 0) return [];
  return [
    'Databases that count as one:',
    ...patterns
      .slice(0, MOST_ROWS)
      .map((entry) => `  ${printable(entry.pattern)}  ${entry.exact ? '' : 'about '}${entry.count}`),
  ];
}

/**
 * @param {ReportedDigest} digest
 * @param {Colors} colors
 * @returns {string[]}
 */
function indexTable({ indexBuilds }, colors) {
  if (indexBuilds.length === 0) return [];
  const ranked = indexBuilds.toSorted((a, b) => (b.buildMs?.total ?? 0) - (a.buildMs?.total ?? 0)).slice(0, MOST_ROWS);
  const rows = ranked.map(({ database, designDoc, builds, buildMs }) => [
    String(builds),
    ...(buildMs
      ? [buildMs.total, buildMs.p50, buildMs.p95, buildMs.max].map(formatMilliseconds)
      : ['-', '-', '-', '-']),
    printable(`${database ?? ''} ${designDoc}`),
  ]);
  return ['Index updates, by shard:', ...table(['updates', 'total', 'p50', 'p95', 'longest', 'index'], rows, colors)];
}

/**
 * @param {string} title
 * @param {ReportedTally[]} list
 * @param {ReadonlyMap<string, string>} texts
 * @returns {string[]}
 */
function tallies(title, list, texts) {
  if (list.length === 0) return [];
  return [
    `${title}:`,
    ...list.map((tally) => {
      const where = tally.examples.map((example) => printable(`${example.file}:${example.line}`)).join(', ');
      return `  ${tally.count} ${printable(texts.get(tally.kind) ?? tally.kind)}${where ? `: ${where}` : ''}${tally.count > tally.examples.length && where ? ', …' : ''}`;
    }),
  ];
}

/**
 * @param {ReportedShape} shape
 * @returns {string}
 */
function rowsOf({ rows }) {
  if (!rows) return '-';
  return rows.basis === 'measured' ? String(rows.p95) : `≤${rows.p95}`;
}

/**
 * @param {ReportedShape} shape
 * @returns {string}
 */
function errorsOf({ statuses, count: all }) {
  const failed = Object.entries(statuses).reduce(
    (sum, [status, times]) => sum + (Number(status) >= 400 ? times : 0),
    0,
  );
  return failed === 0 ? '-' : formatShare(failed / all);
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 * @param {Colors} colors
 * @returns {string[]} columns to the right but for the last one
 */
function table(head, rows, colors) {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (/** @type {string[]} */ cells) =>
    cells.map((cell, at) => (at === cells.length - 1 ? cell : cell.padStart(widths[at] ?? 0))).join('  ');
  return [colors.bold(line(head)), ...rows.map(line)];
}

/**
 * @param {number} number
 * @returns {string}
 */
function short(number) {
  return number >= 100 ? String(Math.round(number)) : String(Number(number.toPrecision(2)));
}

/**
 * @param {number} number
 * @param {string} thing
 * @returns {string}
 */
function count(number, thing) {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}
