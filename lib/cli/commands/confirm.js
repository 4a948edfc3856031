// `couch-advisor confirm`: measures the advice of findings, each as it is against as advised, on scratch databases of a
// server.

import { closeSync, openSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FOLDER_MODE, makeFolder } from '../../engine/run/cache-file.js';
import { cacheFolder } from '../../engine/run/cache-folder.js';
import { describeEnvironment } from '../../measure/experiments/environment.js';
import { isBound } from '../../measure/experiments/experiment.js';
import { readFinished, readUnfinished, writeLine } from '../../measure/experiments/results.js';
import { createLoadGenerator } from '../../measure/experiments/run/load-generator.js';
import { loadAverage, readEnvironment } from '../../measure/experiments/run/read-environment.js';
import { makeRunId, runAll } from '../../measure/experiments/run/run-all.js';
import { watchMachine } from '../../measure/servers/server-processes.js';
import { dropLeftovers, Target } from '../../measure/servers/target.js';
import { renderConfirmText } from '../../reports/confirm-text.js';
import { printable } from '../../shared/printable.js';
import { shellWord } from '../../shared/shell-word.js';
import { formatBytes } from '../../shared/units.js';
import { UserError } from '../../shared/user-error.js';
import { wantsColor } from '../colors.js';
import { openFindings } from '../confirm-findings.js';
import { openPlan } from '../confirm-plan.js';
import { describeError } from '../describe-error.js';
import { EXIT } from '../exit-codes.js';
import { readIfThere } from '../read-if-there.js';
import { checkServer, createProgress, isAlive, listenForInterrupts, openServer } from '../scratch-server.js';
import { version } from '../version.js';

/** @import { Experiment, Result, Sample } from '../../measure/experiments/experiment.js' */
/** @import { Line } from '../../measure/experiments/results.js' */
/** @import { Outcome } from '../../measure/experiments/run/run-all.js' */
/** @import { Server } from '../../measure/servers/server.js' */
/** @import { Environment } from '../../measure/experiments/environment.js' */
/** @import { Confirmation } from '../../reports/confirm-json.js' */
/** @import { Advice } from '../../engine/pipeline.js' */
/** @import { Surroundings } from '../main.js' */
/** @import { SourceOptions } from '../prepare.js' */

/**
 * @typedef {SourceOptions & {
 *   url?: string, plan?: string, all?: boolean, runs?: number, maxDocs?: number, maxBytes?: number, budget?: string, connections?: number, seed?: string,
 *   sampleFrom?: string, keepValues?: boolean,
 *   format?: 'text' | 'json', output?: string, resume?: boolean, yes?: boolean, clean?: boolean, color?: boolean,
 * }} ConfirmOptions
 */

/** Milliseconds for each experiment. */
const BUDGET_MS = 60_000;
/** What all experiments may write, in bytes of documents as JSON. */
const MAX_BYTES = 1_000_000_000;
/** More documents than this are no micro-benchmark, and fill disks. */
const MAX_DOCUMENTS = 100_000;
const MIN_DOCUMENTS = 100;
const MAX_CONNECTIONS = 100;
/** Connections of the pairs that show how it is under load, where the user set none. */
const CROWD = 10;
/** So many times the size of its documents a database may take while it is written and indexed. */
const ROOM = 8;

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
  const budgetMs = readBudget(options.budget);
  if (options.sampleFrom !== undefined && options.url === undefined) {
    throw new UserError('no-server', '--sample-from requires a server', { hint: 'add --url http://localhost:5984' });
  }
  if (options.clean) return clean(options, surroundings);
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
  const server = await openServer(options.url, surroundings.env);
  const interrupt = listenForInterrupts();
  try {
    return await measure(work, { server, budgetMs, signal: interrupt.signal }, options, surroundings);
  } finally {
    interrupt.stop();
    await server.close();
  }
}

