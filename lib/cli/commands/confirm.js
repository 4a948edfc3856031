// `couch-advisor confirm`: measures the advice of findings, each as it is against as advised, on scratch databases of a
// server.

import os from 'node:os';
import path from 'node:path';
import { advise } from '../../engine/pipeline.js';
import { cacheFolder } from '../../engine/run/cache-folder.js';
import { describeEnvironment } from '../../measure/experiments/environment.js';
import { isBound, measures } from '../../measure/experiments/experiment.js';
import { createLoadGenerator } from '../../measure/experiments/run/load-generator.js';
import { loadAverage, readEnvironment } from '../../measure/experiments/run/read-environment.js';
import { makeRunId, runAll } from '../../measure/experiments/run/run-all.js';
import { openCouchdb } from '../../measure/servers/couchdb.js';
import { watchMachine } from '../../measure/servers/server-processes.js';
import { dropLeftovers, Target } from '../../measure/servers/target.js';
import { verdictOf } from '../../reports/confirm-json.js';
import { printable } from '../../shared/printable.js';
import { shellWord } from '../../shared/shell-word.js';
import { UserError } from '../../shared/user-error.js';
import { readFirstDocuments } from '../../sources/loads/first-documents.js';
import { bindFindings } from '../bind-findings.js';
import { checkNumbers, checkSpace } from '../confirm/limits.js';
import { printOutcomes } from '../confirm/print-outcomes.js';
import { openResultFile } from '../confirm/result-file.js';
import { readSamples } from '../confirm/samples.js';
import { describeError } from '../describe-error.js';
import { EXIT } from '../exit-codes.js';
import { prepare } from '../prepare.js';
import { readDuration } from '../read-duration.js';
import { readExperiments } from '../read-experiments.js';
import { reportCutOffs, reportSources } from '../report-sources.js';
import { checkServer, createProgress, isAlive, listenForInterrupts } from '../scratch-server.js';
import { chooseServers, cleanContainers } from '../server-choice.js';
import { contentOf, keepVerdicts } from '../verdict-memory.js';
import { version } from '../version.js';

/** @import { Experiment } from '../../measure/experiments/experiment.js' */
/** @import { Outcome } from '../../measure/experiments/run/run-all.js' */
/** @import { Server } from '../../measure/servers/server.js' */
/** @import { Advice } from '../../engine/pipeline.js' */
/** @import { Surroundings } from '../main.js' */
/** @import { BoundExperiment } from '../bind-findings.js' */
/** @import { Measured } from '../confirm/print-outcomes.js' */
/** @import { Prepared, SourceOptions } from '../prepare.js' */
/** @import { ServerChoice, ServerOptions } from '../server-choice.js' */
/** @import { Kept } from '../verdict-memory.js' */

/**
 * @typedef {SourceOptions & ServerOptions & {
 *   all?: boolean, runs?: number, maxDocs?: number, maxBytes?: number, budget?: string, connections?: number, seed?: string,
 *   sampleFrom?: string, keepValues?: boolean,
 *   format?: 'text' | 'json', output?: string, resume?: boolean, yes?: boolean, clean?: boolean, color?: boolean,
 * }} ConfirmOptions
 */

/** Milliseconds for each experiment. */
const BUDGET_MS = 60_000;
/** Connections of the pairs that show how it is under load, where the user set none. */
const CROWD = 10;

/**
 * @param {ConfirmOptions} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 * @throws {UserError}
 */
