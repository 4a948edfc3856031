// Matches paths with globs, in the one dialect that configuration files use.

import { createRequire } from 'node:module';

/** @import picomatch from 'picomatch' */

/** @type {Map<string, (path: string) => boolean>} */
const matchers = new Map();

/**
 * @param {string} path with forward slashes
 * @param {string} glob `**` for any folders, `*` within a name, `{a,b}`; a glob without a slash is not searched in folders
 * @returns {boolean}
 */
export function matchesGlob(path, glob) {
  let matcher = matchers.get(glob);
  if (!matcher) {
    // Loaded when the first glob is used: most runs have none.
    const compile = /** @type {typeof picomatch} */ (createRequire(import.meta.url)('picomatch'));
    matcher = compile(glob, { dot: true });
    matchers.set(glob, matcher);
  }
  return matcher(path);
}
