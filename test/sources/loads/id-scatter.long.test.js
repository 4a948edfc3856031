// How widely ids jump about in the tree: none where they are in order of any kind, most where they are random.

import { describe, expect, test } from 'vitest';
import { IdScatter } from '../../../lib/sources/loads/id-scatter.js';
import { chanceOf, makeIds, ORDERED_KINDS, RANDOM_KINDS } from '../../helpers/make-ids.js';
import fc from '../../helpers/property.js';

/**
 * @param {string[]} ids
 * @param {number} [batch] how many come in a request; no requests where absent
 * @returns {number | undefined} the share that lands apart
 */
function scatterOf(ids, batch) {
  const scatter = new IdScatter();
  for (const [index, id] of ids.entries()) {
    scatter.add(id, batch !== undefined);
    if (batch !== undefined && (index + 1) % batch === 0) scatter.endRequest();
  }
  scatter.finish();
  return scatter.documents === 0 ? undefined : scatter.scattered / scatter.documents;
}

/** @param {number} count @param {number} writers @returns {string[]} of writers by turns, each in order behind its own prefix */
function byTurns(count, writers) {
  return Array.from(
    { length: count },
    (_, at) => `w${at % writers}-${String(Math.floor(at / writers)).padStart(8, '0')}`,
  );
}

/** @param {number} share @param {number} count @returns {string[]} in order, but that this share was mixed among itself */
function mixed(share, count) {
  const chance = chanceOf(5);
  const ids = makeIds('sequence', count);
  const at = ids.map((_, index) => index).filter(() => chance() < share);
  const moved = at.map((index) => ids[index] ?? '');
  for (let last = moved.length - 1; last > 0; last -= 1) {
    const other = Math.floor(chance() * (last + 1));
    [moved[last], moved[other]] = [moved[other] ?? '', moved[last] ?? ''];
  }
  for (const [place, index] of at.entries()) ids[index] = moved[place] ?? '';
  return ids;
}

const seeds = fc.integer({ min: 0, max: 2 ** 31 });

describe('the share of ids that land apart', () => {
  test.each([...RANDOM_KINDS, 'natural'])('is more than a third for %s, and nothing once they are sorted', (kind) => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1000, max: 4000 }), (seed, count) => {
        const ids = makeIds(kind, count, seed);
        expect(scatterOf(ids)).toBeGreaterThan(1 / 3);
        expect(scatterOf(ids.toSorted())).toBe(0);
        expect(scatterOf(ids.toSorted().reverse())).toBe(0);
      }),
      { numRuns: 20 },
    );
  });

  test.each(ORDERED_KINDS.filter((kind) => kind !== 'sequenceUnpadded'))('is below a tenth for %s', (kind) => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1000, max: 4000 }), (seed, count) => {
        expect(scatterOf(makeIds(kind, count, seed))).toBeLessThan(0.1);
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    ['4 writers', byTurns(20_000, 4), 0, 0.01],
    ['50 writers', byTurns(20_000, 50), 0.04, 0.07],
    ['300 writers', byTurns(20_000, 300), 0.25, 0.4],
    ['5 % out of place', mixed(0.05, 20_000), 0.04, 0.06],
    ['20 % out of place', mixed(0.2, 20_000), 0.16, 0.22],
    ['half out of place', mixed(0.5, 20_000), 0.38, 0.5],
  ])('of %s is what the pages of rules say', (_, ids, least, most) => {
    expect(scatterOf(ids)).toBeGreaterThanOrEqual(least);
    expect(scatterOf(ids)).toBeLessThanOrEqual(most);
  });

  test('is the same whether the ids of a request are sorted or not: CouchDB sorts them', () => {
    const ids = makeIds('uuid4', 6000);
    const sorted = Array.from({ length: 12 }, (_, at) => ids.slice(at * 500, at * 500 + 500).toSorted()).flat();
    expect(scatterOf(ids, 500)).toBeCloseTo(scatterOf(sorted, 500) ?? 0, 2);
    expect(scatterOf(ids, 500)).toBeGreaterThan(0.5);
  });

  test('cannot be told of one request, nor of fewer than a hundred ids', () => {
    expect(scatterOf(makeIds('uuid4', 5000), 5000)).toBeUndefined();
    expect(scatterOf(makeIds('uuid4', 100))).toBeUndefined();
  });
});

describe('the sample', () => {
  test('is in the order of the load, spread over all of it, and never large', () => {
    const scatter = new IdScatter();
    for (const id of makeIds('uuid4', 100_000)) scatter.add(id, false);
    scatter.finish();
    const { sample } = scatter;
    expect(sample.length).toBeGreaterThan(2048);
    expect(sample.length).toBeLessThanOrEqual(4096);
    expect(sample.map(({ at }) => at)).toEqual(sample.map(({ at }) => at).toSorted((first, second) => first - second));
    const early = sample.filter(({ at }) => at < 50_000).length / sample.length;
    expect(early).toBeGreaterThan(0.45);
    expect(early).toBeLessThan(0.55);
  });

  test('of a single request without end is not large either', () => {
    const scatter = new IdScatter();
    for (const id of makeIds('uuid4', 50_000)) scatter.add(id, true);
    scatter.finish();
    expect(scatter.sample.length).toBeLessThanOrEqual(4096);
    expect(scatter.sample.length).toBeGreaterThan(1000);
  });
});
