import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { openReportCache } from '../../lib/cli/commands/lint/report-cache.js';
import { version } from '../../lib/cli/version.js';
import { seal, unseal } from '../../lib/engine/run/cache-file.js';
import { cacheFolder } from '../../lib/engine/run/cache-folder.js';
import { CACHE_ENV } from '../helpers/cache-folder.js';
import { sample } from '../helpers/long.js';
import { createProject } from '../helpers/temporary-project.js';

// These tests look into the cache and empty it: it must be theirs alone.
vi.hoisted(() => delete globalThis.process.env['TEST_CACHE']);
afterAll(() => rmSync(CACHE_ENV.HOME, { recursive: true, force: true }));

const REPORTS = path.join(cacheFolder(CACHE_ENV), 'reports');
afterEach(() => rmSync(REPORTS, { recursive: true, force: true }));

const MAP = 'function (doc) {\n  emit(doc.customer, doc);\n}';
/** @param {string} map @param {string} [reduce] */
const orders = (map, reduce) => ({
  _id: '_design/orders',
  views: { by_customer: { map, ...(reduce ? { reduce } : {}) } },
});
const FILES = {
  'orders.json': orders(MAP),
  'couchapp/stock/_id': '_design/stock',
  'couchapp/stock/views/all/map.js': 'function (doc) { emit(doc._id, null); }',
};

/** @returns {string[]} the reports that are kept */
function kept() {
  try {
    return readdirSync(REPORTS);
  } catch {
    return [];
  }
}

/** Changes what is kept, so that a run that takes it shows. */
function plant() {
  const [name = ''] = kept();
  const file = path.join(REPORTS, name);
  const { report, ...entry } = unseal(version(), readFileSync(file, 'utf8'));
  const findings = report.findings.map((/** @type {object} */ finding) => ({ ...finding, message: 'as it was kept' }));
  writeFileSync(file, seal(version(), { ...entry, report: { ...report, findings } }));
}

test('where nothing has changed, what was found is not looked for again', async () => {
  const project = createProject(FILES);
  const formats = sample(['text', 'compact', 'json', 'sarif', 'github', 'junit', 'gitlab', 'markdown'], 2);
  /** @param {string} format */
  const lint = (format) => project.run(['lint', '--format', format]);
  const fresh = [];
  for (const format of formats) fresh.push(await project.run(['lint', '--no-cache', '--format', format]));
  expect(kept()).toEqual([]);
  await lint('text');
  expect(kept()).toHaveLength(1);
  for (const [at, format] of formats.entries()) expect(await lint(format)).toEqual(fresh[at]);
  plant();
  for (const format of formats) expect((await lint(format)).stdout).toContain('as it was kept');
  expect((await lint('text')).exitCode).toBe(fresh[0]?.exitCode);
});

test('--quiet and --fail-on take what was kept, and hold', async () => {
  const project = createProject(FILES);
  await project.run(['lint']);
  plant();
  const [quiet, strict] = [await project.run(['lint', '--quiet']), await project.run(['lint', '--fail-on', 'info'])];
  expect(quiet.stdout).not.toContain('as it was kept');
  expect(strict.stdout).toContain('as it was kept');
  expect([quiet.exitCode, strict.exitCode]).toEqual([0, 1]);
});

const PROOF = orders(MAP.replace('doc);', 'doc.total);'), 'function (keys, values) { return sum(values); }');
/** @type {[string, import('../helpers/temporary-project.js').Files, string[]?][]} */
const CHANGES = [
  ['a character of a map', { 'orders.json': orders(MAP.replace('customer, doc', 'customer, 1')) }],
  ['a character outside of functions', { 'orders.json': `${JSON.stringify(orders(MAP), null, 2)}\n` }],
  ['another document', { 'more.json': { ...orders(MAP), _id: '_design/more' } }],
  ['a file of a couchapp', { 'couchapp/stock/views/all/map.js': 'function (doc) { emit(doc.name, doc); }' }],
  ['a reduce', { 'orders.json': PROOF }],
  [
    'a comment that ignores',
    { 'couchapp/stock/views/all/map.js': '// couch-advisor-ignore\nfunction (doc) { emit(doc._id, null); }' },
  ],
  ['a configuration', { 'couch-advisor.config.json': { rules: { 'view/emit-whole-doc': 'off' } } }],
  [
    'a configuration of a folder',
    { 'couchapp/couch-advisor.config.json': { rules: { 'view/duplicates-primary-index': 'error' } } },
  ],
  ['a rule of the user', { 'couch-advisor.config.json': { rules: { 'view/emit-whole-doc': 'error' } } }],
  ['an Ini file', { 'local.ini': '[cors]\norigins = *\ncredentials = true\n[httpd]\nenable_cors = true\n' }],
  ['an ignored file', { '.gitignore': 'orders.json\n' }],
  ['a version', {}, ['--target', '1.6.1']],
  ['an engine', {}, ['--engine', 'spidermonkey-1.8.5']],
  ['a rule', {}, ['--rule', 'view/emit-whole-doc']],
  ['a severity', {}, ['--rule', 'view/emit-whole-doc=error']],
  ['a path', {}, ['couchapp']],
];

