// Outcomes with `oncePer`: one finding for all places of one cause. Each place keeps its key, so ignores, baselines and `ci` treat it as before.

import { describe, expect, test } from 'vitest';
import { GitProject } from '../helpers/git-project.js';
import { isLong } from '../helpers/long.js';
import { createProject } from '../helpers/temporary-project.js';

/** @import { Finding } from '../../lib/engine/findings/finding.js' */

const MARK = 'couch-advisor-ignore-next-line map/mutates-doc';
const RULES = ['--rule', 'map/mutates-doc', '--rule', 'ignore/unused'];

/** @param {string[]} lines @returns {string} */
const map = (...lines) => ['function (doc) {', ...lines, '  emit(doc._id, null);', '}'].join('\n');

/** Lines 2 and 3 of one map and line 2 of another assign to members of the document. */
const files = {
  'app/_id': '_design/orders',
  'app/views/by_date/map.js': map('  doc.a = 1;', '  doc.b = 2;'),
  'app/views/by_town/map.js': map('  doc.c = 3;'),
};

/** @param {Finding[]} findings @returns {string[][]} the places of each, its own first */
const placesOf = (findings) =>
  findings.map(({ place, related }) =>
    [place, ...related.map((item) => item.place)].map(({ file, line }) => `${file}:${line}`),
  );

