// Runs the experiments of a run one after the other on one server: first equal arms, for the noise; then each; then the
// verdicts of all together. What is known from an earlier run is not measured again.

import { randomBytes } from 'node:crypto';
import { UserError } from '../../../shared/user-error.js';
import { comparedArms, MECHANISMS, missingMechanisms } from '../experiment.js';
import { fingerprintOf } from '../results.js';
import { logRatiosOf, summarizeArms } from '../summary.js';
import { effectOf, looksOf, MIN_PAIRS, marginOf, notMeasurable, settleAll } from '../verdict.js';
import { findWarnings } from '../warnings.js';
import { runExperiment } from './run-experiment.js';

/** @import { MachineWatch } from '../../servers/server-processes.js' */
/** @import { Server } from '../../servers/server.js' */
/** @import { Target } from '../../servers/target.js' */
/** @import { Environment } from '../environment.js' */
/** @import { Experiment, Noise, Result, Sample, Verdict } from '../experiment.js' */
/** @import { LoadGenerator } from '../load-order.js' */
/** @import { Line } from '../results.js' */

/**
 * @typedef {object} AllOptions
 * @property {Server} server
 * @property {Target} target
 * @property {LoadGenerator} generator
 * @property {Environment} environment
 * @property {string} seed
 * @property {number | undefined} documents instead of what each experiment says
 * @property {number | undefined} connections where absent, as logged, or 1
 * @property {number | undefined} [crowd] connections of a few pairs more, which are shown and not judged
 * @property {number | undefined} pairs the most; where absent, until the last look
 * @property {number} budgetMs of each experiment
 * @property {Noise} [noise] what equal arms differed by, where an earlier run on this server measured it
 * @property {ReadonlyMap<string, Result>} known results of earlier runs, by fingerprint
 * @property {ReadonlyMap<string, Sample[]>} [unfinished] rounds of experiments that were cut short, by fingerprint
 * @property {{steady: () => number, wall: () => number}} clocks
 * @property {MachineWatch} [machine] where it is known what others do meanwhile
 * @property {() => number} [loadAverage] of the last minute; that of the environment where absent
 * @property {(milliseconds: number) => Promise<void>} pause
 * @property {(line: Line) => void} keep writes a line of the result file
 * @property {(text: string) => void} onProgress shows what is being done
 * @property {AbortSignal} [signal]
 */

/** @typedef {{experiment: Experiment, verdict: Verdict, result: Result | undefined}} Settled */
/**
 * @typedef {object} Outcome
 * @property {Settled[]} settled in the order of the experiments
 * @property {Noise | null} noise null where equal arms were not measured
 * @property {boolean} isStopped
 * @property {UserError | undefined} failure what ended the run early
 */

/** So much of the time of an experiment goes to equal arms. */
const NOISE_SHARE = 0.5;

/**
 * @param {Experiment[]} experiments
 * @param {AllOptions} options
 * @returns {Promise<Outcome>}
 */
export async function runAll(experiments, options) {
  const { server, onProgress, keep, signal } = options;
  const measurable = experiments.filter(
    (one) => one.obstacle === undefined && missingMechanisms(one, server.mechanisms).length === 0,
  );
  /** @type {Map<string, Result>} */
  const results = new Map();
  let noise = options.noise ?? null;
  /** @type {UserError | undefined} */
  let failure;
  try {
    for (const [at, experiment] of measurable.entries()) {
      if (signal?.aborted) break;
      const label = `${at + 1} of ${measurable.length}: ${experiment.id}`;
      const known = options.known.get(fingerprintIn(experiment, options));
      if (known) {
        onProgress(`${label}: already measured`);
        results.set(experiment.id, known);
        continue;
      }
      const isWorthIt = options.pairs === undefined || options.pairs >= MIN_PAIRS;
      if (isWorthIt) noise ??= await measureNoise(measurable, options);
      onProgress(label);
      const result = await measure(experiment, {
        ...options,
        label,
        experiments: measurable.length,
        noise: noise?.ratio ?? null,
      });
      results.set(experiment.id, result);
      keep({ type: 'result', ...result });
    }
  } catch (error) {
    // What was measured before the server went is still worth reporting.
    if (!(error instanceof UserError)) throw error;
    failure = error;
  }
  const isStopped = signal?.aborted === true;
  return { settled: settle(experiments, results, { ...options, isStopped }), noise, isStopped, failure };
}

/**
 * @param {Experiment[]} experiments
 * @param {Map<string, Result>} results
 * @param {AllOptions & {isStopped: boolean}} options
 * @returns {Settled[]}
 */
