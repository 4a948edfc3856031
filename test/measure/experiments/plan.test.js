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

  test('which arm begins is drawn for each pair by itself', () => {
    const long = planRounds(experiment, { seed, pairs: 4000 });
    const begins = long.filter(({ position }) => position % experiment.arms.length === 0).map(({ arm }) => arm);
    const share = (/** @type {(at: number) => boolean} */ isSo) =>
      begins.filter((_, at) => isSo(at)).length / begins.length;
    // Of 4,000 coins the share is within 0.05 of a half but once in 10^9.
    expect(Math.abs(share((at) => begins[at] === 'as-is') - 0.5)).toBeLessThan(0.05);
    for (const lag of [1, 2, 3, 4])
      expect(Math.abs(share((at) => begins[at] === begins[at + lag]) - 0.5)).toBeLessThan(0.05);
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