test('one design document has one finding, and another has its own', async () => {
  const other = { 'stock/_id': '_design/stock', 'stock/views/low/map.js': map('  doc.d = 4;') };
  const { findings } = await createProject({ ...files, ...other }).lint(RULES);
  expect(placesOf(findings)).toEqual([
    ['app/views/by_date/map.js:2', 'app/views/by_date/map.js:3', 'app/views/by_town/map.js:2'],
    ['stock/views/low/map.js:2'],
  ]);
  const [first] = findings;
  expect(first?.related).toMatchObject([
    { message: '`doc.b = 2`', key: expect.stringMatching(/^map\/mutates-doc#without-effect:/) },
    { message: '`doc.c = 3` has no effect, because the document is frozen', key: expect.any(String) },
  ]);
  expect(new Set([first?.key, ...(first?.related ?? []).map(({ key }) => key)]).size).toBe(3);
});

test('functions that have one text have one finding for each place in it', async () => {
  const views = ['const map = (doc) => {', '  doc.a?.b;', '  emit(doc._id, null);', '};', 'module.exports = {'];
  const lines = [...views, "  _id: '_design/orders',", '  views: { one: { map }, two: { map } },', '};', ''];
  const project = createProject({ 'orders.js': lines.join('\n') });
  const { findings } = await project.lint(['--rule', 'map/engine-incompatible', '--target', '3.4.3']);
  expect(findings.map(({ place, related }) => [place.line, related.map(({ key }) => key !== undefined)])).toEqual([
    [2, [true]],
  ]);
  expect(findings[0]?.related[0]?.message).toContain('`views.two.map`');
});

test('places of another severity have a finding of their own', async () => {
  const overrides = [{ files: ['app/views/by_town/**'], rules: { 'map/mutates-doc': 'info' } }];
  const project = createProject({ ...files, 'couch-advisor.config.json': { overrides } });
  const { findings } = await project.lint(RULES);
  expect(findings.map(({ severity, related }) => [severity, related.length])).toEqual([
    ['warning', 1],
    ['info', 0],
  ]);
});

describe('an ignore silences the place it is for', () => {
  test.each([
    ['the first', map(`  // ${MARK} -- a copy`, '  doc.a = 1;', '  doc.b = 2;'), [4]],
    ['another', map('  doc.a = 1;', `  // ${MARK} -- a copy`, '  doc.b = 2;'), [2]],
  ])('by a comment at %s', async (_, text, lines) => {
    const project = createProject({ ...files, 'app/views/by_date/map.js': text });
    const { findings, silenced } = await project.lint(RULES);
    expect(placesOf(findings)).toEqual([
      [...lines.map((line) => `app/views/by_date/map.js:${line}`), 'app/views/by_town/map.js:2'],
    ]);
    expect(silenced.ignored).toBe(1);
  });

  test('by its key in the configuration', async () => {
    const project = createProject(files);
    const [first] = (await project.lint(RULES)).findings;
    const key = first?.related[0]?.key;
    const ignore = [{ rule: 'map/mutates-doc', key, reason: 'a copy' }];
    project.write({ 'couch-advisor.config.json': { ignore } });
    expect(placesOf((await project.lint(RULES)).findings)).toEqual([
      ['app/views/by_date/map.js:2', 'app/views/by_town/map.js:2'],
    ]);
  });
});

describe('a baseline', () => {
  test('holds every place, and a new place is a finding without the old ones', async () => {
    const project = createProject(files);
    const { stderr } = await project.run(['lint', ...RULES, '--write-baseline', 'known.json']);
    expect(stderr).toContain('3 findings written to known.json');
    expect(JSON.parse(project.read('known.json')).findings).toHaveLength(3);
    const known = ['--baseline', 'known.json', ...RULES];
    expect(await project.lint(known)).toMatchObject({ findings: [], silenced: { baseline: 3 } });
    project.write({ 'app/views/by_town/map.js': map('  doc.c = 3;', '  doc.e = 5;') });
    expect(placesOf((await project.lint(known)).findings)).toEqual([['app/views/by_town/map.js:3']]);
  });
});

test.runIf(isLong)(
  '`ci` reports a new place of an old cause, and nothing where one of several places is gone',
  async () => {
    const project = GitProject.create(files);
    project.git('switch', '--quiet', '--create', 'change');
    project.commit({ 'app/views/by_town/map.js': map('  doc.c = 3;', '  doc.e = 5;') });
    const added = await project.ci(['--base', 'main', ...RULES]);
    expect(placesOf(added.findings)).toEqual([['app/views/by_town/map.js:3']]);
    expect(added.change.counts).toMatchObject({ new: 1, old: 1, gone: 0 });
    project.commit({ 'app/views/by_town/map.js': map() });
    const removed = await project.ci(['--base', 'main', ...RULES]);
    expect(removed.change.counts).toMatchObject({ new: 0, gone: 0 });
    project.commit({ 'app/views/by_date/map.js': map() });
    expect((await project.ci(['--base', 'main', ...RULES])).change.counts).toMatchObject({ new: 0, gone: 1 });
  },
);

test('`explain` takes the key of each place', async () => {
  const project = createProject(files);
  const [first] = (await project.lint(RULES)).findings;
  const key = first?.related[1]?.key ?? '';
  expect((await project.run(['explain', key])).stdout).toContain('app/views/by_town/map.js:2:3');
});

test('a fix is made at every place', async () => {
  const project = createProject({
    'app/_id': '_design/orders',
    'app/views/by_tag/map.js': map('  doc.tags && emit(doc.tags.sort().reverse(), 1);'),
    'app/views/by_line/map.js': map('  doc.lines && emit(doc.lines.sort(), 1);'),
  });
  const [finding, ...rest] = (await project.lint(RULES)).findings;
  expect(rest).toEqual([]);
  expect(finding).toMatchObject({ outcome: 'throwing', fix: { id: 'copy-before-mutating' } });
  expect((await project.run(['lint', ...RULES])).stdout).toContain('1 can be fixed with --fix');
  await project.run(['lint', '--fix', ...RULES]);
  expect(project.read('app/views/by_tag/map.js')).toContain('doc.tags.slice().sort()');
  expect(project.read('app/views/by_line/map.js')).toContain('doc.lines.slice().sort()');
  expect((await project.lint(RULES)).findings).toEqual([]);
});

describe('reports', () => {
  const many = { ...files, 'app/views/by_town/map.js': map(...'cdefgh'.split('').map((name) => `  doc.${name} = 3;`)) };
  /** @param {string} format @param {string[]} [more] */
  const report = async (format, more = []) =>
    (await createProject(many).run(['lint', ...RULES, '--format', format, ...more])).stdout;

  test('the text lists some, and all with their keys on request', async () => {
    const short = await report('text');
    expect(short.match(/^ {2}also: /gm)).toHaveLength(6);
    expect(short).toContain('  also: 2 more places; --verbose lists them\n');
    const long = await report('text', ['--verbose']);
    expect(long.match(/^ {2}also: /gm)).toHaveLength(7);
    expect(long.match(/^ {2}key: /gm)).toHaveLength(8);
  });

  test('SARIF has all as related locations', async () => {
    const [result, ...rest] = JSON.parse(await report('sarif')).runs[0].results;
    expect(rest).toEqual([]);
    expect(result.relatedLocations).toHaveLength(7);
    expect(result.relatedLocations[0]).toMatchObject({
      message: { text: '`doc.b = 2`' },
      physicalLocation: { region: { startLine: 3 } },
    });
  });

  test('those without a list of places give their number', async () => {
    const text = '7 more places: app/views/by_date/map.js:3:3, app/views/by_town/map.js:2:3';
    const [issue] = JSON.parse(await report('gitlab'));
    expect(issue.description).toContain(text);
    expect(await report('junit')).toContain(text);
    expect(await report('github')).toContain(text);
    expect(await report('markdown')).toContain('- **Also:** 2 more places');
  });

  test('the page names them, and marks each in its source', async () => {
    const page = await report('html');
    expect(page).toContain('The same problem at:');
    expect(page.match(/<a class="mark warning" href="#f1">/g)).toHaveLength(8);
  });
});

test('deprecated functions are one finding for the whole run, and the page calls no affected document clean', async () => {
  const withShow = (/** @type {string} */ name) => ({ _id: `_design/${name}`, shows: { a: 'function () {}' } });
  const project = createProject({
    'orders.json': withShow('orders'),
    'quiet.json': { _id: '_design/quiet', views: { by_id: { map: map() } } },
    'stock.json': withShow('stock'),
  });
  const rule = ['--rule', 'ddoc/deprecated-features'];
  const { findings } = await project.lint(rule);
  expect(findings).toHaveLength(1);
  expect(findings[0]?.related.map(({ message }) => message)).toEqual(['`stock` has deprecated functions: `shows.a`']);
  const { stdout: page } = await project.run(['lint', ...rule, '--format', 'html']);
  const [, clean = ''] = page.split('id="clean"');
  expect(clean).toContain('_design/quiet');
  expect(clean).not.toContain('_design/stock');
  expect(page).toContain('Also found here:');
});
