// Folders of the cache: only those that nobody else can write or replace are used for what Node.js runs.

import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeOwnFolder } from '../../lib/engine/run/cache-file.js';

const top = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-own-'));
afterAll(() => rmSync(top, { recursive: true }));

// Windows has no such owners and modes.
describe.skipIf(process.platform === 'win32')('a folder', () => {
  test('is made for this user alone, with those above it', () => {
    const folder = path.join(top, 'made/compiled');
    expect(makeOwnFolder(folder)).toBe(true);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(makeOwnFolder(folder)).toBe(true);
  });

  test('that others may write is not used', () => {
    const folder = path.join(top, 'open');
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    expect(makeOwnFolder(folder)).toBe(false);
    expect(makeOwnFolder(path.join(folder, 'below'))).toBe(false);
  });

  test('in one where others may only add is used', () => {
    const folder = path.join(top, 'sticky');
    mkdirSync(folder);
    chmodSync(folder, 0o1777);
    expect(makeOwnFolder(path.join(folder, 'below'))).toBe(true);
  });

  test('of another user is not used', () => {
    const folder = path.join(top, 'of-another');
    mkdirSync(folder, { mode: 0o700 });
    expect(makeOwnFolder(folder, (process.getuid?.() ?? 0) + 1)).toBe(false);
  });

  test('that is a link, or cannot be made, is not used', () => {
    mkdirSync(path.join(top, 'real'), { mode: 0o700 });
    symlinkSync(path.join(top, 'real'), path.join(top, 'link'));
    expect(makeOwnFolder(path.join(top, 'link'))).toBe(false);
    expect(makeOwnFolder('/proc/none/compiled')).toBe(false);
  });
});
