// A cache folder of this test process: proofs of another version of the code, or of a user, must not be seen.

import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-cache-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** What a command line needs to find it. */
export const CACHE_ENV = { XDG_CACHE_HOME: folder, HOME: folder, LOCALAPPDATA: folder };
