// Measures one document read by many connections, in rounds with pauses between, before and after a change: by commands
// of the user, or on two servers. Rounds are interleaved, unless the change takes long and is made once.

import { spawn } from 'node:child_process';
import process from 'node:process';
import { UserError } from '../../../shared/user-error.js';
import { createLoadGenerator } from '../../experiments/run/load-generator.js';
import { ARMS, SET } from '../request-overhead.js';
import { interleave } from './rounds.js';

/** @import { Workbench, WorkbenchOptions } from './workbench.js' */

/** @typedef {{before?: string, after?: string, blocks?: boolean}} Changes commands of the user; `blocks`: all rounds before, then all after */

const DOCUMENT = 'cat';
const TIMEOUT_SECONDS = 60;

/**
 * @param {Workbench} bench the server as it is, and before the change
 * @param {{changes?: Changes, other?: Workbench}} given `other`: the server after the change; its samples are kept by `bench`
 * @returns {Promise<void>}
 */
export async function run(bench, { changes = {}, other } = {}) {
  const rounds = bench.number('rounds');
  /** @type {Map<string, {bench: Workbench, database: string}>} */
  const sides = new Map();
  const first = { bench, database: await makeDatabase(bench) };
  const second = other ? { bench: other, database: await makeDatabase(other) } : first;
  sides.set('before', first).set('after', second);
  let state = '';
  /** @type {(arm: string) => Promise<void>} */
  const become = async (arm) => {
    const command = arm === 'before' ? changes.before : changes.after;
    if (state === arm || command === undefined) return;
    bench.options.onProgress(`${arm}: ${command}`);
    await runCommand(command, bench.options);
    await waitUntilUp(bench);
    state = arm;
  };
  for (const arm of ARMS) {
    const side = sides.get(arm);
    if (!side) continue;
    await become(arm);
    // What a first round has to open and to start is not among the times.
    await readRound(side, { connections: bench.number('connections'), requests: 1 });
  }
  const interleaved = interleave(bench, SET, [...ARMS], rounds);
  const plan = changes.blocks
    ? interleaved.toSorted(
        (one, two) => ARMS.indexOf(asArm(one.arm)) - ARMS.indexOf(asArm(two.arm)) || one.round - two.round,
      )
    : interleaved;
  for (const { arm, round } of plan) {
    const side = sides.get(arm);
    if (!side) continue;
    await become(arm);
    await waitFor(bench, bench.number('pause') * 1000);
    await bench.sample({ set: SET, arm, round }, () =>
      readRound(side, { connections: bench.number('connections'), requests: bench.number('requests') }),
    );
  }
}

/** @param {string} arm */
function asArm(arm) {
  return arm === 'after' ? 'after' : 'before';
}

/**
 * @param {Workbench} bench
 * @returns {Promise<string>} a database with the one document
 */
async function makeDatabase(bench) {
  const database = await bench.create();
  const [own = { name: 'gizmo' }] = bench.options.ownDocuments;
  await bench.write(database, 'PUT', DOCUMENT, own);
  return database;
}

/**
 * @param {{bench: Workbench, database: string}} side
 * @param {{connections: number, requests: number}} order `requests`: of each connection
 */
async function readRound({ bench, database }, { connections, requests }) {
  const { origin, headers } = bench.server;
  const { signal } = bench.options;
  const all = Array.from({ length: connections * requests }, () => ({
    method: /** @type {const} */ ('GET'),
    path: DOCUMENT,
  }));
  const order = {
    origin,
    headers,
    database,
    requests: all,
    connections,
    timeoutSeconds: TIMEOUT_SECONDS,
    ...(signal ? { signal } : {}),
  };
  const { elapsedMs, latencies, bytes, errors, refused, firstRefusal } = await createLoadGenerator().run(order);
  bench.check();
  if (latencies.length === 0) {
    throw new UserError('server-refused', `no request succeeded${firstRefusal ? `: ${firstRefusal}` : ''}`);
  }
  const lost = errors + refused;
  return { ms: elapsedMs, things: latencies.length, bytes, latencies, ...(lost > 0 ? { errors: lost } : {}) };
}

/**
 * @param {Workbench} bench
 * @param {number} milliseconds in steps, so that an interrupt is not kept waiting
 */
async function waitFor(bench, milliseconds) {
  for (let left = milliseconds; left > 0; left -= 200) {
    bench.check();
    await bench.options.pause(Math.min(left, 200));
  }
}

// Runs a command by which the user brings a server into a state, and waits until the server responds again. Its output
// is kept for the error, and shown nowhere else.

/** A server that restarts is waited for this long, and looked at so often, in milliseconds. */
const LONGEST_START = 180_000;
const LOOK_EVERY = 250;
/** So much of what a command prints is shown when it fails. */
const MAX_OUTPUT = 500;

/**
 * @param {string} command for the shell
 * @param {Pick<WorkbenchOptions, 'cwd' | 'signal'>} options
 * @returns {Promise<void>}
 * @throws {UserError} where it fails or is interrupted
 */
function runCommand(command, { cwd, signal }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      shell: true,
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output = (output + text).slice(-MAX_OUTPUT);
      });
    }
    const stop = () => {
      try {
        if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, 'SIGTERM');
        else child.kill();
      } catch {
        // It has ended by itself meanwhile.
      }
    };
    signal?.addEventListener('abort', stop, { once: true });
    const end = (/** @type {string | undefined} */ fault) => {
      signal?.removeEventListener('abort', stop);
      if (signal?.aborted) reject(new UserError('interrupted', 'the run was interrupted'));
      else if (fault === undefined) resolve();
      else
        reject(
          new UserError('command-failed', `\`${command}\` ${fault}${output.trim() === '' ? '' : `: ${output.trim()}`}`),
        );
    };
    child.once('error', ({ message }) => end(`cannot start: ${message}`));
    // A server that it starts may go on and hold the pipes: the command itself has ended.
    child.once('exit', (code, killer) => {
      child.stdout.destroy();
      child.stderr.destroy();
      end(code === 0 ? undefined : killer ? `was ended by ${killer}` : `ended with exit code ${code}`);
    });
  });
}

/**
 * @param {Workbench} bench
 * @returns {Promise<void>}
 * @throws {UserError} where the server does not answer again
 */
async function waitUntilUp(bench) {
  const { origin, headers } = bench.server;
  const started = Date.now();
  while (Date.now() - started < LONGEST_START) {
    bench.check();
    const response = await fetch(`${origin}/`, { headers, signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    await response?.arrayBuffer().catch(() => undefined);
    if (response?.ok) return;
    await bench.options.pause(LOOK_EVERY);
  }
  throw new UserError('server-lost', `${origin} did not come back within ${LONGEST_START / 1000} s`);
}
