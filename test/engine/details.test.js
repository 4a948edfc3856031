import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { lint } from '../../lib/index.js';
import { root } from '../helpers/run-cli.js';
import { createProject } from '../helpers/temporary-project.js';

/** @import { Report } from '../../lib/reports/report.js' */

/**
 * @param {Report} report
 * @param {string} rule
 * @returns {import('../../lib/engine/details.js').Detail}
 */
function detailOf(report, rule) {
  const finding = report.findings.find((candidate) => candidate.rule === rule);
  const detail = finding && report.details?.details.get(finding.key);
  if (!detail) throw new Error(`nothing is told of ${rule}`);
  return detail;
}

describe('of the shop with its logs', () => {
  const shop = lint({ cwd: path.join(root, 'fixtures/projects/shop'), logs: ['logs/*.log'] });

  test('every finding has details, with a step for each of its path', async () => {
    const { findings, details } = await shop;
    expect([...(details?.details.keys() ?? [])].sort()).toEqual(findings.map(({ key }) => key).sort());
    for (const { key, path: steps } of findings) expect(details?.details.get(key)?.steps).toHaveLength(steps.length);
  });

  test('a path tells where other answers lead, and what change would end it elsewhere', async () => {
    const { steps, flip } = detailOf(await shop, 'mango/full-scan');
    expect(steps.map(({ asked }) => asked)).toContain('request.findDocsPerResult at least 10');
    expect(steps[0]?.branches).toEqual([{ answers: 'no', to: 'no-find', verdict: 'fine' }]);
    expect(flip).toMatchObject({ fact: expect.any(String), change: expect.any(String), outcome: expect.any(String) });
  });

  test('a reduce has its proof, and a wrong one what shows it', async () => {
    expect(detailOf(await shop, 'reduce/custom-sum').proof).toMatchObject({
      verdict: 'equal',
      isProved: true,
      builtin: '_sum',
      counterexample: [],
    });
    const wrong = detailOf(await shop, 'reduce/ignores-rereduce').proof;
    expect(wrong?.verdict).toBe('wrong');
    expect(wrong?.counterexample.at(-1)).toBe('rereduce([2]) returns 1');
  });

  test('what is asked in the logs has its requests, over all of their time, and how long they took', async () => {
    const { logs } = detailOf(await shop, 'view/include-docs-hot');
    expect(logs?.shapes.map(({ name, requests }) => [name, requests])).toEqual([
      ['GET shop/_design/app/_view/by_status?include_docs=true&key&limit', 120],
    ]);
    expect(logs?.rate?.counts.reduce((sum, count) => sum + count, 0)).toBe(120);
    expect(logs?.rate?.stepMinutes).toBe(1);
    expect(logs?.latency.reduce((sum, { count }) => sum + count, 0)).toBe(120);
    expect(logs?.latency.at(0)?.count).toBeGreaterThan(0);
    expect(logs?.latency.at(-1)?.count).toBeGreaterThan(0);
    expect(detailOf(await shop, 'security/cors-any-origin').logs).toBeUndefined();
  });

  test('a fix has its patch, which is that of the file', async () => {
    expect(
      detailOf(await shop, 'reduce/unknown-builtin')
        .patch?.split('\n')
        .slice(0, 2),
    ).toEqual(['--- a/design-docs/stock.json', '+++ b/design-docs/stock.json']);
    expect(detailOf(await shop, 'view/emit-whole-doc').patch).toBeUndefined();
  });

  test('all design documents are told, with their views', async () => {
    const { details } = await shop;
    expect(details?.documents.map(({ id, views }) => [id, views.length])).toEqual([
      ['_design/app', 4],
      ['_design/guard', 0],
      ['_design/stock', 4],
    ]);
  });
});

test('a document of a dump has its stretch of the file, and a couchapp all its files', async () => {
  const map = 'function (doc) { emit(doc.date, doc); }';
  const documents = ['orders', 'stock'].map((name) => ({ _id: `_design/${name}`, views: { all: { map } } }));
  const dump = JSON.stringify({ docs: documents });
  const project = createProject({
    'dump.json': dump,
    'app/_id': '_design/app',
    'app/views/all/map.js': map,
    'app/views/all/reduce.js': '_count',
  });
  const { details } = await lint({ cwd: project.cwd });
  const told = new Map(details?.documents.map(({ id, parts }) => [id, parts]));
  expect(told.get('_design/stock')).toEqual([
    { file: 'dump.json', start: dump.lastIndexOf('{"_id"'), end: dump.length - 2 },
  ]);
  expect(
    told
      .get('_design/app')
      ?.map(({ file }) => file)
      .sort(),
  ).toEqual(expect.arrayContaining(['app/views/all/map.js', 'app/views/all/reduce.js']));
});
