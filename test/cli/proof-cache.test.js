import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { version } from '../../lib/cli/version.js';
import { readOwnFile, seal, unseal, writeOwnFile } from '../../lib/engine/run/cache-file.js';
import { cacheFolder } from '../../lib/engine/run/cache-folder.js';
import { createProofCache } from '../../lib/engine/run/proof-cache.js';
import { PACKAGE_FOLDER } from '../../lib/package-folder.js';
import { CACHE_ENV } from '../helpers/cache-folder.js';
import { createProject } from '../helpers/temporary-project.js';

// These tests look into the cache and empty it: it must be theirs alone.
vi.hoisted(() => delete globalThis.process.env['TEST_CACHE']);
afterAll(() => rmSync(CACHE_ENV.HOME, { recursive: true, force: true }));

/** @import { Proof } from '../../lib/proof/proof.js' */

/** @type {Proof} */
const PROOF = { verdict: 'custom', basis: 'proved', trials: 3, steps: [] };
const PROOFS = path.join(CACHE_ENV.XDG_CACHE_HOME, process.platform === 'linux' ? 'couch-advisor' : '', 'proofs');

/** Else a second run would take its findings, and no proof. */
const forgetReports = () => rmSync(path.join(path.dirname(PROOFS), 'reports'), { recursive: true, force: true });

afterEach(() => {
  rmSync(PROOFS, { recursive: true, force: true });
  forgetReports();
});

test.each([
  ['couch-advisor.github.yml', '~/.cache/couch-advisor/proofs'],
  ['couch-advisor-comment.github.yml', '~/.cache/couch-advisor/proofs'],
  ['couch-advisor.gitlab-ci.yml', '.cache/couch-advisor/proofs/'],
])('the template %s keeps proofs between runs, and no compiled code', (name, kept) => {
  const text = readFileSync(path.join(PACKAGE_FOLDER, 'share/templates', name), 'utf8');
  const paths = [...text.matchAll(/^ +(?:path: |- )(\S*\.cache\S*)$/gm)].map(([, found]) => found);
  expect(paths).toEqual([kept]);
});

test.each(
  /** @type {const} */ ([
    ['linux', { HOME: '/home/mara' }, '/home/mara/.cache/couch-advisor'],
    ['linux', { HOME: '/home/mara', XDG_CACHE_HOME: '/var/cache/mara' }, '/var/cache/mara/couch-advisor'],
    ['linux', { HOME: '/home/mara', XDG_CACHE_HOME: '' }, '/home/mara/.cache/couch-advisor'],
    ['darwin', { HOME: '/Users/mara' }, '/Users/mara/Library/Caches/couch-advisor'],
    ['win32', { LOCALAPPDATA: 'C:/Users/mara/AppData/Local' }, 'C:/Users/mara/AppData/Local/couch-advisor'],
  ]),
)('the cache folder on %s with %j is %s', (platform, env, folder) => {
  expect(cacheFolder(env, platform).replaceAll('\\', '/')).toBe(folder);
});

test.skipIf(process.platform !== 'linux')('a folder that cannot be made keeps nothing, and ends', () => {
  const cache = createProofCache('/proc/couch-advisor', '0.1.0');
  cache.set('sum of orders', PROOF);
  expect(cache.get('sum of orders')).toBeUndefined();
});

test('what was kept is given back, and only for the same question', () => {
  const cache = createProofCache(path.dirname(PROOFS), '0.1.0');
  cache.set('sum of orders', PROOF);
  expect(cache.get('sum of orders')).toEqual(PROOF);
  expect(cache.get('sum of invoices')).toBeUndefined();
  expect(createProofCache(path.dirname(PROOFS), '0.1.0').get('sum of orders')).toEqual(PROOF);
});

test.each([
  ['half of it', (/** @type {string} */ text) => text.slice(0, text.length / 2)],
  ['nothing', () => ''],
  ['null', () => 'null'],
  ['the answer to another question', (/** @type {string} */ text) => text.replace('sum of orders', 'sum of others')],
  ['another verdict', (/** @type {string} */ text) => text.replace('custom', 'equal')],
  [
    'no verdict',
    (/** @type {string} */ text) => {
      const { question } = unseal('0.1.0', text);
      return seal('0.1.0', { question, proof: {} });
    },
  ],
  ['what another version wrote', (/** @type {string} */ text) => seal('0.2.0', unseal('0.1.0', text))],
])('an entry that holds %s is not used, and is written again', (_, spoil) => {
  const cache = createProofCache(path.dirname(PROOFS), '0.1.0');
  cache.set('sum of orders', PROOF);
  const file = path.join(PROOFS, readdirSync(PROOFS)[0] ?? '');
  writeFileSync(file, spoil(readFileSync(file, 'utf8')));
  expect(cache.get('sum of orders')).toBeUndefined();
  cache.set('sum of orders', PROOF);
  expect(cache.get('sum of orders')).toEqual(PROOF);
});

