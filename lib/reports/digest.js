// Builds the document of a digest: what the logs hold, the queries ranked by the time they took, response times over time, index updates, what was wrong.

import { nameOf } from '../shared/query-name.js';
import { countOf, formatBytes, formatCount } from '../shared/units.js';
import { columnsOf, errorsOf, failedOf, rowsOf, timeOf } from './digest-figures.js';
import {
  chart,
  code,
  list,
  NONE,
  notes,
  numbers,
  orderedList,
  pageSection,
  paragraph,
  section,
  table,
} from './document/blocks.js';

/** @import { ExampleLine, Latency, ReportedShape } from './digest-figures.js' */
/** @import { Document, Fact, Inline, Item, Optional } from './document/blocks.js' */

/** @typedef {{kind: string, count: number, examples: ExampleLine[]}} ReportedTally */

/** @typedef {{path: string, format: string | undefined, wrapper?: string}} ReadFile what a digest was made of, and as what it was read */

/** @typedef {{from: string, requests: number, failed: number, latencyMs?: {p50: number, p95: number}}} ReportedStep */

/**
 * @typedef {object} ReportedDigest The part of the JSON that people read.
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
 * @property {(ReportedTally & {database?: string, designDoc?: string, detail?: string, most?: number})[]} [serverReports]
 * @property {ReportedTally[]} problems
 * @property {{minutes: number, steps: ReportedStep[]}} [overTime]
 */

const MS_OF_MINUTE = 60_000;
/** So many queries, responses and indexes are drawn or listed in a ranking. */
const MAX_RANKED = 10;
/** So many queries, indexes and databases are listed where room is short; all are in the JSON. */
const MAX_LISTED = 25;
/** So many files are named for each format. */
const MAX_FILES = 4;
/** With more steps between the first and the last one, times without requests are not drawn as 0. */
const MAX_STEPS = 500;
/** Units of a time axis, their minutes, and up to how many minutes they are used. @type {[string, number, number][]} */
const UNITS = [
  ['minutes', 1, 180],
  ['hours', 60, 4320],
];

/** What was given up to keep the digest small, by coarseness. */
const COARSE_NOTES = [
  '',
  'too many databases: grouped by pattern in spite of --no-fold',
  'too many databases without a common pattern: all are counted as one',
  'too many databases, design documents and views: they are not distinguished',
  'too many query patterns: only methods and endpoints are distinguished',
];

/** @type {ReadonlyMap<string, string>} */
const PROBLEM_TEXTS = new Map([
  ['malformed', 'lines not understood'],
  ['also-in-har', 'requests that a HAR file has too, counted once'],
  ['other-format', 'lines in a different format from the rest of their file'],
  ['too-long', 'lines of more than 1 MiB'],
  ['nul-bytes', 'lines with NUL bytes'],
  ['other-program', 'lines of other programs in the same stream'],
  ['no-log-line', 'wrapped lines that hold no line of the log'],
  ['clock-jumped-back', 'lines more than ten minutes earlier than the line before'],
  ['bad-percent-escape', 'requests with a broken percent escape'],
  ['invalid-utf8', 'requests with bytes that are not valid UTF-8'],
]);

/** @type {ReadonlyMap<string, string>} */
const REPORT_TEXTS = new Map([
  ['conflicted-document', 'documents with conflicts'],
  ['conflicts', 'databases with conflicts'],
  ['databases-open', 'all open databases in use (all_dbs_active)'],
  ['engines-differ', 'other results in QuickJS than in SpiderMonkey'],
  ['features', 'features of design documents'],
  ['file-descriptors', 'no file descriptor left (emfile)'],
  ['no-shards', 'no shard of a database could be opened'],
  ['search-too-old', 'Clouseau runs on a Java library that is too old (BIG_CREATION)'],
  ['search-unreachable', 'Clouseau not reachable (ou_est_clouseau)'],
  ['users-missing', 'no _users database'],
]);

