// Ids of every kind are told for what they are, and never for the reverse.

import { describe, expect, test } from 'vitest';
import { kindOfIds } from '../../../lib/facts/load/id-kind.js';
import { makeIds, ORDERED_KINDS, RANDOM_KINDS } from '../../helpers/make-ids.js';
import fc from '../../helpers/property.js';

/**
 * @param {string[]} ids
 * @returns {ReturnType<typeof kindOfIds>}
 */
function kindOf(ids) {
  return kindOfIds({ first: ids.slice(0, 512), sample: ids.map((id, at) => ({ id, at })) });
}

const seeds = fc.integer({ min: 0, max: 2 ** 31 });
const counts = fc.integer({ min: 200, max: 1500 });

describe('the kind of ids', () => {
  test.each([...RANDOM_KINDS, ...ORDERED_KINDS, 'uuid1', 'natural'])('is told: %s', (kind) => {
    fc.assert(
      fc.property(seeds, counts, (seed, count) => {
        expect(kindOf(makeIds(kind, count, seed))).toBe(kind);
      }),
      { numRuns: 40 },
    );
  });

  test.each(['customer', '', '0x', '1e3', '-1', '１２'])('is that of the others where one id is %j', (odd) => {
    const ids = Array.from({ length: 100 }, (_, at) => (at === 5 ? odd : String(1000 + at)));
    expect(kindOf(ids)).toBe('sequence');
    expect(kindOf(ids.map((id) => `order:${id}`))).toBe('prefixedSequence');
  });

  test('is told of ObjectIds whose first 18 digits happen to be decimal', () => {
    expect(kindOf(makeIds('objectid', 200, 1014445100))).toBe('objectid');
    expect(
      kindOf(Array.from({ length: 256 }, (_, count) => `662a1f301234567890${(0x123400 + count).toString(16)}`)),
    ).toBe('objectid');
  });

  test.each(RANDOM_KINDS)('is never one that comes in order: %s, sorted or not, with a prefix or without', (kind) => {
    fc.assert(
      fc.property(
        seeds,
        fc.integer({ min: 20, max: 400 }),
        fc.constantFrom('', 'order:', 'order-', 'shop/order/'),
        fc.boolean(),
        (seed, count, prefix, isSorted) => {
          const ids = makeIds(kind, count, seed).map((id) => prefix + id);
          expect(ORDERED_KINDS).not.toContain(kindOf(isSorted ? ids.toSorted() : ids));
        },
      ),
      { numRuns: 150 },
    );
  });

  test.each(ORDERED_KINDS)('is never a random one: %s, also with a prefix', (kind) => {
    fc.assert(
      fc.property(
        seeds,
        fc.integer({ min: 20, max: 400 }),
        fc.constantFrom('', 'order:', 'order-', 'shop/order/'),
        (seed, count, prefix) => {
          expect(RANDOM_KINDS).not.toContain(kindOf(makeIds(kind, count, seed).map((id) => prefix + id)));
        },
      ),
      { numRuns: 150 },
    );
  });

  test.each(RANDOM_KINDS)('is seen behind a prefix: %s', (kind) => {
    const ids = makeIds(kind, 500);
    expect(kindOf(ids.map((id) => `order:${id}`))).toBe(kind);
    expect(kindOf(ids.map((id) => `order-${id}`))).toBe(kind);
    expect(kindOf(ids.map((id, index) => `customer-${index % 7}:order:${id}`))).toBe(kind);
  });

  test('sees a UUID without hyphens for what it is', () => {
    expect(kindOf(makeIds('uuid4', 500).map((id) => id.replaceAll('-', '')))).toBe('uuid4');
    expect(kindOf(makeIds('uuid4', 500).map((id) => id.toUpperCase()))).toBe('uuid4');
    expect(kindOf(makeIds('uuid7', 500).map((id) => id.replaceAll('-', '')))).toBe('uuid7');
  });

  test('takes numbers in no order for names', () => {
    expect(
      kindOf(
        makeIds('sequence', 500).toSorted((first, second) =>
          first.split('').reverse().join('') < second.split('').reverse().join('') ? -1 : 1,
        ),
      ),
    ).toBe('natural');
  });

  test('says that several kinds are mixed', () => {
    const random = makeIds('uuid4', 300);
    const named = makeIds('natural', 300);
    expect(kindOf(random.flatMap((id, index) => [id, named[index] ?? '']))).toBe('mixed');
  });

  test('is not changed by a few odd ids', () => {
    expect(kindOf([...makeIds('uuid4', 500), 'settings', 'counters', 'orders'])).toBe('uuid4');
  });

  test('is not told of fewer than twenty', () => {
    expect(kindOf(makeIds('uuid4', 19))).toBeUndefined();
    expect(kindOf(makeIds('uuid4', 20))).toBe('uuid4');
  });

  test('is told of any ids, whatever is in them', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 20, maxLength: 60 }), (ids) => {
        expect(typeof kindOf(ids)).toBe('string');
      }),
    );
  });
});
