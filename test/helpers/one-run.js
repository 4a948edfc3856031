// Sets up one cache for all tests of a run, so that what was proved for one file is not proved again for the next. It
// is new in each run, as proofs of another version of the code, or of a user, must not be seen.

import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

/** @returns {() => void} what removes it */
export default function setup() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-cache-'));
  process.env['TEST_CACHE'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
