// `couch-advisor init` in projects of every kind.

import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { findOrigin } from '../../lib/cli/commands/init/origin.js';
import { main } from '../../lib/cli/main.js';
import { CACHE_ENV } from '../helpers/cache-folder.js';
import { GIT_ENV, GitProject } from '../helpers/git-project.js';
import { root } from '../helpers/run-cli.js';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

const GITHUB = '.github/workflows/couch-advisor.yml';
const GITLAB = 'couch-advisor.gitlab-ci.yml';
const CONFIG = 'couch-advisor.config.json';
const installed = {
  'package.json': { name: 'shop', devDependencies: { 'couch-advisor': '^0.1.0' } },
  'package-lock.json': {},
};

/** @param {import('../helpers/temporary-project.js').Files} files @param {string[]} [argv] */
async function init(files, argv = ['--yes']) {
  const project = createProject(files);
  const before = project.list();
  const ended = await project.run(['init', ...argv]);
  const written = project.list().filter((file) => !before.includes(file));
  return { project, ...ended, written };
}

/** @param {string} cwd @param {string} input what is typed at a terminal */
async function initAtTerminal(cwd, input) {
  let stdout = '';
  const out = new Writable({
    write(chunk, _, done) {
      stdout += chunk;
      done();
    },
  });
  const stdin = Object.assign(Readable.from([Buffer.from(input)]), { isTTY: true });
  const exitCode = await main({
    argv: ['init', '--no-color'],
    cwd,
    env: CACHE_ENV,
    stdin,
    stdout: Object.assign(out, { isTTY: true }),
    stderr: new Writable({ write: (_, __, done) => done() }),
  });
  return { stdout, exitCode };
}

