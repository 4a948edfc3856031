// Makes a throwaway repository for one test, and runs the program in it as in a job of CI.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { onTestFinished } from 'vitest';
import { CACHE_ENV } from './cache-folder.js';
import { runMain } from './run-main.js';

/** @typedef {Record<string, string | Buffer | object | null>} Files content by path; null for files that are removed */

/** Nothing of the settings of who runs the tests; what programs keep at home is gone after the run. */
export const GIT_ENV = {
  PATH: process.env['PATH'],
  ...CACHE_ENV,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'shop',
  GIT_AUTHOR_EMAIL: 'shop@example.org',
  GIT_COMMITTER_NAME: 'shop',
  GIT_COMMITTER_EMAIL: 'shop@example.org',
};

/** @returns {string} an empty folder that is gone after the test */
export function temporaryFolder() {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-git-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export class GitProject {
  /** @param {string} [cwd] */
  constructor(cwd = temporaryFolder()) {
    this.cwd = cwd;
  }

  /** @param {Files} [files] of the first commit, on `main` @returns {GitProject} */
  static create(files = {}) {
    const project = new GitProject();
    project.git('init', '--quiet', '--initial-branch=main');
    if (Object.keys(files).length > 0) project.commit(files);
    return project;
  }

  /** @param {string[]} args @returns {string} what it printed */
  git(...args) {
    return execFileSync('git', args, {
      cwd: this.cwd,
      env: GIT_ENV,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** @param {Files} files */
  write(files) {
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(this.cwd, name);
      if (content === null) {
        rmSync(file, { recursive: true });
        continue;
      }
      mkdirSync(path.dirname(file), { recursive: true });
      const isRaw = typeof content === 'string' || Buffer.isBuffer(content);
      writeFileSync(file, isRaw ? content : `${JSON.stringify(content, null, 2)}\n`);
    }
  }

  /** @param {Files} files */
  commit(files) {
    this.write(files);
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '--message=change');
  }

  /**
   * @param {string[]} argv
   * @param {{env?: Record<string, string | undefined>, folder?: string}} [options] `folder`: below the root
   */
  run(argv, { env = {}, folder = '.' } = {}) {
    return runMain(argv, { cwd: path.join(this.cwd, folder), env: { ...GIT_ENV, ...env } });
  }

  /**
   * @param {string[]} [argv]
   * @param {{env?: Record<string, string | undefined>, folder?: string}} [options]
   * @returns {Promise<{exitCode: number, stderr: string, codes: string[], findings: import('../../lib/engine/findings/finding.js').Finding[], change: any, errors: any[]}>} `ci --format json` against `main`
   */
  async ci(argv = ['--base', 'main'], options) {
    const { stdout, stderr, exitCode } = await this.run(['ci', ...argv, '--format', 'json'], options);
    if (stdout === '') throw new Error(stderr);
    const { findings, change, errors } = JSON.parse(stdout);
    const codes = findings.map((/** @type {{rule: string, outcome: string}} */ one) => `${one.rule}#${one.outcome}`);
    return { exitCode, stderr, codes, findings, change, errors };
  }
}
