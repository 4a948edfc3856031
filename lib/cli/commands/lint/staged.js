// Reads the files of `lint --staged`: those that the next commit adds or changes, as the git index has them.

import path from 'node:path';
import { OverlayTree } from '../../../sources/overlay-tree.js';
import { mayBeSource } from '../../../sources/read-file.js';
import { openRepository } from '../../ci/git/repository.js';
import { readIndexState } from '../../ci/git/states.js';

/** @import { DiskTree } from '../../../sources/disk-tree.js' */
/** @import { Surroundings } from '../../main.js' */

/** @typedef {{named: string[], tree?: DiskTree}} Staged `tree`: the checkout as the commit will have it */

/**
 * @param {string[]} paths files or folders that were named; all where there are none
 * @param {Pick<Surroundings, 'cwd' | 'env'>} surroundings
 * @returns {Promise<Staged>}
 * @throws {import('../../../shared/user-error.js').UserError} where there is no repository
 */
export async function readStagedFiles(paths, { cwd, env }) {
  const repository = await openRepository(cwd, env);
  const { overlay, staged } = await readIndexState(repository, mayBeSource);
  const wanted = paths.map((one) => path.relative(cwd, path.resolve(cwd, one)).replaceAll(path.sep, '/'));
  const isWanted = (/** @type {string} */ file) =>
    wanted.length === 0 || wanted.some((one) => one === '' || file === one || file.startsWith(`${one}/`));
  return { named: staged.filter(isWanted), tree: new OverlayTree(cwd, overlay) };
}
