// Renders a digest as one self-contained page: requests, errors and response times over time, the costliest and the slowest queries, the largest responses,
// index updates, and all query shapes in a table that can be searched and sorted.

import { code, html, Markup } from '../shared/markup.js';
import { nameOf } from '../shared/query-name.js';
import { formatBytes, formatCount } from '../shared/units.js';
import { barChart, figure, lineChart, list, paragraph, renderPage, table } from './charts/index.js';
import { errorsOf, NONE, rowsOf, shareOf, short, timeOf } from './digest-figures.js';
import { readRowsScript } from './html/assets.js';
import { countOf } from './report.js';

/** @import { PageSection } from './charts/page.js' */
/** @import { ReportedDigest, ReportedShape } from './digest-text.js' */

/** @typedef {{from: string, requests: number, failed: number, latencyMs?: {p50: number, p95: number}}} ReportedStep */
/** @typedef {ReportedDigest & {overTime?: {minutes: number, steps: ReportedStep[]}}} PagedDigest */

const MS_OF_MINUTE = 60_000;
/** So many queries, responses and indexes are drawn or listed in a ranking. */
const MAX_RANKED = 10;
const MAX_LISTED = 25;
/** So many rows stand in the page before its script runs. */
const FIRST_ROWS = 25;
/** With more steps between the first and the last one, times without requests are not drawn as 0. */
const MAX_STEPS = 500;

const STYLE = `#shapes th,#shapes td{padding-left:.5rem;padding-right:.5rem}#filter{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin:.75rem 0}#filter[hidden],#more[hidden]{display:none}
#filter input{min-width:0;width:16rem;max-width:100%}input,button{font:inherit;padding:.3rem .5rem;border:1px solid var(--rule);border-radius:6px;background:var(--paper);color:var(--ink)}button{cursor:pointer}
#shown{color:var(--muted);font-size:.875rem}thead button{padding:0;border:0;background:none;font-weight:600;text-align:inherit;text-decoration:underline dotted}[aria-sort=ascending] button::after{content:" ▲"}[aria-sort=descending] button::after{content:" ▼"}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}@media print{#filter,#more{display:none}}
`;

/**
 * @param {PagedDigest} digest
 * @returns {string}
 */
export function renderDigestPage(digest) {
  const { lines, from, to, shapes } = digest;
  return renderPage({
    title: 'couch-advisor digest',
    lead: `${countOf(lines.requests, 'request')} of ${countOf(shapes.length, 'query shape')}, in ${countOf(lines.read, 'line')} of logs.`,
    facts: [
      { name: 'from', value: from ?? 'no line has a timestamp' },
      ...(to ? [{ name: 'to', value: to }] : []),
      { name: 'malformed lines', value: formatCount(lines.malformed) },
    ],
    sections: [
      ...overTime(digest),
      ...costliest(digest),
      ...largest(digest),
      ...errors(digest),
      ...indexes(digest),
      allShapes(digest),
    ].filter(({ blocks }) => blocks.some(Boolean)),
    style: STYLE,
    script: readRowsScript(),
  });
}

/**
 * @param {PagedDigest} digest
 * @returns {PageSection[]}
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
    {
      title: 'Over time',
      blocks: [
        figure(
          'rate',
          (picture) =>
            lineChart({
              ...picture,
              title: 'Requests and errors per minute',
              x,
              y: { label: 'requests per minute', fromZero: true },
              series: [
                { name: 'all requests', points: rate('requests') },
                { name: 'status 400 and above', points: rate('failed') },
              ],
            }),
          step,
        ),
        hasTimes &&
          figure(
            'latency',
            (picture) =>
              lineChart({
                ...picture,
                title: 'Response times',
                x,
                y: { label: 'response time', unit: 'ms', scale: 'log' },
                series: [
                  { name: 'p95', points: points((one) => one?.latencyMs?.p95) },
                  { name: 'p50', points: points((one) => one?.latencyMs?.p50) },
                ],
              }),
            step,
          ),
      ],
    },
  ];
}

/** Units of a time axis, their minutes, and up to how many minutes they are used. @type {[string, number, number][]} */
const UNITS = [
  ['minutes', 1, 180],
  ['hours', 60, 4320],
];

/**
 * @param {PagedDigest} digest
 * @returns {PageSection[]}
 */
