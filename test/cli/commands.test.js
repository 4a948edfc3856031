// The commands beside lint: explain, facts, rules.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { root } from '../helpers/run-cli.js';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

/** @param {string} text @returns {string[]} lines that are wider than a usual terminal, but for code and addresses */
const wideLines = (text) => text.split('\n').filter((line) => line.length > 80);

describe('explain RULE', () => {
  test('prints the page and the tree', async () => {
    const { stdout, stderr, exitCode } = await createProject().run(['explain', 'reduce/unknown-builtin']);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    for (const text of [
      'reduce/unknown-builtin\n',
      '\nWhy it matters\n',
      '\nIncorrect\n',
      '\nCorrect\n',
      '\nDecision tree\n',
      '├─ yes: ',
      '\nSeverity: error\n',
      '\nSource: ',
    ]) {
      expect(stdout).toContain(text);
    }
    expect(stdout.match(/Decision tree/g)).toHaveLength(1);
    expect(stdout).not.toMatch(/```|<!--|\]\(/);
  });

  test('breaks prose and tree at 80 columns', async () => {
    const { stdout } = await createProject().run(['explain', 'reduce/unknown-builtin']);
    const prose = stdout.slice(stdout.indexOf('\nWhy it matters\n'));
    expect(wideLines(prose)).toEqual([]);
  });

  test('takes the code that text output shows', async () => {
    const project = createProject();
    const expected = await project.run(['explain', 'view/emit-whole-doc']);
    expect(await project.run(['explain', 'view/emit-whole-doc#copies-document'])).toEqual(expected);
  });

  test('prints a rule of the user that has no page', async () => {
    const project = createProject(ownRule());
    const { stdout, exitCode } = await project.run(['explain', 'shop/many-views']);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      `shop/many-views

  A design document with many views.

Decision tree

  views: ddoc.viewCount above 1?
  ├─ yes: many (info): \`{subject}\` has {ddoc.viewCount} views
  └─ no: few (fine): there are few views

Severity: info
Source: our handbook
`,
    );
  });
});

