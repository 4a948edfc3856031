// Verdicts are right as often as they promise: seeded simulations of whole experiments, and the words at their borders.

import { describe, expect, test } from 'vitest';
import {
  looksOf,
  MIN_MARGIN,
  marginOf,
  maySettle,
  notMeasurable,
  optionsFor,
  pairsNeeded,
  settleAll,
} from '../../../lib/measure/experiments/verdict.js';
import { createRandom } from '../../helpers/internals.js';
import { turns } from '../../helpers/long.js';
import { normal } from '../../helpers/normal.js';

/** @import { Random } from '../../../lib/shared/seeded-random.js' */

const TRIALS = turns({ short: 250, long: 1000 });
const limits = { margin: 1.1, effect: 1.1 };

/** Noise of log ratios: quiet, busy, and quiet with rounds that something else disturbed. @type {Record<string, (random: Random) => number>} */
const NOISES = {
  quiet: (random) => 0.04 * normal(random),
  busy: (random) => 0.12 * normal(random),
  disturbed: (random) => (random() < 0.1 ? 0.5 : 0.05) * normal(random),
};

/**
 * Experiments that end as real ones do: at the first look that settles them, or at the last.
 * @param {number} ratio true one
 * @param {keyof typeof NOISES} noise
 * @param {{margin: number, effect: number}} [given]
 * @returns {Map<string, number>} shares of the words
 */
function simulate(ratio, noise, given = limits) {
  /** @type {Map<string, number>} */
  const shares = new Map();
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const random = createRandom(`${ratio} ${noise} ${trial}`);
    /** @type {number[]} */
    const logRatios = [];
    const most = looksOf(1).at(-1) ?? 0;
    while (logRatios.length < most && !maySettle(logRatios, { ...given, experiments: 1 })) {
      logRatios.push(Math.log(ratio) + (NOISES[noise]?.(random) ?? 0));
    }
    const [verdict] = settleAll([{ logRatios, ...given, server: 'CouchDB' }]);
    const word = verdict?.word ?? '';
    shares.set(word, (shares.get(word) ?? 0) + 1 / TRIALS);
  }
  return shares;
}

describe.each(['quiet', 'busy', 'disturbed'])('many experiments on a %s machine', (noise) => {
  test('with equal arms are confirmed or refuted in at most 5 %', () => {
    const shares = simulate(1, noise);
    expect((shares.get('confirmed') ?? 0) + (shares.get('refuted') ?? 0)).toBeLessThanOrEqual(0.05);
  });

  test.each([1.03, 1.1])('with a true ratio of %f, not worth acting on, are confirmed in at most 5 %', (ratio) => {
    expect(simulate(ratio, noise).get('confirmed') ?? 0).toBeLessThanOrEqual(0.05);
  });

  test('with a true ratio of 0.97 are refuted in at most 5 %', () => {
    expect(simulate(0.97, noise).get('refuted') ?? 0).toBeLessThanOrEqual(0.05);
  });

  test.each([1.1, 1.3, 0.9])('with a true ratio of %f are called equal in at most 5 %', (ratio) => {
    expect(simulate(ratio, noise).get('no practical difference') ?? 0).toBeLessThanOrEqual(0.05);
  });

  test('with a true ratio of 1.3 are confirmed in at least 95 %', () => {
    expect(simulate(1.3, noise).get('confirmed')).toBeGreaterThanOrEqual(0.95);
  });

  test('with a true ratio of 0.7 are refuted in at least 95 %', () => {
    expect(simulate(0.7, noise).get('refuted')).toBeGreaterThanOrEqual(0.95);
  });
});

test('on a quiet machine equal arms are called equal', () => {
  expect(simulate(1, 'quiet').get('no practical difference')).toBeGreaterThanOrEqual(0.95);
});

test('a noisy server makes no large difference out to be none', () => {
  expect(simulate(1.2, 'quiet', { margin: 1.5, effect: 1.1 }).get('no practical difference')).toBeUndefined();
});

const spread = (/** @type {number} */ ratio, /** @type {number} */ pairs) =>
  Array.from({ length: pairs }, (_, at) => Math.log(ratio) + (at - pairs / 2) / 1000);

test.each([
  [2, 8, 'confirmed'],
  [0.5, 8, 'refuted'],
  [1, 8, 'no practical difference'],
  // Before the first look no share of the level is spent, so six pairs of one sign are enough.
  [2, 6, 'confirmed'],
  [2, 5, 'inconclusive'],
  [1.1, 32, 'inconclusive'],
])('a ratio of %f in %i pairs is %s', (ratio, pairs, word) => {
  const [verdict] = settleAll([{ logRatios: spread(ratio, pairs), ...limits, server: 'CouchDB 3.5.0' }]);
  expect(verdict).toMatchObject({ word, rounds: pairs, margin: 1.1, server: 'CouchDB 3.5.0' });
  expect(verdict?.ratio).toBeCloseTo(ratio, 1);
});

test('the other experiments of a run make a claim harder', () => {
  const clear = { logRatios: spread(2, 6), ...limits, server: 'CouchDB' };
  const open = { ...clear, logRatios: spread(1.1, 8) };
  const word = (/** @type {any[]} */ all) => settleAll(all)[0]?.word;
  expect(word([clear])).toBe('confirmed');
  expect(word([clear, open, open])).toBe('inconclusive');
  expect(word([{ ...clear, logRatios: spread(2, 7) }, open, open])).toBe('confirmed');
});

