// `couch-advisor confirm`: measures the advice of findings, each as it is against as advised, on scratch databases of a
// server.

import os from 'node:os';
import { describeEnvironment } from '../../../measure/experiments/environment.js';
import { isBound } from '../../../measure/experiments/experiment.js';
import { createLoadGenerator } from '../../../measure/experiments/run/load-generator.js';
import { loadAverage, readEnvironment } from '../../../measure/experiments/run/read-environment.js';
import { makeRunId, runAll } from '../../../measure/experiments/run/run-all.js';
import { openCouchdb } from '../../../measure/servers/couchdb.js';
import { watchMachine } from '../../../measure/servers/server-processes.js';
import { dropLeftovers, Target } from '../../../measure/servers/target.js';
import { confirmDocument } from '../../../reports/confirm.js';
import { imagesJson } from '../../../reports/confirm-json.js';
import { documentFormats } from '../../../reports/document/index.js';
import { printable } from '../../../shared/printable.js';
import { UserError } from '../../../shared/user-error.js';
import { describeError } from '../../describe-error.js';
import { readDestinations, writeReports } from '../../destinations.js';
import { EXIT } from '../../exit-codes.js';
import { readDuration } from '../../read-duration.js';
import { checkServer, createProgress, isAlive, listenForInterrupts } from '../../scratch-server.js';
import { chooseServers, cleanContainers } from '../../server-choice.js';
import { version } from '../../version.js';
import { openFindings } from './findings.js';
import { checkNumbers, checkSpace } from './limits.js';
import { openPlan } from './plan.js';
import { openResultFile } from './result-file.js';

/** @import { Experiment } from '../../../measure/experiments/experiment.js' */
/** @import { Outcome } from '../../../measure/experiments/run/run-all.js' */
/** @import { Server } from '../../../measure/servers/server.js' */
/** @import { Environment } from '../../../measure/experiments/environment.js' */
/** @import { Confirmation } from '../../../reports/confirm-json.js' */
/** @import { Analysis } from '../../../engine/pipeline.js' */
/** @import { Surroundings } from '../../main.js' */
/** @import { SourceOptions } from '../../prepare.js' */
/** @import { ServerChoice, ServerOptions } from '../../server-choice.js' */

/**
 * @typedef {SourceOptions & ServerOptions & {
 *   plan?: string, all?: boolean, runs?: number, maxDocs?: number, maxBytes?: number, budget?: string, connections?: number, seed?: string,
 *   sampleFrom?: string, keepValues?: boolean,
 *   format?: string[], output?: string[], journal?: string, resume?: boolean, yes?: boolean, clean?: boolean, color?: boolean,
 * }} ConfirmOptions
 */

/** Of one server. @typedef {{name: string, failure?: UserError, outcome?: Outcome, confirmation?: Confirmation, environment?: Environment}} Measured */

const formats = documentFormats(confirmDocument, imagesJson);

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
  const destinations = readDestinations(checkOutput(options), formats);
  const choices = chooseServers(options, surroundings);
  const { plan } = options;
  const work =
    plan === undefined
      ? await openFindings(options, paths, surroundings)
      : await openPlan({ ...options, plan }, paths, surroundings);
  if (work.isEmpty) {
    stderr.write(`${work.nothing}\n`);
    stderr.write(work.errors.map(describeError).join(''));
    return work.errors.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
  }
  const interrupt = listenForInterrupts();
  /** @type {Measured[]} */
  const all = [];
  try {
    for (const choice of choices) {
      const run = { budgetMs, signal: interrupt.signal, turn: all.length, of: choices.length };
      all.push(await measureOn(choice, work, run, options, surroundings));
    }
  } finally {
    interrupt.stop();
  }
  const images = all.map(({ name, failure, confirmation, environment }) => ({
    name,
    failure: failure ?? null,
    confirmation,
    json: () =>
      confirmation && environment ? work.toJson(confirmation, { seed: options.seed ?? '1', environment }) : null,
  }));
  await writeReports(images, destinations, options, surroundings);
  const failures = all.flatMap(({ failure }) => failure ?? []);
  const stopped = all.some(({ outcome }) => outcome?.isStopped) ? [interrupted()] : [];
  const lost = all.flatMap(({ outcome }) => outcome?.failure ?? []);
  const errors = [...work.errors, ...failures, ...lost, ...stopped];
  stderr.write(errors.map(describeError).join(''));
  const settled = all.flatMap(({ outcome }) => outcome?.settled ?? []);
  const failed = settled.filter(({ result }) => result?.state === 'failed');
  if (failed.length > 0) {
    const name = failed[0]?.experiment.id ?? '';
    const which = failed.length === 1 ? name : `${name} and ${failed.length - 1} more`;
    stderr.write(`incomplete, so the exit code is 3: ${printable(which)} failed; \`because\` has the reason\n`);
  }
  if (errors.length > 0 || failed.length > 0) return EXIT.INCOMPLETE;
  return settled.some(isConfirmation) ? EXIT.FINDINGS : EXIT.CLEAN;
}

