// Runs git and gives what it prints. Never through a shell: arguments are a list, and names of the user stand behind a mark that
// ends options. Writes nothing into the repository and opens no connection.

import { execFile } from 'node:child_process';
import { UserError } from '../../shared/user-error.js';

/** @typedef {(args: string[], options?: {input?: string}) => Promise<Buffer>} RunGit rejects with `GitFailure` where git refuses */

/** What git may print: the list of files of a large commit, or the contents of those that matter. */
const MOST_BYTES = 1024 * 1024 * 1024;

/** Settings of the user that would change what is printed, or start programs. */
const PLAIN = ['-c', 'core.quotePath=false', '-c', 'core.fsmonitor=false', '-c', 'log.showSignature=false'];

export class GitFailure extends Error {}

/**
 * @param {string} cwd absolute
 * @param {Record<string, string | undefined>} env
 * @returns {RunGit}
 */
export function createGit(cwd, env) {
  const given = {
    ...env,
    // Messages are looked at; nothing may ask, be written or be fetched.
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
  };
  return (args, { input } = {}) =>
    new Promise((resolve, reject) => {
      const options = { cwd, env: given, encoding: /** @type {const} */ ('buffer'), maxBuffer: MOST_BYTES };
      const child = execFile('git', ['--no-pager', ...PLAIN, ...args], options, (error, stdout, stderr) => {
        if (!error) resolve(stdout);
        else if (error.code === 'ENOENT') reject(noGit());
        else reject(new GitFailure(stderr.toString('utf8').trim() || error.message));
      });
      child.stdin?.on('error', () => {
        // git ended before it read all; its exit code says why.
      });
      child.stdin?.end(input ?? '');
    });
}

/** @returns {UserError} */
function noGit() {
  return new UserError('no-git', 'git is not installed, or is not in the PATH', {
    hint: 'install git; in an image without it add a step such as: apk add git',
  });
}
