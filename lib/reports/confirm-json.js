// Renders settled experiments as JSON: the shape of lint, with a verdict in each finding that was measured, and all
// experiments beside it.

import { renderJson } from './json.js';
import { stringifyJson } from './stringify-json.js';

/** @import { Experiment, Noise, Result, Verdict } from '../measure/experiments/experiment.js' */
/** @import { Environment } from '../measure/experiments/environment.js' */
/** @import { Finding } from '../engine/findings/finding.js' */
/** @import { Report } from './report.js' */

/**
 * @typedef {object} Confirmation
 * @property {{experiment: Experiment, verdict: Verdict, result: Result | undefined}[]} settled
 * @property {Finding[]} findings
 * @property {string[]} environment as lines for people
 * @property {Noise | null} noise null where equal arms were not measured
 * @property {string | undefined} file where every round is kept
 * @property {string} [heading] of a plan: what was measured
 */

/**
 * @param {Report} report
 * @param {Confirmation} confirmation
 * @param {{seed: string, environment: Environment}} run
 * @returns {string}
 */
export function renderConfirmJson(report, { settled, noise }, run) {
  const lint = JSON.parse(renderJson(report));
  const byFinding = new Map(settled.flatMap((one) => (one.experiment.findings ?? []).map((key) => [key, one])));
  return stringifyJson({
    ...lint,
    findings: lint.findings.map((/** @type {Finding} */ finding) => {
      const one = byFinding.get(finding.key);
      // What was measured elsewhere confirms nothing of the finding.
      return one ? { ...finding, [isPattern(one.experiment) ? 'pattern' : 'verdict']: verdictOf(one) } : finding;
    }),
    run: { seed: run.seed, noise: noise?.ratio ?? null, noisePairs: noise?.pairs ?? 0, environment: run.environment },
    experiments: settled.map(describeExperiment),
  });
}

/**
 * @param {Confirmation['settled'][number]} settled
 * @returns {{rule: string, isPattern: boolean} & Record<string, unknown>} its documented keys
 */
export function describeExperiment(settled) {
  const { experiment, result } = settled;
  return {
    id: experiment.id,
    rule: experiment.rule ?? experiment.id,
    isPattern: isPattern(experiment),
    notes: experiment.notes ?? [],
    question: experiment.question,
    verdict: verdictOf(settled),
    documents: result?.documents ?? null,
    arms: result?.arms ?? [],
    logRatios: result?.logRatios ?? [],
    crowd: result?.crowd ?? null,
  };
}

/**
 * @param {Experiment} experiment
 * @returns {boolean} whether other functions and documents were measured than those of a finding
 */
export function isPattern({ about }) {
  return about === undefined;
}

/**
 * @param {Confirmation['settled'][number]} settled
 * @returns {object}
 */
export function verdictOf({ experiment, verdict, result }) {
  const { word, reason, ratio, interval, confidence, margin, p, rounds, neededRounds, neededOptions, server } = verdict;
  const counters = Object.fromEntries((result?.arms ?? []).map((arm) => [arm.arm, arm.counters]));
  const statistics = { ratio, interval, confidence, margin, p, rounds, neededRounds, neededOptions };
  return {
    word,
    reason,
    ...statistics,
    server,
    counters,
    warnings: result?.warnings ?? [],
    assumed: experiment.assumed ?? [],
    at: result?.at ?? null,
  };
}
