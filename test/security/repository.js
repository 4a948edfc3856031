// Makes a git repository for an attack, without any settings of the user who runs it.

import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** What git needs of the environment. */
export const GIT_ENV = {
  PATH: process.env['PATH'] ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'shop',
  GIT_AUTHOR_EMAIL: 'shop@example.org',
  GIT_COMMITTER_NAME: 'shop',
  GIT_COMMITTER_EMAIL: 'shop@example.org',
};

/**
 * @param {string} cwd is made where it is not there
 * @returns {{git: (...args: string[]) => string, commit: () => void}}
 */
export function createRepository(cwd) {
  mkdirSync(cwd, { recursive: true });
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, {
      cwd,
      env: { ...GIT_ENV, HOME: cwd },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  git('init', '--quiet', '--initial-branch=main');
  return {
    git,
    commit: () => {
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message=shop');
    },
  };
}

/** All hooks of git's documentation (githooks(5), 2.51). */
export const HOOKS = [
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit', 'prepare-commit-msg'],
  ...['commit-msg', 'post-commit', 'pre-rebase', 'post-checkout', 'post-merge', 'pre-push', 'pre-receive', 'update'],
  ...['proc-receive', 'post-receive', 'post-update', 'reference-transaction', 'push-to-checkout', 'pre-auto-gc'],
  ...['post-rewrite', 'sendemail-validate', 'fsmonitor-watchman', 'p4-changelist', 'p4-prepare-changelist'],
  ...['p4-post-changelist', 'p4-pre-submit', 'post-index-change'],
];

/** @param {string} cwd @returns {string} what git keeps: names, times and content of all files and folders in `.git` */
export function stateOf(cwd) {
  const folder = path.join(cwd, '.git');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const { mode, mtimeNs } = lstatSync(file, { bigint: true });
      return `${file} ${mode} ${mtimeNs} ${entry.isFile() ? readFileSync(file, 'latin1') : ''}`;
    })
    .sort()
    .join('\n');
}
