// What is staged and nothing else: `lint --staged`, and the recipes of docs/pre-commit.md for husky and lint-staged, driven by the
// programs themselves.

import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { GIT_ENV, GitProject, temporaryFolder } from '../helpers/git-project.js';

const root = path.resolve(import.meta.dirname, '../..');
const MAP =
  "function (doc) {\n  if (doc.type === 'order' && typeof doc.total === 'number') emit(doc.date, doc.total);\n}";
/** @param {string} reduce */
const orders = (reduce) => ({ _id: '_design/orders', views: { revenue: { map: MAP, reduce } } });
const REFUSED = 'reduce/unknown-builtin#refused';

/** @param {GitProject} project @param {string[]} [argv] @param {{folder?: string}} [options] */
async function lintStaged(project, argv = [], options) {
  const { stdout, stderr, exitCode } = await project.run(['lint', '--staged', ...argv, '--format', 'json'], options);
  if (stdout === '') return { exitCode, stderr, codes: [], files: [] };
  const { findings } = JSON.parse(stdout);
  return {
    exitCode,
    stderr,
    codes: findings.map((/** @type {any} */ { rule, outcome }) => `${rule}#${outcome}`),
    files: findings.map((/** @type {any} */ { place }) => place.file),
  };
}

describe('lint --staged', () => {
  test('judges the index, whatever the folder has', async () => {
    const project = GitProject.create({ 'orders.json': orders('_sum') });
    project.write({ 'orders.json': orders('_total') });
    expect(await lintStaged(project)).toMatchObject({ exitCode: 0, codes: [] });
    project.git('add', '--all');
    project.write({ 'orders.json': orders('_sum') });
    expect(await lintStaged(project)).toMatchObject({ exitCode: 1, codes: [REFUSED] });
    project.write({ 'orders.json': null });
    expect(await lintStaged(project)).toMatchObject({ exitCode: 1, codes: [REFUSED] });
  });

  test('judges nothing else', async () => {
    const project = GitProject.create({ 'old.json': orders('_total') });
    project.write({ 'new.json': orders('_total'), 'README.md': 'Our shop.', 'package.json': {} });
    project.git('add', 'README.md', 'package.json');
    expect(await lintStaged(project)).toEqual({ exitCode: 0, stderr: '', codes: [], files: [] });
  });

  test('judges no log that the configuration names, unless something for CouchDB is staged', async () => {
    const line = (/** @type {number} */ second) =>
      `[notice] 2026-03-02T08:00:0${second}.316526Z couchdb@127.0.0.1 <0.1.0> 2f1c localhost:5984 127.0.0.1 app GET /shop/_design/orders/_view/revenue?limit=5&skip=90000 200 ok 900\n`;
    const project = GitProject.create({
      'couch-advisor.config.json': { logs: ['couch.log'] },
      'couch.log': Array.from({ length: 400 }, (_, at) => line(at % 10)).join(''),
    });
    project.write({ 'README.md': 'Our shop.' });
    project.git('add', '--all');
    expect(await lintStaged(project)).toEqual({ exitCode: 0, stderr: '', codes: [], files: [] });
    project.write({ 'orders.json': orders('_sum') });
    project.git('add', '--all');
    expect(await lintStaged(project)).toMatchObject({ exitCode: 0, codes: ['query/skip-pagination#skips-thousands'] });
  });

  test('judges calls of the code that is staged, whose client is in a file that is not', async () => {
    const loop = (/** @type {string} */ read) =>
      `const { shop } = require('./database');\nexports.load = (ids) => Promise.all(ids.map((id) => ${read}));\n`;
    const project = GitProject.create({
      'lib/database.js': "exports.shop = require('nano')(process.env.COUCHDB_URL).use('shop');\n",
      'lib/orders.js': loop('id'),
    });
    project.write({ 'lib/orders.js': loop('shop.get(id)') });
    project.git('add', '--all');
    project.write({ 'lib/orders.js': loop('id') });
    expect(await lintStaged(project)).toMatchObject({
      codes: ['call/get-in-loop#documents-one-by-one'],
      files: ['lib/orders.js'],
    });
  });

  test('judges the first commit, a file whose name was staged alone, and none that is removed', async () => {
    const project = GitProject.create();
    project.write({ 'orders.json': orders('_total') });
    project.git('add', '--intent-to-add', 'orders.json');
    expect(await lintStaged(project)).toMatchObject({ exitCode: 0, codes: [] });
    project.git('add', '--all');
    expect(await lintStaged(project)).toMatchObject({ exitCode: 1, codes: [REFUSED] });
    project.git('commit', '--quiet', '--message=first');
    project.git('rm', '--quiet', 'orders.json');
    expect(await lintStaged(project)).toMatchObject({ exitCode: 0, codes: [] });
  });

  test('judges the whole staged folder of a couchapp by any of its files', async () => {
    const project = GitProject.create({
      'ddocs/orders/_id': '_design/orders',
      'ddocs/orders/views/revenue/map.js': MAP,
      'ddocs/orders/views/revenue/reduce.js': '_sum',
    });
    const view = 'ddocs/orders/views';
    // Staged: a bad reduce beside a map that is not staged. In the folder alone: a mended reduce, a bad view, no id.
    project.write({ [`${view}/revenue/reduce.js`]: '_total' });
    project.git('add', '--all');
    project.write({
      [`${view}/revenue/reduce.js`]: '_sum',
      [`${view}/other/map.js`]: MAP,
      [`${view}/other/reduce.js`]: '_other',
    });
    project.write({ 'ddocs/orders/_id': null });
    expect(await lintStaged(project)).toMatchObject({ codes: [REFUSED], files: [`${view}/revenue/reduce.js`] });
    expect(await lintStaged(project, [], { folder: 'ddocs/orders' })).toMatchObject({
      codes: [REFUSED],
      files: ['views/revenue/reduce.js'],
    });
  });

  test('reads a folder of which nothing is left on the disk', async () => {
    const project = GitProject.create({ 'README.md': 'Our shop.' });
    project.write({ 'app/_id': '_design/app', 'app/views/a/map.js': MAP, 'app/views/a/reduce.js': '_total' });
    project.git('add', '--all');
    project.write({ app: null });
    expect(await lintStaged(project)).toMatchObject({ codes: [REFUSED], files: ['app/views/a/reduce.js'] });
  });

  test('keeps to the paths that are named, and to what the project excludes', async () => {
    const project = GitProject.create();
    project.write({
      'a/orders.json': orders('_total'),
      'b/orders.json': orders('_total'),
      'couch-advisor.config.json': { exclude: ['b'] },
    });
    project.git('add', '--all');
    expect((await lintStaged(project)).files).toEqual(['a/orders.json']);
    expect((await lintStaged(project, ['./a'])).files).toEqual(['a/orders.json']);
    expect((await lintStaged(project, ['c'])).files).toEqual([]);
    expect((await lintStaged(project, [], { folder: 'a' })).files).toEqual(['orders.json']);
  });

  test('tells of a staged file that cannot be read, with its place', async () => {
    const project = GitProject.create();
    project.write({ 'orders.json': '{"_id":"_design/orders","views":{' });
    project.git('add', '--all');
    project.write({ 'orders.json': orders('_sum') });
    const { stdout, exitCode } = await project.run(['lint', '--staged']);
    expect(stdout).toContain('orders.json:1:');
    expect(exitCode).toBe(3);
  });

  test.each([
    ['outside of a repository', () => new GitProject(temporaryFolder()), [], 'is not inside a git repository'],
    ['with fixes', () => GitProject.create(), ['--fix'], 'fixes are written to the working tree, not to the index'],
  ])('says one clear error %s', async (_, create, argv, message) => {
    const { stderr, exitCode } = await create().run(['lint', '--staged', ...argv]);
    expect(stderr).toContain(message);
    expect(stderr.match(/^error:/gm)).toHaveLength(1);
    expect(exitCode).toBe(2);
  });
});

