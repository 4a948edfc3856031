// Finds where npm can install this program from, so that a project runs exactly this one: a name in a registry may be
// anybody's.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { PACKAGE_FOLDER } from '../../../package-folder.js';
import { createGit } from '../../ci/git/run-git.js';

/**
 * @param {Record<string, string | undefined>} env
 * @param {string} [folder] of the program
 * @returns {Promise<{address: string} | {folder: string}>} `git+https://git.example/couch-advisor.git#5a1c…` of a checkout with a remote, else its
 *   folder
 */
export async function findOrigin(env, folder = PACKAGE_FOLDER) {
  const own = { folder: folder.replace(/[\\/]$/, '') };
  // A folder in somebody else's checkout is not one.
  if (!existsSync(path.join(folder, '.git'))) return own;
  try {
    const git = createGit(folder, env);
    const remote = gitAddress(String(await git(['remote', 'get-url', 'origin'])).trim());
    const commit = String(await git(['rev-parse', 'HEAD'])).trim();
    return remote === undefined ? own : { address: `${remote}#${commit}` };
  } catch {
    return own;
  }
}

/**
 * @param {string} remote as git has it
 * @returns {string | undefined} as npm takes it (docs.npmjs.com, package.json, git URLs), without credentials; undefined where it is
 *   only of use on this machine
 */
function gitAddress(remote) {
  const [, user = 'git', host, folder] = /^(?:([\w.-]+)@)?([\w.-]+):(?!\/\/)(.+)$/.exec(remote) ?? [];
  if (host !== undefined) return `git+ssh://${user}@${host}/${folder}`;
  if (!URL.canParse(remote) || !/^(?:https?|ssh|git):$/.test(new URL(remote).protocol)) return undefined;
  const url = new URL(remote);
  url.password = '';
  if (url.protocol !== 'ssh:') url.username = '';
  return url.protocol === 'git:' ? url.href : `git+${url.href}`;
}