test('a clear ratio of too few pairs has no interval, and says how many it needs', () => {
  const [first] = settleAll(
    [20.6, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1].map((ratio) => ({
      logRatios: spread(ratio, 8),
      ...limits,
      server: 'CouchDB',
    })),
  );
  expect(first).toMatchObject({
    word: 'inconclusive',
    interval: null,
    confidence: 0,
    reason: 'too few pairs of rounds: 8 of at least 9',
  });
  expect(first?.ratio).toBeCloseTo(20.6, 0);
});

test.each([
  ['budget', 2, 'the advised variant is faster by more than 10 %; the time budget ran out after 9 of 32 pairs'],
  ['interrupted', 2, 'the advised variant is faster by more than 10 %; the run was interrupted after 9 of 32 pairs'],
  ['settled', 2, 'the advised variant is faster by more than 10 %'],
  ['pairs', 2, 'the advised variant is faster by more than 10 %'],
  ['pairs', 1.1, 'the advised variant is faster, but possibly by less than 10 %; all 32 pairs were run'],
  [
    'budget',
    1.1,
    'the advised variant is faster, but possibly by less than 10 %; the time budget ran out after 9 of 32 pairs',
  ],
])('rounds that ended by `%s` at a ratio of %f say so', (ended, ratio, reason) => {
  const ending = /** @type {const} */ ({ pairs: 32, budgetMs: 1, setupMs: 0, msOfPair: 1, ended });
  const [verdict] = settleAll([
    { logRatios: spread(ratio, 9), ...limits, server: 'CouchDB', limits: /** @type {any} */ (ending) },
  ]);
  expect(verdict?.reason).toBe(reason);
});

test('a margin of several times is not a percentage, and a result on both sides is too noisy to decide', () => {
  const noisy = { ...limits, margin: 3, server: 'CouchDB' };
  const both = [...spread(1.3, 16), ...spread(0.75, 16)];
  expect(settleAll([{ logRatios: spread(2.9, 12), ...noisy }])[0]?.reason).toBe(
    'the advised variant is faster, but possibly less than 3 times',
  );
  expect(settleAll([{ logRatios: both, ...limits, server: 'CouchDB' }])[0]?.reason).toBe('too noisy to decide');
});

test('the level of looks that did not take place is not lost, and that of others is', () => {
  // The pair nearest to the margin is on the other side of it: a chance of 2/2^8, above a quarter of the level.
  const logRatios = [...spread(2, 8).slice(1), Math.log(1.09)];
  const borders = { ...limits, server: 'CouchDB' };
  expect(maySettle(logRatios, { ...limits, experiments: 1 })).toBe(false);
  expect(settleAll([{ logRatios, ...borders }])[0]?.word).toBe('confirmed');
  const late = [...spread(1.3, 27), ...Array.from({ length: 6 }, () => Math.log(0.7))];
  const chanceOf = (/** @type {boolean} */ hasLooks) =>
    settleAll([{ logRatios: late, ...borders, hasLooks }])[0]?.p ?? 0;
  expect(chanceOf(true) / chanceOf(false)).toBeCloseTo(4);
});

test('it is looked first where something could be settled', () => {
  expect(looksOf(1)).toEqual([8, 12, 20, 32]);
  for (const experiments of [1, 3, 12, 40]) {
    const [first = 0] = looksOf(experiments);
    expect(maySettle(spread(2, first), { ...limits, experiments })).toBe(true);
    expect(maySettle(spread(2, first - 1), { ...limits, experiments })).toBe(false);
    expect(maySettle(spread(2, first + 1), { ...limits, experiments })).toBe(false);
  }
});

test('the margin is what equal arms differ by, and never below 5 %', () => {
  expect(marginOf(spread(1, 12), 1)).toBe(MIN_MARGIN);
  expect(marginOf(spread(1, 12), 1.1)).toBe(1.1);
  expect(marginOf([0.2, -0.1, 0.15, -0.2, 0.1, 0.05, -0.05, 0.2], 1.1)).toBeGreaterThan(1.1);
  expect(marginOf([0.5], 1)).toBe(MIN_MARGIN);
});

test('what is open says how many pairs would settle it', () => {
  const random = createRandom('open');
  const logRatios = Array.from({ length: 12 }, () => Math.log(1.2) + 0.2 * normal(random));
  const needed = pairsNeeded(logRatios, { margin: 1.1, experiments: 1 }) ?? 0;
  expect(needed).toBeGreaterThan(12);
  expect(needed).toBeLessThan(1000);
  // Of two nothing is known but that more are needed.
  expect(pairsNeeded([0.1, 0.1], { margin: 1.1, experiments: 1 })).toBe(looksOf(1)[0]);
});

test.each([
  ['the time was spent', 30, { pairs: 32, budgetMs: 15_000, setupMs: 2000, msOfPair: 1000 }, ['--budget 39s']],
  ['the pairs were', 30, { pairs: 12, budgetMs: 60_000, setupMs: 2000, msOfPair: 1000 }, ['--runs 30']],
  ['both were', 30, { pairs: 12, budgetMs: 15_000, setupMs: 0, msOfPair: 1000 }, ['--budget 36s', '--runs 30']],
  ['neither was', 10, { pairs: 12, budgetMs: 60_000, setupMs: 0, msOfPair: 1000 }, []],
  ['it takes long', 600, { pairs: 600, budgetMs: 60_000, setupMs: 0, msOfPair: 2000 }, ['--budget 24m']],
])('the option that has to be greater is named where %s', (_, pairs, limits, options) => {
  expect(optionsFor(pairs, limits)).toEqual(options);
});

test('what cannot be measured says what to run instead', () => {
  expect(notMeasurable(['a query server'], { server: 'PouchDB', advice: 'use --url', margin: 1.1 })).toMatchObject({
    word: 'not measurable here',
    reason: 'PouchDB lacks a query server: use --url',
    ratio: null,
    rounds: 0,
  });
});
