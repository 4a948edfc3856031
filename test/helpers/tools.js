// Finds programs of others that a test drives, or gives the reason why the test is left out. Where .ci/run could
// install them all, none may be missing.

import { accessSync, constants } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

/** Where they are installed (test/tools/install-tools.sh). */
export const TOOLS_FOLDER = process.env['TEST_TOOLS'] ?? path.join(os.tmpdir(), 'couch-advisor-tools', 'bin');

const folders = [TOOLS_FOLDER, ...(process.env['PATH'] ?? '').split(path.delimiter)];

/**
 * @param {string} name
 * @returns {string | undefined} its path; undefined where it is missing and that is allowed
 * @throws {Error} where it is missing and should not be
 */
export function findTool(name) {
  for (const folder of folders) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not there.
    }
  }
  if (process.env['TEST_TOOLS_NEEDED'] === 'true') throw new Error(`${name} is missing; .ci/run installs it`);
  process.stderr.write(`tests of ${name} are left out: it is not installed (test/tools/install-tools.sh)\n`);
  return undefined;
}
