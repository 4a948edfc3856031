import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFile, readFile, readHead, streamFile, unreadable } from '../../lib/files/open-file.js';
import { CACHE_ENV } from '../helpers/cache-folder.js';
import { root } from '../helpers/run-cli.js';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

const CONFIG = 'couch-advisor.config.json';

/** @param {Record<string, string | object>} [files] */
function project(files = {}) {
  const { cwd, run } = createProject({ '.git/HEAD': 'ref: refs/heads/main\n', ...files });
  const at = (/** @type {string} */ name) => path.join(cwd, name);
  return { cwd, run, at };
}

/** @param {string} script of bash, with couch-advisor as a command @param {string} cwd */
function runShell(script, cwd) {
  const prelude = `couch-advisor() { '${process.execPath}' '${root}/bin/couch-advisor.js' "$@"; }\n`;
  return spawnSync('bash', ['-c', prelude + script], { cwd, encoding: 'utf8', env: { ...process.env, ...CACHE_ENV } });
}

/** @param {string} file of 3 GB, without a block on the disk */
function makeSparse(file) {
  writeFileSync(file, '');
  truncateSync(file, 3 * 1024 ** 3);
}

describe('a file', () => {
  test('is read as a whole, from its beginning, and as a stream', async () => {
    const { at } = project({ 'a.txt': 'orders\nstock\n', 'empty.txt': '' });
    expect(readFile(at('a.txt')).toString()).toBe('orders\nstock\n');
    expect(readHead(at('a.txt'), 6).toString()).toBe('orders');
    expect(readFile(at('empty.txt'))).toHaveLength(0);
    const chunks = [];
    for await (const chunk of streamFile(at('a.txt'), { highWaterMark: 4 })) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('orders\nstock\n');
    for await (const chunk of streamFile(at('empty.txt'))) expect(chunk).toBeUndefined();
  });

  test('has a limit, whatever size the file system says it has', () => {
    const { at } = project({ 'a.txt': 'x'.repeat(2 * 1024 * 1024) });
    expect(() => readFile(at('a.txt'), { maxBytes: 1024 * 1024 })).toThrow('larger than 1 MiB');
    makeSparse(at('sparse.json'));
    expect(() => readFile(at('sparse.json'))).toThrow('larger than 64 MiB');
  });

  test.runIf(process.platform === 'linux')('of /proc, which has no size, has a limit too', () => {
    expect(readFile('/proc/version').toString()).toBe(readFileSync('/proc/version', 'utf8'));
    expect(() => readFile('/proc/self/pagemap', { maxBytes: 1024 * 1024 })).toThrow();
  });

  test.each(['/dev/zero', '/dev/null', '/dev/tty'])('is no device: %s, whoever names it', (device) => {
    for (const isNamed of [false, true]) expect(() => openFile(device, { isNamed })).toThrow('not a regular file');
  });

  test('is no folder, and a pipe only where the user named it', () => {
    const { cwd, at } = project();
    execFileSync('mkfifo', [at('pipe')]);
    expect(() => openFile(cwd)).toThrow('a folder');
    expect(() => openFile(at('pipe'))).toThrow('not a regular file');
    spawn('sh', ['-c', 'echo orders > pipe'], { cwd });
    expect(readFile(at('pipe'), { isNamed: true }).toString()).toBe('orders\n');
  });

  test('is found behind a link that stays in the project, and behind any link that the user named', () => {
    const { cwd, at } = project({ 'orders.json': '{}', 'sub/stock.json': '{}' });
    const outside = project({ 'secret.json': '{}' });
    symlinkSync('orders.json', at('inside.json'));
    symlinkSync(outside.at('secret.json'), at('outside.json'));
    symlinkSync(outside.cwd, at('folder'));
    const within = cwd;
    expect(readFile(at('inside.json'), { within }).toString()).toBe('{}');
    for (const name of ['outside.json', 'folder/secret.json']) {
      expect(() => readFile(at(name), { within })).toThrow('a link to outside of the project');
      expect(() => readFile(at(name), { within: at('sub') })).toThrow('a link to outside of the project');
      expect(readFile(at(name), { within, isNamed: true }).toString()).toBe('{}');
    }
    expect(() => readFile(at('inside.json'), { followsLinks: false })).toThrow('not a regular file');
    // Outside of the project, no pull request makes links.
    expect(readFile(at('folder/secret.json'), { within: outside.cwd }).toString()).toBe('{}');
  });

  test('that cannot be read is one error, which says what to do', () => {
    const { cwd } = project();
    const errorOf = (/** @type {string} */ file) => {
      try {
        return readFile(file);
      } catch (error) {
        return unreadable('orders.json', error);
      }
    };
    expect(errorOf('/dev/zero')).toMatchObject({
      code: 'unreadable',
      message: 'cannot read orders.json: not a regular file',
      hint: 'name a regular file; pipes are read only where the command line names them',
    });
    expect(errorOf(cwd)).toMatchObject({ message: 'cannot read orders.json: a folder', hint: 'name a file in it' });
    expect(errorOf(path.join(cwd, 'gone'))).toMatchObject({ message: 'cannot read orders.json: ENOENT' });
  });
});

