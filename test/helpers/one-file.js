// Gives each file of tests a temporary folder of its own, and fails if it is not left empty.

import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, expect } from 'vitest';

// Programs that were installed for tests stay where they are.
process.env['TEST_TOOLS'] ??= path.join(os.tmpdir(), 'couch-advisor-tools', 'bin');

const NAMES = ['TMPDIR', 'TEMP', 'TMP'];
const before = NAMES.map((name) => /** @type {const} */ ([name, process.env[name]]));
const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-tests-'));
// Some tests run the program as another user.
chmodSync(folder, 0o755);
for (const name of NAMES) process.env[name] = folder;

// Hooks that are made first run last, behind those of the file.
afterAll(() => {
  // Files run one after another in the same process.
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  const left = readdirSync(folder);
  rmSync(folder, { recursive: true, force: true });
  expect(left, 'left behind in the temporary folder').toEqual([]);
});
