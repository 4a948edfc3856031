// Runs one scenario on one server from the first scratch database to the last one dropped, whatever happens meanwhile; returns its result with
// samples, tables and comparisons. What was measured before an interrupt or a failure is kept.

import { UserError } from '../../../shared/user-error.js';
import { readEnvironment } from '../../experiments/run/read-environment.js';
import { MIN_PAIRS } from '../../experiments/verdict.js';
import { findWarnings } from '../../experiments/warnings.js';
import { summarize as summarizeBulkLoad } from '../bulk-load.js';
import { summarize as summarizeCoupons } from '../coupons.js';
import { summarize as summarizeIncludeDocs } from '../include-docs.js';
import { summarize as summarizeIndexBuild } from '../index-build.js';
import { BULK_LOAD, COUPONS, INCLUDE_DOCS, INDEX_BUILD, REQUEST_OVERHEAD } from '../published.js';
import { summarize as summarizeRequestOverhead } from '../request-overhead.js';
import { run as runBulkLoad } from './bulk-load.js';
import { withoutCompaction } from './change-config.js';
import { run as runCoupons } from './coupons.js';
import { run as runIncludeDocs } from './include-docs.js';
import { run as runIndexBuild } from './index-build.js';
import { run as runRequestOverhead } from './request-overhead.js';
import { Workbench } from './workbench.js';

/** @import { Server } from '../../servers/server.js' */
/** @import { Mechanism } from '../../experiments/experiment.js' */
/** @import { Warning } from '../../experiments/warnings.js' */
/** @import { BenchResult, BenchSample, Findings, ScenarioName, ScenarioSpec, Settings } from '../scenario.js' */
/** @import { Changes } from './request-overhead.js' */
/** @import { WorkbenchOptions } from './workbench.js' */

/**
 * @typedef {Omit<WorkbenchOptions, 'settings'> & {
 *   tool: string, settings: Settings, changes: Changes, other?: Server, clocks: {steady: () => number, wall: () => number},
 * }} ScenarioOptions `other`: a second server, for what is compared between two
 */

/** @typedef {{result: BenchResult, failure: UserError | undefined, left: string[]}} ScenarioRun `left`: databases that could not be dropped */

/** @type {Record<ScenarioName, string>} */
const PUBLISHED = {
  'include-docs': INCLUDE_DOCS.source,
  'bulk-load': BULK_LOAD.source,
  'index-build': INDEX_BUILD.source,
  coupons: COUPONS.source,
  'request-overhead': REQUEST_OVERHEAD.source,
};

/**
 * @param {ScenarioSpec} scenario
 * @param {ScenarioOptions} options
 * @returns {Promise<ScenarioRun>}
 */
export async function runScenario(scenario, options) {
  const { server, clocks, settings, tool, seed } = options;
  const at = new Date(clocks.wall()).toISOString();
  const environment = readEnvironment({ tool, server: server.about });
  const bench = new Workbench(options);
  const other = options.other
    ? new Workbench({ ...options, server: options.other, mark: { ...options.mark, run: `${options.mark.run}-after` } })
    : undefined;
  const [wall, steady] = [clocks.wall(), clocks.steady()];
  /** @type {UserError | undefined} */
  let failure;
  /** @type {string[]} */
  let left = [];
  try {
    const work = () => start(scenario.name, bench, { changes: options.changes, ...(other ? { other } : {}) });
    await (options.mayChangeConfig ? withoutCompaction(bench, work) : work());
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    failure = error;
  } finally {
    left = [...(await bench.dropAll()), ...((await other?.dropAll()) ?? [])];
  }
  if (!bench.readsCpu)
    bench.missing.push('the CPU time of the server is unknown: it is not a readable process on this machine');
  const { samples, missing, notes } = bench;
  const clocksSay = { wallMs: clocks.wall() - wall, steadyMs: clocks.steady() - steady };
  return {
    failure,
    left,
    result: {
      ...describeRun(scenario, { at, seed, settings, environment }, failure),
      published: PUBLISHED[scenario.name],
      missing,
      notes,
      warnings: warningsOf(samples, { environment, clocks: clocksSay, compacted: bench.wasCompacted }),
      ...summarizeScenario(scenario.name, samples, {
        settings,
        server,
        isChanged: isChange(options),
      }),
      samples,
    },
  };
}

/**
 * @param {ScenarioSpec} scenario
 * @param {Pick<BenchResult, 'at' | 'seed' | 'settings' | 'environment'>} conditions
 * @param {UserError | undefined} failure what ended the run early
 * @returns {Pick<BenchResult, 'version' | 'scenario' | 'question' | 'at' | 'seed' | 'settings' | 'environment' | 'state' | 'failure'>}
 */
export function describeRun({ name, question }, conditions, failure) {
  const state = failure === undefined ? 'done' : failure.code === 'interrupted' ? 'stopped' : 'failed';
  return { version: 1, scenario: name, question, ...conditions, state, failure: failure?.message ?? null };
}

/**
 * @param {ScenarioName} name
 * @param {Workbench} bench
 * @param {{changes: Changes, other?: Workbench}} given
 */
async function start(name, bench, given) {
  if (name === 'include-docs') return runIncludeDocs(bench);
  if (name === 'bulk-load') return runBulkLoad(bench);
  if (name === 'index-build') return runIndexBuild(bench);
  if (name === 'coupons') return runCoupons(bench);
  return runRequestOverhead(bench, given);
}

/**
 * @param {ScenarioName} name
 * @param {readonly BenchSample[]} samples
 * @param {{settings: Settings, server: Server, isChanged: boolean}} about
 * @returns {Findings}
 */
function summarizeScenario(name, samples, { settings, server, isChanged }) {
  const has = (/** @type {Mechanism} */ mechanism) => server.mechanisms.has(mechanism);
  if (name === 'include-docs') return summarizeIncludeDocs(samples, settings);
  if (name === 'bulk-load') return summarizeBulkLoad(samples, settings, { hasTrees: has('append-only-tree') });
  if (name === 'index-build') {
    return summarizeIndexBuild(samples, settings, {
      hasQueryServers: has('query-server'),
      engine: server.about.engine,
    });
  }
  if (name === 'coupons') return summarizeCoupons(samples, settings);
  return summarizeRequestOverhead(samples, { server: server.about.name, isChanged });
}

/** @param {ScenarioOptions} options @returns {boolean} whether the user named what differs */
function isChange({ changes, other }) {
  return changes.before !== undefined || changes.after !== undefined || other !== undefined;
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {{environment: import('../../experiments/environment.js').Environment, clocks: {wallMs: number, steadyMs: number}, compacted?: boolean}} about
 * @returns {Warning[]}
 */
export function warningsOf(samples, { environment, clocks, compacted = false }) {
  const rounds = samples.map(({ set, arm, round, at, ms, things, errors = 0, others }, position) => ({
    arm: `${set}, ${arm}`,
    pair: round,
    position,
    at,
    ms: ms / Math.max(1, things),
    isUsable: errors === 0,
    elapsedMs: ms,
    requests: things + errors,
    errors: 0,
    timeouts: 0,
    refused: errors,
    bytes: 0,
    latencies: [],
    counters: {},
    ...(others === undefined ? {} : { others }),
  }));
  return findWarnings({
    samples: rounds,
    leastPairs: MIN_PAIRS,
    loadAverage: environment.loadAverage,
    processors: environment.processors,
    clocks,
    requestArms: new Set(),
    compacted,
  });
}
