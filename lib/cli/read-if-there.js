// Reads files and checks folders that may be missing.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { readTextFile } from '../files/open-file.js';
import { attempt } from '../shared/attempt.js';

/**
 * @param {string} file
 * @returns {string | undefined} undefined where it does not exist or cannot be read
 */
export function readIfThere(file) {
  return attempt(() => readTextFile(file));
}

/**
 * @param {string} file
 * @returns {boolean} false as well where it cannot be looked at: names may be too long, or hold what no name may
 */
export function isFolder(file) {
  return existsSync(`${file}${path.sep}`);
}
