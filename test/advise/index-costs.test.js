// How long indexes take to build: each document is read, and each row is written.

import { expect, test } from 'vitest';
import { costIndexes } from '../../lib/cli/commands/advise/index-costs.js';

const padded = (/** @type {number} */ bytes) =>
  Array.from({ length: 400 }, (_, at) => ({
    ...{ _id: String(at).padStart(5, '0'), customer: `c${at % 40}`, status: at % 50 === 0 ? 'open' : 'closed' },
    note: 'x'.repeat(bytes),
  }));

/** @param {object} about @param {object} [filter] @returns {Promise<number>} seconds */
async function secondsOf(about, filter) {
  const index = { fields: ['customer'], ...(filter ? { partial_filter_selector: filter } : {}) };
  const proposal = /** @type {any} */ ({
    id: 'one',
    change: { kind: 'create-index', database: 'shop', index },
    databases: { count: 1 },
  });
  const target = /** @type {any} */ ({ version: '3.5.2' });
  const { costs } = await costIndexes(
    [proposal],
    /** @type {any} */ ({ documents: padded(900), totalOf: () => 20_000, target, ...about }),
  );
  const { documents = 0, rate = 0, rates } = costs.get('one')?.deploy ?? {};
  expect(rates?.low).toBeLessThan(rate);
  expect(rates?.high).toBeGreaterThan(rate);
  return documents / rate;
}

test('a partial index is built faster, but reads every document', async () => {
  const [whole, part] = [await secondsOf({}), await secondsOf({}, { status: 'open' })];
  // 20,000 documents of 1 kB at 6,500 to 14,000 a second.
  expect(whole).toBeCloseTo(2.1, 1);
  expect(part / whole).toBeCloseTo(0.62 + 0.38 / 50, 1);
});

test('larger documents take longer', async () => {
  expect((await secondsOf({ documents: padded(9900) })) / (await secondsOf({}))).toBeCloseTo(1.7, 1);
});

test('a rate that was measured is that of the documents, with a row each', async () => {
  const rate = { perSecond: 4000, from: '--docs-per-second' };
  expect(await secondsOf({ rate })).toBeCloseTo(5, 3);
  expect(await secondsOf({ rate, documents: padded(9900) })).toBeCloseTo(5, 3);
  expect(await secondsOf({ rate }, { status: 'open' })).toBeCloseTo(5 * (0.62 + 0.38 / 50), 1);
});