test.skipIf(process.getuid?.() !== 0)('an entry that belongs to somebody else is not believed', () => {
  const cache = createProofCache(path.dirname(PROOFS), '0.1.0');
  cache.set('sum of orders', PROOF);
  chownSync(path.join(PROOFS, readdirSync(PROOFS)[0] ?? ''), 4242, 4242);
  expect(cache.get('sum of orders')).toBeUndefined();
});

test('what a limit of steps cut off is kept: it would be cut off there again', () => {
  const proof = { ...PROOF, cutOff: 'reduce: the call took more than 1 million steps' };
  createProofCache(path.dirname(PROOFS), '0.1.0').set('long orders', proof);
  expect(createProofCache(path.dirname(PROOFS), '0.1.0').get('long orders')).toEqual(proof);
});

test('what a limit of time or memory cut off is known for the rest of the run, and written nowhere', () => {
  const cache = createProofCache(path.dirname(PROOFS), '0.1.0');
  const proof = { ...PROOF, cutOff: 'reduce: out of memory', mayDiffer: true };
  cache.set('endless orders', proof);
  expect(existsSync(PROOFS)).toBe(false);
  expect(cache.get('endless orders')).toEqual(proof);
});

test('a folder that cannot be written to is no fault', () => {
  mkdirSync(path.dirname(PROOFS), { recursive: true });
  writeFileSync(PROOFS, 'a file in its place');
  const cache = createProofCache(path.dirname(PROOFS), '0.1.0');
  expect(() => cache.set('sum of orders', PROOF)).not.toThrow();
  expect(cache.get('sum of orders')).toBeUndefined();
  rmSync(PROOFS);
});

test('lint keeps its proofs, uses them, and makes them anew with --no-cache', async () => {
  const view = {
    map: 'function (doc) { emit(doc.customer, 1); }',
    reduce: 'function (keys, values) { return sum(values); }',
  };
  const project = createProject({ 'orders.json': { _id: '_design/orders', views: { totals: view } } });
  const lint = (/** @type {string[]} */ ...more) => {
    forgetReports();
    return project.run(['lint', '--format', 'json', ...more, 'orders.json']);
  };
  const first = await lint();
  const read = (/** @type {string} */ name) => unseal(version(), readFileSync(path.join(PROOFS, name), 'utf8'));
  // What was seen on documents that were made for the map is kept beside it.
  const file = readdirSync(PROOFS).find((name) => 'builtin' in read(name).proof) ?? '';
  const entry = read(file);
  expect(entry.proof).toMatchObject({ verdict: 'equal', builtin: '_sum' });
  expect((await lint()).stdout).toBe(first.stdout);

  const planted = seal(version(), { ...entry, proof: PROOF });
  writeFileSync(path.join(PROOFS, file), planted);
  expect((await lint()).stdout).not.toContain('reduce/custom-sum');
  expect((await lint('--no-cache')).stdout).toBe(first.stdout);

  // The same, where somebody else may have written it.
  writeFileSync(path.join(PROOFS, file), planted);
  chmodSync(path.join(PROOFS, file), 0o666);
  expect((await lint()).stdout).toBe(first.stdout);
  if (process.getuid?.() !== 0) return;
  writeFileSync(path.join(PROOFS, file), planted);
  chmodSync(path.join(PROOFS, file), 0o600);
  chownSync(path.join(PROOFS, file), 4321, 4321);
  expect((await lint()).stdout).toBe(first.stdout);
});

describe.skipIf(process.platform === 'win32')('a file of the cache', () => {
  test('is read by the user that wrote it, and by nobody else', () => {
    const file = path.join(PROOFS, 'own.json');
    expect(writeOwnFile(file, 'orders')).toBe(true);
    expect(readOwnFile(file)).toBe('orders');
    expect(readOwnFile(file, 4321)).toBeUndefined();
  });

  test.each([0o660, 0o606, 0o666])('that others may write to (%o) is not read', (mode) => {
    const file = path.join(PROOFS, 'shared.json');
    writeOwnFile(file, 'orders');
    chmodSync(file, mode);
    expect(readOwnFile(file)).toBeUndefined();
  });

  test('is not read through a link, and a link is replaced and not followed', () => {
    const [file, target] = [path.join(PROOFS, 'link.json'), path.join(PROOFS, 'target.json')];
    writeOwnFile(target, 'stock');
    symlinkSync(target, file);
    expect(readOwnFile(file)).toBeUndefined();
    expect(writeOwnFile(file, 'orders')).toBe(true);
    expect([readOwnFile(file), readOwnFile(target)]).toEqual(['orders', 'stock']);
  });

  test('that is a pipe is not waited for', () => {
    const file = path.join(PROOFS, 'pipe.json');
    mkdirSync(PROOFS, { recursive: true });
    execFileSync('mkfifo', [file]);
    expect(readOwnFile(file)).toBeUndefined();
  });

  test('is written so that nobody else reads it', () => {
    const file = path.join(PROOFS, 'new.json');
    writeOwnFile(file, 'orders');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(PROOFS)).toEqual(['new.json']);
  });
});
