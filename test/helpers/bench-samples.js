// Makes samples of scenarios for tests, without a server.

/** @import { BenchSample } from '../../lib/measure/scenarios/scenario.js' */

/**
 * @param {string} set
 * @param {string} arm
 * @param {Partial<BenchSample>} [rest]
 * @returns {BenchSample}
 */
export function sampleOf(set, arm, rest = {}) {
  return { set, arm, round: 0, at: '2026-11-21T12:00:00.000Z', ms: 10, things: 1, ...rest };
}

/**
 * @param {string} set
 * @param {string} arm
 * @param {Partial<BenchSample>} rest
 * @param {number} [rounds]
 * @returns {BenchSample[]} alike but for their round
 */
export function roundsOf(set, arm, rest, rounds = 6) {
  return Array.from({ length: rounds }, (_, round) => sampleOf(set, arm, { round, ...rest }));
}
