// The hooks, run by the real pre-commit on throwaway repositories.

import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GIT_ENV, GitProject } from '../helpers/git-project.js';
import { findTool } from '../helpers/tools.js';

const root = path.resolve(import.meta.dirname, '../..');
const preCommit = findTool('pre-commit');
const MAP =
  "function (doc) {\n  if (doc.type === 'order' && typeof doc.total === 'number') emit(doc.date, doc.total);\n}";
/** @param {string} reduce `_total` is an error, `_sum;` a warning with a safe fix, ` _sum` an error with one */
const orders = (reduce) => ({ _id: '_design/orders', views: { revenue: { map: MAP, reduce } } });

describe.skipIf(!preCommit)('pre-commit', () => {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-hooks-')));
  const hooks = path.join(folder, 'couch-advisor');
  const env = { ...process.env, ...GIT_ENV, HOME: folder, PRE_COMMIT_HOME: path.join(folder, 'home') };
  let revision = '';

  beforeAll(() => {
    // The project as it lies here, as a repository that hooks are taken from.
    const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
    for (const file of files.toString('utf8').split('\0')) {
      if (file === '' || file.startsWith('test/') || !existsSync(path.join(root, file))) continue;
      mkdirSync(path.dirname(path.join(hooks, file)), { recursive: true });
      copyFileSync(path.join(root, file), path.join(hooks, file));
    }
    const project = new GitProject(hooks);
    project.git('init', '--quiet', '--initial-branch=main');
    project.commit({});
    revision = project.git('rev-parse', 'HEAD').trim();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** @param {string} hook @param {import('../helpers/git-project.js').Files} files staged, and not committed */
  function createUser(hook, files) {
    const user = GitProject.create();
    const config = `repos:\n  - repo: ${hooks}\n    rev: ${revision}\n    hooks:\n      - id: ${hook}\n`;
    user.write({ '.pre-commit-config.yaml': config, ...files });
    user.git('add', '--all');
    return user;
  }

  /** @param {GitProject} user @param {string[]} [args] */
  function run(user, args = ['run', '--color=never']) {
    const { stdout, stderr, status } = spawnSync(preCommit ?? '', args, { cwd: user.cwd, env, encoding: 'utf8' });
    return { output: stdout + stderr, status };
  }

  test('takes the manifest', () => {
    expect(run(new GitProject(hooks), ['validate-manifest', '.pre-commit-hooks.yaml'])).toEqual({
      output: '',
      status: 0,
    });
  });

  test('stops a bad design document, and a commit of it', () => {
    const user = createUser('couch-advisor', { 'orders.json': orders('_total') });
    const { output, status } = run(user);
    expect(output).toContain('error reduce/unknown-builtin#refused');
    expect(status).toBe(1);
    run(user, ['install']);
    const commit = spawnSync('git', ['commit', '--message=orders'], { cwd: user.cwd, env, encoding: 'utf8' });
    expect(commit.stderr + commit.stdout).toContain('reduce/unknown-builtin#refused');
    expect(commit.status).toBe(1);
    user.write({ 'orders.json': orders('_sum') });
    user.git('add', '--all');
    expect(spawnSync('git', ['commit', '--message=orders'], { cwd: user.cwd, env }).status).toBe(0);
  });

  test('lets a good one pass, and all that is none', () => {
    const user = createUser('couch-advisor', {
      'orders.json': orders('_sum'),
      'package.json': { name: 'shop', dependencies: {} },
      'README.md': 'Our shop.',
      'lib/index.js': 'export const shop = true;\n',
      'with a space/-x.json': '{}',
      'picture.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]),
    });
    const { output, status } = run(user);
    expect(output).toMatch(/couch-advisor\.+Passed/);
    expect(status).toBe(0);
    expect(run(user, ['run', '--all-files']).status).toBe(0);
  });

  test('sees nothing of ours in a commit without design documents', () => {
    expect(run(createUser('couch-advisor', { 'README.md': 'Our shop.' })).status).toBe(0);
  });

  test('judges what is staged, not what lies in the folder', () => {
    const bad = createUser('couch-advisor', { 'orders.json': orders('_total') });
    bad.write({ 'orders.json': orders('_sum') });
    expect(run(bad).status).toBe(1);
    const good = createUser('couch-advisor', { 'orders.json': orders('_sum') });
    good.write({ 'orders.json': orders('_total') });
    expect(run(good).status).toBe(0);
  });

  test('judges the whole folder of a couchapp by any of its files', () => {
    const user = createUser('couch-advisor', {
      'orders/_id': '_design/orders',
      'orders/views/revenue/map.js': MAP,
      'orders/views/revenue/reduce.js': '_total',
    });
    const { output, status } = run(user, ['run', '--files', 'orders/views/revenue/map.js']);
    expect(output).toContain('orders/views/revenue/reduce.js:1:1 error reduce/unknown-builtin#refused');
    expect(output.match(/reduce\/unknown-builtin#/g)).toHaveLength(1);
    expect(status).toBe(1);
  });

  test('respects the configuration of the project', () => {
    const user = createUser('couch-advisor', {
      'old/orders.json': orders('_total'),
      'couch-advisor.config.json': { exclude: ['old/**'] },
    });
    expect(run(user).status).toBe(0);
  });

  test('fixes with the other hook, and says so', () => {
    const user = createUser('couch-advisor-fix', { 'orders.json': orders(' _sum') });
    const first = run(user);
    expect(first.output).toContain('files were modified by this hook');
    expect(first.status).toBe(1);
    expect(user.git('diff', '--', 'orders.json')).toContain('+      "reduce": "_sum"');
    user.git('add', '--all');
    expect(run(user).status).toBe(0);
  });
});