describe('lint --ignore-unknown', () => {
  test('passes over what holds nothing to judge, and over nothing that is missing or broken', async () => {
    const project = GitProject.create({
      'README.md': 'Our shop.',
      'a.json': '{}',
      'orders.json': orders('_total'),
      'torn.json': '{"_id":"_design/x",',
    });
    expect(await project.run(['lint', '--ignore-unknown', 'README.md', 'a.json'])).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 0,
    });
    expect((await project.run(['lint', '--ignore-unknown'])).exitCode).toBe(0);
    expect((await project.run(['lint', '--ignore-unknown', 'README.md', 'orders.json'])).exitCode).toBe(1);
    expect((await project.run(['lint', '--ignore-unknown', 'torn.json'])).exitCode).toBe(3);
    expect((await project.run(['lint', '--ignore-unknown', 'nowhere.json'])).exitCode).toBe(3);
    expect((await project.run(['lint', 'README.md'])).exitCode).toBe(3);
  });

  test('refuses a file whose name is an option, unless -- stands before the files', async () => {
    const file = '--output=stolen.json';
    const project = GitProject.create({ [file]: orders('_total') });
    const { stderr, exitCode } = await project.run(['lint', '--ignore-unknown', file]);
    expect({ stderr, exitCode }).toEqual({
      stderr: expect.stringContaining('and a file of that name'),
      exitCode: 2,
    });
    expect((await project.run(['lint', '--ignore-unknown', '--', file])).exitCode).toBe(1);
  });
});

