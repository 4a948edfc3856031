// Runs attacks on the program and counts them: a family makes attempts, and each either fails, as it should, or is a failure of the program. Tests
// run a few of each; `node test/security/run.js` runs them in full and writes the table of docs/security.md.

import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A `confirm` that measures little: it is attacked, not used. */
export const FEW_ROUNDS = ['--max-docs', '100', '--runs', '1', '--budget', '1'];

/** @typedef {{name: string, failure?: string | undefined}} Attempt `failure` is what went wrong; absent where the program held */

/**
 * @typedef {object} Surroundings
 * @property {string} folder empty, and removed afterwards
 * @property {boolean} isFull whether everything is to be tried, or what takes seconds
 * @property {number} seed of what is random
 */

/**
 * @typedef {object} Family
 * @property {string} id
 * @property {string} about what the program promises, as the table has it
 * @property {{short: number, full: number}} least attempts; fewer mean that the family itself is broken
 * @property {(surroundings: Surroundings) => AsyncIterable<Attempt>} attack
 */

/** @typedef {{id: string, about: string, attempts: number, failures: Attempt[]}} Result */

/**
 * @param {Family} family
 * @param {{isFull?: boolean, seed?: number, onFailure?: (attempt: Attempt) => void}} [options]
 * @returns {Promise<Result>}
 * @throws {Error} where it made too few attempts
 */
export async function runFamily({ id, about, least, attack }, { isFull = false, seed = 1, onFailure } = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-attack-'));
  /** @type {Attempt[]} */
  const failures = [];
  let attempts = 0;
  try {
    for await (const attempt of attack({ folder, isFull, seed })) {
      attempts += 1;
      if (attempt.failure === undefined) continue;
      failures.push(attempt);
      onFailure?.(attempt);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const expected = isFull ? least.full : least.short;
  if (attempts < expected) throw new Error(`${id} made ${attempts} attempts, and ${expected} are the least`);
  return { id, about, attempts, failures };
}

/** Attempts that wait for processes, and how many of them are made at a time. @typedef {{attempts: (() => Promise<Attempt | undefined>)[], limit: number}} Lane an attempt is undefined where there was nothing to attack after all */

/**
 * @param {...Lane} lanes are worked off side by side
 * @returns {AsyncIterable<Attempt>} in the order in which they end
 */
export async function* together(...lanes) {
  /** @type {Attempt[]} */
  const done = [];
  /** @type {unknown[]} */
  const faults = [];
  let wake = () => {};
  let isOver = false;
  const work = async (/** @type {Lane['attempts']} */ waiting) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const attempt = await next();
      if (attempt) done.push(attempt);
      wake();
    }
  };
  const workers = lanes.flatMap(({ attempts, limit }) => {
    const waiting = [...attempts];
    return Array.from({ length: limit }, () => work(waiting));
  });
  void Promise.all(workers)
    .catch((error) => faults.push(error))
    .finally(() => {
      isOver = true;
      wake();
    });
  while (!isOver || done.length > 0) {
    if (done.length === 0) {
      await new Promise((resolve) => {
        wake = () => resolve(undefined);
      });
    }
    yield* done.splice(0);
  }
  if (faults.length > 0) throw faults[0];
}
