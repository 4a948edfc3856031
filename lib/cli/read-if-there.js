// Reads files and checks folders that may be missing.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @param {string} file
 * @returns {string | undefined} undefined where it does not exist or cannot be read
 */
export function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * @param {string} file
 * @returns {boolean} false as well where it cannot be looked at: names may be too long, or hold what no name may
 */
export function isFolder(file) {
  return existsSync(`${file}${path.sep}`);
}
