// The choice among candidates: as good as trying every set, within the budget, the same in any order.

import { describe, expect, test } from 'vitest';
import { chooseChanges } from '../../lib/advise/choice.js';
import { turns } from '../helpers/long.js';
import { bestGain, isWithin, largeChoice, smallChoice, worthOf } from '../helpers/random-candidates.js';

/** @import { Budget, Candidate } from '../../lib/advise/choice.js' */

/**
 * @param {string} id
 * @param {Record<string, number>} savings
 * @param {Partial<Candidate>} [more]
 * @returns {Candidate}
 */
function candidate(id, savings, more = {}) {
  return { id, savings: new Map(Object.entries(savings)), bytes: 10, writeCost: 1, isIndex: true, ...more };
}

/**
 * @param {Candidate[]} candidates
 * @param {string} id
 * @returns {Set<string>} it and all that it needs
 */
function needsOf(candidates, id) {
  const found = new Set([id]);
  for (const one of found)
    for (const needed of candidates.find((other) => other.id === one)?.needs ?? []) found.add(needed);
  return found;
}

describe('the choice', () => {
  test.each([
    ['takes what saves most', [candidate('a', { q: 5 }), candidate('b', { q: 9 })], {}, ['b']],
    ['takes nothing that costs more than it saves', [candidate('a', { q: 5 }, { writeCost: 5 })], {}, []],
    [
      'takes two small ones instead of a large one where they save more',
      [candidate('a', { q: 10 }, { bytes: 20 }), candidate('b', { q: 8 }), candidate('c', { p: 8 })],
      { bytes: 20 },
      ['b', 'c'],
    ],
    [
      'takes one large one instead of two small ones where it saves more',
      [candidate('a', { q: 30 }, { bytes: 20 }), candidate('b', { q: 8 }), candidate('c', { p: 8 })],
      { bytes: 20 },
      ['a'],
    ],
    [
      'drops what nothing uses, though it saves no reading',
      [candidate('a', {}, { bytes: -10, writeCost: 0, isIndex: false })],
      {},
      ['a'],
    ],
    [
      'keeps what nothing uses where removing it brings nothing',
      [candidate('a', {}, { bytes: 0, writeCost: 0 })],
      {},
      [],
    ],
    [
      'makes room first where the disk is full',
      [candidate('a', { q: 50 }, { bytes: 15 }), candidate('b', {}, { bytes: -10, writeCost: -1, isIndex: false })],
      { bytes: 10 },
      ['b', 'a'],
    ],
    [
      'frees space last where there is room',
      [candidate('a', { q: 50 }, { bytes: 15 }), candidate('b', {}, { bytes: -10, writeCost: -1, isIndex: false })],
      { bytes: 100 },
      ['a', 'b'],
    ],
    [
      'makes what is needed first, also if that gains nothing alone',
      [candidate('a', { q: 50 }, { needs: ['b'] }), candidate('b', {})],
      {},
      ['b', 'a'],
    ],
    ['leaves out what needs more than is there', [candidate('a', { q: 50 }, { needs: ['x'] })], {}, []],
    [
      'takes one of alternatives',
      [candidate('a', { q: 50 }, { alternative: 'x' }), candidate('b', { p: 60 }, { alternative: 'x' })],
      {},
      ['b'],
    ],
    [
      'takes as many indexes as are allowed',
      [candidate('a', { q: 50 }), candidate('b', { p: 60 })],
      { indexes: 1 },
      ['b'],
    ],
    [
      'keeps within the budget for writing',
      [candidate('a', { q: 50 }, { writeCost: 9 }), candidate('b', { p: 40 }, { writeCost: 4 })],
      { writeCost: 8 },
      ['b'],
    ],
    ['settles a tie by the id', [candidate('b', { q: 5 }), candidate('a', { q: 5 })], {}, ['a']],
    [
      'takes the smaller of two that save the same',
      [candidate('a', { q: 5 }), candidate('b', { q: 5 }, { bytes: 3 })],
      {},
      ['b'],
    ],
    ['of nothing is nothing', [], { bytes: 0 }, []],
  ])('%s', (_, candidates, budget, chosen) => {
    expect(chooseChanges(candidates, budget).chosen).toEqual(chosen);
  });

  test('counts what each step adds to those before it', () => {
    const { gain, steps } = chooseChanges([candidate('a', { q: 50, p: 10 }), candidate('b', { p: 30, r: 4 })]);
    expect(steps).toEqual([
      { id: 'a', adds: 59 },
      { id: 'b', adds: 23 },
    ]);
    expect(gain).toBe(82);
  });

  test('follows needs in a circle', () => {
    const candidates = [candidate('a', { q: 5 }, { needs: ['b'] }), candidate('b', { p: 5 }, { needs: ['a'] })];
    expect(chooseChanges(candidates).chosen.toSorted()).toEqual(['a', 'b']);
    expect(chooseChanges(candidates, { bytes: 10 }).chosen).toEqual([]);
  });
});

