// Logs on the command line and in the configuration: found, read, joined, told of, and without them nothing changes.

import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { root } from '../helpers/run-cli.js';
import { runMain } from '../helpers/run-main.js';
import { createProject } from '../helpers/temporary-project.js';

const SHOP = path.join(root, 'fixtures/projects/shop');
const ORDERS = {
  _id: '_design/orders',
  views: { by_date: { map: "function (doc) { if (doc.type === 'order') emit(doc.date, null); }" } },
};

/**
 * @param {number} count of requests, one in two seconds
 * @param {number} [from] seconds since eight o'clock
 * @param {string} [view]
 * @returns {string}
 */
function log(count, from = 0, view = 'by_date') {
  const lines = Array.from({ length: count }, (_, at) => {
    const time = new Date(Date.UTC(2026, 2, 2, 8, 0, from + at * 2)).toISOString();
    return `[notice] ${time} couchdb@127.0.0.1 <0.200.0> 1a2b3c4d5e db.shop.example:5984 10.0.0.9 web GET /shop/_design/orders/_view/${view}?limit=20&include_docs=true 200 ok 80\n`;
  });
  return lines.join('');
}

const HOT = ['view/include-docs-hot#often-asked'];

test('--log joins a log to the design documents, and the finding tells what it costs', async () => {
  const project = createProject({ 'couch.log': log(300), 'orders.json': ORDERS });
  const { codes, findings, exitCode } = await project.lint(['orders.json', '--log', 'couch.log']);
  expect(codes).toEqual(HOT);
  expect(exitCode).toBe(0);
  expect(findings).toMatchObject([
    {
      place: { file: 'orders.json' },
      subject: {
        kind: 'request',
        name: 'GET shop/_design/orders/_view/by_date?include_docs=true&limit',
        designDoc: '_design/orders',
        view: 'by_date',
        database: 'shop',
      },
      related: [{ place: { file: 'couch.log', line: 1 } }],
      cost: { share: 1, totalMs: 24000, requests: 300 },
    },
  ]);
});

test.each([
  ['a glob', { 'logs/couch.log.1': log(150), 'logs/couch.log': log(150, 300) }, ['--log', 'logs/*']],
  ['several', { 'a.log': log(150), 'b.log': log(150, 300) }, ['--log', 'a.log', '--log', 'b.log']],
  ['packed', { 'couch.log.gz': gzipSync(log(300)) }, ['--log', 'couch.log.gz']],
  ['with its format', { 'couch.log': log(300) }, ['--log', 'couch.log', '--log-format', 'couchdb']],
  ['of the configuration', { 'x/couch.log': log(300), 'couch-advisor.config.json': { logs: ['x/*.log'] } }, []],
])('logs can be given: %s', async (_, files, args) => {
  const project = createProject({ ...files, 'orders.json': ORDERS });
  const { codes, errors } = await project.lint(['orders.json', ...args]);
  expect(errors).toEqual([]);
  expect(codes).toEqual(HOT);
});

test('--log takes the place of the logs of the configuration', async () => {
  const config = { logs: ['gone.log'] };
  const project = createProject({ 'couch.log': log(300), 'orders.json': ORDERS, 'couch-advisor.config.json': config });
  expect((await project.lint(['orders.json', '--log', 'couch.log'])).errors).toEqual([]);
  expect((await project.lint(['orders.json'])).errors).toMatchObject([{ code: 'not-found' }]);
});

test('a log on standard input', async () => {
  const project = createProject({ 'orders.json': ORDERS });
  const { findings } = await project.lint(['orders.json', '--log', '-'], log(300));
  expect(findings).toMatchObject([{ related: [{ place: { file: '<stdin>', line: 1 } }] }]);
  const named = await project.lint(['orders.json', '--log', '-', '--stdin-filename', 'node1.log'], log(300));
  expect(named.findings).toMatchObject([{ related: [{ place: { file: 'node1.log' } }] }]);
});

test('standard input cannot be a path and a log', async () => {
  const { stderr, exitCode } = await createProject().run(['lint', '-', '--log', '-'], '{}');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('standard input cannot be both a path and a log');
});

