// Makes a git repository for an attack, without any settings of the user who runs it.

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
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
