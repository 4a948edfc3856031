// Renders a digest as GitHub-flavored Markdown: the costliest query shapes, index updates, failures. Names from the logs stay text.

import { nameOf } from '../shared/query-name.js';
import { formatCount } from '../shared/units.js';
import { errorsOf, NONE, rowsOf, shareOf, short, timeOf } from './digest-figures.js';
import { code, escapeMarkdown, MAX_CHARACTERS } from './markdown.js';
import { countOf } from './report.js';

/** @import { ReportedDigest } from './digest-text.js' */

/** So many shapes and indexes stand in the tables; all are in the JSON. */
const MAX_ROWS = 25;

/**
 * @param {ReportedDigest} digest
 * @returns {string}
 */
export function renderDigestMarkdown({ lines, from, to, shareOf: whole, shapes, indexBuilds, queryServers }) {
  const span = from && to ? `, ${from} to ${to}` : '';
  const sections = [
    `## couch-advisor digest\n\n${countOf(lines.requests, 'request')} in ${countOf(lines.read, 'line')}${span}.`,
  ];
  const listed = shapes.slice(0, MAX_ROWS).map((shape) => {
    const { share, count, ratePerMinute, latencyMs } = shape;
    const times = latencyMs ? [latencyMs.total, latencyMs.p50, latencyMs.p95].map(timeOf) : [NONE, NONE, NONE];
    const figures = [
      shareOf(share),
      formatCount(count),
      short(ratePerMinute.mean),
      ...times,
      rowsOf(shape),
      errorsOf(shape),
    ];
    return [code(nameOf(shape)), ...figures.map(escapeMarkdown)];
  });
  const titles = [
    'Query',
    whole === 'time' ? 'Time' : 'Share',
    'Calls',
    '/min',
    'Total',
    'p50',
    'p95',
    'Rows',
    'Errors',
  ];
  if (listed.length > 0) sections.push(table(titles, listed));
  if (shapes.length > listed.length)
    sections.push(`${countOf(shapes.length - listed.length, 'more shape')} not shown here.`);
  const indexes = indexBuilds
    .toSorted((a, b) => (b.buildMs?.total ?? 0) - (a.buildMs?.total ?? 0))
    .slice(0, MAX_ROWS)
    .map(({ database, designDoc, builds, buildMs }) => [
      code(`${database ?? ''} ${designDoc}`),
      formatCount(builds),
      ...(buildMs ? [buildMs.total, buildMs.p50, buildMs.max].map(timeOf) : [NONE, NONE, NONE]),
    ]);
  if (indexes.length > 0)
    sections.push(`### Index updates, by shard\n\n${table(['Index', 'Updates', 'Total', 'p50', 'Longest'], indexes)}`);
  const failures = queryServers.map(({ kind, count }) => `- ${code(kind)}: ${formatCount(count)}`);
  if (failures.length > 0) sections.push(`### Query server failures\n\n${failures.join('\n')}`);
  return `${sections.join('\n\n').slice(0, MAX_CHARACTERS)}\n`;
}

/**
 * @param {string[]} titles
 * @param {string[][]} rows Markdown
 * @returns {string}
 */
function table(titles, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [line(titles), line(titles.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}
