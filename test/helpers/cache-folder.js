// Sets the cache folder of the program in tests: that of the run (one-run.js), or of this process where no tests are
// run.

import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

const folder = process.env['TEST_CACHE'] ?? ownFolder();

/** @returns {string} gone when the process ends */
function ownFolder() {
  const made = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-cache-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** What a command line needs to find it. */
export const CACHE_ENV = { XDG_CACHE_HOME: folder, HOME: folder, LOCALAPPDATA: folder };
