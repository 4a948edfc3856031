// Text files for Prometheus: valid whatever names say, named by its conventions, and known to the dashboard.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { formats } from '../../lib/index.js';
import { renderPrometheusDigest } from '../../lib/reports/prometheus.js';
import { root } from '../helpers/run-cli.js';
import { runMain } from '../helpers/run-main.js';
import { makeReport, shopReport } from '../helpers/sample-report.js';

const LOG = 'fixtures/projects/shop/logs/couch.log';
/** A line of the text exposition format 0.0.4 of gauges. */
const LINE =
  /^(?:# HELP [a-z0-9_]+ [A-Z0-9][^\n]*\.|# TYPE [a-z0-9_]+ gauge|[a-z0-9_]+(?:\{[a-z]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z]+="(?:[^"\\\n]|\\["\\n])*")*\})? -?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/;

/** @param {string} text @returns {string[]} what `promtool check metrics` would report of the names, and lines that are no metric */
function faultsOf(text) {
  const lines = text.split('\n').filter((line) => line !== '');
  const names = lines.flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []);
  return [
    ...lines.filter((line) => !LINE.test(line)),
    ...names.filter((name) => /_(?:total|count|sum|bucket|info|gauge|ms|milliseconds|kb)$/.test(name)),
    ...names.filter((name, at) => names.indexOf(name) !== at),
  ];
}

const printed = async (/** @type {string[]} */ ...argv) => (await runMain(argv, { cwd: root })).stdout;

test('findings are counted by rule and severity', async () => {
  const render = formats.get('prometheus')?.render ?? (async () => '');
  const text = await render(shopReport());
  expect(faultsOf(text)).toEqual([]);
  const counted = [...text.matchAll(/^couch_advisor_findings\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(shopReport().findings.length);
  expect(await render(makeReport({ madeAt: '2026-11-28T00:00:00.000Z' }))).toContain(
    'couch_advisor_last_run_timestamp_seconds 1795824000\n',
  );
});

test('a digest has requests and times by query, in seconds', async () => {
  const text = await printed('digest', LOG, '--format', 'prometheus');
  expect(faultsOf(text)).toEqual([]);
  expect(text).toContain(
    'couch_advisor_query_time_seconds{query="GET shop/_design/app/_view/totals?group=true"} 114.376\n',
  );
  expect(text).toContain('couch_advisor_query_requests{query="PUT shop/{document}"} 30\n');
});

test('names stay inside their label, and the costliest queries have series of their own', async () => {
  const json = JSON.parse(await printed('digest', LOG, '--format', 'json'));
  const [shape] = json.shapes;
  const shapes = Array.from({ length: 150 }, (_, at) => ({ ...shape, view: `a"} 1\n${at}\\\u202e` }));
  const text = renderPrometheusDigest({ ...json, shapes });
  expect(faultsOf(text)).toEqual([]);
  expect(text).not.toContain('\u202e');
  expect(text.match(/^couch_advisor_query_requests/gm)).toHaveLength(101);
  expect(text).toContain(`couch_advisor_query_requests{query="other"} ${50 * shape.count}\n`);
});

test('the dashboard asks for metrics that are written', async () => {
  const dashboard = JSON.parse(readFileSync(path.join(root, 'share/templates/couch-advisor.grafana.json'), 'utf8'));
  const asked = dashboard.panels.flatMap((/** @type {any} */ { targets }) =>
    targets.flatMap((/** @type {any} */ { expr }) => expr.match(/couch_advisor_\w+/g)),
  );
  const written = [
    await printed('digest', LOG, '--format', 'prometheus'),
    await printed('lint', 'fixtures/projects/shop', '--format', 'prometheus'),
  ].join('');
  const page = readFileSync(path.join(root, 'docs/output.md'), 'utf8');
  expect(asked.filter((/** @type {string} */ name) => !written.includes(`# TYPE ${name} gauge`))).toEqual([]);
  const names = [...written.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
