// Every family of attacks in full, with other random damage than the table of docs/security.md.

import { describe, expect, test } from 'vitest';
import { runFamily } from './attack.js';
import { FAMILIES } from './families.js';

describe.each(FAMILIES)('$id', (family) => {
  test(family.about, async () => {
    const { failures } = await runFamily(family, { isFull: true, seed: 2 });
    expect(failures.map(({ name, failure }) => `${name}: ${failure}`)).toEqual([]);
  });
});
