// Says what was measured of a plan: beside each verdict what the plan predicted, and whether the answers stay the same.

import { countOf, formatCount } from '../shared/units.js';
import { describeExperiment } from './confirm-json.js';
import { formatTime } from './plan-figures.js';

/** @import { Environment } from '../measure/experiments/environment.js' */
/** @import { Confirmation } from './confirm-json.js' */
/** @import { Fact } from './document/blocks.js' */

/** @typedef {Confirmation['settled'][number]} Settled */

/**
 * @param {Settled} settled
 * @returns {Fact[]} of a step or of the whole plan; none of an experiment that belongs to a rule
 */
export function planFacts({ experiment: { predicted }, verdict, result }) {
  if (!predicted) return [];
  const { ratio, savedMsPerDay, documents } = predicted;
  const about = documents > (result?.documents ?? documents) ? ` for ${countOf(documents, 'document')}` : '';
  /** @type {Fact[]} */
  const all = [];
  if (ratio !== null) all.push({ name: 'predicted', value: `${speed(ratio)}${about}, ${measuredRatio(verdict)}` });
  const saved = savedPerDay({ experiment: { predicted }, result });
  if (savedMsPerDay !== null) {
    const measured = saved === null ? 'not measured' : `measured ${amountOf(saved)}`;
    all.push({ name: 'saves a day', value: `predicted ${amountOf(savedMsPerDay)}${about}, ${measured}` });
  }
  const { same = 0, uncompared = [] } = result?.answers ?? {};
  if (same > 0) all.push({ name: 'answers', value: `the same for ${countOf(same, 'pair')} of requests` });
  for (const text of uncompared) all.push({ name: 'answers', value: `not compared: ${text}` });
  return all;
}

/**
 * @param {Confirmation} confirmation
 * @param {{file: string, tool: string, seed: string, environment: Environment}} run `file`: of the plan; `tool`: version of couch-advisor
 * @returns {object}
 */
export function planConfirmationJson({ settled, noise }, { file, tool, seed, environment }) {
  return {
    version: 1,
    tool: { name: 'couch-advisor', version: tool },
    plan: file,
    run: { seed, noise: noise?.ratio ?? null, noisePairs: noise?.pairs ?? 0, environment },
    experiments: settled.map((one) => {
      const { step = null, ratio = null, savedMsPerDay = null, documents = 0 } = one.experiment.predicted ?? {};
      // It belongs to no rule.
      const { rule: _, isPattern: __, ...described } = describeExperiment(one);
      return {
        step,
        ...described,
        predicted: { ratio, savedMsPerDay, documents },
        savedMsPerDay: savedPerDay(one),
        answers: one.result?.answers ?? null,
      };
    }),
  };
}

/**
 * @param {{experiment: Pick<Settled['experiment'], 'predicted'>, result: Settled['result']}} settled
 * @returns {number | null} milliseconds, at the rate of the workload; null where nothing was measured
 */
function savedPerDay({ experiment: { predicted }, result }) {
  const [asIs, advised] = result?.arms ?? [];
  if (!predicted || predicted.requestsPerDay === 0 || asIs?.ms == null || advised?.ms == null) return null;
  return predicted.requestsPerDay * (asIs.ms - advised.ms);
}

/** @param {Settled['verdict']} verdict @returns {string} `measured 10.4 times faster (9.10 to 12.0)` */
function measuredRatio({ ratio, interval }) {
  if (ratio === null) return 'not measured';
  const ends = ratio < 1 ? interval?.map((one) => 1 / one).reverse() : interval;
  const [low, high] = ends ?? [];
  const span = low === undefined || high === undefined ? '' : ` (${short(low)} to ${short(high)})`;
  return `measured ${speed(ratio)}${span}`;
}

/** @param {number} ms @returns {string} */
function amountOf(ms) {
  return ms < 0 ? `-${formatTime(-ms)}` : formatTime(ms);
}

/** @param {number} ratio of the time before to the time after @returns {string} `10.4 times faster`, `1.20 times slower` */
function speed(ratio) {
  return ratio < 1 ? `${short(1 / ratio)} times slower` : `${short(ratio)} times faster`;
}

/** @param {number} ratio @returns {string} three digits that count */
function short(ratio) {
  return ratio >= 100 ? formatCount(Math.round(ratio)) : ratio.toFixed(ratio >= 10 ? 1 : 2);
}
