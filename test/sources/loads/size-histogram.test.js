// Quantiles of sizes: exact for small ones, within half a percent for all.

import { expect, test } from 'vitest';
import { SizeHistogram } from '../../../lib/sources/loads/size-histogram.js';
import fc from '../../helpers/property.js';

test('there are no quantiles of nothing', () => {
  expect(new SizeHistogram().quantile(0.5)).toBeUndefined();
});

test('the median of small sizes is exact', () => {
  const sizes = new SizeHistogram();
  for (const size of [1, 5, 3, 255, 4]) sizes.add(size);
  expect([sizes.quantile(0), sizes.quantile(0.5), sizes.quantile(1), sizes.max, sizes.count]).toEqual([
    1, 4, 255, 255, 5,
  ]);
});

test('quantiles of any sizes are at most half a percent too small', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 2 ** 40 }), { minLength: 1 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (list, share) => {
        const sizes = new SizeHistogram();
        for (const size of list) sizes.add(size);
        const exact =
          list.toSorted((first, second) => first - second)[Math.max(1, Math.ceil(share * list.length)) - 1] ?? 0;
        const told = sizes.quantile(share) ?? -1;
        expect(told).toBeLessThanOrEqual(exact);
        expect(told).toBeGreaterThanOrEqual(exact * (1 - 1 / 128));
      },
    ),
  );
});
