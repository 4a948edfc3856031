// Renders a digest as text: what the log held, its query shapes ranked by the time they took, index builds, what was
// wrong.

import { printable } from '../shared/printable.js';
import { nameOf } from '../shared/query-name.js';
import { formatBytes, formatCount } from '../shared/units.js';
import { createColors } from './colors.js';
import { errorsOf, NONE, rowsOf, shareOf, short, timeOf } from './digest-figures.js';
import { displayWidth, wrap } from './display-width.js';
import { fitLines, INDENT } from './fit-lines.js';
import { countOf } from './report.js';

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
const MAX_ROWS = 25;
/** So many shapes have their first line named. */
const MAX_EXAMPLES = 10;
/** So many files are named for each format. */
const MAX_FILES = 4;

/** What the columns mean. @type {[string, string][]} */
const LEGENDS = [
  ['/min', '/min, peak: requests per minute, on average and in the busiest minute'],
  ['p95', 'p50, p95, p99: percentiles of the response time'],
  ['rows', 'rows: p95 of rows per response; ≤ where inferred from limit, keys or bytes'],
  ['errors', 'errors: status 400 and above'],
];
/** Columns that are left out where lines would be too long, in this order; all are in the JSON. */
const SPARE = ['p99', 'peak', 'bytes', 'p50'];
const USUAL_WIDTH = 80;

/** @typedef {{title: string, cells: string[]}} Column */
/** @typedef {{colors: Colors, width: number}} Look */

/** What was given up to keep the digest small, by coarseness. */
const COARSE_NOTES = [
  '',
  'too many databases: grouped by pattern in spite of --no-fold',
  'too many databases without a common pattern: all are counted as one',
  'too many databases, design documents and views: they are not distinguished',
  'too many query shapes: only methods and endpoints are distinguished',
];

/** @type {ReadonlyMap<string, string>} */
const PROBLEM_TEXTS = new Map([
  ['malformed', 'lines that match no format'],
  ['other-format', 'lines in a different format from the rest of their file'],
  ['too-long', 'lines of more than 1 MiB'],
  ['nul-bytes', 'lines with NUL bytes'],
  ['clock-jumped-back', 'lines more than ten minutes earlier than the line before'],
  ['bad-percent-escape', 'requests with a broken percent escape'],
  ['invalid-utf8', 'requests with bytes that are not valid UTF-8'],
]);

/**
 * @param {ReportedDigest} digest
 * @param {{color?: boolean, files?: ReadFile[], width?: number | undefined}} [options] `files`: in the order of their first lines; none for digests
 *   that were merged; `width`: columns that lines may take, unless one word takes more
 * @returns {string}
 */
export function renderDigestText(digest, { color = false, files = [], width = USUAL_WIDTH } = {}) {
  const look = { colors: createColors(color), width };
  const { lines, from, to, shapes } = digest;
  const head = [
    ...readAs(files),
    `${countOf(lines.read, 'line')}: ${countOf(lines.requests, 'request')}, ${formatCount(lines.other)} other, ${formatCount(lines.malformed)} malformed`,
    ...(from && to ? [`${from} to ${to}`] : lines.requests > 0 ? ['no line has a timestamp'] : []),
    ...(COARSE_NOTES[digest.coarseness] ? [`note: ${COARSE_NOTES[digest.coarseness]}`] : []),
  ];
  const blocks = [
    fitLines(head, width),
    shapes.length > 0 ? shapeTable(digest, look) : fitLines(noRequests(digest), width),
    fitLines(folded(digest), width),
    indexTable(digest, look),
    fitLines(tallies('Query server failures', digest.queryServers, new Map()), width),
    fitLines(tallies('Problems in the logs', digest.problems, PROBLEM_TEXTS), width),
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
    const left = names.length > MAX_FILES ? ` and ${names.length - MAX_FILES} more` : '';
    const what = format === undefined ? 'not recognised as a log' : `read as ${format}`;
    return `${names.slice(0, MAX_FILES).join(', ')}${left} ${what}`;
  });
}

/**
 * @param {ReportedDigest} digest
 * @returns {string[]}
 */
function noRequests({ lines }) {
  if (lines.malformed === 0) return ['no requests'];
  return ['no requests: force a format with --log-format; `npx --no-install couch-advisor digest --help` lists them'];
}

/**
 * @param {ReportedDigest} digest
 * @param {Look} look
 * @returns {string[]}
 */