describe('what is held whole in memory', () => {
  test.each([
    [['lint'], '/dev/zero', 'cannot read the baseline'],
    [['lint', '--no-config', '--config', '/dev/zero'], undefined, 'cannot read the configuration file'],
    [['confirm', '--no-config', '--plan', '/dev/zero'], undefined, 'cannot read the plan'],
    [['digest', '--merge', '/dev/zero'], undefined, 'cannot read /dev/zero'],
  ])('%j is no device: %s', async (argv, baseline, message) => {
    const { run } = project({ 'orders.json': ordersWith('_sum'), ...(baseline ? { [CONFIG]: { baseline } } : {}) });
    const { stderr, exitCode } = await run(argv);
    expect(stderr).toContain(message);
    expect(stderr).toContain('not a regular file');
    expect(exitCode).toBeGreaterThan(1);
  });

  test('is within a limit', async () => {
    const { run, at } = project({ 'orders.json': ordersWith('_sum') });
    makeSparse(at('known.json'));
    const { stderr, exitCode } = await run(['lint', '--baseline', 'known.json']);
    expect(stderr).toContain('cannot read the baseline known.json (larger than 64 MiB)');
    expect(exitCode).toBe(2);
  });
});

/** Where a configuration names files, and what is printed of one that is a pipe. @type {[string, object, string][]} */
const PLACES = [
  ['baseline', { baseline: 'pipe' }, 'cannot read the baseline pipe (not a regular file)'],
  ['extends', { extends: './pipe' }, 'cannot read the configuration file pipe (not a regular file)'],
  ['paths', { paths: ['pipe'] }, 'cannot read pipe: not a regular file'],
  ['logs', { logs: ['pipe'] }, 'cannot read pipe: not a regular file'],
  ['loads', { loads: ['pipe'] }, 'cannot read pipe: not a regular file'],
];

describe('a configuration that is merely found', () => {
  test.each(PLACES)('waits for no pipe: %s', async (_, config, message) => {
    const { run, at } = project({ 'orders.json': ordersWith('_sum'), [CONFIG]: config });
    execFileSync('mkfifo', [at('pipe')]);
    const { stdout, stderr, exitCode } = await run(['lint', '--fail-on', 'never']);
    expect(`${stdout}${stderr}`).toContain(message);
    expect(exitCode).toBeGreaterThan(1);
  });

  test.each(['logs', 'loads', 'baseline'])('reads no link to outside of the project: %s', async (key) => {
    const outside = project({ 'secret.txt': '{}' });
    const { run, at } = project({
      'orders.json': ordersWith('_sum'),
      [CONFIG]: { [key]: key === 'baseline' ? 'link' : ['link'] },
    });
    symlinkSync(outside.at('secret.txt'), at('link'));
    const { stdout, stderr } = await run(['lint', '--fail-on', 'never']);
    expect(`${stdout}${stderr}`).toContain('a link to outside of the project');
  });

  test('may be a pipe itself only where the command line names it', async () => {
    const { run, at } = project({ 'orders.json': ordersWith('_sum') });
    execFileSync('mkfifo', [at(CONFIG)]);
    const { stderr, exitCode } = await run(['lint']);
    expect(stderr).toContain(`cannot read the configuration file ${CONFIG} (not a regular file)`);
    expect(exitCode).toBe(2);
  });

  test('names a pipe that is called like a source, and is an error where a couchapp has it', async () => {
    const { run, at } = project({
      'orders.json': ordersWith('_sum'),
      'stock/_id': '_design/stock',
      'stock/views/low/reduce.js': '_count',
    });
    execFileSync('mkfifo', [at('app.js'), at('stock/views/low/map.js')]);
    const { stdout, stderr } = await run(['lint', '--verbose', '--fail-on', 'never']);
    expect(stderr).toContain('app.js: not a regular file');
    // Whether the view has a map is unknown.
    expect(stdout).not.toContain('ddoc/invalid-structure');
    expect(stdout).toContain('cannot read stock/views/low/map.js: not a regular file');
  });

  test('reads no .gitignore that is a pipe, a link or too large, and names it', async () => {
    const { run, at } = project({ 'orders.json': ordersWith('_sum'), 'a/x.txt': '', 'b/x.txt': '', 'c/x.txt': '' });
    execFileSync('mkfifo', [at('a/.gitignore')]);
    symlinkSync('/dev/zero', at('b/.gitignore'));
    makeSparse(at('c/.gitignore'));
    const { stdout, stderr } = await run(['lint', '--verbose', '--fail-on', 'never']);
    const output = `${stdout}${stderr}`;
    expect(output).toContain('a/.gitignore: not a regular file');
    expect(output).toContain('b/.gitignore: a symbolic link');
    expect(output).toContain('c/.gitignore: larger than 1 MiB');
  });
});

test.runIf(process.platform === 'linux')('a pipe that the command line names is read', () => {
  const line =
    '[notice] 2026-11-03T09:15:00.000000Z couchdb@127.0.0.1 <0.1.0> 0a1b2c3d4e db:5984 10.0.0.1 app GET /shop/_all_docs 200 ok 5\n';
  const { cwd } = project({ 'couch.log': line.repeat(3), 'orders.json': ordersWith('_sum') });
  for (const command of [
    'cat couch.log | couch-advisor digest -',
    'cat couch.log | couch-advisor digest /dev/stdin --log-format couchdb',
    'couch-advisor digest <(cat couch.log) --log-format couchdb',
    'couch-advisor digest /dev/stdin < couch.log',
    'mkfifo pipe; cat couch.log > pipe & couch-advisor digest pipe --log-format couchdb',
  ]) {
    const { stdout, stderr } = runShell(command, cwd);
    expect(stdout, `${command}: ${stderr}`).toContain('3 requests');
  }
  expect(runShell('cat orders.json | couch-advisor lint /dev/stdin --fail-on never', cwd).stdout).toContain(
    '1 design doc',
  );
});
