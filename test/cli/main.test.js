// The program as a process: exit codes, streams, closed pipes, signals, colours.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { Readable, Writable } from 'node:stream';
import { parse } from 'acorn';
import { describe, expect, test } from 'vitest';
import { main } from '../../lib/cli/main.js';
import { isLong } from '../helpers/long.js';
import { root, runCli } from '../helpers/run-cli.js';
import { runMain } from '../helpers/run-main.js';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

const bin = path.join(root, 'bin/couch-advisor.js');
const COLOR = /\u001b\[\d/;

/**
 * @param {string} script for a shell, in which `couch-advisor` is the program
 * @param {string} cwd
 * @returns {{stdout: string, stderr: string, status: number | null}}
 */
function runShell(script, cwd) {
  const prelude = `couch-advisor() { '${process.execPath}' '${bin}' "$@"; }\n`;
  return spawnSync('bash', ['-c', prelude + script], { cwd, encoding: 'utf8' });
}

describe('exit codes', () => {
  test.each([
    [0, 'warnings alone', { 'orders.json': ordersWith('_sum;') }, ['lint']],
    [1, 'an error', { 'orders.json': ordersWith('_total') }, ['lint']],
    [2, 'a wrong option', { 'orders.json': ordersWith('_sum') }, ['lint', '--formt']],
    [3, 'a file that cannot be read', { 'orders.json': '{"_id":"_design/orders",' }, ['lint']],
  ])('%i for %s', (expected, _, files, argv) => {
    const { exitCode, stderr } = runCli(argv, { cwd: createProject(files).cwd });
    expect(exitCode).toBe(expected);
    expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  });

  test.each([
    [0, 'sound documents', { 'orders.json': ordersWith('_sum') }, ['lint']],
    [2, 'nothing to judge', { 'readme.txt': 'a shop' }, ['lint']],
    [3, 'a path that is not there', { 'orders.json': ordersWith('_sum') }, ['lint', 'orders.json', 'stock.json']],
    [3, 'a path without anything to judge', { 'order.json': { _id: 'order-1' } }, ['lint', 'order.json']],
    [
      3,
      'an unreadable file beside an error',
      { 'a.json': ordersWith('_total'), 'b.json': '{"views":{"map":' },
      ['lint', 'a.json', 'b.json'],
    ],
  ])('%i for %s', async (expected, _, files, argv) => {
    const { exitCode, stderr } = await createProject(files).run(argv);
    expect(exitCode).toBe(expected);
    expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  });

  test('a path without anything to judge is an error, and the rest is still judged', async () => {
    const project = createProject({ 'order.json': { _id: 'order-1' }, 'orders.json': ordersWith('_total') });
    const { codes, errors, exitCode } = await project.lint(['order.json', 'orders.json']);
    expect({ codes, exitCode }).toEqual({ codes: ['reduce/unknown-builtin#refused'], exitCode: 3 });
    expect(errors).toEqual([expect.objectContaining({ code: 'no-design-documents' })]);
  });
});

test('a checkout whose packages are not installed says so in one line, with exit 2', () => {
  const { cwd } = createProject({});
  for (const name of ['bin', 'lib', 'package.json'])
    cpSync(path.join(root, name), path.join(cwd, name), { recursive: true });
  const copy = path.join(cwd, 'bin/couch-advisor.js');
  const { stderr, status } = spawnSync(process.execPath, [copy, 'lint'], { cwd, encoding: 'utf8' });
  expect(stderr).toMatch(/^error: the package \S+ is not installed: run 'npm ci' in .+\n$/);
  expect(status).toBe(2);
});

describe('a version of Node.js that is too old', () => {
  test.each(['18.20.8', '20.9.0', '8.17.0'])('%s: what is needed, with exit 2', (version) => {
    const preload = `Object.defineProperty(process, 'versions', {value: {...process.versions, node: '${version}'}})`;
    const { stderr, status } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${preload}`, bin, 'lint'],
      {
        encoding: 'utf8',
      },
    );
    expect([stderr, status]).toEqual([`error: couch-advisor needs Node.js 20.12 or newer; this is ${version}\n`, 2]);
  });

  test('can read the file that says so', () => {
    // 12.22 was the first that reads `node:` imports; it has no `??`, no `?.` and no `await` outside of functions.
    const text = readFileSync(bin, 'utf8').replace("import('", "load('").replace('import.meta.url', "''");
    expect(() => parse(text, { ecmaVersion: 2019, sourceType: 'module', allowHashBang: true })).not.toThrow();
  });
});

describe('streams', () => {
  test('reports go to standard output, all else to standard error', () => {
    const { cwd } = createProject({ 'orders.json': ordersWith('_total'), 'node_modules/a/index.js': '' });
    const { stdout, stderr } = runCli(['lint', '--format', 'json'], { cwd });
    expect(JSON.parse(stdout).findings).toHaveLength(1);
    expect(stderr).toBe(
      'read 1 design document (1 view, 1 file)\nskipped 1 path: installed packages; --verbose lists them\n',
    );
  });

  test('a reader that has seen enough ends the run quietly', () => {
    // More than a pipe holds.
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`ddocs/${index}.json`, ordersWith('_total', `orders${index}`)]),
    );
    const { cwd } = createProject(files);
    for (const command of isLong ? ['lint', 'lint --format json', 'facts'] : ['lint --format json']) {
      const { stdout, stderr, status } = runShell(
        `couch-advisor ${command} ddocs | head -1; exit "\${PIPESTATUS[0]}"`,
        cwd,
      );
      expect(stdout.split('\n')).toHaveLength(2);
      expect(stderr).toBe('');
      expect(status).toBe(command === 'facts' ? 0 : 1);
    }
  });

  test.runIf(isLong)('a reader that reads nothing ends the run quietly', () => {
    const { cwd } = createProject({ 'orders.json': ordersWith('_total') });
    expect(runShell('couch-advisor lint orders.json | true; exit "${PIPESTATUS[0]}"', cwd)).toMatchObject({
      stderr: '',
      status: 1,
    });
    expect(runShell('couch-advisor lint --help | true', cwd)).toMatchObject({ stderr: '', status: 0 });
  });

  test.runIf(existsSync('/dev/full'))('output that cannot be written is an error', () => {
    const { cwd } = createProject({ 'orders.json': ordersWith('_sum') });
    const { stderr, status } = runShell('couch-advisor lint orders.json > /dev/full', cwd);
    expect(stderr).toBe('error: cannot write the output (ENOSPC)\n');
    expect(status).toBe(3);
  });

  test.runIf(isLong)('standard error may be closed', () => {
    const { cwd } = createProject({ 'orders.json': ordersWith('_total') });
    const { stdout, status } = runShell('couch-advisor lint 2>&-', cwd);
    expect(stdout).toContain('reduce/unknown-builtin');
    expect(status).toBe(1);
  });

  test('standard input that cannot be read is an error', async () => {
    const stdin = new Readable({ read: () => stdin.destroy(Object.assign(new Error('gone'), { code: 'EIO' })) });
    let output = '';
    const collect = () =>
      new Writable({
        write: (chunk, _, done) => {
          output += chunk;
          done();
        },
      });
    const streams = { stdin, stdout: collect(), stderr: collect() };
    expect(await main({ argv: ['lint', '-'], ...streams, env: {}, cwd: createProject().cwd })).toBe(3);
    expect(output).toContain('error: cannot read standard input (EIO)');
  });

  test('SIGINT ends a run that waits, and nothing is printed', async () => {
    const { cwd } = createProject();
    const child = spawn(process.execPath, [bin, 'lint', '-'], { cwd });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    await once(child, 'spawn');
    child.kill('SIGINT');
    const [exitCode, signal] = await once(child, 'close');
    expect({ exitCode, signal, output }).toEqual({ exitCode: null, signal: 'SIGINT', output: '' });
  });
});

describe('colours', () => {
  test.each([
    ['none where the output is no terminal', [], {}, false],
    ['none with NO_COLOR', [], { NO_COLOR: '1' }, false],
    ['some with FORCE_COLOR', [], { FORCE_COLOR: '1' }, true],
    ['some with an empty FORCE_COLOR', [], { FORCE_COLOR: '' }, true],
    ['none with FORCE_COLOR=0', [], { FORCE_COLOR: '0' }, false],
    ['none with NO_COLOR and FORCE_COLOR', [], { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    ['some with an empty NO_COLOR and FORCE_COLOR', [], { NO_COLOR: '', FORCE_COLOR: '1' }, true],
    ['some with --color', ['--color'], {}, true],
    ['some with --color and NO_COLOR', ['--color'], { NO_COLOR: '1' }, true],
    ['none with --no-color and FORCE_COLOR', ['--no-color'], { FORCE_COLOR: '1' }, false],
    ['the last of --color and --no-color', ['--no-color', '--color'], {}, true],
  ])('%s', async (_, argv, env, expected) => {
    const { cwd } = createProject({ 'orders.json': ordersWith('_total') });
    const { stdout, stderr } = await runMain(['lint', 'orders.json', ...argv], { cwd, env });
    expect(COLOR.test(stdout)).toBe(expected);
    expect(stderr).toBe('');
  });

  test.runIf(isLong)('a process has them from its environment', () => {
    const { cwd } = createProject({ 'orders.json': ordersWith('_total') });
    expect(runCli(['lint', 'orders.json'], { cwd, env: { FORCE_COLOR: '1' } }).stdout).toMatch(COLOR);
  });

  test('a file gets none, whatever the terminal gets', async () => {
    const project = createProject({ 'orders.json': ordersWith('_total') });
    await project.run(['lint', '--color', '--format', 'text=out.txt']);
    expect(project.read('out.txt')).toContain('reduce/unknown-builtin');
    expect(project.read('out.txt')).not.toMatch(COLOR);
  });

  test('facts have them too', async () => {
    const { run } = createProject({ 'orders.json': ordersWith('_sum') });
    expect((await run(['facts', '--color', 'orders.json'])).stdout).toMatch(COLOR);
    expect((await run(['facts', 'orders.json'])).stdout).not.toMatch(COLOR);
  });
});

test('rubbish gives errors and no stack', () => {
  const rubbish = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919) % 256));
  const { cwd } = createProject({ 'a.json': rubbish, 'b.js': rubbish, 'c.ini': rubbish, d: rubbish });
  const { stdout, stderr, exitCode } = runCli(['lint', 'a.json', 'b.js', 'c.ini', 'd'], { cwd });
  expect(exitCode).toBe(3);
  expect(stdout.match(/unreadable/g)?.length).toBeGreaterThanOrEqual(4);
  expect(stdout + stderr).not.toContain('bug in couch-advisor');
});
