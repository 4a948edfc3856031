// `couch-advisor confirm`: measures what findings say, each as it is against as advised, on scratch databases of a server.

import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describeEnvironment } from '../../experiments/environment.js';
import { readFinished, writeLine } from '../../experiments/results.js';
import { createLoadGenerator } from '../../experiments/run/load-generator.js';
import { readEnvironment } from '../../experiments/run/read-environment.js';
import { makeRunId, runAll } from '../../experiments/run/run-all.js';
import { advise } from '../../pipeline.js';
import { renderConfirmJson } from '../../reports/confirm-json.js';
import { renderConfirmText } from '../../reports/confirm-text.js';
import { dropLeftovers, Target } from '../../servers/target.js';
import { printable } from '../../shared/printable.js';
import { UserError } from '../../shared/user-error.js';
import { wantsColor } from '../colors.js';
import { EXIT } from '../exit-codes.js';
import { prepare } from '../prepare.js';
import { cacheFolder } from '../proof-cache.js';
import { readExperiments } from '../read-experiments.js';
import { describeError } from '../tell-error.js';
import { tellSources } from '../tell-sources.js';
import { version } from '../version.js';

/** @import { Experiment, Result } from '../../experiments/experiment.js' */
/** @import { Line } from '../../experiments/results.js' */
/** @import { Outcome } from '../../experiments/run/run-all.js' */
/** @import { Server } from '../../servers/server.js' */
/** @import { Advice } from '../../pipeline.js' */
/** @import { Surroundings } from '../main.js' */
/** @import { SourceOptions } from '../prepare.js' */

/**
 * @typedef {SourceOptions & {
 *   url?: string, all?: boolean, runs?: number, size?: number, budget?: number, connections?: number, seed?: string,
 *   format?: 'text' | 'json', output?: string, resume?: boolean, yes?: boolean, clean?: boolean, color?: boolean,
 * }} ConfirmOptions
 */

/** Seconds for each experiment. */
const BUDGET = 30;
/** More documents than this are no micro-benchmark, and fill disks. */
const MOST_DOCUMENTS = 100_000;
const LEAST_DOCUMENTS = 100;
const MOST_CONNECTIONS = 100;

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
  if (options.clean) return clean(options, surroundings);
  const prepared = await prepare(options, paths, surroundings);
  tellSources(prepared, { isDiscovery: paths.length === 0 }, stderr);
  const advice = await advise({ ...prepared, version: version() });
  const experiments = chooseExperiments(readExperiments(prepared.rules), advice, options);
  if (experiments.length === 0) {
    stderr.write('no finding has an experiment; --all runs every experiment there is\n');
    stderr.write(advice.report.errors.map(describeError).join(''));
    return advice.report.errors.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
  }
  const server = await openServer(options, surroundings);
  const interrupt = listenForInterrupts();
  try {
    return await measure(experiments, advice, server, interrupt.signal, options, surroundings);
  } finally {
    interrupt.stop();
    await server.close();
  }
}

/**
 * @param {Experiment[]} experiments
 * @param {Advice} advice
 * @param {Server} server
 * @param {AbortSignal} signal
 * @param {ConfirmOptions} options
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 */
async function measure(experiments, advice, server, signal, options, surroundings) {
  const { stdout, stderr } = surroundings;
  await checkServer(server, options, stderr);
  const mark = { run: makeRunId(), host: os.hostname(), pid: process.pid, at: new Date().toISOString() };
  const environment = readEnvironment({ tool: version(), server: server.about });
  const { seed = '1', connections = 1, budget = BUDGET } = options;
  const file = openResultFile(options, surroundings);
  const head = { seed, connections, budgetMs: budget * 1000, pairs: options.runs ?? 0, environment };
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
      documents: options.size,
      connections,
      pairs: options.runs,
      budgetMs: budget * 1000,
      known: file.known,
      clocks: { steady: () => performance.now(), wall: () => Date.now() },
      pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      keep: file.keep,
      tell: progress.tell,
      signal,
    });
  } finally {
    progress.end();
    file.close();
  }
  const { settled, noise, failure, isStopped } = outcome;
  const { findings } = advice.report;
  const confirmation = { settled, findings, environment: describeEnvironment(environment), noise, file: file.shown };
  if (options.format === 'json') {
    stdout.write(renderConfirmJson({ ...advice.report, failOn: 'never' }, confirmation, { seed, environment }));
  } else stdout.write(renderConfirmText(confirmation, { color: wantsColor(options, surroundings) }));
  const errors = [...advice.report.errors, ...(failure ? [failure] : []), ...(isStopped ? [interrupted(options)] : [])];
  stderr.write(errors.map(describeError).join(''));
  if (errors.length > 0 || settled.some(({ result }) => result?.state === 'failed')) return EXIT.INCOMPLETE;
  return settled.some(({ verdict }) => verdict.word === 'confirmed') ? EXIT.FINDINGS : EXIT.CLEAN;
}