function shapeTable({ shapes, shareOf: whole }, look) {
  const listed = shapes.slice(0, MAX_ROWS);
  const time =
    (/** @type {'total' | 'p50' | 'p95' | 'p99'} */ figure) =>
    (/** @type {ReportedShape} */ { latencyMs }) =>
      latencyMs ? timeOf(latencyMs[figure]) : NONE;
  /** @type {[string, (shape: ReportedShape, at: number) => string][]} */
  const figures = [
    ['#', (_, at) => String(at + 1)],
    [whole === 'time' ? 'time' : 'share', (shape) => shareOf(shape.share)],
    ['calls', (shape) => String(shape.count)],
    ['/min', ({ ratePerMinute }) => short(ratePerMinute.mean)],
    ['peak', ({ ratePerMinute }) => short(ratePerMinute.peak)],
    ['total', time('total')],
    ['p50', time('p50')],
    ['p95', time('p95')],
    ['p99', time('p99')],
    ['rows', rowsOf],
    ['bytes', ({ bytes }) => (bytes === undefined ? NONE : formatBytes(bytes))],
    ['errors', errorsOf],
  ];
  const known = figures
    .map(([title, format]) => ({ title, cells: listed.map(format) }))
    .filter(({ cells }) => cells.some((cell) => cell !== NONE));
  const columns = fitColumns(known, look.width);
  const leftOut = known.filter((column) => !columns.includes(column)).map(({ title }) => title);
  const left = shapes.length - listed.length;
  return [
    ...table(columns, { title: 'query', cells: listed.map((shape) => printable(nameOf(shape))) }, look),
    ...(left > 0 ? [`and ${countOf(left, 'more shape')}; use --format json for all`] : []),
    '',
    ...fitLines(
      [
        ...LEGENDS.flatMap(([column, legend]) => (columns.some(({ title }) => title === column) ? [legend] : [])),
        ...(leftOut.length > 0 ? [`columns that do not fit: ${leftOut.join(', ')}; use --format json for all`] : []),
      ],
      look.width,
    ),
    ...fitLines(examples(shapes), look.width),
  ];
}

/**
 * @param {Column[]} columns
 * @param {number} width
 * @returns {Column[]} as many of them as fit
 */
function fitColumns(columns, width) {
  let kept = columns;
  for (const spare of SPARE) if (widthOf(kept) > width) kept = kept.filter(({ title }) => title !== spare);
  return kept;
}

/** @param {Column} column @returns {number} */
function columnWidth({ title, cells }) {
  return cells.reduce((most, cell) => Math.max(most, cell.length), title.length);
}

/** @param {Column[]} columns @returns {number} with two spaces between them */
function widthOf(columns) {
  return columns.reduce((sum, column) => sum + columnWidth(column) + 2, -2);
}

/**
 * @param {ReportedShape[]} shapes
 * @returns {string[]}
 */
function examples(shapes) {
  const lines = shapes.slice(0, MAX_EXAMPLES).flatMap((shape, at) => {
    const [first] = shape.examples;
    if (!first) return [];
    const { target, user, peer } = first;
    const values = [target, user && `user ${user}`, peer && `peer ${peer}`].filter(Boolean).join(', ');
    return [
      `  ${String(at + 1).padStart(2)}  ${printable(`${first.file}:${first.line}${values ? `  ${values}` : ''}`)}`,
    ];
  });
  return lines.length > 0 ? ['', 'First occurrences:', ...lines] : [];
}

/**
 * @param {ReportedDigest} digest
 * @returns {string[]}
 */
function folded({ databases }) {
  const patterns = databases.filter((entry) => entry.name === undefined);
  if (patterns.length === 0) return [];
  return [
    'Databases grouped by pattern:',
    ...patterns
      .slice(0, MAX_ROWS)
      .map((entry) => `  ${printable(entry.pattern)}  ${entry.exact ? '' : 'about '}${formatCount(entry.count)}`),
  ];
}

/**
 * @param {ReportedDigest} digest
 * @param {Look} look
 * @returns {string[]}
 */
function indexTable({ indexBuilds }, look) {
  if (indexBuilds.length === 0) return [];
  const ranked = indexBuilds.toSorted((a, b) => (b.buildMs?.total ?? 0) - (a.buildMs?.total ?? 0)).slice(0, MAX_ROWS);
  const times = /** @type {const} */ (['total', 'p50', 'p95', 'max']).map((figure) => ({
    title: figure === 'max' ? 'longest' : figure,
    cells: ranked.map(({ buildMs }) => (buildMs ? timeOf(buildMs[figure]) : NONE)),
  }));
  const columns = [{ title: 'updates', cells: ranked.map(({ builds }) => formatCount(builds)) }, ...times];
  const cells = ranked.map(({ database, designDoc }) => printable(`${database ?? ''} ${designDoc}`));
  return ['Index updates, by shard:', ...table(columns, { title: 'index', cells }, look)];
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
      return `  ${printable(texts.get(tally.kind) ?? tally.kind)}: ${formatCount(tally.count)}${where ? `, at ${where}` : ''}${more}`;
    }),
  ];
}

/**
 * @param {Column[]} columns of figures
 * @param {Column} names
 * @param {Look} look
 * @returns {string[]} each name behind its figures, or all of them below where there is no room
 */
function table(columns, names, { colors, width }) {
  const line = (/** @type {(column: Column) => string} */ take) =>
    columns.map((column) => take(column).padStart(columnWidth(column))).join('  ');
  const longest = names.cells.reduce((most, name) => Math.max(most, displayWidth(name)), names.title.length);
  const isBeside = widthOf(columns) + 2 + longest <= width;
  const head = line(({ title }) => title);
  return [
    colors.bold(isBeside ? `${head}  ${names.title}` : head),
    ...names.cells.flatMap((name, at) => {
      const figures = line(({ cells }) => cells[at] ?? '');
      return isBeside
        ? [`${figures}  ${name}`]
        : [figures, ...wrap(name, width - INDENT.length).map((part) => INDENT + part)];
    }),
  ];
}
