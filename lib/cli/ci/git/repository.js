// Opens the checkout that a folder is in: where its root is, and what it lacks. Each thing that is wrong with it is one
// clear error.

import path from 'node:path';
import { shellWord } from '../../../shared/shell-word.js';
import { UserError } from '../../../shared/user-error.js';
import { createGit, GitFailure } from './run-git.js';

/** @import { RunGit } from './run-git.js' */

/**
 * @typedef {object} Repository
 * @property {RunGit} git runs in the root of the checkout
 * @property {string} prefix the working directory as seen from the root: empty, or with a slash at its end
 * @property {boolean} isShallow whether history was cut off by `--depth`
 */

/**
 * @param {string} cwd absolute
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<Repository>}
 * @throws {UserError} of code `no-git`, `not-a-repository`, `unsafe-repository`, `bare-repository` or `git-failed`
 */
export async function openRepository(cwd, env) {
  const git = createGit(cwd, env);
  /** @type {string[]} */
  let answers;
  try {
    const queries = ['--is-bare-repository', '--is-inside-work-tree', '--is-shallow-repository'];
    answers = linesOf(await git(['rev-parse', ...queries]));
  } catch (error) {
    throw describeFailure(error, cwd);
  }
  const [isBare, isInside, isShallow] = answers;
  if (isBare === 'true' || isInside !== 'true') {
    throw new UserError(
      'bare-repository',
      `${cwd} has no checked-out files: it is a bare repository, or inside \`.git\``,
      {
        hint: 'run this in a checkout',
      },
    );
  }
  const [root, prefix] = await Promise.all([
    git(['rev-parse', '--show-toplevel']).then(withoutLineEnd),
    git(['rev-parse', '--show-prefix']).then(withoutLineEnd),
  ]);
  const filters = await readFilters(createGit(root, env));
  return { git: createGit(root, env, filters), prefix, isShallow: isShallow === 'true' };
}

/**
 * @param {RunGit} git
 * @returns {Promise<string[]>} names of the filters that the configuration gives programs, wherever it is
 * @throws {UserError} of code `git-failed`, where one cannot be turned off by an argument
 */
async function readFilters(git) {
  /** @type {Buffer} */
  let output;
  try {
    output = await git(['config', '-z', '--name-only', '--get-regexp', '^filter\\.']);
  } catch (error) {
    // git answers with an exit code and without a word where there is none.
    if (error instanceof GitFailure && error.said === '') return [];
    throw error;
  }
  const keys = output.toString('utf8').split('\0');
  const names = new Set(keys.flatMap((key) => /^filter\.(.+)\.[^.]+$/s.exec(key)?.[1] ?? []));
  const wrong = [...names].find((name) => name.includes('='));
  if (wrong !== undefined) {
    throw new UserError('git-failed', `the git configuration defines a filter \`${wrong}\`, which cannot be disabled`, {
      hint: 'rename it to a name without `=`, or remove it from the git configuration',
    });
  }
  return [...names];
}

/**
 * @param {Repository} repository
 * @param {string} file as git has it: relative to the root
 * @returns {string} relative to the working directory, as paths are shown
 */
export function shownPath({ prefix }, file) {
  return path.posix.relative(prefix, file) || '.';
}

/**
 * @param {Repository} repository
 * @param {string} name of a branch, a tag or a commit
 * @returns {Promise<string | undefined>} the commit; undefined where there is none of that name
 */
export async function findCommit({ git }, name) {
  // git would take it for an option, and allows no such name (git-check-ref-format(1)).
  if (name === '' || name.startsWith('-')) return undefined;
  try {
    return withoutLineEnd(await git(['rev-parse', '--verify', '--quiet', `${name}^{commit}`]));
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

/** @param {unknown} error @param {string} cwd @returns {unknown} */
function describeFailure(error, cwd) {
  if (!(error instanceof GitFailure)) return error;
  if (error.said.includes('dubious ownership')) {
    return new UserError('unsafe-repository', `git does not trust ${cwd}: it belongs to another user`, {
      hint: `git config --global --add safe.directory ${shellWord(cwd)}`,
    });
  }
  if (/not a git repository/i.test(error.said)) {
    return new UserError('not-a-repository', `${cwd} is not inside a git repository`, {
      hint: 'run this in a checkout; `npx --no-install couch-advisor lint` works without git',
    });
  }
  return error;
}

/** @param {Buffer} output @returns {string} */
function withoutLineEnd(output) {
  return output.toString('utf8').replace(/\n$/, '');
}

/** @param {Buffer} output @returns {string[]} */
function linesOf(output) {
  return output.toString('utf8').trim().split('\n');
}