test.each([
  ['is not there', {}, 'not-found'],
  ['has no request', { 'couch.log': 'nothing\nof interest\n' }, 'no-requests'],
])('a log that %s is an error, and the rest is judged', async (_, files, code) => {
  const project = createProject({ ...files, 'orders.json': { ...ORDERS, language: 'javascript' } });
  const { errors, exitCode } = await project.lint(['orders.json', '--log', 'couch.log']);
  expect(errors).toMatchObject([{ code }]);
  expect(exitCode).toBe(3);
});

test('lines that fit no format are told of', async () => {
  const broken = `${log(300)}[notice] 2026-03-02T09:00:00.000000Z couchdb@127.0.0.1 <0.2.0> 1a2b3c4d5e db:5984 10.0.0.9 web GET /shop 2\n`;
  const project = createProject({ 'couch.log': broken, 'orders.json': ORDERS });
  const { stdout } = await project.run(['lint', 'orders.json', '--log', 'couch.log', '--format', 'json']);
  expect(JSON.parse(stdout).notes).toEqual([{ path: 'couch.log', reason: '1 line matches no format' }]);
});

test('limits of log rules can be set', async () => {
  const rules = { 'view/include-docs-hot': { severity: 'error', thresholds: { often: 40 } } };
  const project = createProject({
    'couch.log': log(300),
    'orders.json': ORDERS,
    'couch-advisor.config.json': { rules },
  });
  expect((await project.lint(['orders.json', '--log', 'couch.log'])).codes).toEqual([]);
});

test('what is found through logs can be ignored where it is shown, and in the configuration', async () => {
  const map = `function (doc) {
  // couch-advisor-ignore-next-line view/include-docs-hot -- the whole document is shown
  emit(doc.date, null);
}`;
  const project = createProject({
    'couch.log': log(300),
    'orders.json': { ...ORDERS, views: { by_date: { map } } },
  });
  const { codes, silenced } = await project.lint(['orders.json', '--log', 'couch.log']);
  expect(codes).toEqual([]);
  expect(silenced.ignored).toBe(1);
});

test('keys of findings stay the same under another log', async () => {
  const project = createProject({ 'a.log': log(300), 'b.log': log(280, 9000) });
  const keys = await Promise.all(
    ['a.log', 'b.log'].map(async (file) => (await project.lint(['--log', file])).findings.map(({ key }) => key)),
  );
  expect(keys[0]).toHaveLength(1);
  expect(keys[0]).toEqual(keys[1]);
});

