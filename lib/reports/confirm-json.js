// Settled experiments as JSON: the shape of lint, with a verdict in each finding that has one, and all experiments beside it.

import { renderJson } from './json.js';
import { stringifyJson } from './stringify-json.js';

/** @import { Experiment, Result, Verdict } from '../experiments/experiment.js' */
/** @import { Environment } from '../experiments/environment.js' */
/** @import { Finding } from '../findings/finding.js' */
/** @import { Report } from './report.js' */

/**
 * @typedef {object} Confirmation
 * @property {{experiment: Experiment, verdict: Verdict, result: Result | undefined}[]} settled
 * @property {Finding[]} findings
 * @property {string[]} environment as lines for people
 * @property {number | null} noise ratio by which equal arms differed at most
 * @property {string | undefined} file where every round is kept
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
      return one ? { ...finding, verdict: verdictOf(one) } : finding;
    }),
    run: { seed: run.seed, noise, environment: run.environment },
    experiments: settled.map((one) => ({
      id: one.experiment.id,
      rule: one.experiment.rule ?? one.experiment.id,
      notes: one.experiment.notes ?? [],
      question: one.experiment.question,
      verdict: verdictOf(one),
      documents: one.result?.documents ?? null,
      arms: one.result?.arms ?? [],
      logRatios: one.result?.logRatios ?? [],
      crowd: one.result?.crowd ?? null,
    })),
  });
}

/**
 * @param {Confirmation['settled'][number]} settled
 * @returns {object}
 */
export function verdictOf({ verdict, result }) {
  const { word, reason, ratio, interval, confidence, margin, p, rounds, neededRounds, server } = verdict;
  const counters = Object.fromEntries((result?.arms ?? []).map((arm) => [arm.arm, arm.counters]));
  const statistics = { ratio, interval, confidence, margin, p, rounds, neededRounds };
  return { word, reason, ...statistics, server, counters, warnings: result?.warnings ?? [], at: result?.at ?? null };
}
