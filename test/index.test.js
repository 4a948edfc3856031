// The library: does what the command line does, and prints and writes nothing.

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as api from '../lib/index.js';
import { facts, fix, formats, lint, lintText, loadRules, NEWEST_COUCHDB, UserError } from '../lib/index.js';
import { startFakeCouchdb } from './helpers/fake-couchdb.js';
import { createProject, ordersWith } from './helpers/temporary-project.js';

const RULE = 'reduce/unknown-builtin';

test('exports what the README lists', () => {
  expect(Object.keys(api).sort()).toEqual(
    ['NEWEST_COUCHDB', 'UserError', 'facts', 'fix', 'formats', 'lint', 'lintText', 'loadRules'].sort(),
  );
});

describe('lint', () => {
  test('finds what the command line finds', async () => {
    const project = createProject({
      'ddocs/orders.json': ordersWith('_sum;'),
      'ddocs/cut.json': '{"_id":"_design/cut",',
    });
    const { findings, errors } = await project.lint();
    const report = await lint({ cwd: project.cwd });
    expect(JSON.parse(JSON.stringify(report.findings))).toEqual(findings);
    expect(JSON.parse(JSON.stringify(report.errors))).toEqual(errors);
    expect(report).toMatchObject({
      version: 1,
      target: { version: NEWEST_COUCHDB },
      read: { designDocs: 1 },
      failOn: 'error',
    });
    expect(report.edits?.get(findings[0]?.key ?? '')).toMatchObject([{ text: '' }]);
  });

  test('gives a report that each format renders', async () => {
    const { cwd } = createProject({ 'orders.json': ordersWith('_sum;') });
    const report = await lint({ cwd, paths: ['orders.json'] });
    for (const [name, { render }] of formats) expect(await render(report), name).toContain(RULE);
  });

  test('reads no configuration file', async () => {
    const { cwd } = createProject({
      'couch-advisor.config.json': { rules: { [RULE]: 'off' } },
      'orders.json': ordersWith('_sum;'),
    });
    expect((await lint({ cwd })).findings).toHaveLength(1);
  });

  test.each([
    ['a severity', { rules: { [RULE]: /** @type {const} */ ('error') } }, ['error']],
    ['a rule switched off', { rules: { [RULE]: /** @type {const} */ ('off') } }, []],
    [
      'an override',
      { overrides: [{ files: ['ddocs/*'], rules: { [RULE]: /** @type {const} */ ('info') } }] },
      ['info'],
    ],
    ['an ignore', { ignore: [{ rule: RULE, file: 'ddocs/**', reason: 'old' }] }, []],
    ['an exclusion', { exclude: ['ddocs'] }, []],
    ['other rules', { only: ['view/emit-whole-doc'] }, []],
    ['another path', { paths: ['ddocs/*.json'] }, ['warning']],
  ])('takes %s', async (_, options, severities) => {
    const { cwd } = createProject({ 'ddocs/orders.json': ordersWith('_sum;') });
    const { findings } = await lint({ cwd, ...options });
    expect(findings.map(({ severity }) => severity)).toEqual(severities);
  });

  test('takes a target, a baseline and rules of the user', async () => {
    const { cwd } = createProject({ 'orders.json': ordersWith('_first') });
    expect((await lint({ cwd })).findings).toEqual([]);
    const { findings } = await lint({ cwd, target: { version: '3.3' } });
    expect(findings).toMatchObject([{ outcome: 'too-new' }]);
    const baseline = new Set(findings.map(({ key }) => key));
    expect((await lint({ cwd, target: { version: '3.3' }, baseline })).findings).toEqual([]);
  });

  test.each([
    ['only', { only: ['reduce/unknown-bultin'] }],
    ['rules', { rules: { 'reduce/unknown-bultin': /** @type {const} */ ('off') } }],
    ['overrides', { overrides: [{ files: ['*'], rules: { 'reduce/unknown-bultin': /** @type {const} */ ('off') } }] }],
  ])('throws where %s names a rule that does not exist', async (_, options) => {
    const { cwd } = createProject();
    const error = await lint({ cwd, ...options }).catch((/** @type {unknown} */ reason) => reason);
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ code: 'unknown-rule', hint: `did you mean \`${RULE}\`?` });
  });

  test('throws all that is wrong with rules of the user', async () => {
    const { cwd } = createProject({ 'rules/shop/a/rule.json': '{', 'rules/shop/b/rule.json': '[]' });
    const error = await lint({ cwd, ruleFolders: [path.join(cwd, 'rules')] }).catch(
      (/** @type {unknown} */ reason) => reason,
    );
    expect(error).toBeInstanceOf(AggregateError);
    expect(error).toMatchObject({ errors: [{ code: 'bad-rule' }, { code: 'bad-rule' }] });
    expect(String(error)).toContain('rule.json');
  });
});

