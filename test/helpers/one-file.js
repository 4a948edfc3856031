// Gives each file of tests a temporary folder of its own, and fails if it is not left empty.

import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, expect } from 'vitest';

// Programs that were installed for tests stay where they are.
process.env['TEST_TOOLS'] ??= path.join(os.tmpdir(), 'couch-advisor-tools', 'bin');

const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-tests-'));
// Some tests run the program as another user.
chmodSync(folder, 0o755);
for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;

// Hooks that are made first run last, behind those of the file.
afterAll(() => {
  const left = readdirSync(folder);
  rmSync(folder, { recursive: true, force: true });
  expect(left, 'left behind in the temporary folder').toEqual([]);
});
