// Finds files by a glob. The only user of tinyglobby.

import { mayRead } from './confinement.js';

/**
 * @param {string} pattern
 * @param {{cwd: string, ignore?: string[]}} options
 * @returns {Promise<string[]>} absolute; links to folders are not followed
 */
export async function findByGlob(pattern, { cwd, ignore = [] }) {
  // Most runs name no glob.
  const { glob } = await import('tinyglobby');
  const found = await glob(pattern, { cwd, ignore, absolute: true, followSymbolicLinks: false });
  return found.filter(mayRead);
}