/**
 * @typedef {object} Work What is measured, and how its results are shown.
 * @property {boolean} isEmpty whether there is nothing to measure
 * @property {string} nothing what is said then
 * @property {UserError[] | Advice['report']['errors']} errors of what was read
 * @property {(server: Server) => Promise<Experiment[]>} bind
 * @property {Pick<Confirmation, 'findings' | 'heading'>} confirmation
 * @property {(confirmation: Confirmation, run: {seed: string, environment: Environment}) => string} renderJson
 * @property {(settled: Outcome['settled'], server: Server) => void} keep keeps verdicts for `lint`
 */

/**
 * @param {Work} work
 * @param {{server: Server, budgetMs: number, signal: AbortSignal}} run
 * @param {ConfirmOptions} options
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 */
async function measure(work, { server, budgetMs, signal }, options, surroundings) {
  const { stdout, stderr } = surroundings;
  await checkServer(server, options, stderr);
  const mark = { run: makeRunId(), host: os.hostname(), pid: process.pid, at: new Date().toISOString() };
  const environment = readEnvironment({ tool: version(), server: server.about });
  const { seed = '1', connections } = options;
  const experiments = await work.bind(server);
  await checkSpace(server, experiments, options);
  const file = openResultFile(options, surroundings);
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
      onProgress: progress.onProgress,
      signal,
    });
  } finally {
    progress.end();
    file.close();
  }
  const { settled, noise, failure, isStopped } = outcome;
  work.keep(settled, server);
  const about = { environment: describeEnvironment(environment), noise, file: file.shown };
  const confirmation = { settled, ...work.confirmation, ...about };
  if (options.format === 'json') stdout.write(work.renderJson(confirmation, { seed, environment }));
  else stdout.write(renderConfirmText(confirmation, { color: wantsColor(options, surroundings) }));
  const errors = [...work.errors, ...(failure ? [failure] : []), ...(isStopped ? [interrupted(options)] : [])];
  stderr.write(errors.map(describeError).join(''));
  if (errors.length > 0 || settled.some(({ result }) => result?.state === 'failed')) return EXIT.INCOMPLETE;
  return settled.some(isConfirmation) ? EXIT.FINDINGS : EXIT.CLEAN;
}

/**
 * @param {Server} server
 * @param {Experiment[]} experiments
 * @param {ConfirmOptions} options
 * @throws {UserError} where more would be written than is allowed, or there is room for
 */
async function checkSpace(server, experiments, { maxBytes = MAX_BYTES, maxDocs }) {
  const bytes = experiments.reduce((sum, experiment) => sum + bytesOf(experiment, maxDocs), 0);
  if (bytes > maxBytes) {
    throw new UserError(
      'too-much-data',
      `the experiments would write ${formatBytes(bytes)} of documents, more than --max-bytes (${formatBytes(maxBytes)})`,
      {
        hint: 'select fewer experiments with --rule, or reduce --max-docs',
      },
    );
  }
  const free = await server.readFreeBytes?.();
  // Trees that are appended to, indexes and compaction take several times what the documents do.
  if (free !== undefined && free < bytes * ROOM) {
    throw new UserError(
      'too-little-space',
      `the server has ${formatBytes(free)} of free disk space; the run may write ${formatBytes(bytes * ROOM)}`,
      {
        hint: 'select fewer experiments with --rule, or reduce --max-docs',
      },
    );
  }
}

/**
 * @param {Experiment} experiment
 * @param {number | undefined} documents
 * @returns {number} of documents that are written at once, about
 */
function bytesOf({ dataset, arms, obstacle, isSeparate }, documents = dataset.documents) {
  if (obstacle !== undefined) return 0;
  const bytes = dataset.given
    ? dataset.given.documents.reduce((sum, document) => sum + JSON.stringify(document).length, 0)
    : ((dataset.paddingBytes ?? 200) + 300) * documents;
  // Rounds of loads write a database each, which is dropped before the next.
  return bytes * (isSeparate || arms.some(({ measure }) => measure === 'load') ? 2 : 1);
}

/**
 * @param {Outcome['settled'][number]} settled
 * @returns {boolean} whether it confirms a finding, or a pattern where no finding was to be settled
 */
