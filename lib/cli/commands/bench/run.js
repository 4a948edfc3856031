// `couch-advisor bench`: repeats the classic measurements on a server, beside the figures that were published.

import os from 'node:os';
import path from 'node:path';
import { describeEnvironment } from '../../../measure/experiments/environment.js';
import { makeRunId } from '../../../measure/experiments/run/run-all.js';
import { SCENARIOS } from '../../../measure/scenarios/list.js';
import { runQueryServers } from '../../../measure/scenarios/run/query-servers.js';
import { runScenario } from '../../../measure/scenarios/run/run-scenario.js';
import { findScenario, readSettings, SETTING_NAMES } from '../../../measure/scenarios/settings.js';
import { openCouchdb } from '../../../measure/servers/couchdb.js';
import { benchCharts, benchDocument, benchJson, renderScenarioList } from '../../../reports/bench.js';
import { documentFormats } from '../../../reports/document/index.js';
import { UserError } from '../../../shared/user-error.js';
import { sampleDocuments } from '../../../sources/loads/sample-documents.js';
import { describeError } from '../../describe-error.js';
import { readDestinations, writeReports } from '../../destinations.js';
import { EXIT } from '../../exit-codes.js';
import { isFolder } from '../../read-if-there.js';
import { checkServer, createProgress, listenForInterrupts } from '../../scratch-server.js';
import { chooseServers } from '../../server-choice.js';
import { version } from '../../version.js';
import { writePictures } from '../../write-pictures.js';

/** @import { BenchResult, ScenarioSpec, Settings } from '../../../measure/scenarios/scenario.js' */
/** @import { ScenarioRun } from '../../../measure/scenarios/run/run-scenario.js' */
/** @import { Server } from '../../../measure/servers/server.js' */
/** @import { Destination } from '../../destinations.js' */
/** @import { ServerChoice, ServerOptions } from '../../server-choice.js' */
/** @import { Surroundings } from '../../main.js' */

/**
 * @typedef {Record<string, unknown> & ServerOptions & {
 *   otherUrl?: string, before?: string, after?: string, blocks?: boolean, queryServer?: string[], full?: boolean,
 *   docs?: string[], changeConfig?: boolean, seed?: string, format?: string[], output?: string[], svg?: string, yes?: boolean,
 *   color?: boolean,
 * }} BenchOptions
 */

const formats = documentFormats(
  (/** @type {BenchResult} */ result) => benchDocument(result, describeEnvironment(result.environment)),
  benchJson,
);

/** Of the user's own documents so many are taken, and used again and again. */
const MAX_DOCUMENTS = 10_000;
/** Options that mean something to one scenario only, by the name they are typed with. @type {[keyof BenchOptions & string, string, string][]} */
const SPECIAL = [
  ['otherUrl', '--other-url', 'request-overhead'],
  ['before', '--before', 'request-overhead'],
  ['after', '--after', 'request-overhead'],
  ['blocks', '--blocks', 'request-overhead'],
  ['queryServer', '--query-server', 'index-build'],
];

/**
 * @param {BenchOptions} options
 * @param {string[]} given the name of a scenario, or none
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 * @throws {UserError}
 */
export async function run(options, [name], surroundings) {
  const { stdout } = surroundings;
  if (name === undefined) {
    stdout.write(renderScenarioList(SCENARIOS));
    return EXIT.CLEAN;
  }
  const scenario = findScenario(name);
  checkSpecial(scenario, options);
  const choice = options.queryServer ? undefined : chooseServer(options, surroundings);
  const destinations = readDestinations(options, formats);
  checkFolders([...destinations.map(({ file }) => file), options.svg], surroundings);
  const settings = readSettings(scenario, givenSettings(options), { isFull: options.full === true });
  const documents = await readOwnDocuments(options, scenario, surroundings);
  const interrupt = listenForInterrupts();
  try {
    const ran =
      choice === undefined
        ? await driveCommands(scenario, options.queryServer ?? [], settings, {
            options,
            signal: interrupt.signal,
            surroundings,
          })
        : await measure(scenario, settings, documents, { choice, options, signal: interrupt.signal, surroundings });
    return await report(ran, destinations, options, surroundings);
  } finally {
    interrupt.stop();
  }
}

/**
 * @param {BenchOptions} options
 * @param {Surroundings} surroundings
 * @returns {ServerChoice}
 * @throws {UserError}
 */
function chooseServer(options, surroundings) {
  const [choice, second] = chooseServers(options, surroundings);
  if (choice && second === undefined) return choice;
  throw new UserError('two-servers', 'bench measures on one image', { hint: 'run it once for each' });
}

/** @typedef {{options: BenchOptions, signal: AbortSignal, surroundings: Surroundings}} Run */

/**
 * @param {ScenarioSpec} scenario
 * @param {Settings} settings
 * @param {Record<string, unknown>[]} ownDocuments
 * @param {Run & {choice: ServerChoice}} run
 * @returns {Promise<ScenarioRun>}
 */
