// Every family of attacks in full, with other random damage than the table of docs/security.md.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runFamily } from './attack.js';
import { FAMILIES } from './families.js';
import { readTable } from './table.js';

describe.each(FAMILIES)('$id', (family) => {
  test(family.about, async () => {
    const { failures } = await runFamily(family, { isFull: true, seed: 2 });
    expect(failures.map(({ name, failure }) => `${name}: ${failure}`)).toEqual([]);
  });
});

test('the table of docs/security.md has a row for each family', () => {
  const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
  expect(readTable(page).map(({ id }) => id)).toEqual(FAMILIES.map(({ id }) => id));
});
