// A file in, its text out, or nothing where there is none.

import { readFileSync } from 'node:fs';

/**
 * @param {string} file
 * @returns {string} empty where it is not there or cannot be read
 */
export function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
