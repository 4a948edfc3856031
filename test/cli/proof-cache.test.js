import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { cacheFolder, createProofCache } from '../../lib/cli/proof-cache.js';
import { CACHE_ENV } from '../helpers/cache-folder.js';
import { createProject } from '../helpers/temporary-project.js';

/** @import { Proof } from '../../lib/proof/proof.js' */

/** @type {Proof} */
const PROOF = { verdict: 'custom', basis: 'proved', trials: 3, steps: [] };
const PROOFS = path.join(CACHE_ENV.XDG_CACHE_HOME, process.platform === 'linux' ? 'couch-advisor' : '', 'proofs');

afterEach(() => rmSync(PROOFS, { recursive: true, force: true }));

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

test('what was kept is given back, and only for the same question', () => {
  const cache = createProofCache(path.dirname(PROOFS), '1.2.3');
  cache.set('sum of orders', PROOF);
  expect(cache.get('sum of orders')).toEqual(PROOF);
  expect(cache.get('sum of invoices')).toBeUndefined();
  expect(createProofCache(path.dirname(PROOFS), '1.2.3').get('sum of orders')).toEqual(PROOF);
});

test.each([
  ['half of it', (/** @type {string} */ text) => text.slice(0, text.length / 2)],
  ['nothing', () => ''],
  ['null', () => 'null'],
  ['the answer to another question', (/** @type {string} */ text) => text.replace('sum of orders', 'sum of others')],
  ['no verdict', (/** @type {string} */ text) => text.replace('"verdict"', '"word"')],
  ['a verdict that there is not', (/** @type {string} */ text) => text.replace('custom', 'perfect')],
  ['steps that are no lines', (/** @type {string} */ text) => text.replace('[]', '[{"toString":1}]')],
  ['trials that are no count', (/** @type {string} */ text) => text.replace(':3', ':"3"')],
  [
    'a counterexample without text',
    (/** @type {string} */ text) => text.replace('"trials"', '"counterexample":{},"trials"'),
  ],
  ['the answer of another version of the program', (/** @type {string} */ text) => text.replace('1.2.3', '1.2.2')],
  [
    'what a limit cut off',
    (/** @type {string} */ text) => text.replace('"trials"', '"cutOff":"the call took too long","trials"'),
  ],
  ['far too much', (/** @type {string} */ text) => text + ' '.repeat(5_000_000)],
])('an entry that holds %s is not used, and is written anew', (_, spoil) => {
  const cache = createProofCache(path.dirname(PROOFS), '1.2.3');
  cache.set('sum of orders', PROOF);
  const file = path.join(PROOFS, readdirSync(PROOFS)[0] ?? '');
  writeFileSync(file, spoil(readFileSync(file, 'utf8')));
  expect(cache.get('sum of orders')).toBeUndefined();
  cache.set('sum of orders', PROOF);
  expect(cache.get('sum of orders')).toEqual(PROOF);
});

test.skipIf(process.getuid?.() !== 0)('an entry that belongs to somebody else is not believed', () => {
  const cache = createProofCache(path.dirname(PROOFS), '1.2.3');
  cache.set('sum of orders', PROOF);
  chownSync(path.join(PROOFS, readdirSync(PROOFS)[0] ?? ''), 4242, 4242);
  expect(cache.get('sum of orders')).toBeUndefined();
});

test('what a limit cut off is known for the rest of the run, and written nowhere', () => {
  const cache = createProofCache(path.dirname(PROOFS), '1.2.3');
  const proof = { ...PROOF, cutOff: 'reduce: the call took more than 1 million steps' };
  cache.set('endless orders', proof);
  expect(existsSync(PROOFS)).toBe(false);
  expect(cache.get('endless orders')).toEqual(proof);
});

test('a folder that cannot be written to is no fault', () => {
  mkdirSync(path.dirname(PROOFS), { recursive: true });
  writeFileSync(PROOFS, 'a file in its place');
  const cache = createProofCache(path.dirname(PROOFS), '1.2.3');
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
  const lint = (/** @type {string[]} */ ...more) => project.run(['lint', '--format', 'json', ...more, 'orders.json']);
  const first = await lint();
  const [file = ''] = readdirSync(PROOFS);
  const entry = JSON.parse(readFileSync(path.join(PROOFS, file), 'utf8'));
  expect(entry.proof).toMatchObject({ verdict: 'equal', builtin: '_sum' });
  expect((await lint()).stdout).toBe(first.stdout);

  writeFileSync(path.join(PROOFS, file), JSON.stringify({ ...entry, proof: PROOF }));
  expect((await lint()).stdout).not.toContain('reduce/custom-sum');
  expect((await lint('--no-cache')).stdout).toBe(first.stdout);
});
