// Measures what a function and its inputs take in V8. V8 has no walls against malicious code: its process is started without environment, without the
// right to read or write files, to start processes or threads, and is ended in time; it could still use the network. So it is started only if the
// user requests it.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { ENVIRONMENT } from '../../../sandbox/environment.js';
import { FOREIGN_NOW } from '../../../sandbox/limits.js';
import { permissionFlags } from '../../../shared/permission-flags.js';

/** @import { ProfileFigures, ProfileOrder } from '../../../sandbox/run-profile.js' */

/** @typedef {Pick<ProfileFigures, 'rounds' | 'calls'>} Rounds */

/** Longer answers are none of ours. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
const MEMORY = '--max-old-space-size=256';

/**
 * @param {{kind: 'map' | 'reduce', source: string, libraries: Record<string, unknown>, floor: string, inputs: string[]}} given
 * @param {{order: ProfileOrder, timeoutMs: number, signal: AbortSignal}} options
 * @returns {Promise<{clean: Rounds, floor: Rounds}>}
 * @throws {Error} where it cannot be started, takes too long, or the function cannot be run there
 */
export async function measureInV8({ kind, source, libraries, floor, inputs }, { order, timeoutMs, signal }) {
  const profile = { now: FOREIGN_NOW };
  const runs = [source, floor].map((text) => ({
    setup: JSON.stringify({ kind, source: text, libraries, profile, answerCharacters: MAX_CHARACTERS }),
    inputs,
    order,
  }));
  const answer = await runChild(JSON.stringify({ environment: ENVIRONMENT, runs }), timeoutMs, signal);
  const results = /** @type {(Rounds | {fault: string})[]} */ (JSON.parse(answer));
  const [clean, empty] = results.map((run) => {
    if ('fault' in run) throw new Error(String(run.fault).slice(0, 200));
    return { rounds: run.rounds.map((round) => round.map(Number)), calls: Number(run.calls) };
  });
  if (!clean || !empty) throw new Error('it returned no result');
  return { clean, floor: empty };
}

/**
 * @param {string} job
 * @param {number} timeoutMs
 * @param {AbortSignal} signal
 * @returns {Promise<string>}
 * @throws {Error}
 */
function runChild(job, timeoutMs, signal) {
  const code = readFileSync(new URL('./v8-child.js', import.meta.url), 'utf8');
  const child = spawn(
    process.execPath,
    [
      ...permissionFlags(process.allowedNodeEnvironmentFlags),
      MEMORY,
      '--no-warnings',
      '--input-type=module',
      '-e',
      code,
    ],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {},
      cwd: '/',
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      signal,
    },
  );
  return new Promise((resolve, reject) => {
    let [answer, errors] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => {
      answer += text;
      if (answer.length > MAX_CHARACTERS) child.kill('SIGKILL');
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors = (errors + text).slice(-2000);
    });
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', (exitCode, name) => {
      if (exitCode === 0) resolve(answer);
      else if (name) reject(new Error(`it was stopped after ${timeoutMs / 1000} s`));
      else
        reject(new Error(`it exited with ${exitCode}: ${errors.split('\n').find((line) => /Error/.test(line)) ?? ''}`));
    });
    child.stdin.end(job);
  });
}