function costliest({ shapes }) {
  const timed = shapes.filter(({ latencyMs }) => latencyMs);
  const ranked = (/** @type {'total' | 'p95'} */ figureName) =>
    timed.toSorted((a, b) => (b.latencyMs?.[figureName] ?? 0) - (a.latencyMs?.[figureName] ?? 0)).slice(0, MAX_RANKED);
  const chart = (/** @type {'total' | 'p95'} */ name, /** @type {string} */ title, /** @type {string} */ label) =>
    figure(name, (picture) =>
      barChart({
        ...picture,
        title,
        axis: { label, unit: 's' },
        rows: ranked(name).map((shape) => {
          const value = shape.latencyMs?.[name] ?? 0;
          return { label: nameOf(shape), values: [{ value: value / 1000, text: timeOf(value) }] };
        }),
      }),
    );
  if (timed.length === 0) return [];
  return [
    { title: 'Costliest queries', blocks: [chart('total', 'Time of all requests together', 'total time')] },
    { title: 'Slowest queries', blocks: [chart('p95', '95 of 100 requests took at most', 'p95')] },
  ];
}

/**
 * @param {PagedDigest} digest
 * @returns {PageSection[]}
 */
function largest({ shapes }) {
  const sized = shapes
    .filter(({ bytes }) => bytes)
    .map((shape) => ({ shape, mean: (shape.bytes ?? 0) / shape.count }))
    .sort((a, b) => b.mean - a.mean)
    .slice(0, MAX_RANKED);
  const rows = shapes
    .filter(({ rows: known }) => known)
    .toSorted((a, b) => (b.rows?.p95 ?? 0) - (a.rows?.p95 ?? 0))
    .slice(0, MAX_RANKED);
  return [
    {
      title: 'Largest responses',
      blocks: [
        sized.length > 0 &&
          table({
            caption: 'Bytes of a response',
            columns: [{ label: 'query' }, { label: 'mean', isNumber: true }, { label: 'total', isNumber: true }],
            rows: sized.map(({ shape, mean }) => [
              named(shape),
              formatBytes(Math.round(mean)),
              formatBytes(shape.bytes ?? 0),
            ]),
          }),
        rows.length > 0 &&
          table({
            caption: 'Rows of a response',
            columns: [{ label: 'query' }, { label: 'p95', isNumber: true }, { label: 'requests', isNumber: true }],
            rows: rows.map((shape) => [named(shape), rowsOf(shape), formatCount(shape.count)]),
          }),
        rows.length > 0 && paragraph('≤: inferred from limit, keys or bytes.'),
      ],
    },
  ];
}

/**
 * @param {PagedDigest} digest
 * @returns {PageSection[]}
 */
