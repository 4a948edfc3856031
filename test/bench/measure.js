// Runs commands and measures them: wall time of whole processes, peak memory, and figures over many runs.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

/** @typedef {{args: string[], cwd: string, exitCodes: number[]}} Command arguments of node, and the exit codes of a good run */
/** @typedef {{min: number, median: number, max: number}} Figures */

/**
 * @param {Command} command
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {number} wall time of the whole process in milliseconds
 * @throws where it ends with another exit code: a run that fails must not count as a fast one
 */
export function timeRun({ args, cwd, exitCodes }, env = {}) {
  const started = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
  const elapsed = Number(process.hrtime.bigint() - started) / 1e6;
  if (status === null || !exitCodes.includes(status)) {
    throw new Error(`node ${args.join(' ')} ended with ${status}\n${String(stderr).slice(0, 2000)}`);
  }
  return elapsed;
}

/**
 * @param {Command} command
 * @returns {number} the most memory the process held, in MiB (2^20 bytes)
 */
export function peakMemory(command) {
  return recorded(command, 'record-peak-memory.js', 'PEAK_MEMORY_FILE') / 1024;
}

/**
 * @param {Command} command
 * @returns {{all: number, main: number, longest: number}} milliseconds of the processor: of all threads of the process, its main thread, and the one
 *   of the others that took most; both are 0 where the system does not distinguish threads
 */
export function processorTime(command) {
  return recorded(command, 'record-processor-time.js', 'PROCESSOR_TIME_FILE');
}

/**
 * @param {{all: number, main: number}} time
 * @param {number} cores
 * @returns {number} of the longest thread if so many threads shared equally what the main thread does not do
 */
export function longestOn({ all, main }, cores) {
  return Math.max(main, (all - main) / cores);
}

/**
 * @param {Command} command
 * @param {string} hook the module that records it
 * @param {string} name of the variable that says where to
 * @returns {any} JSON
 */
function recorded({ args, cwd, exitCodes }, hook, name) {
  const folder = mkdtempSync(path.join(tmpdir(), 'couch-advisor-bench-'));
  const file = path.join(folder, 'figure');
  const url = pathToFileURL(path.join(import.meta.dirname, hook)).href;
  try {
    timeRun({ args: ['--import', url, ...args], cwd, exitCodes }, { [name]: file });
    return JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Runs commands in turn, round by round, so that what else the machine does falls on all of them alike.
 * @template {string} Name
 * @param {Record<Name, () => number>} runs
 * @param {number} rounds
 * @returns {Record<Name, number[]>} what each gave, in the order of the rounds
 */
export function interleave(runs, rounds) {
  const names = /** @type {Name[]} */ (Object.keys(runs));
  /** @type {Partial<Record<Name, number[]>>} */
  const results = {};
  // The first run of each fills the caches of the disk and is thrown away.
  for (const name of names) {
    runs[name]();
    results[name] = [];
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) results[name]?.push(runs[name]());
  }
  return /** @type {Record<Name, number[]>} */ (results);
}

/**
 * @param {number[]} values at least one
 * @returns {Figures}
 */
export function figures(values) {
  const sorted = [...values].sort((first, second) => first - second);
  const middle = (sorted.length - 1) / 2;
  const median = (Number(sorted[Math.floor(middle)]) + Number(sorted[Math.ceil(middle)])) / 2;
  return { min: Number(sorted[0]), median, max: Number(sorted.at(-1)) };
}
