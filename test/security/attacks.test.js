// Tests how attacks are counted, and the page about them. `npm run test:long` runs a few attacks of every family,
// `npm run test:security` all of them.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runFamily } from './attack.js';
import { FAMILIES } from './families.js';
import { readTable } from './table.js';

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

/** @param {string} id @returns {number} */
function leastOf(id) {
  return FAMILIES.find((family) => family.id === id)?.least.full ?? Number.POSITIVE_INFINITY;
}
