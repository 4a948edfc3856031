// What `advise` says where the remedy is no index and no view: the findings of `lint`, with their share of the request time.

import { expect, test } from 'vitest';
import { adviseOn, linesOf, runAdvise, SCAN_MS } from '../helpers/advise.js';

const CODE = `const shop = require('nano')('http://localhost:5984').use('shop');
exports.page = async (number) => {
  const { rows } = await shop.view('app', 'by_date', { limit: 50, skip: number * 50 });
  return rows.map((row) => row.value);
};
`;
const DESIGN = { _id: '_design/app', views: { by_date: { map: 'function (doc) { emit(doc.date, doc.total); }' } } };
const PAGE = '/shop/_design/app/_view/by_date?limit=50&skip=';
const about = {
  log: [
    ...Array.from({ length: 20 }, (_, at) => linesOf(`GET ${PAGE}${at * 500} 200 700`, { times: 3 })).flat(),
    ...linesOf('GET /shop/order-1 200 1', { times: 100 }),
  ].sort(),
  files: { 'app.json': DESIGN, 'client.js': CODE },
  args: ['app.json', 'client.js'],
};

test('without a step, the summary names the remedy and its share', async () => {
  const { stdout } = await runAdvise(about);
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /^No index or view change helps: .*? 100 % of the request time is in a finding of `lint`: client\.js:3:\d+ \(call\/skip-paging#skips-rows\)\./,
  );
  expect(stdout).toContain('Also found by lint\n');
});

test('as JSON, each has its key, place and share', async () => {
  const { plan } = await adviseOn(about);
  expect(plan.others).toMatchObject([{ code: 'call/skip-paging#skips-rows', finding: expect.stringMatching(/:/) }]);
  expect(plan.others?.[0]?.share).toBeGreaterThan(0.9);
});

test('a plan for logs that no finding is about says that as well', async () => {
  const { stdout } = await runAdvise({
    ...about,
    files: { 'app.json': DESIGN },
    args: ['app.json'],
    log: linesOf('GET /shop/order-1 200 1', { times: 100 }),
  });
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('`lint` names no other remedy for these queries.');
});

test.each([['html'], ['json']])('the page of advise has the findings of lint, %s', async (format) => {
  const { project } = await runAdvise(about);
  const argv = ['--log', 'couch.log', '--docs', 'orders.jsonl', 'app.json', 'client.js', '--format'];
  const { findings } = JSON.parse((await project.run(['lint', ...argv, 'json'])).stdout);
  const { stdout } = await project.run(['advise', ...argv, format]);
  if (format === 'html') expect(stdout).toContain(`${findings.length} of ${findings.length} findings</output>`);
  else expect(JSON.parse(stdout).kind).toBe('plan');
});

test('what is found of a query that a step gives an index is not listed as left', async () => {
  const index = { index: { fields: ['total'] }, ddoc: 'by-total', name: 'by-total', type: 'json' };
  const { plan } = await adviseOn({
    traffic: [{ body: { selector: { customer: 'customer-7' } }, times: 1000, ms: SCAN_MS }],
    files: { 'indexes/by-total.json': index },
  });
  expect(plan.steps.map(({ change }) => change.index?.fields)).toEqual([['customer']]);
  expect(plan.others).toEqual([]);
});
