// The image: what it is made of, and where Docker runs, that it does what the package does.

import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GitProject, temporaryFolder } from '../helpers/git-project.js';
import { isLong } from '../helpers/long.js';
import { root, runCli } from '../helpers/run-cli.js';
import { ordersWith } from '../helpers/temporary-project.js';
import { findTool } from '../helpers/tools.js';

const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
const hadolint = isLong ? findTool('hadolint') : undefined;

/** @param {string} instruction @returns {string[]} what follows it, for each time that it stands there */
const linesOf = (instruction) =>
  [...dockerfile.matchAll(new RegExp(`^${instruction} (.*)$`, 'gm'))].map(([, rest = '']) => rest);

describe('the Dockerfile', () => {
  test('copies what the package holds, and lets nothing else into the build', () => {
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    // The image is made from a checkout, which has no `dist`: `npm pack` makes that of `lib`.
    const packed = manifest.files.filter((/** @type {string} */ name) => !name.startsWith('!') && name !== 'dist');
    const needed = [...packed, 'LICENSE', 'package-lock.json', 'package.json'].sort();
    const copied = linesOf('COPY').filter((line) => !line.startsWith('--from'));
    expect(copied.flatMap((line) => line.split(' ').slice(0, -1)).sort()).toEqual(needed);
    const ignored = readFileSync(path.join(root, '.dockerignore'), 'utf8').split('\n');
    expect(ignored).toContain('*');
    expect(ignored.flatMap((line) => (line.startsWith('!') ? line.slice(1) : [])).sort()).toEqual(needed);
  });

  test('names one exact version of its base, and runs as a user without rights', () => {
    const bases = new Set(linesOf('FROM').map((line) => line.split(' ')[0]));
    expect([...bases]).toEqual([expect.stringMatching(/^node:\d+\.\d+\.\d+-alpine\d+\.\d+$/)]);
    expect(linesOf('USER')).toEqual(['1000']);
    expect(linesOf('ENTRYPOINT')).toEqual(['["couch-advisor"]']);
  });

  test.skipIf(!hadolint)('has nothing that hadolint finds', () => {
    const lint = (/** @type {string} */ file) => spawnSync(hadolint ?? '', [file], { encoding: 'utf8' });
    const { stdout, status } = lint(path.join(root, 'Dockerfile'));
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
    const bad = path.join(temporaryFolder(), 'Dockerfile');
    writeFileSync(bad, dockerfile.replaceAll(/^FROM node:\S+/gm, 'FROM node:latest'));
    expect(lint(bad).stdout).toContain('DL3007');
  });
});

/** @returns {boolean} whether Docker runs here @throws {Error} where it does not, and has to */
function hasDocker() {
  if (spawnSync('docker', ['info']).status === 0) return true;
  if (process.env['DOCKER_NEEDED'] === 'true')
    throw new Error('Docker does not run here, and DOCKER_NEEDED says that it has to');
  process.stderr.write('tests of the image are left out: Docker does not run here\n');
  return false;
}

describe.skipIf(!isLong || !hasDocker())('the image', () => {
  const image = `couch-advisor-test:${process.pid}`;
  const run = (/** @type {string[]} */ args) => spawnSync('docker', args, { cwd: root, encoding: 'utf8' });

  beforeAll(() => {
    const { stderr, status } = run(['build', '--quiet', '--tag', image, '.']);
    expect(status, stderr).toBe(0);
  });
  afterAll(() => {
    run(['image', 'rm', '--force', image]);
  });

  /**
   * @param {GitProject} project
   * @param {string[]} args
   * @param {string[]} [options] of Docker
   */
  function runImage(project, args, options = []) {
    const mount = ['--volume', `${project.cwd}:/work`];
    const { stdout, stderr, status } = run(['run', '--rm', '--network', 'none', ...mount, ...options, image, ...args]);
    return { stdout, stderr, exitCode: status };
  }

  /** @param {import('../helpers/git-project.js').Files} files */
  function createShop(files) {
    const project = GitProject.create(files);
    // As a checkout is: the user of the image may read it, and owns nothing of it.
    chmodSync(project.cwd, 0o755);
    return project;
  }

  test('lints the folder that is mounted as the package does', () => {
    const project = createShop({ 'ddocs/orders.json': ordersWith('_total') });
    const args = ['lint', '--format', 'compact'];
    const { stdout, exitCode } = runImage(project, args);
    expect(stdout).toContain('reduce/unknown-builtin');
    expect({ stdout, exitCode }).toEqual({ stdout: runCli(args, { cwd: project.cwd }).stdout, exitCode: 1 });
  });

  test('judges a change, in a checkout of another user', () => {
    const project = createShop({ 'ddocs/orders.json': ordersWith() });
    project.git('checkout', '--quiet', '-b', 'change');
    project.commit({ 'ddocs/orders.json': ordersWith('_total') });
    const { stdout, stderr, exitCode } = runImage(project, ['ci', '--base', 'main', '--format', 'compact']);
    expect(stdout, stderr).toContain('reduce/unknown-builtin');
    expect(exitCode).toBe(1);
  });

  test('fixes as the user that it is given', () => {
    const project = createShop({ 'ddocs/orders.json': ordersWith(' _sum') });
    const user = ['--user', `${process.getuid?.()}:${process.getgid?.()}`];
    expect(runImage(project, ['lint', '--fix'], user).exitCode).toBe(0);
    expect(project.git('diff', '--', 'ddocs/orders.json')).toContain('"reduce": "_sum"');
  });

  test('runs without rights, and shows the help where nothing is named', () => {
    const project = createShop({});
    expect(runImage(project, ['-u'], ['--entrypoint', 'id']).stdout.trim()).not.toBe('0');
    expect(runImage(project, [])).toMatchObject({ stdout: expect.stringContaining('lint'), exitCode: 0 });
  });
});
