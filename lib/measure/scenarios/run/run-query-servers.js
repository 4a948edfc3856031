// Runs the index scenario without a database, on commands that speak the query server protocol.

import { UserError } from '../../../shared/user-error.js';
import { readEnvironment } from '../../experiments/run/read-environment.js';
import { INDEX_BUILD } from '../published.js';
import { summarizeQueryServers } from '../query-servers.js';
import { driveQueryServers } from './query-servers.js';
import { warningsOf } from './run-scenario.js';

/** @import { ScenarioSpec } from '../scenario.js' */
/** @import { DriveOptions } from './query-servers.js' */
/** @import { ScenarioRun } from './run-scenario.js' */

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
  const isStopped = signal?.aborted === true;
  const failure = isStopped
    ? new UserError('interrupted', 'the run was interrupted')
    : samples.length === 0
      ? new UserError('no-query-server', `no command worked as a query server: ${missing[0] ?? ''}`, {
          hint: 'try the command by hand: it reads ["reset"] and answers true',
        })
      : undefined;
  return {
    failure,
    left: [],
    result: {
      version: 1,
      scenario: scenario.name,
      question: scenario.question,
      at,
      seed,
      settings,
      environment,
      state: isStopped ? 'stopped' : failure ? 'failed' : 'done',
      failure: failure?.message ?? null,
      published: INDEX_BUILD.source,
      missing,
      notes: servers.map(({ command, language }) => `${command} was given functions in ${language}`),
      warnings: warningsOf(samples, { environment, clocks: clocksSay }),
      ...summarizeQueryServers(samples, settings, servers),
      samples,
    },
  };
}