/**
 * @typedef {object} Work What is measured, and how its results are shown.
 * @property {boolean} isEmpty whether there is nothing to measure
 * @property {string} nothing what is said then
 * @property {Analysis['report']['errors']} errors of what was read
 * @property {(server: Server) => Promise<Experiment[]>} bind
 * @property {Pick<Confirmation, 'findings' | 'heading'>} confirmation
 * @property {(confirmation: Confirmation, run: {seed: string, environment: Environment}) => object} toJson
 * @property {(settled: Outcome['settled'], server: Server) => void} keep keeps verdicts for `lint`
 */

/** @typedef {{budgetMs: number, signal: AbortSignal, turn: number, of: number}} Run `turn` of the servers, from 0, `of` so many */

/**
 * @param {ServerChoice} choice
 * @param {Work} work
 * @param {Run} run
 * @param {ConfirmOptions} options
 * @param {Surroundings} surroundings
 * @returns {Promise<Measured>} with its failure where there are other servers, whose results must not be lost with it
 * @throws {UserError} where it is the only one
 */
async function measureOn(choice, work, run, options, surroundings) {
  const { name } = choice;
  try {
    if (run.signal.aborted) throw new UserError('interrupted', `the run was interrupted before ${name}`);
    const server = await choice.open(run.signal);
    try {
      return { name, ...(await measure(work, server, { ...run, name }, options, surroundings)) };
    } finally {
      await server.close();
    }
  } catch (error) {
    if (run.of === 1 || !(error instanceof UserError)) throw error;
    return { name, failure: error };
  }
}

/**
 * @param {Work} work
 * @param {Server} server
 * @param {Run & {name: string}} run
 * @param {ConfirmOptions} options
 * @param {Surroundings} surroundings
 * @returns {Promise<Omit<Measured, 'name'>>}
 */
async function measure(work, server, { budgetMs, signal, turn, of, name }, options, surroundings) {
  const { stderr } = surroundings;
  await checkServer(server, options, stderr);
  const mark = { run: makeRunId(), host: os.hostname(), pid: process.pid, at: new Date().toISOString() };
  const environment = readEnvironment({ tool: version(), server: server.about });
  const { seed = '1', connections } = options;
  const experiments = await work.bind(server);
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
  work.keep(settled, server);
  const about = { environment: describeEnvironment(environment), noise, file: file.shown };
  return { outcome, confirmation: { settled, ...work.confirmation, ...about }, environment };
}

/**
 * @param {Outcome['settled'][number]} settled
 * @returns {boolean} whether it confirms a finding, or a pattern where no finding was to be settled
 */
function isConfirmation({ experiment, verdict }) {
  return verdict.word === 'confirmed' && (isBound(experiment) || experiment.findings?.length === 0);
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
      hint: 'npx --no-install couch-advisor confirm --clean --url http://localhost:5984, or --clean --docker',
    });
  }
  const server = await openCouchdb(options.url, surroundings.env);
  const { dropped, kept, failed } = await dropLeftovers(server, { host: os.hostname(), isAlive, all: true });
  surroundings.stdout.write(`dropped ${dropped.length} scratch databases\n`);
  for (const name of kept)
    surroundings.stdout.write(`kept ${printable(name)}: it is not marked as created by couch-advisor\n`);
  for (const name of failed) surroundings.stdout.write(`could not drop ${printable(name)}\n`);
  return failed.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
}

/**
 * @param {ConfirmOptions} options
 * @returns {ConfirmOptions}
 * @throws {UserError} where a file of rounds is meant
 */
function checkOutput(options) {
  const rounds = options.output?.find((file) => file.endsWith('.jsonl'));
  if (rounds === undefined) return options;
  throw new UserError('unknown-ending', '--output writes a report; the rounds are kept in the file of --journal', {
    hint: `use --journal ${rounds}`,
  });
}

/** @returns {UserError} */
function interrupted() {
  return new UserError('interrupted', 'the run was interrupted; its databases were dropped', {
    hint: 'run the same command with --resume to continue',
  });
}