describe('what is read beside the files', () => {
  const SUM = ordersWith('function (keys, values) { return sum(values); }');

  test('deployed versions tell what changes', async () => {
    const { cwd } = createProject({ 'orders.json': SUM, 'deployed/orders.json': ordersWith('_count') });
    const { findings } = await lint({ cwd, paths: ['orders.json'], deployed: ['deployed'], documents: 1_000_000 });
    expect(findings.map(({ rule }) => rule)).toContain('ddoc/rebuild-on-deploy');
  });

  test('functions are tried on the documents of loads, and a sample is noted', async () => {
    const lines = Array.from({ length: 1001 }, (_, at) =>
      JSON.stringify({ _id: `order-${at}`, customer: 'a', total: at }),
    );
    const { cwd } = createProject({ 'orders.json': SUM, 'documents.jsonl': `${lines.join('\n')}\n` });
    const { notes } = await lint({ cwd, paths: ['orders.json'], loads: ['documents.jsonl'] });
    expect(notes).toEqual([{ path: 'documents.jsonl', reason: 'functions are tested on 1,000 of 1,001 documents' }]);
  });

  test('proofs are kept where a folder is named, and nowhere else', async () => {
    const { cwd } = createProject({ 'orders.json': SUM });
    await lint({ cwd, paths: ['orders.json'] });
    const cache = path.join(cwd, 'kept');
    expect(existsSync(cache)).toBe(false);
    const first = await lint({ cwd, paths: ['orders.json'], cache });
    const kept = readdirSync(path.join(cache, 'proofs'));
    expect(kept).not.toEqual([]);
    const second = await lint({ cwd, paths: ['orders.json'], cache });
    expect(second.findings).toEqual(first.findings);
    expect(readdirSync(path.join(cache, 'proofs'))).toEqual(kept);
  });

  test('a server is read, and is the target', async () => {
    const copy = { _id: '_design/orders', views: { by_date: { map: 'function (doc) { emit(doc.date, doc); }' } } };
    const server = await startFakeCouchdb({ databases: ['shop', 'stock'], designDocs: () => [copy] });
    try {
      const report = await lint({ url: server.origin, databases: ['shop'], rate: 1000 });
      expect(report.findings.map(({ place }) => place.file)).toContain(`${server.origin}/shop/_design/orders`);
      expect(report).toMatchObject({ read: { databases: 1 }, target: { version: '3.5.0' } });
      expect(server.served.filter(({ path: asked }) => asked.startsWith('/stock'))).toEqual([]);
      const subjects = await facts({ url: `${server.origin}/shop`, rate: 1000 });
      expect(subjects.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['node', 'database', 'view']));
    } finally {
      await server.close();
    }
  });

  test('a server is not fixed', async () => {
    const options = { paths: ['orders.json'], url: 'http://127.0.0.1:1' };
    await expect(fix(options)).rejects.toMatchObject({ code: 'live-read-only' });
  });
});

describe('lintText', () => {
  test('judges a text, placed in the file it is said to be', async () => {
    const report = await lintText(JSON.stringify(ordersWith('_total')), { filename: 'ddocs/orders.json' });
    expect(report.findings).toMatchObject([{ rule: RULE, place: { file: 'ddocs/orders.json' } }]);
    expect((await lintText(JSON.stringify(ordersWith('_total')))).findings).toMatchObject([
      { place: { file: '<stdin>' } },
    ]);
  });

  test('takes the kind of the text from the name', async () => {
    const { findings } = await lintText('[uuids]\nalgorithm = chance\n', { filename: 'local.ini' });
    expect(findings).toMatchObject([{ rule: 'config/uuid-algorithm' }]);
  });

  test('tells what cannot be read', async () => {
    const { findings, errors } = await lintText('{"_id":');
    expect({ findings, errors }).toMatchObject({ findings: [], errors: [{ code: 'truncated-json' }] });
  });
});

describe('fix', () => {
  test('gives the texts and writes nothing', async () => {
    const project = createProject({ 'orders.json': ordersWith('_sum;'), 'stock.json': ordersWith('_total', 'stock') });
    const before = project.read('orders.json');
    const { report, changes } = await fix({ cwd: project.cwd });
    expect(changes).toEqual([{ file: 'orders.json', before, after: before.replace('_sum;', '_sum') }]);
    expect(report.findings).toMatchObject([{ outcome: 'refused' }]);
    expect(project.read('orders.json')).toBe(before);
  });

  test('makes unsafe fixes only where they are wanted', async () => {
    const { views, ...document } = /** @type {{views: object}} */ (ordersWith('_sum'));
    const { cwd } = createProject({ 'orders.json': { ...document, veiws: views } });
    expect((await fix({ cwd })).changes).toEqual([]);
    expect((await fix({ cwd, unsafe: true })).changes).toHaveLength(1);
  });
});

test('facts gives every subject with its facts', async () => {
  const { cwd } = createProject({ 'orders.json': ordersWith() });
  const subjects = await facts({ cwd, paths: ['orders.json'] });
  expect(subjects.map(({ kind }) => kind)).toEqual(['design-doc', 'view', 'function']);
  expect(subjects[0]?.facts.get('ddoc.viewCount')).toMatchObject({ value: 1, basis: 'declared' });
});

test('loadRules gives the rules as data', async () => {
  const { rules, errors } = await loadRules();
  expect(errors).toEqual([]);
  expect(rules.find(({ id }) => id === RULE)).toMatchObject({ severity: 'error', subject: 'view' });
});
