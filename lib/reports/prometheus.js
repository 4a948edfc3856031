// Renders findings and digests as a text file for the node exporter of Prometheus (text exposition format 0.0.4). All are gauges: each run replaces what
// the run before wrote.

import { groupBy } from '../shared/group-by.js';
import { printable } from '../shared/printable.js';
import { nameOf } from '../shared/query-name.js';
import { failedOf } from './digest-figures.js';

/** @import { ReportedDigest } from './digest.js' */
/** @import { ReportedShape } from './digest-figures.js' */
/** @import { Report } from './report.js' */

/** @typedef {{name: string, help: string, samples: {labels: Record<string, string>, value: number}[]}} Metric */

/** So many queries have series of their own, the costliest first; the others are one: each series costs memory in Prometheus. */
const MAX_QUERIES = 100;
const OTHERS = 'other';

/**
 * @param {Report} report
 * @returns {string}
 */
export function renderPrometheus({ findings, errors, silenced, madeAt }) {
  const samples = [...groupBy(findings, ({ rule, severity }) => `${rule} ${severity}`).values()].flatMap((alike) =>
    alike.slice(0, 1).map(({ rule, severity }) => ({ labels: { rule, severity }, value: alike.length })),
  );
  return renderMetrics([
    { name: 'couch_advisor_findings', help: 'Findings by rule and severity.', samples },
    one('couch_advisor_baseline_findings', 'Findings in the baseline, which are not reported.', silenced.baseline),
    one('couch_advisor_read_errors', 'Files and sources that could not be read.', errors.length),
    ...(madeAt === undefined
      ? []
      : [one('couch_advisor_last_run_timestamp_seconds', 'When this was written.', Date.parse(madeAt) / 1000)]),
  ]);
}

/**
 * @param {ReportedDigest} digest
 * @returns {string}
 */
export function renderPrometheusDigest({ shapes, lines, from, to }) {
  const groups = shapes.slice(0, MAX_QUERIES).map((shape) => ({ query: nameOf(shape), shapes: [shape] }));
  if (shapes.length > MAX_QUERIES) groups.push({ query: OTHERS, shapes: shapes.slice(MAX_QUERIES) });
  const each = (/** @type {(shape: ReportedShape) => number} */ take) =>
    groups.map(({ query, shapes: own }) => ({
      labels: { query },
      value: own.reduce((sum, shape) => sum + take(shape), 0),
    }));
  const isTimed = shapes.some(({ latencyMs }) => latencyMs);
  const timed = shapes.slice(0, MAX_QUERIES).filter(({ latencyMs }) => latencyMs);
  const seconds = (/** @type {number} */ ms) => Number((ms / 1000).toPrecision(12));
  return renderMetrics([
    {
      name: 'couch_advisor_query_requests',
      help: 'Requests in the log, by query.',
      samples: each(({ count }) => count),
    },
    {
      name: 'couch_advisor_query_failed_requests',
      help: 'Requests with status 400 and above, by query.',
      samples: each(failedOf),
    },
    {
      name: 'couch_advisor_query_time_seconds',
      help: 'Time of all requests in the log, by query.',
      samples: isTimed ? each(({ latencyMs }) => seconds(latencyMs?.total ?? 0)) : [],
    },
    {
      name: 'couch_advisor_query_p95_seconds',
      help: '95 of 100 requests took at most this long, by query.',
      samples: timed.map((shape) => ({ labels: { query: nameOf(shape) }, value: seconds(shape.latencyMs?.p95 ?? 0) })),
    },
    one('couch_advisor_log_requests', 'Requests in the log.', lines.requests),
    one('couch_advisor_log_malformed_lines', 'Lines of the log that were not understood.', lines.malformed),
    ...moment('couch_advisor_log_first_timestamp_seconds', 'Time of the first line of the log.', from),
    ...moment('couch_advisor_log_last_timestamp_seconds', 'Time of the last line of the log.', to),
  ]);
}

/** @param {string} name @param {string} help @param {number} value @returns {Metric} */
function one(name, help, value) {
  return { name, help, samples: [{ labels: {}, value }] };
}

/** @param {string} name @param {string} help @param {string | null} time @returns {Metric[]} */
function moment(name, help, time) {
  return time === null ? [] : [one(name, help, Date.parse(time) / 1000)];
}

/** @param {Metric[]} metrics @returns {string} */
function renderMetrics(metrics) {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, samples }) => {
      const lines = samples.map(({ labels, value }) => `${name}${renderLabels(labels)} ${value}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`;
    })
    .join('');
}

/** @param {Record<string, string>} labels @returns {string} `{rule="view/emit-whole-doc"}` */
function renderLabels(labels) {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** @param {string} value of a name from the input @returns {string} */
function escapeLabel(value) {
  return printable(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
