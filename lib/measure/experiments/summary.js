// Summarizes the rounds of an experiment: the figures of each arm and the paired log ratios. Pure.

import { groupBy } from '../../shared/group-by.js';
import { median, quantile } from './statistics.js';

/** @import { Arm, ArmSummary, Sample } from './experiment.js' */

/** @typedef {{sizes: Record<string, number>, buildMs: number | null}} Built what the index of an arm cost */

/**
 * @param {readonly Sample[]} samples
 * @returns {number[]} log(time as it is / time as advised) of each pair that has both, in order
 */
export function logRatiosOf(samples) {
  /** @type {Map<number, Map<string, number>>} */
  const pairs = new Map();
  for (const { pair, arm, ms, isUsable } of samples) {
    if (!isUsable) continue;
    const times = pairs.get(pair) ?? new Map();
    pairs.set(pair, times.set(arm, ms));
  }
  return [...pairs.values()].flatMap((times) => {
    const [a, b] = [times.get('as-is'), times.get('advised')];
    return a !== undefined && b !== undefined && a > 0 && b > 0 ? [Math.log(a / b)] : [];
  });
}

/**
 * @param {Arm[]} arms
 * @param {readonly Sample[]} samples
 * @param {ReadonlyMap<string, Built>} built
 * @returns {ArmSummary[]} in the order of the arms
 */
export function summarizeArms(arms, samples, built) {
  return arms.map(({ id, about, measure }) => {
    const rounds = samples.filter((sample) => sample.arm === id && sample.isUsable);
    const ms = rounds.length > 0 ? median(rounds.map((round) => round.ms)) : null;
    const latencies = measure === 'requests' ? rounds.flatMap((round) => round.latencies) : [];
    const sizes = rounds.flatMap((round) => (round.sizes ? [round.sizes] : []));
    return {
      arm: id,
      about,
      ms,
      latencyMs: latencies.length > 0 ? { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) } : null,
      perSecond: ms === null ? null : 1000 / ms,
      counters: meansOf(rounds.map((round) => round.counters)),
      sizes: sizes.length > 0 ? meansOf(sizes) : (built.get(id)?.sizes ?? {}),
      buildMs: built.get(id)?.buildMs ?? null,
    };
  });
}

/**
 * @param {Record<string, number>[]} list
 * @returns {Record<string, number>} the mean of each name over those that have it
 */
function meansOf(list) {
  const entries = groupBy(
    list.flatMap((one) => Object.entries(one)),
    ([name]) => name,
  );
  return Object.fromEntries(
    [...entries].map(([name, all]) => [name, all.reduce((sum, [, value]) => sum + value, 0) / all.length]),
  );
}
