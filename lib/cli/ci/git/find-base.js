// Finds the commit that a change is compared with: the one where it left its target branch.

import { shellWord } from '../../../shared/shell-word.js';
import { UserError } from '../../../shared/user-error.js';
import { findCommit } from './repository.js';
import { GitFailure } from './run-git.js';

/** @import { Repository } from './repository.js' */

/** @typedef {{name: string, from: string, isRemote?: boolean}} Candidate `from`: who says so; `isRemote`: a branch of `origin` */
/** @typedef {{name: string, commit: string}} Base `name`: as it was given; `commit`: where the change begins */

/** What a pipeline says where there is no commit before. */
const NO_COMMIT = /^0+$/;

/**
 * @param {Repository} repository
 * @param {{base?: string | undefined, env: Record<string, string | undefined>}} wish `base`: what the user named
 * @returns {Promise<Base>}
 * @throws {UserError} of code `no-history`, `bad-base`, `shallow-clone`, `no-base` or `no-merge-base`
 */
export async function findBase(repository, { base, env }) {
  const head = await findCommit(repository, 'HEAD');
  if (head === undefined) {
    throw new UserError('no-history', 'the repository has no commits yet, so there is nothing to compare with', {
      hint: 'commit first, or use `npx --no-install couch-advisor lint`',
    });
  }
  const candidate = candidateOf(base, env);
  const commit = await findCandidate(repository, candidate);
  if (commit === undefined) throw missing(repository, candidate);
  const common = await mergeBase(repository, head, commit);
  if (common === undefined) throw noMergeBase(repository, candidate);
  return { name: candidate.name, commit: common };
}

/**
 * @param {string | undefined} base
 * @param {Record<string, string | undefined>} env of GitHub Actions (docs.github.com, variables) or GitLab CI (docs.gitlab.com,
 *   predefined variables)
 * @returns {Candidate}
 */
function candidateOf(base, env) {
  if (base !== undefined && !NO_COMMIT.test(base)) return { name: base, from: '--base' };
  const variables = ['GITHUB_BASE_REF', 'CI_MERGE_REQUEST_DIFF_BASE_SHA', 'CI_MERGE_REQUEST_TARGET_BRANCH_NAME'];
  for (const from of variables) {
    const name = env[from];
    if (name) return { name, from, isRemote: from !== 'CI_MERGE_REQUEST_DIFF_BASE_SHA' };
  }
  return { name: 'origin/HEAD', from: 'no --base' };
}

/**
 * @param {Repository} repository
 * @param {Candidate} candidate
 * @returns {Promise<string | undefined>}
 */
async function findCandidate(repository, { name, isRemote }) {
  const remote = isRemote ? await findCommit(repository, `refs/remotes/origin/${name}`) : undefined;
  return remote ?? findCommit(repository, name);
}

/**
 * @param {Repository} repository
 * @param {string} head
 * @param {string} commit
 * @returns {Promise<string | undefined>} undefined where they have no common history here
 */
async function mergeBase({ git }, head, commit) {
  try {
    return (await git(['merge-base', head, commit])).toString('utf8').trim() || undefined;
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

/**
 * @param {Repository} repository
 * @param {Candidate} candidate
 * @returns {UserError}
 */
function missing({ isShallow }, { name, from }) {
  if (isShallow) return shallow(`\`${name}\` (${from}) is not part of this shallow clone`);
  if (from === 'no --base') {
    return new UserError('no-base', 'cannot determine the base to compare with: there is no `origin/HEAD`', {
      hint: 'use `npx --no-install couch-advisor ci --base main`, or run `git remote set-head origin --auto`',
    });
  }
  return new UserError('bad-base', `\`${name}\` (${from}) is not a branch, tag or commit of this repository`, {
    hint:
      from === '--base'
        ? '`git branch --all` lists the branches'
        : `fetch it first: git fetch origin ${shellWord(name)}`,
  });
}

/**
 * @param {Repository} repository
 * @param {Candidate} candidate
 * @returns {UserError}
 */
function noMergeBase({ isShallow }, { name }) {
  if (isShallow) return shallow(`the merge base with \`${name}\` is not part of this shallow clone`);
  return new UserError('no-merge-base', `\`${name}\` and the checked-out commit have no common history`, {
    hint: 'set the commit to compare with: --base',
  });
}

/** @param {string} message @returns {UserError} */
function shallow(message) {
  return new UserError('shallow-clone', message, {
    hint: 'fetch the full history: `fetch-depth: 0` for actions/checkout, `GIT_DEPTH: 0` in GitLab, `git fetch --unshallow` elsewhere',
  });
}