/**
 * @param {ReportedDigest} digest
 * @param {ReadFile[]} [files] in the order of their first lines; none for digests that were merged
 * @param {string} [selection] what was read of them, if not all: `from 2026-03-02, without _up`
 * @returns {Document}
 */
export function digestDocument(digest, files = [], selection = '') {
  const { lines, from, to, shapes, databases, coarseness } = digest;
  const patterns = databases.filter((entry) => entry.name === undefined).slice(0, MAX_LISTED);
  const coarse = COARSE_NOTES[coarseness];
  return {
    title: 'couch-advisor digest',
    lead: `${countOf(lines.requests, 'request')} of ${countOf(shapes.length, 'query pattern')} in ${countOf(lines.read, 'line')}.`,
    facts: [
      ...readAs(files),
      ...(selection === '' ? [] : [{ name: 'only', value: selection }]),
      { name: 'time', value: from && to ? `${from} to ${to}` : 'no line has a timestamp' },
      { name: 'other lines', value: `${formatCount(lines.other)}, and ${formatCount(lines.malformed)} malformed` },
    ],
    blocks: [
      coarse !== '' && coarse !== undefined && notes([coarse]),
      section('Over time', ...overTime(digest)),
      section('Costliest queries', rankedChart(digest, 'total', 'Time of all requests together', 'total time')),
      section('Slowest queries', rankedChart(digest, 'p95', '95 of 100 requests took at most', 'p95')),
      section('All queries', ...allShapes(digest)),
      section('Example requests', orderedList(exampleRequests(shapes))),
      pageSection('Largest responses', ...largest(digest)),
      pageSection('Errors', ...errors(digest)),
      section(
        'Databases grouped by pattern',
        patterns.length > 0 &&
          list(
            patterns.map(({ pattern, exact, count }) => [
              code(pattern),
              `: ${exact ? '' : 'about '}${formatCount(count)}`,
            ]),
          ),
      ),
      section('Index updates, by shard', indexTable(digest)),
      section('Query server failures', tallies(digest.queryServers, new Map())),
      section('Reported by CouchDB', serverReports(digest)),
      section('Problems in the logs', tallies(digest.problems, PROBLEM_TEXTS)),
    ],
  };
}

/**
 * @param {ReadFile[]} files
 * @returns {Fact[]} `couch.log.1, couch.log as couchdb`
 */
function readAs(files) {
  const asWhat = (/** @type {ReadFile} */ { format, wrapper }) =>
    format && `${format}${wrapper ? `, unwrapped from ${wrapper}` : ''}`;
  const formats = [...new Set(files.map(asWhat))];
  return formats.map((format) => {
    const names = files.filter((file) => asWhat(file) === format).map(({ path }) => path);
    const left = names.length > MAX_FILES ? ` and ${names.length - MAX_FILES} more` : '';
    /** @type {Inline} */
    const value = [
      ...names.slice(0, MAX_FILES).flatMap((name, at) => (at === 0 ? [code(name)] : [', ', code(name)])),
      left,
    ];
    return format === undefined ? { name: 'not a log', value } : { name: 'read', value: [...value, ` as ${format}`] };
  });
}

/**
 * @param {ReportedDigest} digest
 * @returns {Optional[]}
 */
