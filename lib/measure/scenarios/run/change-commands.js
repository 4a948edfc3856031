// Runs a command by which the user brings a server into a state, and waits until the server responds again. Its output
// is kept for the error, and shown nowhere else.

import { spawn } from 'node:child_process';
import process from 'node:process';
import { UserError } from '../../../shared/user-error.js';

/** @import { Workbench, WorkbenchOptions } from './workbench.js' */

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
export function runCommand(command, { cwd, signal }) {
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
export async function waitUntilUp(bench) {
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
