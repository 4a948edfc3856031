// Reads a fixture as the source file that a reader receives.

import { readFileSync } from 'node:fs';
import { SourceFile } from './read-source.js';

/**
 * @param {string} path below `fixtures/`
 * @returns {SourceFile} under that path
 */
export function readFixture(path) {
  return new SourceFile(path, readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8'));
}