describe('is judged again after a change of', () => {
  test.each(sample(CHANGES, 6))('%s', async (_, files, argv = []) => {
    const project = createProject(FILES);
    await project.run(['lint']);
    plant();
    project.write(files);
    const run = ['lint', '--format', 'json', ...argv];
    const fresh = await project.run([...run, '--no-cache']);
    expect(await project.run(run)).toEqual(fresh);
    expect(fresh.stdout).not.toContain('as it was kept');
  });

  test('a baseline', async () => {
    const project = createProject(FILES);
    await project.run(['lint', '--write-baseline', 'known.json']);
    await project.run(['lint']);
    plant();
    expect((await project.run(['lint', '--baseline', 'known.json'])).stdout).not.toContain('as it was kept');
  });
});

test.each([
  ['fixes', ['--fix-dry-run']],
  ['times', ['--timing']],
  ['a page', ['--format', 'html']],
  ['documents', ['--docs', 'docs.jsonl']],
  ['a log', ['--log', 'couch.log']],
  ['what is deployed', ['--deployed', 'orders.json']],
])('a run that is for %s neither keeps nor takes a report', async (_, argv) => {
  const log =
    '[notice] 2026-01-01T00:00:00.000000Z couchdb@127.0.0.1 <0.1.0> 0a0b0c0d0e localhost:5984 127.0.0.1 admin GET /shop/_all_docs 200 ok 1\n';
  const project = createProject({ ...FILES, 'docs.jsonl': '{"_id":"a","customer":"b"}\n', 'couch.log': log });
  await project.run(['lint', ...argv]);
  expect(kept()).toEqual([]);
});

test.each([
  ['is cut', (/** @type {string} */ text) => text.slice(0, -10)],
  ['holds something else', () => '{}'],
  ['is of another version', (/** @type {string} */ text) => text.replace(version(), '0.0.1')],
])('a report that %s is not taken', async (_, damage) => {
  const project = createProject(FILES);
  const fresh = await project.run(['lint']);
  const file = path.join(REPORTS, kept()[0] ?? '');
  writeFileSync(file, damage(readFileSync(file, 'utf8')));
  expect(await project.run(['lint'])).toEqual(fresh);
});

describe('what a limit of time or memory cut off is tried again in the next run', () => {
  /** @type {[string, object][]} */
  const RUNS = [
    ['trial', { trial: { verdict: 'tried', mayDiffer: true } }],
    ['made document', { witness: { verdict: 'unknown', mayDiffer: true } }],
    ['reduce', { kind: 'view', name: 'v', reduce: { place: { file: 'a.json', line: 1 } }, proof: { cutOff: 'time' } }],
  ];
  test.each(RUNS)('a %s', (_, subject) => {
    const { cwd } = createProject({});
    const opened = { records: [], files: new Map(), errors: [], notes: [], counts: {} };
    const prepared = /** @type {any} */ ({ opened, folders: { all: [] }, rules: [] });
    const asked = { cwd, env: CACHE_ENV, isWhole: true, destinations: [], baseline: undefined };
    const open = () =>
      /** @type {NonNullable<ReturnType<typeof openReportCache>>} */ (openReportCache(prepared, {}, asked));
    const report = /** @type {any} */ ({ findings: [], cannotTell: [], rules: [] });
    const run = (/** @type {object[]} */ subjects) => /** @type {any} */ ({ subjects });
    open().write({ report, staleBaselineCount: 0 }, run([{ kind: 'function', ...subject }]));
    expect(open().read()).toBeUndefined();
    open().write({ report, staleBaselineCount: 0 }, run([{ kind: 'function', trial: { verdict: 'tried' } }]));
    expect(open().read()).toMatchObject({ report, staleBaselineCount: 0 });
  });
});