function settle(experiments, results, { server, keep, isStopped }) {
  const measured = experiments.flatMap((experiment) => {
    const result = results.get(experiment.id);
    if (!result) return [];
    const effect = result.effect ?? experiment.effect;
    const { effectMs } = experiment;
    return [{ ...result, effect, ...(effectMs !== undefined && effect > experiment.effect ? { effectMs } : {}) }];
  });
  const settled = settleAll(
    measured.map(({ logRatios, margin, effect, effectMs, limits }) => ({
      logRatios,
      margin,
      effect,
      server: server.about.name,
      ...(effectMs === undefined ? {} : { effectMs }),
      ...(limits ? { limits } : {}),
    })),
  );
  const verdicts = new Map(measured.map((result, at) => [result.experiment, settled[at]]));
  return experiments.map((experiment) => {
    const result = results.get(experiment.id);
    const verdict = verdicts.get(experiment.id) ?? unmeasured(experiment, server, isStopped);
    if (result?.failure) verdict.reason = result.failure;
    const differences = result?.answers?.differences ?? [];
    if (differences.length > 0) {
      const reason = `the answers differ: ${differences.join('; ')}`;
      Object.assign(verdict, { word: 'refuted', reason, neededRounds: null, neededOptions: [] });
    }
    keep({ type: 'verdict', experiment: experiment.id, ...verdict });
    return { experiment, verdict, result };
  });
}

/**
 * @param {Experiment} experiment
 * @param {Server} server
 * @param {boolean} isStopped
 * @returns {Verdict}
 */
function unmeasured(experiment, { mechanisms, about, advice }, isStopped) {
  const missing = missingMechanisms(experiment, mechanisms);
  const given = { server: about.name, advice, margin: experiment.effect };
  const { obstacle } = experiment;
  if (obstacle !== undefined) return { ...notMeasurable([], given), reason: obstacle };
  if (missing.length > 0)
    return notMeasurable(
      missing.map((name) => MECHANISMS[name]),
      given,
    );
  const reason = isStopped ? 'the run was interrupted before this experiment' : 'the run ended before this experiment';
  return { ...notMeasurable([], given), word: 'inconclusive', reason };
}

/**
 * Equal arms against each other: what they differ by is this server's noise.
 * @param {Experiment[]} measurable
 * @param {AllOptions} options
 * @returns {Promise<Noise | null>}
 */
async function measureNoise(measurable, options) {
  const byRequests = measurable.filter((one) => comparedArms(one).asIs.measure === 'requests');
  for (const experiment of [...byRequests, ...measurable.slice(0, 1)]) {
    try {
      return await measureEqual(experiment, options);
    } catch (error) {
      // What the server refuses of one experiment is said with its verdict; the others still need the noise.
      refusedBy(error);
    }
  }
  return null;
}

/**
 * @param {unknown} error
 * @returns {UserError} what the server refused of one experiment; other errors are thrown on
 */
function refusedBy(error) {
  if (error instanceof UserError && error.code !== 'server-lost') return error;
  throw error;
}

/**
 * @param {Experiment} experiment
 * @param {AllOptions} options
 * @returns {Promise<Noise>}
 */
async function measureEqual(experiment, options) {
  options.onProgress('equal arms, to measure the noise');
  const { advised } = comparedArms(experiment);
  const arms = [
    { ...advised, id: 'as-is' },
    { ...advised, id: 'advised' },
  ];
  const { pairs, budgetMs } = options;
  const equal = { ...experiment, id: `equal arms of ${experiment.id}`, counters: [], answers: [], arms };
  const run = await runExperiment(equal, {
    ...options,
    documents: documentsOf(experiment, options),
    pairs: pairs ?? looksOf(1)[1] ?? MIN_PAIRS,
    budgetMs: budgetMs * NOISE_SHARE,
    connections: connectionsOf(experiment, options),
    crowd: undefined,
    margin: 1,
    // No claim about equal arms ends the rounds.
    experiments: Number.MAX_SAFE_INTEGER,
    onSample: (sample) => options.keep({ type: 'sample', experiment: equal.id, ...sample }),
  });
  const logRatios = logRatiosOf(run.samples);
  // Of fewer pairs the default would be reported as if it had been seen.
  const ratio = logRatios.length < MIN_PAIRS ? null : marginOf(logRatios, 1);
  return { ratio, pairs: logRatios.length, of: experiment.id };
}

/**
 * @param {Experiment} experiment
 * @param {Omit<AllOptions, 'noise'> & {experiments: number, noise: number | null, label: string}} options `label`: how it is called while it is measured
 * @returns {Promise<Result>}
 */