test('the text tells the costliest first', async () => {
  const project = createProject({
    'couch.log': log(300) + log(600, 600, 'by_state'),
    'orders.json': ORDERS,
  });
  const { stdout } = await project.run(['lint', 'orders.json', '--log', 'couch.log']);
  const ranking = stdout.slice(stdout.indexOf('Costliest in the logs:')).split('\n');
  expect(ranking.slice(1, 3)).toEqual([
    '   67 %  view/include-docs-hot#often-asked-unread couch.log:301',
    expect.stringMatching(/^ {3}33 % {2}view\/include-docs-hot#often-asked orders\.json:\d+$/),
  ]);
  expect(stdout).toContain('cost: 24.0 s in 300 requests (10 a minute), 33 % of the request time in the logs');
  expect(stdout).toContain('and 900 logged requests');
  const report = JSON.parse(
    (await project.run(['lint', 'orders.json', '--log', 'couch.log', '--format', 'json'])).stdout,
  );
  expect(report.costliest.map((/** @type {any} */ { share }) => share)).toEqual([0.666667, 0.333333]);
  expect(report.read.requests).toBe(900);
});

/** @returns {string} 470 documents read one by one, 80 in the busiest minute, and 64 written */
function belowThresholds() {
  const line = (/** @type {number} */ second, /** @type {string} */ request) => {
    const time = new Date(Date.UTC(2026, 2, 2, 8, 0, second)).toISOString();
    return `[notice] ${time} couchdb@127.0.0.1 <0.200.0> 1a2b3c4d5e db.shop.example:5984 10.0.0.9 web ${request} ok 8\n`;
  };
  const reads = Array.from({ length: 470 }, (_, at) => {
    const second = at < 80 ? Math.floor(at * 0.7) : 60 + (at - 80) * 2;
    return line(second, `GET /shop/order-${String(at).padStart(4, '0')} 200`);
  });
  const writes = Array.from({ length: 64 }, (_, at) => line(at * 10, 'POST /shop 201'));
  return [...reads, ...writes].join('');
}

test('a log in which no query reaches a threshold says which is nearest, with verbose all', async () => {
  const project = createProject({ 'couch.log': belowThresholds() });
  const { stdout } = await project.run(['lint', '--log', 'couch.log']);
  expect(stdout.replaceAll('\n', ' ')).toMatch(
    /closest to a threshold: `GET shop\/\S+` \(470 requests\): 80 requests in the busiest minute; query\/n-plus-one reports at least 600/,
  );
  const verbose = await project.run(['lint', '--log', 'couch.log', '--verbose']);
  expect(verbose.stdout).toContain('Queries close to a threshold:\n  `GET shop/');
  expect(verbose.stdout).not.toContain('closest to a threshold');
  expect((await project.run(['lint', '--log', 'couch.log', '--quiet'])).stdout).not.toContain('threshold');
  const json = await project.run(['lint', '--log', 'couch.log', '--format', 'json']);
  expect(JSON.parse(json.stdout).belowThreshold[0]).toMatchObject({ rule: 'query/n-plus-one', value: 80, part: 0.13 });
});

test('where queries are reported, those below a threshold wait for verbose', async () => {
  const project = createProject({ 'couch.log': log(300) + belowThresholds() });
  expect((await project.run(['lint', '--log', 'couch.log'])).stdout).not.toContain('threshold');
  expect((await project.run(['lint', '--log', 'couch.log', '--verbose'])).stdout).toContain('close to a threshold');
});

test('the costliest list each request once', async () => {
  const { stdout } = await runMain(['lint', '--format', 'json'], { cwd: SHOP });
  const { costliest, findings } = JSON.parse(stdout);
  const rules = costliest.map((/** @type {{key: string}} */ { key }) => key.split('#')[0]);
  expect(rules).toContain('call/skip-paging');
  expect(rules).not.toContain('view/emit-whole-doc');
  expect(rules.filter((/** @type {string} */ rule) => rule.startsWith('changes/'))).toHaveLength(1);
  const emits = findings.find((/** @type {any} */ { rule }) => rule === 'view/emit-whole-doc');
  expect(Object.keys(emits.cost)).toEqual(['share', 'totalMs', 'requests', 'perHour']);
});

test('a log is judged without design documents', async () => {
  const project = createProject({ 'couch.log': log(300) });
  const { codes, errors } = await project.lint(['--log', 'couch.log']);
  expect(errors).toEqual([]);
  expect(codes).toEqual(['view/include-docs-hot#often-asked-unread']);
});

test('without logs no rule about them is asked', async () => {
  const project = createProject({ 'orders.json': ORDERS });
  const { stdout } = await project.run(['lint', 'orders.json', '--format', 'json']);
  const { cannotTell, findings, read } = JSON.parse(stdout);
  expect({ cannotTell, findings, requests: read.requests }).toEqual({
    cannotTell: [],
    findings: [],
    requests: undefined,
  });
});

test('the sample project reports what its log and its load show', async () => {
  const { stdout } = await runMain(['lint', '--format', 'json'], { cwd: SHOP });
  const { findings } = JSON.parse(stdout);
  const of = (/** @type {string} */ rule) => findings.find((/** @type {any} */ finding) => finding.rule === rule);
  expect(of('view/include-docs-hot')).toMatchObject({
    place: { file: 'design-docs/app.json' },
    cost: { requests: 120 },
  });
  expect(of('reduce/custom-sum')).toMatchObject({ outcome: 'equal', cost: { requests: 110 } });
  expect(of('write/random-ids')).toMatchObject({ place: { file: 'loads/orders.jsonl' } });
});
