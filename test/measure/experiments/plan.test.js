// The order of the steps is a contract: create, load, build, warm up, interleaved rounds, drop.

import { describe, expect, test } from 'vitest';
import { planRounds, planSteps } from '../../../lib/measure/experiments/plan.js';
import { shopExperiment } from './shop-experiment.js';

const experiment = shopExperiment();
const loads = shopExperiment({
  arms: ['as-is', 'advised'].map((id) => ({
    id,
    about: id,
    measure: /** @type {const} */ ('load'),
    load: { ids: 'random', batch: 100 },
  })),
});

test('steps come in the order of the contract', () => {
  const steps = planSteps(experiment, { seed: '1', pairs: 3 });
  const names = steps.map(({ step }) => step);
  expect(names.filter((name, at) => name !== names[at - 1])).toEqual([
    'create',
    'load',
    'build',
    'warm-up',
    'round',
    'drop',
  ]);
  expect(steps.filter(({ step }) => step === 'warm-up')).toHaveLength(experiment.arms.length);
});

test('loads have no database in common', () => {
  expect(new Set(planSteps(loads, { seed: '1', pairs: 2 }).map(({ step }) => step))).toEqual(
    new Set(['warm-up', 'round']),
  );
});

describe.each(['1', '2', 'seed'])('with the seed %s', (seed) => {
  const rounds = planRounds(experiment, { seed, pairs: 8 });

  test('each pair has each arm once', () => {
    for (let pair = 0; pair < 8; pair += 1) {
      const arms = rounds.filter((round) => round.pair === pair).map(({ arm }) => arm);
      expect(arms.toSorted()).toEqual(experiment.arms.map(({ id }) => id).toSorted());
    }
  });

  test('every second pair mirrors the one before, so that drift falls on all alike', () => {
    const order = (/** @type {number} */ pair) => rounds.filter((round) => round.pair === pair).map(({ arm }) => arm);
    for (const pair of [0, 2, 4, 6]) expect(order(pair + 1)).toEqual(order(pair).toReversed());
    const places = (/** @type {string} */ arm) =>
      rounds.filter((round) => round.arm === arm).reduce((sum, { position }) => sum + position, 0);
    expect(places('as-is')).toBe(places('advised'));
  });

  test('positions count the rounds', () => {
    expect(rounds.map(({ position }) => position)).toEqual(rounds.map((_, at) => at));
  });

  test('the order is the same again', () => {
    expect(planRounds(experiment, { seed, pairs: 8 })).toEqual(rounds);
  });
});

test('the seed says which arm begins', () => {
  const first = Array.from({ length: 40 }, (_, at) => planRounds(experiment, { seed: `${at}`, pairs: 1 })[0]?.arm);
  expect(new Set(first)).toEqual(new Set(['as-is', 'advised']));
});
