// The families of attacks that run in one process, in short. `npm run test:security` runs all families in full.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { runFamily } from './attack.js';
import { FAMILIES } from './families.js';
import { readTable } from './table.js';

const TIMEOUT = 1_800_000;

/** The others start the program hundreds of times. */
const QUICK = new Set(['embedded-server', 'confirm-killed']);

describe.each(FAMILIES.filter(({ id }) => QUICK.has(id)))('$id', (family) => {
  test(
    family.about,
    async () => {
      const { failures } = await runFamily(family);
      expect(failures.map(({ name, failure }) => `${name}: ${failure}`)).toEqual([]);
    },
    TIMEOUT,
  );
});

test('a family that makes too few attempts, or whose attempt fails, is noticed', async () => {
  const attack = async function* () {
    yield { name: 'one', failure: 'a file was written' };
  };
  const family = { id: 'none', about: 'nothing', least: { short: 1, full: 2 }, attack };
  expect(await runFamily(family)).toMatchObject({ attempts: 1, failures: [{ name: 'one' }] });
  await expect(runFamily(family, { isFull: true })).rejects.toThrow('made 1 attempts');
});

test('the page explains each family, and its table shows no failure', () => {
  const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
  for (const { id } of FAMILIES) expect(page).toContain(`- **${id}**: `);
  const rows = readTable(page);
  expect(rows.filter(({ failures }) => failures > 0)).toEqual([]);
  for (const { id, attempts } of rows) expect(attempts).toBeGreaterThanOrEqual(leastOf(id));
});

test('the script explains itself and refuses what it does not know', () => {
  const script = new URL('run.js', import.meta.url).pathname;
  const run = (/** @type {string[]} */ ...args) =>
    execFileSync(process.execPath, [script, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  expect(run('--help')).toContain(`families: ${FAMILIES.map(({ id }) => id).join(' ')}`);
  for (const wrong of [['nothing'], ['--seed', 'x'], ['--write', '--short'], ['--wrong']])
    expect(() => run(...wrong)).toThrow(expect.objectContaining({ status: 2 }));
});

/** @param {string} id @returns {number} */
function leastOf(id) {
  return FAMILIES.find((family) => family.id === id)?.least.full ?? Number.POSITIVE_INFINITY;
}