export async function run(options, paths, surroundings) {
  const { stderr } = surroundings;
  checkNumbers(options);
  const budgetMs = options.budget === undefined ? BUDGET_MS : readDuration('budget', options.budget);
  if (options.sampleFrom !== undefined && options.url === undefined) {
    throw new UserError('no-server', '--sample-from requires a server', { hint: 'add --url http://localhost:5984' });
  }
  if (options.clean) return clean(options, surroundings);
  const choices = chooseServers(options, surroundings);
  const prepared = await prepare(options, paths, surroundings);
  reportSources(prepared, { isDiscovery: paths.length === 0 }, surroundings);
  const advice = await advise({ ...prepared, version: version() });
  reportCutOffs(advice.run, stderr);
  const experiments = chooseExperiments(readExperiments(prepared.rules), advice, options);
  if (experiments.length === 0) {
    stderr.write('none of the findings can be measured; --all runs every experiment\n');
    stderr.write(advice.report.errors.map(describeError).join(''));
    return advice.report.errors.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
  }
  const interrupt = listenForInterrupts();
  /** @type {Measured[]} */
  const all = [];
  try {
    for (const choice of choices) {
      const run = { prepared, budgetMs, signal: interrupt.signal, turn: all.length, of: choices.length };
      all.push(await measureOn(choice, experiments, advice, run, options, surroundings));
    }
  } finally {
    interrupt.stop();
  }
  printOutcomes(all, advice, options, surroundings);
  const failures = all.flatMap(({ failure }) => failure ?? []);
  const stopped = all.some(({ outcome }) => outcome?.isStopped) ? [interrupted(options)] : [];
  const lost = all.flatMap(({ outcome }) => outcome?.failure ?? []);
  const errors = [...advice.report.errors, ...failures, ...lost, ...stopped];
  stderr.write(errors.map(describeError).join(''));
  const settled = all.flatMap(({ outcome }) => outcome?.settled ?? []);
  if (errors.length > 0 || settled.some(({ result }) => result?.state === 'failed')) return EXIT.INCOMPLETE;
  return settled.some(isConfirmation) ? EXIT.FINDINGS : EXIT.CLEAN;
}

/** @typedef {{prepared: Prepared, budgetMs: number, signal: AbortSignal, turn: number, of: number}} Run `turn` of the servers, from 0, `of` so many */

/**
 * @param {ServerChoice} choice
 * @param {Experiment[]} experiments
 * @param {Advice} advice
 * @param {Run} run
 * @param {ConfirmOptions} options
 * @param {Surroundings} surroundings
 * @returns {Promise<Measured>} with its failure where there are other servers, whose results must not be lost with it
 * @throws {UserError} where it is the only one
 */
async function measureOn(choice, experiments, advice, run, options, surroundings) {
  const { name } = choice;
  try {
    if (run.signal.aborted) throw new UserError('interrupted', `the run was interrupted before ${name}`);
    const server = await choice.open(run.signal);
    try {
      return { name, ...(await measure(experiments, advice, server, { ...run, name }, options, surroundings)) };
    } finally {
      await server.close();
    }
  } catch (error) {
    if (run.of === 1 || !(error instanceof UserError)) throw error;
    return { name, failure: error };
  }
}

/**
 * @param {Experiment[]} chosen
 * @param {Advice} advice
 * @param {Server} server
 * @param {Run & {name: string}} run
 * @param {ConfirmOptions} options
 * @param {Surroundings} surroundings
 * @returns {Promise<Omit<Measured, 'name'>>}
 */
