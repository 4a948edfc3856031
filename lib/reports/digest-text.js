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

/** @typedef {{path: string, format: string | undefined}} ReadFile what a digest was made of, and as what it was read */

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
/** So many files are named for each format. */
const MOST_FILES = 4;
/** Smaller shares are not told apart. */
const LEAST_SHARE = 0.001;
/** From so many milliseconds on, times are told in minutes, and in hours. */
const MANY_MINUTES = 600_000;
const MANY_HOURS = 7_200_000;

/** What the columns mean. */
const RATE_LEGEND = '/min, peak: requests a minute, on average and in the busiest minute';
const TIME_LEGEND = 'p50, p95, p99: so many of 100 requests took at most that long';
const ROWS_LEGEND =
  'rows: 95 of 100 answers have at most so many, ≤ where only limit, keys or bytes tell; errors: 400 and above';

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
 * @param {{color?: boolean, files?: ReadFile[]}} [options] `files`: in the order of their first lines; none for digests that were merged
 * @returns {string}
 */
export function renderDigestText(digest, { color = false, files = [] } = {}) {
  const colors = createColors(color);
  const { lines, from, to, shapes } = digest;
  const blocks = [
    [
      ...readAs(files),
      `${count(lines.read, 'line')}: ${count(lines.requests, 'request')}, ${lines.other} other, ${lines.malformed} malformed`,
      ...(from && to ? [`${from} to ${to}`] : lines.requests > 0 ? ['no line tells a time'] : []),
      ...(COARSE_NOTES[digest.coarseness] ? [`note: ${COARSE_NOTES[digest.coarseness]}`] : []),
    ],
    shapes.length > 0 ? shapeTable(digest, colors) : noRequests(digest),
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
 * @param {ReadFile[]} files
 * @returns {string[]} `couch.log.1, couch.log read as couchdb`
 */
function readAs(files) {
  const formats = [...new Set(files.map(({ format }) => format))];
  return formats.map((format) => {
    const names = files.filter((file) => file.format === format).map(({ path }) => printable(path));
    const left = names.length > MOST_FILES ? ` and ${names.length - MOST_FILES} more` : '';
    const what = format === undefined ? 'not recognised as a log' : `read as ${format}`;
    return `${names.slice(0, MOST_FILES).join(', ')}${left} ${what}`;
  });
}

/**
 * @param {ReportedDigest} digest
 * @returns {string[]}
 */
function noRequests({ lines }) {
  if (lines.malformed === 0) return ['no requests'];
  return ['no requests: --log-format forces a format, `couch-advisor digest --help` lists those that are known'];
}

/**
 * @param {ReportedDigest} digest
 * @param {Colors} colors
 * @returns {string[]}
 */
function shapeTable({ shapes, shareOf: whole }, colors) {
  const hasTimes = shapes.some((shape) => shape.latencyMs);
  const head = ['#', whole === 'time' ? 'time' : 'share', 'calls', '/min', 'peak'];
  if (hasTimes) head.push('total', 'p50', 'p95', 'p99');
  head.push('rows', 'bytes', 'errors', 'query');
  const rows = shapes.slice(0, MOST_ROWS).map((shape, at) => {
    const { latencyMs: ms, ratePerMinute: rate } = shape;
    const row = [String(at + 1), shareOf(shape.share), String(shape.count), short(rate.mean), short(rate.peak)];
    if (hasTimes) row.push(...(ms ? [ms.total, ms.p50, ms.p95, ms.p99].map(timeOf) : ['-', '-', '-', '-']));
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
    ...(left > 0 ? [`and ${count(left, 'more shape')}: --format json has all`] : []),
    '',
    RATE_LEGEND,
    ...(hasTimes ? [TIME_LEGEND] : []),
    ROWS_LEGEND,
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
  return lines.length > 0 ? ['', 'Where they stand first:', ...lines] : [];
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
    ...(buildMs ? [buildMs.total, buildMs.p50, buildMs.p95, buildMs.max].map(timeOf) : ['-', '-', '-', '-']),
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
      const more = where !== '' && tally.count > tally.examples.length ? ', …' : '';
      return `  ${printable(texts.get(tally.kind) ?? tally.kind)}: ${tally.count}${where ? `, at ${where}` : ''}${more}`;
    }),
  ];
}

/**
 * @param {number} ms
 * @returns {string}
 */
function timeOf(ms) {
  if (ms < MANY_MINUTES) return formatMilliseconds(ms);
  return ms < MANY_HOURS ? `${(ms / 60_000).toFixed(1)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}

/**
 * @param {number} share 0 to 1
 * @returns {string}
 */
function shareOf(share) {
  return share > 0 && share < LEAST_SHARE ? `<${formatShare(LEAST_SHARE)}` : formatShare(share);
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