describe('what is written', () => {
  /** @type {[string, import('../helpers/temporary-project.js').Files, string[]][]} */
  const cases = [
    ['a project on GitHub', { '.github/dependabot.yml': '' }, ['.git/hooks/pre-commit', GITHUB, CONFIG]],
    [
      'a project whose remote is GitHub',
      { '.git/config': '[remote "origin"]\n\turl = git@github.com:shop/shop.git\n' },
      ['.git/hooks/pre-commit', GITHUB, CONFIG],
    ],
    [
      'a project with a pipeline of GitLab',
      { '.gitlab-ci.yml': 'test: {script: [make]}' },
      ['.git/hooks/pre-commit', GITLAB, CONFIG],
    ],
    [
      'a project whose remote is GitLab',
      { '.git/config': '[remote "origin"]\n\turl = https://gitlab.shop.example/shop.git\n' },
      ['.git/hooks/pre-commit', '.gitlab-ci.yml', GITLAB, CONFIG],
    ],
    ['husky', { '.husky/_/husky.sh': '' }, ['.husky/pre-commit', CONFIG]],
    ['pre-commit', { '.pre-commit-config.yaml': 'repos: []' }, [CONFIG]],
    ['lint-staged', { 'package.json': { 'lint-staged': {} } }, [CONFIG]],
    ['a configuration that is there', { [CONFIG]: {} }, ['.git/hooks/pre-commit']],
    ['a configuration in package.json', { 'package.json': { 'couch-advisor': {} } }, ['.git/hooks/pre-commit']],
    ['a hook that is there', { '.git/hooks/pre-commit': 'make test\n' }, [CONFIG]],
    [
      'all of it',
      {
        [CONFIG]: {},
        '.husky/pre-commit': 'npx couch-advisor lint --staged',
        '.github/workflows/ci.yml': 'run: npx couch-advisor ci',
      },
      [],
    ],
  ];
  test('for an application that only calls CouchDB, whose client is in another folder', async () => {
    const { project, stdout } = await init({
      'db/index.js': "exports.shop = require('nano')(process.env.COUCHDB_URL).use('shop');\n",
      'src/orders.js':
        "const { shop } = require('../db');\nexports.load = (ids) => Promise.all(ids.map((id) => shop.get(id)));\n",
    });
    expect(stdout).toMatch(/^Found 1 call in src\.\n/);
    expect((await project.run(['lint'])).stdout).toContain('call/get-in-loop');
  });

  test.each(cases)('for %s', async (_, files, wanted) => {
    const { written, exitCode, project } = await init({ 'ddocs/orders.json': ordersWith(), ...files });
    expect(written).toEqual(wanted.toSorted());
    expect(exitCode).toBe(0);
    for (const [file, content] of Object.entries(files)) {
      expect(project.read(file)).toBe(typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    }
    const again = await project.run(['init', '--yes']);
    expect(again.stdout).not.toContain('wrote ');
  });

  test('names what it has seen', async () => {
    const request =
      '[notice] 2026-03-02T08:00:00.000000Z couchdb@127.0.0.1 <0.218.0> 1a2b3e7a2c db.shop.example:5984 10.0.0.9 web GET /shop/_design/orders/_view/by_date?limit=20 200 ok 14\n';
    const { project } = await init({
      ...installed,
      'ddocs/orders.json': ordersWith(),
      'ddocs/stock.json': ordersWith('_sum', 'stock'),
      'local.ini': '[couchdb]\nuuid = 1\n[uuids]\nalgorithm = random\n',
      'logs/couch.log': request,
      'logs/build.log': 'all is well\n',
      'data/orders.jsonl': '{"_id":"1","type":"order"}\n',
      'data/ddocs.jsonl': '{"_id":"_design/orders","views":{}}\n',
      'docker-compose.yml': 'services:\n  db:\n    image: couchdb:3.3.2\n',
    });
    expect(JSON.parse(project.read(CONFIG))).toEqual({
      $schema: './node_modules/couch-advisor/share/schemas/config.schema.json',
      target: { version: '3.3.2' },
      paths: ['data', 'ddocs', 'docker-compose.yml', 'local.ini'],
      logs: ['logs/*.log'],
      loads: ['data/orders.jsonl'],
      failOn: 'error',
    });
    const { exitCode, stderr } = await project.run(['lint', '--fail-on', 'never']);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  });

  test('leaves out what --record saved, which is no source of the project', async () => {
    const recording = readFileSync(path.join(root, 'fixtures/servers/shop.couchdb-3.4.3.jsonl'), 'utf8');
    const { project, stdout } = await init({ 'ddocs/orders.json': ordersWith(), 'recorded/shop.jsonl': recording });
    expect(JSON.parse(project.read(CONFIG)).paths).toEqual(['ddocs']);
    expect(stdout).toContain(' in ddocs.\n');
  });

  test('runs what the project has installed, and says how to install this program where it is not', async () => {
    const own = await init({ ...installed, '.github/dependabot.yml': '' });
    expect(own.project.read('.git/hooks/pre-commit')).toBe(
      '#!/bin/sh\nexec npx --no-install couch-advisor lint --staged\n',
    );
    expect(statSync(path.join(own.project.cwd, '.git/hooks/pre-commit')).mode & 0o111).toBe(0o111);
    expect(own.project.read(GITHUB)).toContain('npm ci');
    expect(own.stdout).not.toMatch(/npm install|vendor/);
    const other = await init({ '.gitlab-ci.yml': '{}' });
    expect(other.stdout).toMatch(
      /Run this once; .*:\n(?:npm install --save-dev git\+\S+#[0-9a-f]{40}|npm --prefix \S+ run vendor -- \S+)\n/,
    );
    const texts = ['.git/hooks/pre-commit', GITLAB].map((file) => other.project.read(file));
    for (const text of texts) expect(text).toContain('npx --no-install couch-advisor');
    // A name that nobody has published could be taken by anyone.
    expect(other.stdout + texts.join('')).not.toMatch(/npx (?:--yes|-y)|couch-advisor@/);
  });

  test.each(['file:../couch-advisor', '../../tools/couch-advisor', 'link:/opt/couch-advisor', '~/couch-advisor'])(
    'says that a clone has no %s, and how to install the program in the project',
    async (spec) => {
      const { stdout } = await init({ ...installed, 'package.json': { devDependencies: { 'couch-advisor': spec } } });
      expect(stdout).toContain('a link to a folder outside of this project, which a clone');
    },
  );

  test.each(['file:vendor/couch-advisor-0.1.0.tgz', './vendor/couch-advisor-0.1.0.tgz', '^0.1.0'])(
    'has nothing to say of an install that a clone has too: %s',
    async (spec) => {
      const { stdout } = await init({ ...installed, 'package.json': { devDependencies: { 'couch-advisor': spec } } });
      expect(stdout).not.toContain('Run this once');
    },
  );

  test('a script of npm is no hook', async () => {
    const scripts = { 'package.json': { scripts: { lint: 'couch-advisor lint' } } };
    expect((await init(scripts)).written).toEqual(['.git/hooks/pre-commit', CONFIG]);
    const staged = { 'package.json': { 'lint-staged': { '*': 'couch-advisor lint --ignore-unknown --' } } };
    expect((await init(staged)).written).toEqual([CONFIG]);
  });

  test.each([
    ['https://git.example/shop/couch-advisor.git', 'git+https://git.example/shop/couch-advisor.git'],
    ['https://ann:secret@git.example/couch-advisor', 'git+https://git.example/couch-advisor'],
    ['git@git.example:shop/couch-advisor.git', 'git+ssh://git@git.example/shop/couch-advisor.git'],
    ['ssh://git@git.example:2222/couch-advisor.git', 'git+ssh://git@git.example:2222/couch-advisor.git'],
    ['/srv/git/couch-advisor.git', undefined],
  ])('installs a checkout of %s from %s', async (remote, address) => {
    const project = GitProject.create({ 'package.json': { name: 'couch-advisor' } });
    project.git('remote', 'add', 'origin', remote);
    const commit = project.git('rev-parse', 'HEAD').trim();
    const origin = await findOrigin(GIT_ENV, `${project.cwd}/`);
    expect(origin).toEqual(address === undefined ? { folder: project.cwd } : { address: `${address}#${commit}` });
  });

  test('says what is to be added by hand where a file is there', async () => {
    const { stdout } = await init({ '.pre-commit-config.yaml': 'repos: []', '.gitlab-ci.yml': '{}' });
    expect(stdout).toContain('Add this to .pre-commit-config.yaml, which already exists:\n  - repo: local');
    expect(stdout).toContain('include:\n  - local: couch-advisor.gitlab-ci.yml');
  });
});

describe('nothing is written', () => {
  test('without a terminal, and that is said', async () => {
    const { written, stdout, stderr, exitCode } = await init({ 'orders.json': ordersWith() }, []);
    expect({ written, exitCode }).toEqual({ written: [], exitCode: 2 });
    expect(stdout).toContain('--- /dev/null\n+++ b/couch-advisor.config.json\n');
    expect(stderr).toBe(
      'error: nothing was written: confirmation requires a terminal\n  hint: npx --no-install couch-advisor init --yes\n',
    );
  });

  test('by a dry run', async () => {
    const { written, stdout, exitCode } = await init({ 'orders.json': ordersWith() }, ['--dry-run']);
    expect({ written, exitCode }).toEqual({ written: [], exitCode: 0 });
    expect(stdout).toContain('+++ b/.git/hooks/pre-commit\n');
  });

  test('outside of a repository, but for the configuration', async () => {
    const project = createProject({ 'shop/orders.json': ordersWith() });
    const folder = path.join(project.cwd, 'shop');
    expect((await initAtTerminal(folder, 'y\ny\n')).exitCode).toBe(0);
    expect(project.list().filter((file) => file.startsWith('shop/'))).toEqual([
      'shop/couch-advisor.config.json',
      'shop/orders.json',
    ]);
  });

  test('where the folder refuses it, which is one clear error', async () => {
    const project = createProject({ [CONFIG]: {}, '.github': 'a file\n', '.git/hooks/pre-commit': 'make\n' });
    const { stderr, exitCode } = await project.run(['init', '--yes']);
    expect(stderr).toContain(`cannot write ${GITHUB} (ENOTDIR)`);
    expect(exitCode).toBe(3);
  });
});

describe('at a terminal each file is asked for', () => {
  test.each([
    ['y\nn\n', [CONFIG]],
    ['n\nYES\n', ['.git/hooks/pre-commit']],
    ['\n\n', []],
    ['y', [CONFIG]],
    ['', []],
  ])('answers %j', async (input, wanted) => {
    const project = createProject({ 'orders.json': ordersWith() });
    mkdirSync(path.join(project.cwd, '.git/hooks'));
    const { stdout, exitCode } = await initAtTerminal(project.cwd, input);
    const files = [CONFIG, '.git/hooks/pre-commit'];
    expect(files.filter((file) => project.list().includes(file))).toEqual(wanted);
    expect(stdout).toContain('Write couch-advisor.config.json? [y/N] ');
    expect(exitCode).toBe(0);
  });
});

describe('a project with old findings', () => {
  const files = { 'orders.json': ordersWith('_total'), ...installed };
  const BASELINE = 'couch-advisor.baseline.json';

  test('is offered a baseline at a terminal, which the configuration then names', async () => {
    const project = createProject(files);
    const { stdout } = await initAtTerminal(project.cwd, 'y\ny\n');
    expect(stdout).toContain(`1 finding now. Keep it in ${BASELINE}, so that only new ones are shown? [y/N] `);
    expect(JSON.parse(project.read(CONFIG)).baseline).toBe(BASELINE);
    expect(await project.lint()).toMatchObject({ codes: [], silenced: { baseline: 1 } });
  });

  test.each([['--yes'], ['--dry-run']])('with %s is told how to make one, and nothing is hidden', async (option) => {
    const { project, stdout } = await init(files, [option]);
    expect(stdout).toContain('`lint` has 1 finding now.');
    expect(stdout).toContain(`npx --no-install couch-advisor lint --write-baseline ${BASELINE}\n`);
    expect(project.list()).not.toContain(BASELINE);
  });

  test('is not asked if it has none, or is set up', async () => {
    /** @type {import('../helpers/temporary-project.js').Files[]} */
    const others = [{ 'orders.json': ordersWith('_sum') }, { [CONFIG]: {} }];
    for (const more of others) {
      expect((await init({ ...files, ...more })).stdout).not.toContain('baseline');
    }
  });
});
