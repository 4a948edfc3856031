// Runs the index scenario without a database: measures commands that speak the query server protocol.

import { UserError } from '../../../shared/user-error.js';
import { planRounds } from '../../experiments/plan.js';
import { readEnvironment } from '../../experiments/run/read-environment.js';
import { makeScore } from '../documents.js';
import { makeId } from '../ids.js';
import { armOf, setOfBytes } from '../index-build.js';
import { INDEX_BUILD } from '../published.js';
import { summarizeQueryServers } from '../query-servers.js';
import { driveQueryServer, findLanguage } from './drive-query-server.js';
import { describeRun, warningsOf } from './run-scenario.js';

/** @import { KnownServer } from '../query-servers.js' */
/** @import { BenchSample, Settings, ScenarioSpec } from '../scenario.js' */
/** @import { Language } from '../score-views.js' */
/** @import { ScenarioRun } from './run-scenario.js' */

/**
 * @typedef {object} DriveOptions
 * @property {string} seed
 * @property {Settings} settings
 * @property {string} cwd
 * @property {(text: string) => void} onProgress
 * @property {AbortSignal} [signal]
 */

/** The documents of one size are held in memory, and have no more bytes than this. */
const MAX_BYTES = 500_000_000;

/** @typedef {{samples: BenchSample[], missing: string[], servers: KnownServer[]}} DrivenAll */

/**
 * @param {string[]} commands
 * @param {DriveOptions} options
 * @returns {Promise<DrivenAll>} `missing`: what went wrong with which command, with what it wrote to standard error
 */
export async function driveQueryServers(commands, options) {
  const { settings, signal } = options;
  const [small = 1000, large = 300_000] = /** @type {number[]} */ (settings['document-bytes']);
  const sizes = /** @type {[number, number][]} */ ([
    [small, Number(settings['size'])],
    [large, Number(settings['large-size'])],
  ]);
  if (sizes.some(([bytes, count]) => bytes * count > MAX_BYTES)) {
    throw new UserError('bad-number', `the documents of one size exceed ${MAX_BYTES / 1_000_000} MB`, {
      hint: `for example: --size ${Math.floor(MAX_BYTES / small)} --large-size ${Math.floor(MAX_BYTES / large)}`,
    });
  }
  /** @type {DrivenAll} */
  const driven = { samples: [], missing: [], servers: [] };
  /** @type {Map<string, Language>} */
  const languages = new Map();
  for (const command of commands) {
    if (signal?.aborted) return driven;
    options.onProgress(`${command}: detecting the language`);
    const found = await findLanguage(command, { timeoutMs: timeoutOf(settings), cwd: options.cwd });
    if ('fault' in found) driven.missing.push(describeFault(command, found));
    else {
      languages.set(command, found.language);
      driven.servers.push({ command, language: found.language });
    }
  }
  for (const [bytes, count] of sizes) await driveSize({ bytes, count }, { languages, driven }, options);
  return driven;
}

/**
 * All rounds on documents of one size.
 * @param {{bytes: number, count: number}} size
 * @param {{languages: Map<string, Language>, driven: DrivenAll}} state changed: a command that failed is dropped
 * @param {DriveOptions} options
 */
async function driveSize({ bytes, count }, { languages, driven }, { seed, settings, cwd, onProgress, signal }) {
  const set = setOfBytes(bytes);
  const documents = Array.from({ length: count }, (_, number) => ({
    _id: makeId('sequential', seed, number),
    ...makeScore(seed, number, bytes),
  }));
  const arms = [...languages.keys()].flatMap((command) =>
    /** @type {const} */ (['none', 'external']).map((reducer) => ({ id: armOf(command, reducer), command, reducer })),
  );
  const plan = planRounds(
    { id: set, arms: arms.map(({ id }) => ({ id, about: '', measure: 'requests' })) },
    { seed, pairs: Number(settings['rounds']) },
  );
  const order = { documents, timeoutMs: timeoutOf(settings), cwd, ...(signal ? { signal } : {}) };
  for (const { arm, pair } of plan) {
    if (signal?.aborted) return;
    const { command = '', reducer = 'none' } = arms.find(({ id }) => id === arm) ?? {};
    const language = languages.get(command);
    // One that failed is not tried again and again.
    if (language === undefined) continue;
    onProgress(`${set}, ${arm}: round ${pair + 1}`);
    const at = new Date().toISOString();
    const result = await driveQueryServer(command, { ...order, language, reduces: reducer === 'external' });
    if ('fault' in result) {
      if (signal?.aborted) return;
      driven.missing.push(describeFault(`${arm}, ${set}`, result));
      languages.delete(command);
      continue;
    }
    const { ms, cpuMs, documents: things } = result;
    driven.samples.push({ set, arm, round: pair, at, ms, things, ...(cpuMs === undefined ? {} : { cpuMs }) });
  }
}

/** @param {Settings} settings @returns {number} milliseconds that a query server may take to answer */
function timeoutOf(settings) {
  return Number(settings['timeout']) * 1000;
}

/**
 * @param {string} who
 * @param {{fault: string, stderr: string}} told
 * @returns {string}
 */
function describeFault(who, { fault, stderr }) {
  return stderr === '' ? `${who}: ${fault}` : `${who}: ${fault}; it wrote to standard error: ${stderr}`;
}

/**
 * @param {ScenarioSpec} scenario
 * @param {string[]} commands
 * @param {DriveOptions & {tool: string, clocks: {steady: () => number, wall: () => number}}} options
 * @returns {Promise<ScenarioRun>}
 */
export async function runQueryServers(scenario, commands, options) {
  const { tool, clocks, seed, settings, signal } = options;
  const at = new Date(clocks.wall()).toISOString();
  const name = 'no database, query servers alone';
  const environment = readEnvironment({ tool, server: { name, kind: 'embedded', version: '', settings: {} } });
  const [wall, steady] = [clocks.wall(), clocks.steady()];
  const { samples, missing, servers } = await driveQueryServers(commands, options);
  const clocksSay = { wallMs: clocks.wall() - wall, steadyMs: clocks.steady() - steady };
  const failure = signal?.aborted
    ? new UserError('interrupted', 'the run was interrupted')
    : samples.length === 0
      ? new UserError('no-query-server', `no command worked as a query server: ${missing[0] ?? ''}`, {
          hint: 'test the command by hand: it must answer true to ["reset"]',
        })
      : undefined;
  return {
    failure,
    left: [],
    result: {
      ...describeRun(scenario, { at, seed, settings, environment }, failure),
      published: INDEX_BUILD.source,
      missing,
      notes: servers.map(({ command, language }) => `${command} ran functions in ${language}`),
      warnings: warningsOf(samples, { environment, clocks: clocksSay }),
      ...summarizeQueryServers(samples, settings, servers),
      samples,
    },
  };
}
