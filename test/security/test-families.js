// Runs a few attacks of families as tests; `npm run test:security` runs them in full.

import { describe, expect, test } from 'vitest';
import { runFamily } from './attack.js';
import { FAMILIES } from './families.js';

/** @param {(family: typeof FAMILIES[number], at: number) => boolean} isWanted */
export function testFamilies(isWanted) {
  describe.each(FAMILIES.filter(isWanted))('$id', (family) => {
    test(family.about, async () => {
      const { failures } = await runFamily(family);
      expect(failures.map(({ name, failure }) => `${name}: ${failure}`)).toEqual([]);
    });
  });
}
