// Runs the program and measures the most memory that it and the processes that it starts have had (on Linux).

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startCli } from '../helpers/run-cli.js';

/** @import { Ended } from './inspect.js' */

/** What input may add to the memory of the process and those that it starts: docs/limits.md. */
export const MAX_ADDED_BYTES = 300 * 1024 * 1024;
const LOOK_MS = 50;

/**
 * @param {string} cwd
 * @param {string[]} argv
 * @param {number} maxMs it is killed behind this time
 * @param {Record<string, string>} [env]
 * @returns {Promise<{ended: Ended, peakBytes: number}>} `peakBytes`: 0 where there is no /proc
 */
export async function runAndWatch(cwd, argv, maxMs, env = {}) {
  const { child, ended } = startCli(argv, { cwd, env: { XDG_CACHE_HOME: path.join(cwd, '.cache'), ...env } });
  /** @type {Map<number, number>} */
  const peaks = new Map();
  const look = setInterval(() => {
    for (const pid of treeOf(child.pid ?? 0)) peaks.set(pid, Math.max(peaks.get(pid) ?? 0, peakOf(pid)));
  }, LOOK_MS);
  const timer = setTimeout(() => child.kill('SIGKILL'), maxMs);
  const result = await ended;
  clearInterval(look);
  clearTimeout(timer);
  return { ended: result, peakBytes: [...peaks.values()].reduce((sum, bytes) => sum + bytes, 0) };
}

/** @param {number} root @returns {number[]} its process and those that it started */
function treeOf(root) {
  try {
    const tasks = readdirSync(`/proc/${root}/task`);
    const children = tasks.flatMap((task) => readFileSync(`/proc/${root}/task/${task}/children`, 'utf8').split(' '));
    return [root, ...children.filter(Boolean).flatMap((pid) => treeOf(Number(pid)))];
  } catch {
    return [];
  }
}

/** @param {number} pid @returns {number} bytes that it had at most so far; 0 where it is gone */
function peakOf(pid) {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
