// Measures each call of a function in a query server, started by its command, with the function and with an empty one.

import { faultOfTrue, writeCommand } from '../../scenarios/query-protocol.js';
import { QueryServerProcess } from '../../scenarios/run/query-server-process.js';
import { spanOf } from '../profile.js';

/** @import { PipeTimes, Span } from '../profile.js' */

/** Without an answer for so long there will be none; CouchDB waits as long (`os_process_timeout`). */
const TIMEOUT_MS = 5000;
const MAX_ROUNDS = 60;

/**
 * @param {string} command
 * @param {{cwd: string, signal: AbortSignal}} options
 * @returns {Promise<string | undefined>} why it is no query server: what it does with the first command that CouchDB sends
 */
export async function faultOfQueryServer(command, { cwd, signal }) {
  const server = new QueryServerProcess(command, { timeoutMs: TIMEOUT_MS, cwd });
  const stop = () => void server.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return faultOfTrue(await server.ask(resetLine()));
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    return server.stderr === '' ? message : `${message}: ${server.stderr}`;
  } finally {
    signal.removeEventListener('abort', stop);
    await server.close();
  }
}

/** @returns {string} */
function resetLine() {
  return writeCommand(['reset', { reduce_limit: false, timeout: TIMEOUT_MS }]);
}

/**
 * @param {{role: 'map' | 'reduce', source: string, floor: string, libraries: Record<string, unknown>, inputs: string[]}} given
 * @param {{command: string, seconds: number, cwd: string, signal: AbortSignal}} options
 * @returns {Promise<PipeTimes>}
 * @throws {Error} where it cannot be started, or answers an error
 */
export async function measureQueryServer(
  { role, source, floor, libraries, inputs },
  { command, seconds, cwd, signal },
) {
  // Taken in turn, so that what the machine does meanwhile is the same for both.
  const servers = [source, floor].map((text) => ({
    server: new QueryServerProcess(command, { timeoutMs: TIMEOUT_MS, cwd }),
    text,
    lines: inputs.map((input) => lineOf(role, text, input)),
    rounds: /** @type {number[]} */ ([]),
  }));
  const stop = () => {
    for (const { server } of servers) void server.close();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (const { server, text, lines } of servers) {
      await server.ask(resetLine());
      if (role === 'map') {
        if (Object.keys(libraries).length > 0) await server.ask(`${JSON.stringify(['add_lib', libraries])}\n`);
        await server.ask(writeCommand(['add_fun', text]));
      }
      // The first answers include what is loaded and compiled only once.
      for (const line of lines) await server.ask(line);
    }
    const end = performance.now() + seconds * 1000;
    for (let round = 0; round < MAX_ROUNDS && (round === 0 || performance.now() < end); round += 1) {
      for (const { server, lines, rounds } of servers) {
        const start = performance.now();
        for (const line of lines) await server.ask(line);
        rounds.push(((performance.now() - start) * 1e6) / Math.max(1, lines.length));
      }
    }
  } finally {
    signal.removeEventListener('abort', stop);
    await Promise.all(servers.map(({ server }) => server.close()));
  }
  const [ns, empty] = servers.map(({ rounds }) => spanOf(rounds));
  return { command, ns: /** @type {Span} */ (ns), floor: empty };
}

/**
 * @param {'map' | 'reduce'} role
 * @param {string} source
 * @param {string} input JSON
 * @returns {string} the line of the protocol
 */
function lineOf(role, source, input) {
  if (role === 'map') return `["map_doc",${input}]\n`;
  const [keys, values, again] = /** @type {[unknown[] | null, unknown[], boolean]} */ (JSON.parse(input));
  if (again) return writeCommand(['rereduce', [source], values]);
  return writeCommand(['reduce', [source], values.map((value, at) => [keys?.[at], value])]);
}