function errors({ shapes, queryServers, problems }) {
  const failing = shapes
    .map((shape) => ({ shape, statuses: Object.entries(shape.statuses).filter(([status]) => Number(status) >= 400) }))
    .map((one) => ({ ...one, failed: one.statuses.reduce((sum, [, count]) => sum + count, 0) }))
    .filter(({ failed }) => failed > 0)
    .sort((a, b) => b.failed - a.failed);
  const tallies = (/** @type {ReportedDigest['problems']} */ tally) =>
    tally.map(({ kind, count }) => `\`${kind.replaceAll('`', "'")}\`: ${formatCount(count)}`);
  return [
    {
      title: 'Errors',
      blocks: [
        failing.length > 0
          ? table({
              caption: `Requests with status 400 and above${failing.length > MAX_LISTED ? `, the first ${MAX_LISTED} queries` : ''}`,
              columns: [
                { label: 'query' },
                { label: 'errors', isNumber: true },
                { label: 'share', isNumber: true },
                { label: 'by status' },
              ],
              rows: failing
                .slice(0, MAX_LISTED)
                .map(({ shape, failed, statuses }) => [
                  named(shape),
                  formatCount(failed),
                  errorsOf(shape),
                  statuses.map(([status, count]) => `${status}: ${formatCount(count)}`).join(', '),
                ]),
            })
          : paragraph('No request has status 400 or above.'),
        queryServers.length > 0 && paragraph('Query server failures:'),
        queryServers.length > 0 && list(tallies(queryServers)),
        problems.length > 0 && paragraph('Problems in the logs:'),
        problems.length > 0 && list(tallies(problems)),
      ],
    },
  ];
}

/**
 * @param {PagedDigest} digest
 * @returns {PageSection[]}
 */
function indexes({ indexBuilds }) {
  if (indexBuilds.length === 0) return [];
  const ranked = indexBuilds.toSorted((a, b) => (b.buildMs?.total ?? 0) - (a.buildMs?.total ?? 0)).slice(0, MAX_LISTED);
  const numbers = ['updates', 'total', 'p50', 'p95', 'longest'].map((label) => ({ label, isNumber: true }));
  return [
    {
      title: 'Index updates',
      blocks: [
        table({
          caption: 'Index updates, by shard',
          columns: [{ label: 'index' }, ...numbers],
          rows: ranked.map(({ database, designDoc, builds, buildMs }) => [
            html`<code>${code(`${database ?? ''} ${designDoc}`)}</code>`,
            formatCount(builds),
            ...(buildMs ? [buildMs.total, buildMs.p50, buildMs.p95, buildMs.max].map(timeOf) : Array(4).fill(NONE)),
          ]),
        }),
      ],
    },
  ];
}

/** What the columns of the large table are. @type {[string, (shape: ReportedShape) => [number, string]][]} */
const COLUMNS = [
  ['share', ({ share }) => [share, shareOf(share)]],
  ['calls', ({ count }) => [count, formatCount(count)]],
  ['per minute', ({ ratePerMinute: { mean } }) => [mean, short(mean)]],
  ['peak', ({ ratePerMinute: { peak } }) => [peak, short(peak)]],
  .../** @type {const} */ (['total', 'p50', 'p95', 'p99']).map(
    (name) =>
      /** @type {[string, (shape: ReportedShape) => [number, string]]} */ ([
        name,
        ({ latencyMs }) => (latencyMs ? [latencyMs[name], timeOf(latencyMs[name])] : [-1, NONE]),
      ]),
  ),
  ['rows', (shape) => [shape.rows?.p95 ?? -1, rowsOf(shape)]],
  ['bytes', ({ bytes }) => (bytes === undefined ? [-1, NONE] : [bytes, formatBytes(bytes)])],
  ['errors', (shape) => [failedShare(shape), errorsOf(shape)]],
];

/** @param {ReportedShape} shape @returns {number} */
function failedShare({ statuses, count }) {
  return (
    Object.entries(statuses).reduce((sum, [status, times]) => sum + (Number(status) >= 400 ? times : 0), 0) / count
  );
}

/**
 * @param {PagedDigest} digest
 * @returns {PageSection}
 */
function allShapes({ shapes, shareOf: whole }) {
  if (shapes.length === 0) return { title: 'All queries', blocks: [paragraph('The logs hold no requests.')] };
  const used = COLUMNS.filter(([, take]) => shapes.some((shape) => take(shape)[1] !== NONE));
  const rows = shapes.map((shape) => [nameOf(shape), ...used.map(([, take]) => take(shape))]);
  const first = rows
    .slice(0, FIRST_ROWS)
    .map(
      ([name, ...cells]) =>
        html`<tr><th scope="row"><code>${code(String(name))}</code></th>${cells.map(([, text]) => html`<td class="number">${text}</td>`)}</tr>\n`,
    );
  // Nothing in it can end the element: every `<` is an escape.
  const data = new Markup(JSON.stringify(rows).replaceAll('<', '\\u003c'));
  return {
    title: 'All queries',
    blocks: [
      html`<form id="filter" role="search" aria-label="Search queries" hidden><label>Search <input type="search" id="search" autocomplete="off" spellcheck="false"></label><output id="shown" role="status"></output></form>
<div class="scroll" role="region" tabindex="0" aria-label="Query shapes"><table id="shapes">
<caption><span>Query shapes, the costliest first; share of the ${whole === 'time' ? 'time of all requests' : 'number of requests'}</span></caption>
<thead><tr><th scope="col">query</th>${used.map(([label]) => html`<th scope="col" class="number">${label}</th>`)}</tr></thead>
<tbody>
${first}</tbody>
</table></div>
<button type="button" id="more" hidden>Show more</button>
<script type="application/json" id="rows">${data}</script>`,
      rows.length > FIRST_ROWS &&
        html`<noscript><p>The other ${rows.length - FIRST_ROWS} rows need JavaScript.</p></noscript>`,
    ],
  };
}

/** @param {ReportedShape} shape @returns {Markup} */
function named(shape) {
  return html`<code>${code(nameOf(shape))}</code>`;
}
