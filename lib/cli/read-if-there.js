// Reads a file that may be missing.

import { readFileSync } from 'node:fs';

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