/** @param {import('../helpers/git-project.js').Files} files @returns {GitProject} with couch-advisor among its packages */
function createInstalled(files) {
  const project = GitProject.create();
  const bin = 'node_modules/.bin/couch-advisor';
  const line = `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, 'bin/couch-advisor.js')}' "$@"\n`;
  project.write({ '.gitignore': 'node_modules\n', 'package.json': { name: 'shop' }, [bin]: line, ...files });
  chmodSync(path.join(project.cwd, bin), 0o755);
  return project;
}

/** @param {GitProject} project @param {string} command @param {string[]} args */
function spawn(project, command, args) {
  const { PATH = '' } = process.env;
  const env = { ...GIT_ENV, PATH: `${path.dirname(process.execPath)}:${PATH}`, HOME: project.cwd };
  const { stdout, stderr, status } = spawnSync(command, args, { cwd: project.cwd, env, encoding: 'utf8' });
  return { output: stdout + stderr, status };
}

test('husky stops a commit of a bad design document', () => {
  const project = createInstalled({ 'orders.json': orders('_total') });
  expect(spawn(project, process.execPath, [path.join(root, 'node_modules/husky/bin.js')]).status).toBe(0);
  project.write({ '.husky/pre-commit': 'npx --no-install couch-advisor lint --staged\n' });
  const commit = () => {
    project.git('add', '--all');
    return spawn(project, 'git', ['commit', '--message=orders']);
  };
  const stopped = commit();
  expect(stopped.output).toContain(REFUSED);
  expect(stopped.status).not.toBe(0);
  project.write({ 'orders.json': orders('_sum') });
  expect(commit().status).toBe(0);
});

describe('lint-staged', () => {
  const bin = path.join(root, 'node_modules/lint-staged/bin/lint-staged.js');
  /** @param {string} command */
  const settings = (command) => ({ 'package.json': { name: 'shop', 'lint-staged': { '*': command } } });

  test('stops bad design documents as they are staged, and nothing else', () => {
    const project = createInstalled(settings('couch-advisor lint --ignore-unknown'));
    project.commit({ 'README.md': 'Our shop.' });
    project.write({ 'orders.json': orders('_total'), 'other.txt': 'stock' });
    project.git('add', '--all');
    project.write({ 'orders.json': orders('_sum') });
    const stopped = spawn(project, process.execPath, [bin]);
    expect(stopped.output).toContain(REFUSED);
    expect(stopped.status).not.toBe(0);
    project.git('add', '--all');
    project.write({ 'orders.json': orders('_total') });
    expect(spawn(project, process.execPath, [bin]).status).toBe(0);
    expect(project.git('diff', '--', 'orders.json')).toContain('_total');
  });

  test('stages what fixes have mended', () => {
    const project = createInstalled(settings('couch-advisor lint --ignore-unknown --fix'));
    project.commit({ 'README.md': 'Our shop.' });
    project.write({ 'orders.json': orders(' _sum') });
    project.git('add', '--all');
    expect(spawn(project, process.execPath, [bin]).status).toBe(0);
    expect(project.git('show', ':orders.json')).toContain('"_sum"');
  });
});
