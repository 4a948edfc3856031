// What a deploy of indexes takes, from their sizes.

import { describe, expect, test } from 'vitest';
import { deployCost } from '../../lib/shared/deploy-cost.js';

const GB = 1e9;
const index = { oldBytes: 2 * GB, buildBytes: { low: 2 * GB, high: 4 * GB }, newBytes: GB };

describe('the cost of a deploy', () => {
  test('is old index, new index and the file of its compaction at the peak', () => {
    expect(deployCost([index])).toMatchObject({
      peakBytes: { low: 5 * GB, high: 7 * GB },
      moreBytes: { low: 3 * GB, high: 5 * GB },
      lastingBytes: -GB,
      fits: undefined,
    });
  });

  test('of several indexes has one compaction at a time', () => {
    expect(deployCost([index, { ...index, newBytes: 3 * GB }]).moreBytes).toEqual({ low: 7 * GB, high: 11 * GB });
  });

  test('of no index is nothing', () => {
    expect(deployCost([], 0)).toMatchObject({
      moreBytes: { low: 0, high: 0 },
      lastingBytes: 0,
      buildSeconds: 0,
      fits: true,
    });
  });

  test.each([
    [{ documents: 1000, rate: 50 }, 20],
    [{ documents: 1000 }, undefined],
    [{ rate: 50 }, undefined],
    [{ documents: 1000, rate: 0 }, undefined],
  ])('takes the time of %j: %s s', (speed, seconds) => {
    expect(deployCost([{ ...index, ...speed }]).buildSeconds).toBe(seconds);
  });

  test.each([
    ['at most what is free', [index], 5 * GB, true, '5.0 GB at most, and 5.0 GB are free'],
    ['a guess', [index, { ...index, isGuessed: true }], 50 * GB, undefined, 'the files of a build can be larger'],
    ['perhaps more', [index], 4 * GB, undefined, '3.0 GB to 5.0 GB, and 4.0 GB are free; run `_view_cleanup` first'],
    ['more', [index], 2 * GB, false, 'at least 3.0 GB, and only 2.0 GB are free; run `_view_cleanup` first'],
    ['more at once but not in steps', [index, index], 5 * GB - 1, false, 'run `_view_cleanup` first'],
    ['more at once, but in steps', [index, index, index], 5 * GB, false, 'one design document at a time'],
  ])('that is %s', (_, indexes, free, fits, reason) => {
    const cost = deployCost(indexes, free);
    expect(cost.fits).toBe(fits);
    expect(cost.reason).toContain(reason);
  });
});