async function measure(experiment, options) {
  const { clocks, environment, experiments, label, noise, server, onProgress, keep } = options;
  const { loadAverage = () => environment.loadAverage } = options;
  const at = new Date(clocks.wall()).toISOString();
  const documents = documentsOf(experiment, options);
  const unknown = { margin: Math.max(experiment.effect, noise ?? 1), effect: experiment.effect };
  const fingerprint = fingerprintIn(experiment, options);
  const base = { experiment: experiment.id, fingerprint, at, documents, ...unknown };
  const pairs = options.pairs ?? looksOf(experiments).at(-1) ?? MIN_PAIRS;
  keep({ type: 'start', experiment: experiment.id, fingerprint });
  const before = await othersAtWork(server);
  const loads = [loadAverage()];
  const run = await runExperiment(experiment, {
    ...options,
    documents,
    margin: noise ?? 1,
    pairs,
    connections: connectionsOf(experiment, options),
    earlier: options.unfinished?.get(fingerprint) ?? [],
    onSample: (sample) => {
      keep({ type: 'sample', experiment: experiment.id, ...sample });
      loads.push(loadAverage());
    },
    onStep: (step) =>
      onProgress(`${label}: ${step.step === 'round' ? `pair ${step.pair + 1} of at most ${pairs}` : step.step}`),
  }).catch(refusedBy);
  if (run instanceof UserError) {
    return { ...base, state: 'failed', failure: run.message, logRatios: [], arms: [], warnings: [] };
  }
  const warnings = findWarnings({
    samples: run.samples,
    leastPairs: MIN_PAIRS,
    loadAverage: Math.max(...loads),
    processors: environment.processors,
    clocks: run.clocks,
    requestArms: new Set(experiment.arms.filter(({ measure }) => measure === 'requests').map(({ id }) => id)),
    compacted: before.compacts || (await othersAtWork(server)).compacts,
    shared: before.works || run.isShared,
    counted: run.counted,
  });
  const arms = summarizeArms(experiment.arms, run.samples, run.built);
  const effect = effectOf(experiment, arms.find(({ arm }) => arm === 'advised')?.ms ?? null);
  const refusal = run.samples.some(({ isUsable }) => isUsable) ? undefined : run.firstRefusal;
  return {
    ...base,
    state: run.isStopped ? 'stopped' : refusal ? 'failed' : 'done',
    failure: refusal ? `the server refused the requests: ${refusal}` : null,
    margin: Math.max(effect, noise ?? 1),
    effect,
    logRatios: logRatiosOf(run.samples),
    arms,
    // Without rounds there is nothing to doubt.
    warnings: run.answers && run.answers.differences.length > 0 ? [] : warnings,
    crowd: run.crowd,
    ...(run.answers ? { answers: run.answers } : {}),
    limits: { pairs, budgetMs: options.budgetMs, msOfPair: run.msOfPair, setupMs: run.setupMs, ended: run.ended },
  };
}

/**
 * @param {Server} server
 * @returns {Promise<{works: boolean, compacts: boolean}>} whether it has tasks, and whether one of them compacts
 */
async function othersAtWork(server) {
  const { status, body } = await server.ask('GET', '_active_tasks');
  const tasks = status === 200 && Array.isArray(body) ? body : [];
  return { works: tasks.length > 0, compacts: tasks.some((task) => /compaction/.test(String(task?.type))) };
}

/**
 * @param {Experiment} experiment
 * @param {Pick<AllOptions, 'documents'>} options
 * @returns {number}
 */
function documentsOf({ dataset }, { documents }) {
  // What was given is as much as it is.
  return dataset.given ? dataset.documents : (documents ?? dataset.documents);
}

/**
 * @param {Experiment} experiment
 * @param {Pick<AllOptions, 'connections'>} options
 * @returns {number}
 */
function connectionsOf(experiment, { connections }) {
  return connections ?? experiment.connections ?? 1;
}

/**
 * @param {Experiment} experiment
 * @param {Omit<AllOptions, 'noise'>} options
 * @returns {string}
 */
function fingerprintIn(experiment, options) {
  const { seed, environment } = options;
  const connections = connectionsOf(experiment, options);
  const documents = documentsOf(experiment, options);
  return fingerprintOf(experiment, {
    server: environment.server.name,
    seed,
    documents,
    connections,
    tool: environment.tool,
  });
}

/** @returns {string} an id for a run that no other has */
export function makeRunId() {
  return randomBytes(6).toString('hex');
}
