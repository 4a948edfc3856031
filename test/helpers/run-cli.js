// Runs the program in a process of its own, as people do.

import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { CACHE_ENV } from './cache-folder.js';

export const root = path.resolve(import.meta.dirname, '../..');
const bin = path.join(root, 'bin/couch-advisor.js');

/** @typedef {{stdout: string, stderr: string, exitCode: number | null}} Ended */

/**
 * @param {string[]} args
 * @param {{cwd?: string, input?: string, env?: Record<string, string>}} [options] the root of the project where `cwd` is absent
 * @returns {Ended}
 */
export function runCli(args, { cwd = root, input = '', env = {} } = {}) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [bin, ...args], {
    cwd,
    input,
    env: environment(env),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { stdout, stderr, exitCode: status };
}

/**
 * Starts it and does not wait, so that it can be interrupted.
 * @param {string[]} args
 * @param {{cwd?: string, env?: Record<string, string>}} [options] as for `runCli`; it has no input
 * @returns {{child: import('node:child_process').ChildProcess, ended: Promise<Ended>}} `exitCode` is null where a signal ended it
 */
export function startCli(args, { cwd = root, env = {} } = {}) {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data) => {
    stdout += data;
  });
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  /** @type {Promise<Ended>} */
  const ended = new Promise((resolve) => child.once('close', (exitCode) => resolve({ stdout, stderr, exitCode })));
  return { child, ended };
}

/**
 * @param {Record<string, string>} env
 * @returns {NodeJS.ProcessEnv} of the program: no colours that the caller's terminal sets, a cache folder of the tests
 */
function environment(env) {
  const { NO_COLOR: _, FORCE_COLOR: __, ...inherited } = process.env;
  return { ...inherited, ...CACHE_ENV, ...env };
}

/**
 * @param {string[]} args
 * @param {Ended} ended
 * @returns {string} the run as one text, for golden files
 */
export function transcribe(args, { stdout, stderr, exitCode }) {
  const errors = stderr === '' ? '' : `--- standard error\n${stderr}`;
  return `$ couch-advisor ${args.join(' ')}\n${stdout}${errors}--- exit code ${exitCode}\n`;
}
