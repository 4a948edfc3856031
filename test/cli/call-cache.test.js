// What is read of an application's code is kept between runs, with a digest of all of it.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { cacheFolder } from '../../lib/engine/run/cache-folder.js';
import { MappedText } from '../../lib/shared/mapped-text.js';
import { foldCalls, unfoldCalls } from '../../lib/sources/kept-calls.js';
import { openSources } from '../../lib/sources/open.js';
import { CACHE_ENV } from '../helpers/cache-folder.js';
import { SourceFile } from '../helpers/read-source.js';
import { createProject } from '../helpers/temporary-project.js';

// This test looks into the cache: it must be its alone.
vi.hoisted(() => delete globalThis.process.env['TEST_CACHE']);
afterAll(() => rmSync(CACHE_ENV.HOME, { recursive: true, force: true }));

const CALLS = path.join(cacheFolder(CACHE_ENV), 'calls');
const SHOP = `const shop = require('nano')(process.env.COUCH_URL).use('shop');
exports.load = async (ids) => { for (const id of ids) await shop.get(id); };
shop.createIndex({ index: { fields: ['status'] } });
other.db.get('1');
`;

/** @returns {string[]} */
function kept() {
  try {
    return readdirSync(CALLS).map((name) => path.join(CALLS, name));
  } catch {
    return [];
  }
}

test('code that has not changed is not read again, and a damaged file of the cache counts as absent', async () => {
  const project = createProject({ 'shop.js': SHOP, 'empty.js': '' });
  const lint = (/** @type {string[]} */ ...more) => project.run(['lint', '--format', 'json', ...more]);
  const fresh = await lint('--no-cache');
  expect(kept()).toEqual([]);
  expect(await lint()).toEqual(fresh);
  const [file = ''] = kept();
  const whole = readFileSync(file, 'utf8');
  rmSync(path.join(CALLS, '..', 'reports'), { recursive: true, force: true });
  expect(await lint()).toEqual(fresh);
  // Not written again: it was used.
  expect(readFileSync(file, 'utf8')).toBe(whole);
  for (const damaged of ['', whole.slice(0, -20), whole.replace('shop.js', 'stop.js')]) {
    writeFileSync(file, damaged);
    rmSync(path.join(CALLS, '..', 'reports'), { recursive: true, force: true });
    expect(await lint()).toEqual(fresh);
    expect(readFileSync(file, 'utf8')).toBe(whole);
  }
});

test('what is kept is what was read', async () => {
  const project = createProject({ 'shop.js': SHOP });
  /** @type {Map<string, string>} */
  const memory = new Map();
  const calls = {
    get: (/** @type {string} */ key) => JSON.parse(memory.get(key) ?? 'null'),
    set: (/** @type {string} */ key, /** @type {unknown} */ read) => memory.set(key, JSON.stringify(read)),
  };
  const open = () => openSources({ paths: [], cwd: project.cwd, calls });
  const first = await open();
  const second = await open();
  expect(memory.size).toBe(1);
  expect(second).toEqual(first);
  project.write({ 'shop.js': SHOP.replace('get(id)', 'head(id)') });
  expect((await open()).records.flatMap((record) => (record.kind === 'call' ? record.method : []))).toContain('head');
  expect(memory.size).toBe(2);
});

test('code with a password is read each time', async () => {
  const project = createProject({
    'shop.js': "require('nano')('https://amy:hunter2@couch.example.org').use('shop').list();",
  });
  const before = kept().length;
  await project.run(['lint']);
  expect(kept()).toHaveLength(before);
});

test('what JSON would change is not kept', () => {
  const file = new SourceFile('shop.js', 'const a = 1;');
  const read = (/** @type {any} */ value) => ({
    records: [value],
    notes: [],
    without: [],
    unseen: [],
    unseenFiles: [file],
    clientFiles: 1,
  });
  for (const value of [Number.POSITIVE_INFINITY, [undefined], /a/]) expect(foldCalls(read(value))).toBeUndefined();
  const whole = read({ file, text: MappedText.raw(file), settings: new Map([['a', 1]]) });
  expect(unfoldCalls(JSON.parse(JSON.stringify(foldCalls(whole))), () => file)).toEqual(whole);
  for (const other of [undefined, null, {}, { files: [] }, { files: [], read: { records: 1 } }])
    expect(unfoldCalls(other, () => file)).toBeUndefined();
});