function overTime({ overTime: times, from }) {
  if (!times || !from || times.steps.length < 2) return [];
  const { minutes, steps } = times;
  const start = Date.parse(steps[0]?.from ?? from);
  const known = new Map(
    steps.map((step) => [Math.round((Date.parse(step.from) - start) / MS_OF_MINUTE / minutes), step]),
  );
  const last = Math.max(...known.keys());
  const places = last < MAX_STEPS ? Array.from({ length: last + 1 }, (_, at) => at) : [...known.keys()];
  const [unit, size] =
    UNITS.find(([, , most]) => last * minutes <= most) ?? /** @type {[string, number, number]} */ (['days', 1440, 0]);
  const x = { label: `${unit} since ${new Date(start).toISOString().slice(0, 16).replace('T', ' ')} UTC` };
  const points = (/** @type {(step: ReportedStep | undefined) => number | undefined} */ take) =>
    places.map((at) => ({ x: (at * minutes) / size, y: take(known.get(at)) }));
  const step = `Steps of ${minutes === 1 ? 'one minute' : countOf(minutes, 'minute')}.`;
  const rate = (/** @type {'requests' | 'failed'} */ name) => points((one) => (one?.[name] ?? 0) / minutes);
  const hasTimes = steps.some(({ latencyMs }) => latencyMs);
  return [
    chart(
      'lines',
      {
        title: 'Requests and errors per minute',
        x,
        y: { label: 'requests per minute', fromZero: true },
        series: [
          { name: 'all requests', points: rate('requests') },
          { name: 'status 400 and above', points: rate('failed') },
        ],
      },
      step,
    ),
    hasTimes &&
      chart(
        'lines',
        {
          title: 'Response times',
          x,
          y: { label: 'response time', unit: 'ms', scale: 'log' },
          series: [
            { name: 'p95', points: points((one) => one?.latencyMs?.p95) },
            { name: 'p50', points: points((one) => one?.latencyMs?.p50) },
          ],
        },
        step,
      ),
  ];
}

/**
 * @param {ReportedDigest} digest
 * @param {'total' | 'p95'} figure
 * @param {string} title
 * @param {string} label
 * @returns {Optional}
 */
function rankedChart({ shapes }, figure, title, label) {
  const ranked = shapes
    .filter(({ latencyMs }) => latencyMs)
    .sort((a, b) => (b.latencyMs?.[figure] ?? 0) - (a.latencyMs?.[figure] ?? 0))
    .slice(0, MAX_RANKED);
  const rows = ranked.map((shape) => {
    const value = shape.latencyMs?.[figure] ?? 0;
    return { label: nameOf(shape), values: [{ value: value / 1000, text: timeOf(value) }] };
  });
  return rows.length > 0 && chart('bars', { title, axis: { label, unit: 's' }, rows });
}

/**
 * @param {ReportedDigest} digest
 * @returns {Optional[]}
 */
function allShapes({ shapes, shareOf: whole, lines }) {
  if (shapes.length === 0) {
    const help = 'force a format with --log-format; `npx --no-install couch-advisor digest --help` lists them';
    return [paragraph(lines.malformed === 0 ? 'The logs hold no requests.' : `The logs hold no requests: ${help}.`)];
  }
  const columns = columnsOf(whole);
  return [
    table({
      caption: `The costliest first, with their share of the ${whole === 'time' ? 'time of all requests' : 'number of requests'}`,
      columns: ['query', ...columns.map(({ column }) => column)],
      rows: shapes.map((shape) => [code(nameOf(shape)), ...columns.map(({ cell }) => cell(shape))]),
      most: MAX_LISTED,
      noun: 'query pattern',
      isNumbered: true,
      isSearched: true,
    }),
  ];
}

/**
 * @param {ReportedShape[]} shapes
 * @returns {Item[]} the first request of each, `…` for values
 */
function exampleRequests(shapes) {
  return shapes.slice(0, MAX_RANKED).map((shape) => {
    const [first] = shape.examples;
    if (!first) return 'unknown';
    const { target, user, peer } = first;
    const request = target
      ? `${shape.method} ${target}`
      : nameOf({ ...shape, parameters: first.parameters ?? shape.parameters });
    const users = [user && `user ${user}`, peer && `peer ${peer}`].filter(Boolean).join(', ');
    return { item: code(request), below: [code(`${first.file}:${first.line}${users ? ` (${users})` : ''}`)] };
  });
}

/**
 * @param {ReportedDigest} digest
 * @returns {Optional[]}
 */