describe('what was not chosen', () => {
  const good = candidate('good', { q: 50, p: 50 });
  test.each([
    ['saves nothing', candidate('x', {}), {}, { reason: 'saves-nothing' }],
    [
      'costs more than it saves',
      candidate('x', { r: 5 }, { writeCost: 9 }),
      {},
      { reason: 'costs-more', gainAlone: -4 },
    ],
    ['needs what is not there', candidate('x', { r: 5 }, { needs: ['y'] }), {}, { reason: 'needs-absent' }],
    [
      'is over the disk budget',
      candidate('x', { r: 5 }, { bytes: 95 }),
      { bytes: 100 },
      { reason: 'over-budget', over: ['bytes'] },
    ],
    ['is one index too many', candidate('x', { r: 5 }), { indexes: 1 }, { reason: 'over-budget', over: ['indexes'] }],
    [
      'is over the budget for writing',
      candidate('x', { r: 9 }, { writeCost: 8 }),
      { writeCost: 8 },
      { reason: 'over-budget', over: ['writeCost'] },
    ],
    [
      'changes the same thing as a better one',
      candidate('x', { q: 40 }, { alternative: 'good' }),
      {},
      { reason: 'alternative', by: ['good'] },
    ],
    ['has its queries served better', candidate('x', { q: 40 }), {}, { reason: 'served', by: ['good'], adds: -1 }],
  ])('%s', (_, other, budget, expected) => {
    const { rejected } = chooseChanges([{ ...good, alternative: 'good' }, other], budget);
    expect(rejected).toEqual([expect.objectContaining({ id: 'x', ...expected })]);
  });

  test('comes with the most useful first', () => {
    const { rejected } = chooseChanges([good, candidate('x', { q: 10 }), candidate('y', { q: 30 })]);
    expect(rejected.map(({ id }) => id)).toEqual(['y', 'x']);
  });

  test.each([
    ['the disk', { bytes: 15 }, { id: 'small', needs: [], bytes: 20, indexes: 1, over: ['bytes'] }],
    ['the number of indexes', { indexes: 0 }, { id: 'large', over: ['indexes'] }],
    ['writing', { writeCost: 2 }, { id: 'large', over: ['writeCost'] }],
  ])('is said of the cheapest where the budget for %s allows none', (_, budget, expected) => {
    const candidates = [
      candidate('large', { q: 50 }, { bytes: 90, writeCost: 3 }),
      candidate('small', { q: 9 }, { bytes: 20, writeCost: 4 }),
      candidate('useless', { q: 1 }, { bytes: 16, writeCost: 2 }),
    ];
    expect(chooseChanges(candidates, budget)).toMatchObject({ chosen: [], cheapest: expected });
  });

  test('has no cheapest where one was chosen, or none is useful', () => {
    expect(chooseChanges([good, candidate('x', { r: 9 }, { bytes: 95 })], { bytes: 20 }).cheapest).toBeNull();
    expect(chooseChanges([candidate('x', { r: 1 })], { bytes: 0 }).cheapest).toBeNull();
  });
});

describe('random choices', () => {
  const cases = Array.from({ length: turns({ short: 50, long: 3000 }) }, (_, at) => smallChoice(`choice ${at}`));

  test('are the best set in at least 99 of 100 cases, and never below 95 % of it', () => {
    const parts = cases.map(({ candidates, budget }) => {
      const best = bestGain(candidates, budget);
      return best === 0 ? 1 : chooseChanges(candidates, budget).gain / best;
    });
    expect(parts.filter((part) => part > 1 - 1e-9).length / parts.length).toBeGreaterThanOrEqual(0.99);
    expect(Math.min(...parts)).toBeGreaterThanOrEqual(0.95);
    expect(Math.max(...parts)).toBeLessThan(1 + 1e-9);
  });

  test('are within the budget, gain what they say, and gain no more without one of them', () => {
    for (const { candidates, budget } of cases) {
      const { chosen, gain, steps, rejected } = chooseChanges(candidates, budget);
      const worth = worthOf(candidates, chosen);
      expect(worth.isSound && isWithin(worth, budget)).toBe(true);
      expect(worth.gain).toBeCloseTo(gain, 6);
      expect(steps.reduce((sum, { adds }) => sum + adds, 0)).toBeCloseTo(gain, 6);
      expect(chosen.length + rejected.length).toBe(candidates.length);
      for (const id of chosen) {
        const rest = worthOf(
          candidates,
          chosen.filter((one) => one !== id),
        );
        if (rest.isSound && isWithin(rest, budget)) expect(rest.gain).toBeLessThanOrEqual(gain + 1e-6);
      }
      for (const [at, id] of chosen.entries()) {
        const before = new Set(chosen.slice(0, at));
        const { needs = [] } = candidates.find((one) => one.id === id) ?? {};
        // Of changes that need each other in a circle one has to be the first.
        const first = needs.filter((needed) => !needsOf(candidates, needed).has(id));
        expect(first.filter((needed) => !before.has(needed))).toEqual([]);
      }
    }
  });

  test('are the same whatever the order of the candidates', () => {
    for (const { candidates, budget } of cases.slice(0, 100)) {
      const turned = candidates.toReversed();
      expect(chooseChanges(turned, budget)).toEqual(chooseChanges(candidates, budget));
    }
  });

  test('end after the steps that they may take, and still hold nothing that costs more than it saves', () => {
    const candidates = largeChoice({ seed: 'bounded', candidates: 120, queries: 150, density: 0.05 });
    /** @type {Budget} */
    const budget = { bytes: 1e9, writeCost: 1500 };
    const maxWork = 200_000;
    const { chosen, gain, work } = chooseChanges(candidates, budget, { maxWork });
    expect(chosen.length).toBeGreaterThan(3);
    expect(work).toBeLessThan(maxWork * 4);
    for (const id of chosen) {
      const rest = worthOf(
        candidates,
        chosen.filter((one) => one !== id),
      );
      if (rest.isSound) expect(rest.gain).toBeLessThanOrEqual(gain + 1e-6);
    }
  });
});
