// Whole runs of several experiments on bad machines, simulated round by round: in at most 5 % of them is anything confirmed or refuted that is not so,
// however the rounds ended, and the word and the interval always say the same.

import { describe, expect, test } from 'vitest';
import { planRounds } from '../../../lib/measure/experiments/plan.js';
import { looksOf, maySettle, settleAll } from '../../../lib/measure/experiments/verdict.js';
import { createRandom } from '../../helpers/internals.js';
import { isLong, sample, turns } from '../../helpers/long.js';
import { normal } from '../../helpers/normal.js';

/** @import { Random } from '../../../lib/shared/seeded-random.js' */
/** @import { Verdict } from '../../../lib/measure/experiments/experiment.js' */

const RUNS = turns({ short: 200, long: 1000 });
const MARGIN = 1.1;
const COUNTS = isLong ? [1, 12] : [4];
const arms = /** @type {any} */ ([{ id: 'as-is' }, { id: 'advised' }]);

/** What each machine adds to the logarithm of the time of one round after the other. @type {Record<string, (random: Random) => () => number>} */
const MACHINES = {
  quiet: (random) => () => 0.04 * normal(random),
  noisy: (random) => () => 0.2 * normal(random),
  drifting: (random) => {
    let level = 0;
    return () => {
      level += 0.02 + 0.06 * normal(random);
      return level + 0.04 * normal(random);
    };
  },
  // Others work for a few rounds, three times as slow.
  bursting: (random) => {
    let left = 0;
    return () => {
      if (left > 0) left -= 1;
      else if (random() < 0.08) left = 1 + Math.floor(random() * 6);
      return (left > 0 ? Math.log(3) : 0) + 0.05 * normal(random);
    };
  },
  // Cauchy: no mean, no variance.
  'heavy-tailed': (random) => () => 0.05 * Math.tan(Math.PI * (random() - 0.5)),
  // A fan or a quota slows every third and fourth round.
  throttled: (random) => {
    let round = 0;
    return () => {
      round += 1;
      return (round % 4 < 2 ? 0 : Math.log(1.6)) + 0.04 * normal(random);
    };
  },
};

/**
 * A run as `runAll` makes it: rounds in pairs, looks, and a budget that may end the rounds after any pair.
 * @param {string} machine
 * @param {{experiments: number, ratio: number, seed: string}} options `ratio`: the true one of every experiment
 * @returns {Verdict[]}
 */
function simulate(machine, { experiments, ratio, seed }) {
  const random = createRandom(seed);
  const next = (MACHINES[machine] ?? (() => () => 0))(random);
  const pairs = looksOf(experiments).at(-1) ?? 0;
  return settleAll(
    Array.from({ length: experiments }, (_, at) => {
      // In time of a round on the idle machine: from four pairs to more than there are.
      const budget = 8 + random() * 3 * pairs;
      /** @type {number[]} */
      const logRatios = [];
      let spent = 0;
      /** @type {Map<string, number>} */
      const times = new Map();
      /** @type {'pairs' | 'settled' | 'budget'} */
      let ended = 'pairs';
      for (const { arm, position } of planRounds({ id: `${seed} ${at}`, arms }, { seed, pairs })) {
        const ms = (arm === 'as-is' ? ratio : 1) * Math.exp(next());
        spent += ms;
        times.set(arm, ms);
        if (position % 2 === 0) continue;
        logRatios.push(Math.log((times.get('as-is') ?? 1) / (times.get('advised') ?? 1)));
        if (maySettle(logRatios, { margin: MARGIN, effect: MARGIN, experiments })) ended = 'settled';
        else if (spent > budget) ended = 'budget';
        if (ended !== 'pairs') break;
      }
      const limits = { pairs, budgetMs: budget, setupMs: 0, msOfPair: spent / logRatios.length, ended };
      return { logRatios, margin: MARGIN, effect: MARGIN, server: 'CouchDB', limits };
    }),
  );
}

/**
 * @param {string} machine
 * @param {{experiments: number, ratio: number}} options
 * @param {string[]} words
 * @returns {number} share of the runs with any of these words
 */
function shareOf(machine, { experiments, ratio }, words) {
  let runs = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const verdicts = simulate(machine, { experiments, ratio, seed: `${machine} ${experiments} ${ratio} ${run}` });
    if (verdicts.some(({ word }) => words.includes(word))) runs += 1;
  }
  return runs / RUNS;
}

describe.each(sample(Object.keys(MACHINES), 1))('on a %s machine', (machine) => {
  test.each(COUNTS)(
    'equal arms in %i experiments are confirmed or refuted in at most 5 % of the runs',
    (experiments) => {
      expect(shareOf(machine, { experiments, ratio: 1 }, ['confirmed', 'refuted'])).toBeLessThanOrEqual(0.05);
    },
  );

  test.each(COUNTS)(
    'what is just not worth acting on, in %i experiments, is confirmed in at most 5 %',
    (experiments) => {
      expect(shareOf(machine, { experiments, ratio: MARGIN }, ['confirmed'])).toBeLessThanOrEqual(0.05);
    },
  );

  test.each(COUNTS)(
    'what is just worth acting on, in %i experiments, is called equal in at most 5 %',
    (experiments) => {
      expect(shareOf(machine, { experiments, ratio: MARGIN }, ['no practical difference'])).toBeLessThanOrEqual(0.05);
      expect(
        shareOf(machine, { experiments, ratio: 1 / MARGIN }, ['no practical difference', 'refuted']),
      ).toBeLessThanOrEqual(0.05);
    },
  );
});

test.each(sample(Object.keys(MACHINES), 1))('on a %s machine the word and the interval say the same', (machine) => {
  let decided = 0;
  for (const ratio of [0.5, 0.9, 1, 1.02, 1.1, 1.3, 20]) {
    for (let run = 0; run < RUNS / 10; run += 1) {
      for (const verdict of simulate(machine, { experiments: 5, ratio, seed: `agree ${machine} ${ratio} ${run}` })) {
        const { word, interval, ratio: estimate } = verdict;
        const [low, high] = interval ?? [0, Infinity];
        const said =
          low > MARGIN
            ? 'confirmed'
            : high < 1 / MARGIN
              ? 'refuted'
              : low > 1 / MARGIN && high < MARGIN
                ? 'no practical difference'
                : 'inconclusive';
        expect([ratio, run, word, interval]).toEqual([ratio, run, said, interval]);
        if (interval !== null) expect(estimate).toBeGreaterThanOrEqual(low);
        if (interval !== null) expect(estimate).toBeLessThanOrEqual(high);
        if (word !== 'inconclusive') decided += 1;
      }
    }
  }
  expect(decided).toBeGreaterThan(0);
});
