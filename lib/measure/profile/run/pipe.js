// Measures the time of the round trip through a pipe, the least that the line protocol of a query server costs. The
// other process only reads a line and answers one; no foreign code runs.

import { spawn } from 'node:child_process';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { spanOf } from '../profile.js';

/** @import { PipeTimes } from '../profile.js' */

/** Answers each line with as many characters as the line says. */
const ECHO = `
const answer = 'x'.repeat(Number(process.argv[1])) + '\\n';
require('node:readline').createInterface({ input: process.stdin }).on('line', () => process.stdout.write(answer));`;
const MAX_ROUNDS = 60;
/** Without an answer for so long there will be none. */
const PATIENCE_MS = 10_000;

/**
 * @param {string[]} inputs
 * @param {number} answerCharacters of each answer
 * @param {{seconds: number, signal: AbortSignal}} options
 * @returns {Promise<PipeTimes>}
 * @throws {Error} where the process cannot be had or does not answer
 */
export async function measurePipe(inputs, answerCharacters, { seconds, signal }) {
  const child = spawn(process.execPath, ['-e', ECHO, '--', String(Math.max(1, answerCharacters))], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
    signal,
    timeout: seconds * 1000 + PATIENCE_MS,
  });
  const failed = new Promise((_, reject) => {
    child.on('error', reject);
    child.on('exit', (code, name) => reject(new Error(`the process ended with ${name ?? code}`)));
  });
  // Looked at only while an answer is due.
  failed.catch(() => {});
  child.stdin.on('error', () => {});
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (/** @type {string} */ text) => {
    child.stdin.write(`["map_doc",${text}]\n`);
    await Promise.race([answers.next(), failed]);
  };
  try {
    // The first ones are slower: the process starts.
    for (const text of inputs) await ask(text);
    /** @type {number[]} */
    const rounds = [];
    const end = performance.now() + seconds * 1000;
    while (rounds.length < MAX_ROUNDS && (rounds.length === 0 || performance.now() < end)) {
      const start = performance.now();
      for (const text of inputs) await ask(text);
      rounds.push(((performance.now() - start) * 1e6) / Math.max(1, inputs.length));
    }
    return { command: 'a process that only responds', ns: spanOf(rounds) };
  } finally {
    child.kill('SIGKILL');
  }
}
