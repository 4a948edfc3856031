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
    matcher = load()(glob, { dot: true });
    matchers.set(glob, matcher);
  }
  return matcher(path);
}

/** @param {string} glob @returns {string} a regular expression for what it matches */
export function sourceOfGlob(glob) {
  return load().makeRe(glob, { dot: true }).source;
}

/** @returns {typeof picomatch} loaded when the first glob is used: most runs have none */
function load() {
  return createRequire(import.meta.url)('picomatch');
}