/**
 * @param {Experiment[]} all
 * @param {Advice} advice
 * @param {ConfirmOptions} options
 * @returns {Experiment[]}
 */
function chooseExperiments(all, { report }, { all: wantsAll, rule }) {
  const found = new Set(report.findings.map((finding) => finding.rule));
  return all.filter(({ id }) => (wantsAll ? rule === undefined || rule.includes(id) : found.has(id)));
}

/**
 * @param {ConfirmOptions} options
 * @param {Surroundings} surroundings
 * @returns {Promise<Server>}
 */
async function openServer({ url }, { env }) {
  if (url !== undefined) {
    const { openCouchdb } = await import('../../servers/couchdb.js');
    return openCouchdb(url, env);
  }
  const { openEmbedded } = await import('../../servers/embedded.js');
  return openEmbedded();
}

/**
 * @param {Server} server
 * @param {ConfirmOptions} options
 * @param {Surroundings['stderr']} stderr
 * @throws {UserError} where it looks as if people depended on it
 */
async function checkServer(server, { yes }, stderr) {
  const signs = yes ? [] : await server.findSignsOfUse();
  if (signs.length > 0) {
    throw new UserError('server-in-use', `${server.origin} looks as if people depended on it: ${signs.join(', ')}`, {
      hint: 'measure on another server, or add --yes where you know that it may be loaded',
    });
  }
  const { dropped } = await dropLeftovers(server, { host: os.hostname(), isAlive });
  if (dropped.length > 0) stderr.write(`dropped what a killed run had left: ${dropped.join(', ')}\n`);
}

/**
 * @param {ConfirmOptions} options
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 */
async function clean(options, surroundings) {
  if (options.url === undefined) {
    throw new UserError('no-server', '--clean needs a server: the embedded one keeps nothing', {
      hint: 'couch-advisor confirm --clean --url http://localhost:5984',
    });
  }
  const server = await openServer(options, surroundings);
  const { dropped, kept } = await dropLeftovers(server, { host: os.hostname(), isAlive, all: true });
  surroundings.stdout.write(`dropped ${dropped.length} scratch databases\n`);
  for (const name of kept) surroundings.stdout.write(`left ${printable(name)}: it has no mark of couch-advisor\n`);
  return kept.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
}

/**
 * Where every round is kept as soon as it is measured.
 * @param {ConfirmOptions} options
 * @param {Surroundings} surroundings
 * @returns {{shown: string, known: Map<string, Result>, keep: (line: Line) => void, close: () => void}}
 * @throws {UserError} where it cannot be written
 */
function openResultFile({ output, resume }, { cwd, env }) {
  const file = output === undefined ? path.join(cacheFolder(env), 'confirm.jsonl') : path.resolve(cwd, output);
  const shown = output ?? file;
  const known = resume ? readFinished(readIfThere(file)) : new Map();
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    const handle = openSync(file, resume ? 'a' : 'w');
    return { shown, known, keep: (line) => void writeSync(handle, writeLine(line)), close: () => closeSync(handle) };
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError('cannot-write', `${shown} cannot be written (${code})`, {
      hint: 'name another file with --output',
    });
  }
}

/** @param {string} file @returns {string} */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** @param {ConfirmOptions} options @throws {UserError} */
function checkNumbers({ size, runs, connections, budget }) {
  /** @type {[string, number | undefined, number, number][]} */
  const limits = [
    ['size', size, LEAST_DOCUMENTS, MOST_DOCUMENTS],
    ['runs', runs, 1, 10_000],
    ['connections', connections, 1, MOST_CONNECTIONS],
    ['budget', budget, 1, 86_400],
  ];
  for (const [name, value, least, most] of limits) {
    if (value === undefined || (value >= least && value <= most)) continue;
    throw new UserError('bad-number', `--${name} is ${value}, and may be ${least} to ${most}`, {
      hint: `write, for example, --${name} ${least}`,
    });
  }
}

/**
 * The first interrupt ends the round and cleans up; a second one ends the program at once.
 * @returns {{signal: AbortSignal, stop: () => void}}
 */
function listenForInterrupts() {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  return { signal: controller.signal, stop: () => void process.off('SIGINT', abort).off('SIGTERM', abort) };
}

/**
 * @param {ConfirmOptions} options
 * @returns {UserError}
 */
function interrupted({ output }) {
  const hint = `couch-advisor confirm --resume${output === undefined ? '' : ` --output ${output}`} goes on`;
  return new UserError('interrupted', 'the run was interrupted; its databases were dropped', { hint });
}

/**
 * @param {Surroundings['stderr']} stderr
 * @returns {{tell: (text: string) => void, end: () => void}} a line that is written over, where a terminal reads
 */
function createProgress(stderr) {
  if (!stderr.isTTY) return { tell: () => {}, end: () => {} };
  return {
    tell: (text) => void stderr.write(`\r\u001b[K${printable(text)}`),
    end: () => void stderr.write('\r\u001b[K'),
  };
}

/** @param {number} pid @returns {boolean} whether a process of this machine has it */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
