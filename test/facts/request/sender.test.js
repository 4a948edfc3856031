// Which logged requests a call in the code may have sent, and what is said of that in findings.

import { describe, expect, test } from 'vitest';
import { describeCost } from '../../../lib/reports/report.js';
import { APP, line } from '../../helpers/logged-facts.js';
import { createProject } from '../../helpers/temporary-project.js';

const CLIENT = "const nano = require('nano');\nconst shop = nano(process.env.COUCHDB_URL).use('shop');\n";
const PER_MINUTE = 20;

/**
 * @param {string} call in line 4
 * @param {string} request of the logs, sent all over half an hour
 * @returns {Promise<any>} the report
 */
async function report(call, request) {
  const code = `${CLIENT}async function f(options) {\n  const { rows } = await ${call};\n  return rows.length;\n}\n`;
  const lines = Array.from({ length: 30 * PER_MINUTE }, (_, at) => line(request, at * (60 / PER_MINUTE)));
  const project = createProject({ 'f.js': code, 'app.json': APP, 'couch.log': `${lines.join('\n')}\n` });
  const rules = ['call/include-docs', 'query/skip-pagination'].flatMap((rule) => ['--rule', rule]);
  const { stdout } = await project.run(['lint', '--log', 'couch.log', '--format', 'json', ...rules]);
  return JSON.parse(stdout);
}

/**
 * @param {any} report
 * @param {string} rule
 * @returns {any}
 */
function findingOf({ findings }, rule) {
  return findings.find((/** @type {any} */ finding) => finding.rule === rule);
}

const BY_DATE = '/shop/_design/app/_view/by_date';

describe('a call has the frequency of its requests', () => {
  test.each([
    ["shop.view('app', 'by_date', { include_docs: true })", `GET ${BY_DATE}?include_docs=true 200 9`],
    [
      "shop.view('app', 'by_date', { include_docs: true, key, limit: 5 })",
      `GET ${BY_DATE}?include_docs=true&key=1&limit=5 200 9`,
    ],
    [
      "shop.view('app', 'by_date', { include_docs: true, start_key: 1 })",
      `GET ${BY_DATE}?include_docs=true&startkey=1 200 9`,
    ],
    ["shop.view('app', 'by_date', { include_docs: true, startkey: next })", `GET ${BY_DATE}?include_docs=true 200 9`],
    ["shop.view('app', 'by_date', { ...options, include_docs: true })", `GET ${BY_DATE}?include_docs=true&key=1 200 9`],
    ["shop.view('app', 'by_date', { include_docs: true, keys })", `POST ${BY_DATE}?include_docs=true 200 9`],
    [
      "shop.view('app', 'by_date', { include_docs: true })",
      'GET /shop/_design/app/_list/csv/by_date?include_docs=true 200 9',
    ],
    ["nano(url).use(name).view('app', 'by_date', { include_docs: true })", `GET ${BY_DATE}?include_docs=true 200 9`],
  ])('%s and %s', async (call, request) => {
    const { cost } = findingOf(await report(call, request), 'call/include-docs');
    expect(cost.requests).toBe(30 * PER_MINUTE);
    expect(Math.round(cost.perHour / 60)).toBe(PER_MINUTE);
  });
});

describe('a call has nothing of other requests', () => {
  test.each([
    ["shop.view('app', 'by_date', { include_docs: true })", `GET ${BY_DATE} 200 9`],
    ["shop.view('app', 'by_date', { include_docs: true })", `GET ${BY_DATE}?include_docs=true&key=1 200 9`],
    ["shop.view('app', 'by_date', { include_docs: true, limit: 5 })", `GET ${BY_DATE}?include_docs=true 200 9`],
    [
      "shop.view('app', 'by_date', { include_docs: true, descending: true })",
      `GET ${BY_DATE}?include_docs=true&descending=false 200 9`,
    ],
    ["shop.view('app', 'copies', { include_docs: true })", `GET ${BY_DATE}?include_docs=true 200 9`],
    [
      "nano(url).use('archive').view('app', 'by_date', { include_docs: true })",
      `GET ${BY_DATE}?include_docs=true 200 9`,
    ],
  ])('%s and %s', async (call, request) => {
    expect(findingOf(await report(call, request), 'call/include-docs')?.cost).toBeUndefined();
  });
});

const PAGE = `GET ${BY_DATE}?limit=50&skip=5000 200 90`;

test('a finding about logs names the call that sends its requests', async () => {
  const call = "shop.view('app', 'by_date', { limit: 50, skip: options.page * 50 })";
  const { related } = findingOf(await report(call, PAGE), 'query/skip-pagination');
  expect(related).toContainEqual({
    message: "`shop.view('app', 'by_date', …)` sends this query",
    place: expect.objectContaining({ file: 'f.js', line: 4 }),
  });
});

test('a finding about logs names no call that does not send its requests', async () => {
  const call = "shop.view('app', 'by_date', { limit: 50, skip: options.page * 50, descending: true })";
  const { related } = findingOf(await report(call, PAGE), 'query/skip-pagination');
  expect(JSON.stringify(related)).not.toContain('f.js');
});

test.each([
  [728.4, '35.2 s in 120 requests (12.1 a minute), 17 % of the request time in the logs'],
  [60, '35.2 s in 120 requests (1 a minute), 17 % of the request time in the logs'],
  [59.9, '35.2 s in 120 requests (59.9 an hour), 17 % of the request time in the logs'],
  [0.125, '35.2 s in 120 requests (3 a day), 17 % of the request time in the logs'],
  [120_000, '35.2 s in 120 requests (2,000 a minute), 17 % of the request time in the logs'],
  [undefined, '35.2 s in 120 requests, 17 % of the request time in the logs'],
])('the text says how often: %s an hour', (perHour, expected) => {
  const cost = {
    share: 0.17,
    totalMs: 35_200,
    requests: 120,
    shapes: [],
    ...(perHour === undefined ? {} : { perHour }),
  };
  expect(describeCost(cost)).toBe(expected);
});
