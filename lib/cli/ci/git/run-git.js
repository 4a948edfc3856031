// Runs git and returns what it prints. Never through a shell: arguments are an array, and names of the user come after
// a mark that ends options. Writes nothing into the repository and opens no connection.

import { execFile } from 'node:child_process';
import { UserError } from '../../../shared/user-error.js';

/** @typedef {(args: string[], options?: {input?: string}) => Promise<Buffer>} RunGit rejects with `GitFailure` where git refuses */

/** What git may print: the list of files of a large commit, or the contents of those that matter. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** A configuration can include a pipe that nobody writes to. */
const MAX_MILLISECONDS = 300_000;

/** Settings that would change what is printed, or start programs. No command below writes, so no hook is due anyway. */
const PLAIN = [
  'core.quotePath=false',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'log.showSignature=false',
  'credential.helper=',
].flatMap((setting) => ['-c', setting]);

export class GitFailure extends UserError {
  /** @param {string} said all that git wrote about it @param {string} end how it ended */
  constructor(said, end) {
    const lines = (said || end).split('\n');
    const reason = lines.find((line) => line.startsWith('fatal: ')) ?? lines[0] ?? '';
    super('git-failed', `git cannot read the repository: ${reason.replace('fatal: ', '')}`, {
      hint: 'run `git status` or `git fsck` for details',
    });
    this.said = said;
  }
}

/**
 * @param {string} cwd absolute
 * @param {Record<string, string | undefined>} env
 * @param {string[]} [filters] names of filters that the configuration has: none of their programs is started
 * @returns {RunGit}
 */
export function createGit(cwd, env, filters = []) {
  const settings = [...PLAIN, ...filters.flatMap(withoutPrograms)];
  const given = {
    ...env,
    // Messages are looked at; nothing may ask, be written or be fetched.
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    // The same for versions of git that do not know that yet.
    GIT_ALLOW_PROTOCOL: 'none',
  };
  return (args, { input } = {}) =>
    new Promise((resolve, reject) => {
      const limits = { maxBuffer: MAX_BYTES, timeout: MAX_MILLISECONDS };
      const options = { cwd, env: given, encoding: /** @type {const} */ ('buffer'), ...limits };
      const child = execFile('git', ['--no-pager', ...settings, ...args], options, (error, stdout, stderr) => {
        if (!error) resolve(stdout);
        else if (error.code === 'ENOENT') reject(noGit());
        else reject(new GitFailure(stderr.toString('utf8').trim(), error.message));
      });
      child.stdin?.on('error', () => {
        // git ended before it read all; its exit code says why.
      });
      child.stdin?.end(input ?? '');
    });
}

/**
 * Git passes files of the checkout through the `clean` or `process` program of the filter that an attribute names when it compares them. An empty program
 * is none (apply_filter, convert.c, 2.39 to 2.51).
 * @param {string} filter
 * @returns {string[]} arguments for git
 */
function withoutPrograms(filter) {
  return ['clean=', 'smudge=', 'process=', 'required=false'].flatMap((setting) => [
    '-c',
    `filter.${filter}.${setting}`,
  ]);
}

/** @returns {UserError} */
function noGit() {
  return new UserError('no-git', 'git is not installed or not in the PATH', {
    hint: 'install git; in a container image without it, add a step such as `apk add git`',
  });
}
