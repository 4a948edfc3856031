// Baselines: written once, then only what is new is reported.

import { describe, expect, test } from 'vitest';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

const FILE = 'known.json';
const READ = ['--baseline', FILE];

/** @returns {Promise<ReturnType<typeof createProject>>} a project with a finding, and with a baseline that has it */
async function projectWithBaseline() {
  const project = createProject({ 'ddocs/orders.json': ordersWith('_total') });
  await project.run(['lint', '--write-baseline', FILE]);
  return project;
}

test('writing one reports nothing and says how much it holds', async () => {
  const project = createProject({
    'ddocs/orders.json': ordersWith('_total'),
    'ddocs/stock.json': ordersWith('_sum;', 'stock'),
  });
  const { stdout, stderr, exitCode } = await project.run(['lint', '--write-baseline', FILE]);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 });
  expect(stderr).toContain(`2 findings written to ${FILE}\n`);
  const { version, findings } = JSON.parse(project.read(FILE));
  expect(version).toBe(1);
  expect(findings).toEqual([
    {
      key: expect.stringMatching(/^reduce\/unknown-builtin#refused:/),
      file: 'ddocs/orders.json',
      message: expect.any(String),
    },
    {
      key: expect.stringMatching(/^reduce\/unknown-builtin#works-by-prefix:/),
      file: 'ddocs/stock.json',
      message: expect.any(String),
    },
  ]);
});

test('what could not be read is told while it is written', async () => {
  const project = createProject({
    'ddocs/orders.json': ordersWith('_total'),
    'ddocs/stock.json': '{"_id":"_design/stock",',
  });
  const { stderr, exitCode } = await project.run(['lint', '--write-baseline', FILE]);
  expect(exitCode).toBe(3);
  expect(stderr).toContain('error: the JSON ends before');
  expect(JSON.parse(project.read(FILE)).findings).toHaveLength(1);
});

test('known findings are not reported, and counted', async () => {
  const project = await projectWithBaseline();
  expect(await project.lint(READ)).toMatchObject({ codes: [], silenced: { baseline: 1 }, exitCode: 0 });
  expect((await project.run(['lint', ...READ])).stdout).toContain('1 in the baseline');
});

test.each([
  ['lines move', (/** @type {string} */ text) => `\n\n${text.replaceAll('\n', '\n\n')}`],
  ['other things change', (/** @type {string} */ text) => text.replace('"language"', '"author"')],
])('they stay known when %s', async (_, change) => {
  const project = await projectWithBaseline();
  project.write({ 'ddocs/orders.json': change(project.read('ddocs/orders.json')) });
  expect((await project.lint(READ)).codes).toEqual([]);
});

test('new findings are reported', async () => {
  const project = await projectWithBaseline();
  project.write({ 'ddocs/stock.json': ordersWith('_total', 'stock') });
  const { findings, exitCode } = await project.lint(READ);
  expect(findings.map(({ place }) => place.file)).toEqual(['ddocs/stock.json']);
  expect(exitCode).toBe(1);
});

test('the configuration may name it, and the command line wins', async () => {
  const project = await projectWithBaseline();
  project.write({ 'couch-advisor.config.json': { baseline: FILE }, 'empty.json': { version: 1, findings: [] } });
  expect((await project.lint()).codes).toEqual([]);
  expect((await project.lint(['--baseline', 'empty.json'])).codes).toHaveLength(1);
  expect((await project.lint(['--no-config'])).codes).toHaveLength(1);
});

test('writing it anew keeps what is still found', async () => {
  const project = await projectWithBaseline();
  const before = project.read(FILE);
  await project.run(['lint', ...READ, '--write-baseline', FILE]);
  expect(project.read(FILE)).toBe(before);
});

describe('a finding that is gone', () => {
  const gone = '1 finding in the baseline no longer found';

  test('is told', async () => {
    const project = await projectWithBaseline();
    project.write({ 'ddocs/orders.json': ordersWith('_sum') });
    const { stderr, exitCode } = await project.run(['lint', ...READ]);
    expect(stderr).toContain(gone);
    expect(exitCode).toBe(0);
  });

  test('is not told where it is still there', async () => {
    const project = await projectWithBaseline();
    expect((await project.run(['lint', ...READ])).stderr).not.toContain('baseline');
    const map =
      'function (doc) {\n  // couch-advisor-ignore-next-line map/unguarded-access\n  emit(doc.date, null);\n}';
    project.write({ 'ddocs/orders.json': { _id: '_design/orders', views: { a: { map } } } });
    await project.run(['lint', '--write-baseline', FILE]);
    expect(JSON.parse(project.read(FILE)).findings).toMatchObject([{ key: expect.stringContaining('ignore/unused') }]);
    expect(await project.run(['lint', ...READ])).toMatchObject({
      exitCode: 0,
      stderr: expect.not.stringContaining('baseline'),
    });
  });

  test.each([[['--rule', 'view/emit-whole-doc']], [['ddocs/stock.json']], [['--quiet']]])(
    'is not told with %j, where nobody can know or wants to',
    async (argv) => {
      const project = await projectWithBaseline();
      project.write({ 'ddocs/orders.json': ordersWith('_sum'), 'ddocs/stock.json': ordersWith('_sum', 'stock') });
      expect((await project.run(['lint', ...READ, ...argv])).stderr).not.toContain('baseline');
    },
  );
});

describe('one that is of no use is an error', () => {
  test.each([
    ['it is not there', undefined, 'cannot read the baseline'],
    ['it is not JSON', '{"version": 1,', 'is not valid JSON'],
    ['it is another list', '[]', 'is not a baseline of version 1'],
    ['it is of another version', '{"version": 2, "findings": []}', 'is not a baseline of version 1'],
    ['its findings have no key', '{"version": 1, "findings": [{}]}', 'is not a baseline of version 1'],
    ['its findings are null', '{"version": 1, "findings": [null]}', 'is not a baseline of version 1'],
  ])('where %s', async (_, content, message) => {
    const project = createProject({ 'orders.json': ordersWith('_total') });
    if (content !== undefined) project.write({ [FILE]: content });
    const { stdout, stderr, exitCode } = await project.run(['lint', 'orders.json', ...READ]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
    expect(stderr).toContain(`hint: recreate it with --write-baseline ${FILE}\n`);
  });

  test('a byte order mark is none', async () => {
    const project = await projectWithBaseline();
    project.write({ [FILE]: `\ufeff${project.read(FILE)}` });
    expect((await project.lint(READ)).codes).toEqual([]);
  });

  test('one that cannot be written', async () => {
    const project = createProject({ 'orders.json': ordersWith('_total') });
    const { stderr, exitCode } = await project.run(['lint', 'orders.json', '--write-baseline', 'none/known.json']);
    expect(exitCode).toBe(3);
    expect(stderr).toContain('error: cannot write none/known.json (ENOENT)');
  });
});

test('findings about what is deployed are not said to be gone where nothing deployed is given', async () => {
  const now = {
    _id: '_design/orders',
    views: { a: { map: 'function (doc) { emit(doc.a, null); }' }, b: { map: 'function (doc) { emit(doc.b, null); }' } },
  };
  const before = JSON.stringify(now).replace('doc.a', 'doc.old');
  const project = createProject({ 'ddocs/orders.json': now, 'production/orders.txt.json': before });
  await project.run(['lint', 'ddocs', '--deployed', 'production/orders.txt.json', '--write-baseline', FILE]);
  expect(project.read(FILE)).toContain('ddoc/rebuild-on-deploy');
  const { stderr } = await project.run(['lint', '--baseline', FILE]);
  expect(stderr).not.toContain('no longer found');
});
