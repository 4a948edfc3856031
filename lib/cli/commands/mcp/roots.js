// Finds a path of a call in the folders that may be read. What lies elsewhere is refused, whatever links say.

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWithin, realOf } from '../../../files/links.js';
import { attempt } from '../../../shared/attempt.js';
import { UserError } from '../../../shared/user-error.js';
import { pathFrom } from '../../prepare.js';

/**
 * @param {unknown} roots as the client lists them
 * @returns {string[]} folders, absolute
 */
export function foldersOf(roots) {
  if (!Array.isArray(roots)) return [];
  return roots.flatMap((root) => {
    return attempt(() => [fileURLToPath(root.uri)], []);
  });
}

/**
 * @param {string[][]} lists of paths or globs, of which each is absolute or relative to a root
 * @param {readonly string[]} roots absolute
 * @returns {{cwd: string, lists: string[][]}} the root that they are in, and the paths from there
 * @throws {UserError} where one lies outside, or they are in several roots
 */
export function locatePaths(lists, roots) {
  const found = lists.map((list) => list.map((given) => locate(given, roots)));
  const cwd = found.flat()[0]?.root ?? roots[0];
  if (cwd === undefined) throw noRoot();
  if (found.flat().some(({ root }) => root !== cwd)) {
    throw new UserError('several-roots', 'the paths of one call must be in one root', {
      hint: 'call once for each root',
    });
  }
  return { cwd, lists: found.map((list) => list.map(({ file }) => pathFrom(cwd, file))) };
}

/**
 * @param {string} given
 * @param {readonly string[]} roots
 * @returns {{root: string, file: string}} the root that it is in, and the path, absolute
 * @throws {UserError}
 */
function locate(given, roots) {
  if (roots.length === 0) throw noRoot();
  // In a glob a step up may stand in braces.
  const climbs = given.split(/[\\/{},()|]/).includes('..') || given.includes('\0');
  const all = roots.map((root) => {
    const real = realOf(path.resolve(root, given));
    const isInside = isWithin(root, path.resolve(root, given));
    const realRoot = realOf(root) ?? root;
    // The root may be named by a link, and the file without it.
    const file =
      isInside || real === undefined ? path.resolve(root, given) : path.resolve(root, path.relative(realRoot, real));
    return {
      root,
      file,
      isThere: real !== undefined,
      isAllowed: real === undefined ? isInside : isWithin(realRoot, real),
    };
  });
  const allowed = climbs ? [] : all.filter(({ isAllowed }) => isAllowed);
  const [found = allowed[0]] = allowed.filter(({ isThere }) => isThere);
  if (found) return found;
  throw new UserError('outside-roots', `${given} is outside of the folders that may be read`, {
    hint: `these may be read: ${roots.join(', ')}`,
  });
}

/** @returns {UserError} */
function noRoot() {
  return new UserError('no-root', 'no folder may be read', {
    hint: 'the client must name a root, or the command a folder: `npx --no-install couch-advisor mcp FOLDER`',
  });
}