function isConfirmation({ experiment, verdict }) {
  return verdict.word === 'confirmed' && (isBound(experiment) || experiment.findings?.length === 0);
}

/**
 * @param {string | undefined} text `90`, `15s`, `2m`
 * @returns {number} milliseconds
 * @throws {UserError}
 */
function readBudget(text) {
  if (text === undefined) return BUDGET_MS;
  const [, number, unit = 's'] = /^(\d{1,5}(?:\.\d+)?)\s*(s|m|min)?$/.exec(text) ?? [];
  const ms = Number(number) * (unit === 's' ? 1000 : 60_000);
  if (ms >= 1000 && ms <= 86_400_000) return ms;
  throw new UserError('bad-budget', `invalid --budget ${JSON.stringify(text)}: must be between 1s and 1d`, {
    hint: 'for example: --budget 15s or --budget 2m',
  });
}

/**
 * @param {ConfirmOptions} options
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 */
async function clean(options, surroundings) {
  if (options.url === undefined) {
    throw new UserError('no-server', '--clean requires a server: the embedded one stores nothing', {
      hint: 'couch-advisor confirm --clean --url http://localhost:5984',
    });
  }
  const server = await openServer(options.url, surroundings.env);
  const { dropped, kept } = await dropLeftovers(server, { host: os.hostname(), isAlive, all: true });
  surroundings.stdout.write(`dropped ${dropped.length} scratch databases\n`);
  for (const name of kept)
    surroundings.stdout.write(`kept ${printable(name)}: it is not marked as created by couch-advisor\n`);
  return kept.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
}

/**
 * Where every round is kept as soon as it is measured.
 * @param {ConfirmOptions} options
 * @param {Surroundings} surroundings
 * @returns {{shown: string, known: Map<string, Result>, unfinished: Map<string, Sample[]>, keep: (line: Line) => void, close: () => void}}
 * @throws {UserError} where it cannot be written
 */
function openResultFile({ output, resume }, { cwd, env }) {
  const file = output === undefined ? path.join(cacheFolder(env), 'confirm.jsonl') : path.resolve(cwd, output);
  const shown = output ?? file;
  const text = (resume && readIfThere(file)) || '';
  const [known, unfinished] = [readFinished(text), readUnfinished(text)];
  try {
    makeFolder(path.dirname(file), output === undefined ? FOLDER_MODE : 0o777);
    const handle = openSync(file, resume ? 'a' : 'w');
    // A run that was killed may have left half a line.
    if (text !== '' && !text.endsWith('\n')) writeSync(handle, '\n');
    return {
      shown,
      known,
      unfinished,
      keep: (line) => void writeSync(handle, writeLine(line)),
      close: () => closeSync(handle),
    };
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError('cannot-write', `cannot write ${shown} (${code})`, {
      hint: 'choose another file with --output',
    });
  }
}

/** @param {ConfirmOptions} options @throws {UserError} */
function checkNumbers({ maxDocs, maxBytes, runs, connections }) {
  /** @type {[string, number | undefined, number, number][]} */
  const limits = [
    ['max-docs', maxDocs, MIN_DOCUMENTS, MAX_DOCUMENTS],
    ['max-bytes', maxBytes, 1_000_000, 1e15],
    ['runs', runs, 1, 10_000],
    ['connections', connections, 1, MAX_CONNECTIONS],
  ];
  for (const [name, value, least, most] of limits) {
    if (value === undefined || (value >= least && value <= most)) continue;
    throw new UserError('bad-number', `invalid --${name} ${value}: must be between ${least} and ${most}`, {
      hint: `for example: --${name} ${least}`,
    });
  }
}

/**
 * @param {ConfirmOptions} options
 * @returns {UserError}
 */
function interrupted({ output }) {
  const hint = `couch-advisor confirm --resume${output === undefined ? '' : ` --output ${shellWord(output)}`} continues the run`;
  return new UserError('interrupted', 'the run was interrupted; its databases were dropped', { hint });
}
