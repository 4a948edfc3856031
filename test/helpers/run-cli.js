// Runs the program in a process of its own, as people do.

import { spawnSync } from 'node:child_process';
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
  const { NO_COLOR: _, FORCE_COLOR: __, ...inherited } = process.env;
  const { stdout, stderr, status } = spawnSync(process.execPath, [bin, ...args], {
    cwd,
    input,
    env: { ...inherited, ...CACHE_ENV, ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { stdout, stderr, exitCode: status };
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