async function measure(scenario, settings, ownDocuments, { choice, options, signal, surroundings }) {
  const { stderr, env, cwd } = surroundings;
  /** @type {Server[]} */
  const servers = [];
  const progress = createProgress(stderr);
  try {
    const server = await choice.open(signal);
    servers.push(server);
    const other = options.otherUrl === undefined ? undefined : await openCouchdb(options.otherUrl, env);
    if (other) servers.push(other);
    for (const one of servers) await checkServer(one, options, stderr);
    const { before, after, blocks } = options;
    return await runScenario(scenario, {
      server,
      ...(other ? { other } : {}),
      mark: { run: makeRunId(), host: os.hostname(), pid: process.pid, at: new Date().toISOString() },
      tool: version(),
      seed: options.seed ?? '1',
      settings,
      ownDocuments,
      mayChangeConfig: options.changeConfig === true,
      changes: {
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
        ...(blocks ? { blocks } : {}),
      },
      cwd,
      onProgress: progress.onProgress,
      pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      clocks: { steady: () => performance.now(), wall: () => Date.now() },
      signal,
    });
  } finally {
    progress.end();
    for (const one of servers) await one.close();
  }
}

/**
 * @param {ScenarioSpec} scenario
 * @param {string[]} commands
 * @param {Settings} settings
 * @param {Run} run
 * @returns {Promise<ScenarioRun>}
 */
async function driveCommands(scenario, commands, settings, { options, signal, surroundings }) {
  const progress = createProgress(surroundings.stderr);
  try {
    return await runQueryServers(scenario, commands, {
      tool: version(),
      seed: options.seed ?? '1',
      settings,
      cwd: surroundings.cwd,
      onProgress: progress.onProgress,
      clocks: { steady: () => performance.now(), wall: () => Date.now() },
      signal,
    });
  } finally {
    progress.end();
  }
}

/**
 * @param {ScenarioRun} ran
 * @param {Destination<BenchResult>[]} destinations
 * @param {BenchOptions} options
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 */
async function report({ result, failure, left }, destinations, options, surroundings) {
  const { stderr, cwd } = surroundings;
  await writeReports(result, destinations, options, surroundings);
  const charts = options.svg === undefined ? [] : benchCharts(result);
  if (options.svg !== undefined) {
    if (charts.length === 0) stderr.write('no chart was written: nothing was measured\n');
    await writePictures(options.svg, charts, cwd, `${result.environment.server.name}, ${result.at.slice(0, 10)}`);
  }
  if (failure?.code === 'interrupted') {
    const isClean = left.length === 0 && !options.queryServer;
    const message = `the run was interrupted${isClean ? '; its databases were dropped' : ''}`;
    stderr.write(describeError(new UserError('interrupted', message)));
  } else if (failure) stderr.write(describeError(failure));
  if (left.length > 0) {
    const hint = 'drop them with `npx --no-install couch-advisor confirm --clean --url …`';
    stderr.write(describeError(new UserError('left-behind', `could not be dropped: ${left.join(', ')}`, { hint })));
  }
  return failure || left.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
}

/** @param {ScenarioSpec} scenario @param {BenchOptions} options @throws {UserError} */
function checkSpecial({ name }, options) {
  const { url, docker, podman, nerdctl } = options;
  const hasServer = [url, docker, podman, nerdctl].some((one) => one !== undefined);
  for (const [key, option, scenario] of SPECIAL) {
    if (options[key] === undefined || name === scenario) continue;
    throw new UserError('unused-option', `${option} has no effect on ${name}`, {
      hint: `it belongs to \`npx --no-install couch-advisor bench ${scenario}\``,
    });
  }
  if (
    options.otherUrl !== undefined &&
    (options.url === undefined || options.before !== undefined || options.after !== undefined)
  ) {
    throw new UserError(
      'unclear-change',
      '--other-url requires --url and cannot be combined with --before or --after',
      {
        hint: 'npx --no-install couch-advisor bench request-overhead --url http://a:5984 --other-url http://b:5984',
      },
    );
  }
  if (options.queryServer && (hasServer || options.docs !== undefined)) {
    throw new UserError(
      'unused-option',
      '--query-server cannot be combined with --url or --docs: it uses no database',
      {},
    );
  }
  if (options.changeConfig && !hasServer) {
    throw new UserError('unused-option', '--change-config requires a CouchDB server: add --url or --docker', {});
  }
}

/**
 * A run may take an hour: a missing folder for its files is reported before.
 * @param {(string | undefined)[]} files
 * @param {Surroundings} surroundings
 * @throws {UserError}
 */
function checkFolders(files, { cwd }) {
  for (const file of files) {
    if (file === undefined || isFolder(path.dirname(path.resolve(cwd, file)))) continue;
    throw new UserError('cannot-write', `cannot write ${file}: its folder does not exist`, {
      hint: 'create the folder first',
    });
  }
}

/** @param {BenchOptions} options @returns {Map<string, string | number>} */
function givenSettings(options) {
  return new Map(
    SETTING_NAMES.flatMap((name) => {
      const value = options[name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())];
      return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
    }),
  );
}

/**
 * @param {BenchOptions} options
 * @param {ScenarioSpec} scenario
 * @param {Surroundings} surroundings
 * @returns {Promise<Record<string, unknown>[]>} without what belongs to the database they were in
 * @throws {UserError}
 */
async function readOwnDocuments({ docs }, { name }, { cwd }) {
  if (docs === undefined) return [];
  if (name === 'coupons')
    throw new UserError('unused-option', '--docs has no effect on coupons, which generates its own documents', {});
  const files = docs.map((file) => path.resolve(cwd, file));
  const documents = await sampleDocuments(files, MAX_DOCUMENTS, { isNamed: true });
  if (documents.length === 0) {
    throw new UserError('no-documents', `no documents in ${docs.join(', ')}`, {
      hint: 'use JSON lines, _bulk_docs bodies or a dump',
    });
  }
  // Members that begin so are the server's; attachments are none of these measurements.
  return documents.map((document) =>
    Object.fromEntries(Object.entries(document).filter(([key]) => !key.startsWith('_'))),
  );
}