function largest({ shapes }) {
  const sized = shapes
    .filter(({ bytes }) => bytes)
    .map((shape) => ({ shape, mean: (shape.bytes ?? 0) / shape.count }))
    .sort((a, b) => b.mean - a.mean)
    .slice(0, MAX_RANKED);
  const rows = shapes
    .filter(({ rows: known }) => known)
    .sort((a, b) => (b.rows?.p95 ?? 0) - (a.rows?.p95 ?? 0))
    .slice(0, MAX_RANKED);
  return [
    sized.length > 0 &&
      table({
        caption: 'Bytes of a response',
        columns: ['query', ...numbers('mean', 'total')],
        rows: sized.map(({ shape, mean }) => [
          code(nameOf(shape)),
          formatBytes(Math.round(mean)),
          formatBytes(shape.bytes ?? 0),
        ]),
      }),
    rows.length > 0 &&
      table({
        caption: 'Rows of a response; ≤ where inferred from limit, keys or bytes',
        columns: ['query', ...numbers('p95', 'requests')],
        rows: rows.map((shape) => [code(nameOf(shape)), rowsOf(shape), formatCount(shape.count)]),
      }),
  ];
}

/**
 * @param {ReportedDigest} digest
 * @returns {Optional[]}
 */
function errors({ shapes }) {
  const failing = shapes.filter((shape) => failedOf(shape) > 0).sort((a, b) => failedOf(b) - failedOf(a));
  if (failing.length === 0) return [paragraph('No request has status 400 or above.')];
  return [
    table({
      caption: `Requests with status 400 and above${failing.length > MAX_LISTED ? `, the first ${MAX_LISTED} queries` : ''}`,
      columns: ['query', ...numbers('errors', 'share'), 'by status'],
      rows: failing.slice(0, MAX_LISTED).map((shape) => {
        const statuses = Object.entries(shape.statuses).filter(([status]) => Number(status) >= 400);
        return [
          code(nameOf(shape)),
          formatCount(failedOf(shape)),
          errorsOf(shape),
          statuses.map(([status, count]) => `${status}: ${formatCount(count)}`).join(', '),
        ];
      }),
    }),
  ];
}

/**
 * @param {ReportedDigest} digest
 * @returns {Optional}
 */
function indexTable({ indexBuilds }) {
  const ranked = indexBuilds.toSorted((a, b) => (b.buildMs?.total ?? 0) - (a.buildMs?.total ?? 0)).slice(0, MAX_LISTED);
  const figures = numbers('updates', 'total', 'p50', 'p95', 'longest');
  const rows = ranked.map(({ database, designDoc, builds, buildMs }) => [
    code(`${database ?? ''} ${designDoc}`),
    formatCount(builds),
    ...(buildMs ? [buildMs.total, buildMs.p50, buildMs.p95, buildMs.max].map(timeOf) : Array(4).fill(NONE)),
  ]);
  return rows.length > 0 && table({ columns: ['index', ...figures], rows });
}

/**
 * @param {ReportedDigest} digest
 * @returns {Optional}
 */
function serverReports({ serverReports: given = [] }) {
  const items = given.slice(0, MAX_LISTED).map(({ kind, count, examples: [first], database, designDoc, detail }) => {
    const about = [database, designDoc, detail].filter(Boolean).join(' ');
    const text = `${REPORT_TEXTS.get(kind) ?? kind}${about === '' ? '' : ', '}`;
    return [text, code(about), `: ${formatCount(count)}, at `, code(first ? `${first.file}:${first.line}` : '')];
  });
  const more = given.length - items.length;
  return items.length > 0 && list(more > 0 ? [...items, `and ${more} more, which are in the JSON`] : items);
}

/**
 * @param {ReportedTally[]} given
 * @param {ReadonlyMap<string, string>} texts
 * @returns {Optional}
 */
function tallies(given, texts) {
  const items = given.map(({ kind, count, examples }) => {
    const where = examples.map(({ file, line }) => `${file}:${line}`).join(', ');
    const more = where !== '' && count > examples.length ? ', …' : '';
    return [code(texts.get(kind) ?? kind), `: ${formatCount(count)}${where ? ', at ' : ''}`, code(where), more];
  });
  return items.length > 0 && list(items);
}
