// Decides whether a symbolic link may be followed: only where what it leads to lies inside the project.

import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../shared/attempt.js';

/**
 * @param {string} cwd absolute
 * @param {string} absolutePath
 * @returns {string | undefined} where it really is, if a link below the working directory, or on the way to it, leads there; undefined where there is
 *   no link, or nothing
 */
export function linkTarget(cwd, absolutePath) {
  try {
    const real = realpathSync(absolutePath);
    const plain = path.resolve(realpathSync(cwd), path.relative(cwd, absolutePath));
    return real === plain ? undefined : real;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} folder absolute
 * @param {string} file absolute
 * @param {string} real what the file is without links
 * @returns {boolean} whether a link in the project around the folder leads to outside of that project
 */
export function leadsOut(folder, file, real) {
  const project = projectAround(folder);
  const plain = path.resolve(realOf(folder) ?? folder, path.relative(folder, file));
  return real !== plain && isWithin(project, plain) && !isWithin(project, real);
}

/**
 * @param {string} folder absolute
 * @returns {string} the repository that it is in; without one the folder itself, without links
 */
export function projectAround(folder) {
  const real = realOf(folder) ?? folder;
  for (let at = real; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return at;
    if (at === path.dirname(at)) return real;
  }
}

/**
 * @param {string} root absolute, without links
 * @param {string} real absolute, without links
 * @returns {boolean}
 */
export function isWithin(root, real) {
  const relative = path.relative(root, real);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** @param {string} file @returns {string | undefined} undefined where it does not exist */
export function realOf(file) {
  return attempt(() => realpathSync(file));
}
