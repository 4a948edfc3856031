// Makes the JSON of settled experiments: the shape of lint, with a verdict in each finding that was measured, and all
// experiments beside it; of several images the report of each, and their verdicts side by side.

import { renderJson } from './json.js';

/** @import { Experiment, Noise, Result, Verdict } from '../measure/experiments/experiment.js' */
/** @import { Environment } from '../measure/experiments/environment.js' */
/** @import { UserError } from '../shared/user-error.js' */
/** @import { Finding } from '../engine/findings/finding.js' */
/** @import { Report } from './report.js' */

/**
 * @typedef {object} Confirmation
 * @property {{experiment: Experiment, verdict: Verdict, result: Result | undefined}[]} settled
 * @property {Finding[]} findings
 * @property {{name: string, value: string}[]} environment for people
 * @property {Noise | null} noise null where equal arms were not measured
 * @property {string | undefined} file where every round is kept
 * @property {string} [heading] of a plan: what was measured
 */

/**
 * @typedef {object} ImageOutcome
 * @property {string} name of the image
 * @property {UserError | null} failure why nothing was measured on it
 * @property {Confirmation | undefined} confirmation
 * @property {() => object | null} json its report, as if it were the only one
 */

/**
 * @param {Report} report
 * @param {Confirmation} confirmation
 * @param {{seed: string, environment: Environment}} run
 * @returns {object}
 */
export function confirmJson(report, { settled, noise }, run) {
  const lint = JSON.parse(renderJson(report));
  const byFinding = new Map(settled.flatMap((one) => (one.experiment.findings ?? []).map((key) => [key, one])));
  return {
    ...lint,
    findings: lint.findings.map((/** @type {Finding} */ finding) => {
      const one = byFinding.get(finding.key);
      // What was measured elsewhere confirms nothing of the finding.
      return one ? { ...finding, [isPattern(one.experiment) ? 'pattern' : 'verdict']: verdictOf(one) } : finding;
    }),
    run: { seed: run.seed, noise: noise?.ratio ?? null, noisePairs: noise?.pairs ?? 0, environment: run.environment },
    experiments: settled.map(describeExperiment),
  };
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

/**
 * @param {ImageOutcome[]} images
 * @returns {object} of one image its report; of several `images`: the report of each; `comparison`: each experiment with the verdicts of all
 */
export function imagesJson(images) {
  const [first] = images;
  if (images.length === 1) return first?.json() ?? {};
  return {
    version: 1,
    images: images.map(({ name, failure, json }) => ({
      image: name,
      failure: failure ? { code: failure.code, message: failure.message } : null,
      report: json(),
    })),
    comparison: compareImages(images).map(({ id, rule, verdicts }) => ({
      id,
      rule,
      verdicts: verdicts.map(({ image, verdict }) => ({
        image,
        word: verdict?.word ?? null,
        ratio: verdict?.ratio ?? null,
        interval: verdict?.interval ?? null,
        confidence: verdict?.confidence ?? 0,
        rounds: verdict?.rounds ?? 0,
      })),
    })),
  };
}

/** @typedef {{id: string, rule: string, verdicts: {image: string, verdict: Verdict | null}[]}} Compared `verdict`: null where it has none */

/**
 * @param {ImageOutcome[]} images
 * @returns {Compared[]} in the order of the first image that has the experiment
 */
export function compareImages(images) {
  /** @type {Map<string, Compared>} */
  const byId = new Map();
  for (const { experiment } of images.flatMap(({ confirmation }) => confirmation?.settled ?? [])) {
    const { id, rule = id } = experiment;
    byId.set(id, { id, rule, verdicts: [] });
  }
  for (const { name, confirmation } of images) {
    const verdicts = new Map(confirmation?.settled.map(({ experiment, verdict }) => [experiment.id, verdict]));
    for (const one of byId.values()) one.verdicts.push({ image: name, verdict: verdicts.get(one.id) ?? null });
  }
  return [...byId.values()];
}