async function measure(chosen, advice, server, { prepared, budgetMs, signal, turn, of, name }, options, surroundings) {
  const { stderr } = surroundings;
  await checkServer(server, options, stderr);
  const mark = { run: makeRunId(), host: os.hostname(), pid: process.pid, at: new Date().toISOString() };
  const environment = readEnvironment({ tool: version(), server: server.about });
  const { seed = '1', connections } = options;
  const experiments = await bindFindings(chosen, advice, {
    seed,
    documents: options.maxDocs,
    samples: await readSamples(server, advice, prepared, options),
    readLoad: async (file, most) => {
      return readFirstDocuments(path.resolve(surroundings.cwd, file), most);
    },
  });
  await checkSpace(server, experiments, options);
  const file = openResultFile(options, surroundings, turn > 0);
  const head = { seed, connections: connections ?? null, budgetMs, pairs: options.runs ?? 0, environment };
  file.keep({ type: 'run', version: 1, at: mark.at, ...head });
  const progress = createProgress(stderr);
  /** @type {Outcome} */
  let outcome;
  try {
    outcome = await runAll(experiments, {
      server,
      target: new Target(server, mark),
      generator: createLoadGenerator(),
      environment,
      seed,
      documents: options.maxDocs,
      connections,
      crowd: connections === undefined ? CROWD : undefined,
      pairs: options.runs,
      budgetMs,
      known: file.known,
      unfinished: file.unfinished,
      machine: watchMachine(server),
      loadAverage,
      clocks: { steady: () => performance.now(), wall: () => Date.now() },
      pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      keep: file.keep,
      onProgress: (text) => progress.onProgress(of > 1 ? `${name}: ${text}` : text),
      signal,
    });
  } finally {
    progress.end();
    file.close();
  }
  const { settled, noise } = outcome;
  keepVerdicts(cacheFolder(surroundings.env), keptOf(settled, experiments, advice, server));
  const { findings } = advice.report;
  const confirmation = { settled, findings, environment: describeEnvironment(environment), noise, file: file.shown };
  return { outcome, confirmation, environment };
}

/**
 * @param {Outcome['settled'][number]} settled
 * @returns {boolean} whether it confirms a finding, or a pattern where no finding was to be settled
 */
function isConfirmation({ experiment, verdict }) {
  return verdict.word === 'confirmed' && (isBound(experiment) || experiment.findings?.length === 0);
}

/**
 * @param {Outcome['settled']} settled
 * @param {BoundExperiment[]} experiments
 * @param {Advice} advice
 * @param {Server} server
 * @returns {Kept[]}
 */
function keptOf(settled, experiments, { links }, { about }) {
  const byId = new Map(settled.map((one) => [one.experiment.id, one]));
  return experiments.flatMap(({ id, findings }) => {
    const one = byId.get(id);
    if (!one) return [];
    return links
      .filter(({ finding }) => findings.includes(finding.key))
      .map(({ finding, subject }) => ({
        key: finding.key,
        content: contentOf(subject),
        version: about.version,
        isPattern: !isBound(one.experiment),
        verdict: /** @type {Kept['verdict']} */ (verdictOf(one)),
      }));
  });
}

/**
 * @param {Experiment[]} all
 * @param {Advice} advice
 * @param {ConfirmOptions} options
 * @returns {Experiment[]}
 */
function chooseExperiments(all, { report }, { all: wantsAll, rule }) {
  const isFound = (/** @type {Experiment} */ one) => report.findings.some((finding) => measures(one, finding));
  return all.filter((one) => (wantsAll ? rule === undefined || rule.includes(one.id) : isFound(one)));
}

/**
 * @param {ConfirmOptions} options
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 */
async function clean(options, surroundings) {
  const code = await cleanContainers(options, surroundings);
  if (code !== undefined) return code;
  if (options.url === undefined) {
    throw new UserError('no-server', '--clean requires a server: the embedded one stores nothing', {
      hint: 'couch-advisor confirm --clean --url http://localhost:5984, or --clean --docker',
    });
  }
  const server = await openCouchdb(options.url, surroundings.env);
  const { dropped, kept } = await dropLeftovers(server, { host: os.hostname(), isAlive, all: true });
  surroundings.stdout.write(`dropped ${dropped.length} scratch databases\n`);
  for (const name of kept)
    surroundings.stdout.write(`kept ${printable(name)}: it is not marked as created by couch-advisor\n`);
  return kept.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
}

/**
 * @param {ConfirmOptions} options
 * @returns {UserError}
 */
function interrupted({ output }) {
  const hint = `couch-advisor confirm --resume${output === undefined ? '' : ` --output ${shellWord(output)}`} continues the run`;
  return new UserError('interrupted', 'the run was interrupted; its databases were dropped', { hint });
}