describe('explain KEY', () => {
  const files = { 'ddocs/orders.json': ordersWith('_total') };

  test('prints the path of the finding, with values, places and the nearest change', async () => {
    const project = createProject(files);
    const [finding] = (await project.lint()).findings;
    const { stdout, stderr, exitCode } = await project.run(['explain', finding?.key ?? '', 'ddocs']);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(/^reduce\/unknown-builtin#refused {2}ddocs\/orders\.json:\d+:\d+\n/);
    for (const { question, fact } of finding?.path ?? []) expect(stdout).toContain(`\n${question}: ${fact}`);
    expect(stdout).toContain('   because ');
    expect(stdout).toContain('\n=> refused (error, certainty high)\n');
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/Smallest change: if .* the outcome would be /);
    expect(wideLines(stdout)).toEqual([]);
  });

  test('names a reduce that a limit of the sandbox cut off, beside the finding', async () => {
    const endless = { map: 'function (doc) { emit(doc.date, doc); }', reduce: 'function () { while (true) {} }' };
    const project = createProject({ 'ddocs/orders.json': { _id: '_design/orders', views: { by_date: endless } } });
    const [finding] = (await project.lint()).findings;
    const { stdout, stderr, exitCode } = await project.run(['explain', finding?.key ?? '', 'ddocs']);
    expect(stdout).toMatch(/^view\/emit-whole-doc#/);
    expect(stderr).toMatch(
      /^ddocs\/orders\.json: the reduce of by_date at line \d+ could not be analyzed .*million steps/,
    );
    expect(exitCode).toBe(0);
  });

  test('that is not found is an error', async () => {
    const project = createProject({ ...files, 'cut.json': '{"views":{"a":{"map":' });
    const { stdout, stderr, exitCode } = await project.run(['explain', 'reduce/unknown-builtin#refused:0123456789']);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain('no finding with the key `reduce/unknown-builtin#refused:0123456789`');
    expect(stderr).toContain('cut.json');
  });

  test('of an unknown rule is an error', async () => {
    const { stderr, exitCode } = await createProject(files).run([
      'explain',
      'reduce/unknown-bultin#refused:0123456789',
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('did you mean `reduce/unknown-builtin`?');
  });

  test('where nothing is to judge is an error', async () => {
    const { exitCode } = await createProject().run(['explain', 'reduce/unknown-builtin#refused:0123456789']);
    expect(exitCode).toBe(2);
  });
});

describe('facts', () => {
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(
    JSON.parse(readFileSync(path.join(root, 'share/schemas/facts.schema.json'), 'utf8')),
  );

  test('are printed as text', async () => {
    const { stdout, stderr, exitCode } = await createProject({ 'orders.json': ordersWith() }).run([
      'facts',
      'orders.json',
    ]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(/^design-doc _design\/orders orders\.json:2:\d+\n/);
    expect(stdout).toMatch(/\n {2}ddoc\.viewCount +1 {2}declared/);
    expect(stdout).toMatch(/\nview _design\/orders revenue orders\.json:5:\d+\n/);
  });

  test('are printed as JSON that is as its schema says, for every kind of subject', async () => {
    const project = createProject({
      'orders.json': {
        ...ordersWith('function (keys, values) { return sum(values); }'),
        filters: { big: 'function (doc, req) { return doc.total > 100; }' },
        validate_doc_update: "function (doc) { if (!doc.type) throw {forbidden: 'no type'}; }",
      },
      'index.json': { index: { fields: ['date'] }, ddoc: 'dates', name: 'by-date' },
      'local.ini': '[uuids]\nalgorithm = random\n',
    });
    const { stdout, exitCode } = await project.run([
      'facts',
      '--format',
      'json',
      'orders.json',
      'index.json',
      'local.ini',
    ]);
    expect(exitCode).toBe(0);
    const facts = JSON.parse(stdout);
    expect(validate(facts), JSON.stringify(validate.errors)).toBe(true);
    expect(new Set(facts.subjects.map((/** @type {{kind: string}} */ { kind }) => kind))).toEqual(
      new Set(['design-doc', 'view', 'function', 'filter', 'validate', 'index', 'server']),
    );
  });

  test('what cannot be read is told, and the rest printed', async () => {
    const project = createProject({ 'orders.json': ordersWith(), 'cut.json': '{"_id":"_design/cut",' });
    const { stdout, stderr, exitCode } = await project.run(['facts', 'orders.json', 'cut.json']);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('_design/orders');
    expect(stderr).toMatch(/^error: .*\n {2}at cut\.json:1:\d+\n/);
  });

  test('depend on nothing of the configuration but what is read', async () => {
    const project = createProject({
      'orders.json': ordersWith('_total'),
      'couch-advisor.config.json': { rules: { 'reduce/unknown-builtin': 'off' } },
    });
    expect((await project.run(['facts', 'orders.json'])).stdout).toBe(
      (await project.run(['facts', 'orders.json', '--no-config'])).stdout,
    );
  });
});

describe('rules', () => {
  test('are listed with severity and title, in 80 columns', async () => {
    const { stdout, stderr, exitCode } = await createProject().run(['rules']);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(/^reduce\/unknown-builtin +error +A built-in reduce that does not exist/m);
    expect(wideLines(stdout)).toEqual([]);
  });

  test('are listed as JSON, those of the user among them', async () => {
    const { stdout } = await createProject(ownRule()).run(['rules', '--format', 'json']);
    const { version, rules } = JSON.parse(stdout);
    expect(version).toBe(1);
    expect(rules).toContainEqual({
      id: 'shop/many-views',
      title: 'A design document with many views',
      severity: 'info',
      effective: 'info',
      status: 'stable',
      since: '1.0.0',
      subject: 'design-doc',
      needs: ['design-docs'],
      sources: ['our handbook'],
    });
    const without = JSON.parse(
      (await createProject(ownRule()).run(['rules', '--format', 'json', '--no-config'])).stdout,
    );
    expect(without.rules).toHaveLength(rules.length - 1);
  });
});

describe('rules of the user', () => {
  const orders = {
    'orders.json': {
      _id: '_design/orders',
      views: { a: { map: 'function (doc) { emit(doc.a, 1); }' }, b: { map: 'function (doc) { emit(doc.b, 1); }' } },
    },
  };

  test('find what they look for, and are configured like the others', async () => {
    const project = createProject({ ...orders, ...ownRule() });
    expect((await project.lint(['--rule', 'shop/many-views'])).findings).toMatchObject([
      { rule: 'shop/many-views', severity: 'info', message: '`orders` has 2 views' },
    ]);
    const rules = { 'shop/many-views': { severity: 'error', thresholds: { views: 2 } } };
    project.write({ 'couch-advisor.config.json': { ruleFolders: ['rules'], rules } });
    expect((await project.lint(['--rule', 'shop/many-views'])).findings).toEqual([]);
    rules['shop/many-views'].thresholds.views = 1;
    project.write({ 'couch-advisor.config.json': { ruleFolders: ['rules'], rules } });
    expect((await project.lint(['--rule', 'shop/many-views'])).findings).toMatchObject([{ severity: 'error' }]);
  });

  test('a draft is silent until somebody asks for it', async () => {
    const project = createProject({ ...orders, ...ownRule({ status: 'draft' }) });
    const codes = async (/** @type {string[]} */ argv) =>
      (await project.lint(argv)).codes.filter((code) => code.startsWith('shop/'));
    expect(await codes([])).toEqual([]);
    expect(await codes(['--rule', 'shop/many-views'])).toEqual(['shop/many-views#many']);
    project.write({ 'couch-advisor.config.json': { ruleFolders: ['rules'], rules: { 'shop/many-views': 'warning' } } });
    expect(await codes([])).toEqual(['shop/many-views#many']);
  });

  test('drafts are turned on together, and not by their family', async () => {
    const project = createProject({ ...orders, ...ownRule({ status: 'draft' }) });
    const codes = async (/** @type {string[]} */ argv) =>
      (await project.lint(argv)).codes.filter((code) => code.startsWith('shop/'));
    expect(await codes(['--rule', 'shop/*'])).toEqual([]);
    expect(await codes(['--rule', 'shop=error'])).toEqual([]);
    expect(await codes(['--drafts'])).toEqual(['shop/many-views#many']);
    expect(await codes(['--drafts', '--rule', 'shop=off'])).toEqual([]);
    project.write({ 'couch-advisor.config.json': { ruleFolders: ['rules'], drafts: true } });
    expect(await codes([])).toEqual(['shop/many-views#many']);
    project.write({
      'couch-advisor.config.json': { ruleFolders: ['rules'], drafts: true, rules: { 'shop/many-views': 'off' } },
    });
    expect(await codes([])).toEqual([]);
  });

  test('`rules` lists families, and says which rules are off', async () => {
    const project = createProject(ownRule({ status: 'draft' }));
    const listed = async (/** @type {string[]} */ argv) => (await project.run(['rules', ...argv])).stdout;
    expect(await listed(['shop'])).toMatch(
      /^shop\/many-views {2}off +A design document with many views \(draft\)\n\n1 draft off: /,
    );
    expect(await listed(['shop/*', '--drafts'])).toBe(
      'shop/many-views  info     A design document with many views (draft)\n',
    );
    project.write({ 'couch-advisor.config.json': { ruleFolders: ['rules'], rules: { 'view/*': 'off' } } });
    expect(await listed(['view/fan-out'])).toMatch(/^view\/fan-out {2}off /);
    expect(await project.run(['rules', 'vew'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('`view/*`'),
    });
  });

  test.each([
    ['no JSON', '{,', 'the rule is not valid JSON', 'rules/shop/many-views/rule.json:1:2'],
    ['a key that is unknown', { titel: 'x' }, '`titel`', 'did you mean `title`?'],
    ['an id that is not its folder', { id: 'shop/few-views' }, 'shop/few-views', 'rules/shop/many-views/rule.json:2:3'],
    ['a fact that does not exist', { fact: 'ddoc.viewCuont' }, 'ddoc.viewCuont', 'ddoc.viewCount'],
    ['an operator that does not fit', { operator: 'over' }, '"over"', 'above'],
    ['a branch that leads nowhere', { yes: 'mayn' }, '`mayn`', 'many'],
    [
      'a list with a wrong item',
      { sources: [1] },
      '`sources.0` must be a string, not a number',
      'rules/shop/many-views/rule.json:9:5',
    ],
    ['a severity that is not possible', { severity: 'fatal' }, '"fatal"', 'must be one of '],
  ])('%s is one clear error', async (_, change, message, hint) => {
    const { stdout, stderr, exitCode } = await createProject({ ...orders, ...ownRule(change) }).run(['lint']);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(stderr).toContain('  at rules/shop/many-views/rule.json:');
  });

  test('all that is wrong is told at once', async () => {
    const { stderr } = await createProject({ ...orders, ...ownRule({ severity: 'fatal', titel: 'x' }) }).run(['lint']);
    expect(stderr.match(/^error: /gm)).toHaveLength(2);
  });

  test.each([
    ['is not there', 'none', 'cannot read the rule folder (ENOENT)'],
    ['holds no rule', 'empty', 'contains no rules'],
  ])('a folder that %s is an error', async (_, folder, message) => {
    const project = createProject({
      ...orders,
      'empty/readme.md': '',
      'couch-advisor.config.json': { ruleFolders: [folder] },
    });
    const { stderr, exitCode } = await project.run(['lint']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain(`  at ${folder}:1:1\n`);
  });
});

/**
 * @param {string | Record<string, unknown>} [change] in place of members of the rule or its question, or of the whole file
 * @returns {Record<string, string | object>} files of a project with a rule of its own
 */
function ownRule(change = {}) {
  const question = {
    fact: 'ddoc.viewCount',
    operator: 'above',
    value: 1,
    because: 'our handbook says so',
    yes: 'many',
    no: 'few',
  };
  const rule = {
    id: 'shop/many-views',
    title: 'A design document with many views',
    status: 'stable',
    since: '1.0.0',
    severity: 'info',
    subject: 'design-doc',
    sources: ['our handbook'],
    needs: ['design-docs'],
    start: 'views',
    questions: { views: question },
    outcomes: {
      many: {
        verdict: 'problem',
        message: '`{subject}` has {ddoc.viewCount} views',
        why: 'All of them are rebuilt together.',
        advice: 'Split the design document.',
      },
      few: { verdict: 'fine', message: 'there are few views' },
    },
  };
  for (const [key, value] of typeof change === 'string' ? [] : Object.entries(change)) {
    Object.assign(Object.hasOwn(question, key) ? question : rule, { [key]: value });
  }
  return {
    'couch-advisor.config.json': { ruleFolders: ['rules'] },
    'rules/shop/many-views/rule.json': typeof change === 'string' ? change : rule,
  };
}
