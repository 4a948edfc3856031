// Runs the program inside the test's own process: the same path as `bin`, without the cost of a process.

import { Readable, Writable } from 'node:stream';
import { main } from '../../lib/cli/main.js';
import { CACHE_ENV } from './cache-folder.js';

/** A line of progress every ten seconds: a slow machine prints some where others print none. */
const PROGRESS = /^\d+0 s: .*\n/gm;

/**
 * @param {string[]} argv
 * @param {{cwd: string, input?: string | Buffer, env?: Record<string, string | undefined>}} options
 * @returns {Promise<{stdout: string, stderr: string, exitCode: number}>}
 */
export async function runMain(argv, { cwd, input = '', env = {} }) {
  const out = collect();
  const err = collect();
  const exitCode = await main({
    argv,
    cwd,
    env: { ...CACHE_ENV, ...env },
    stdin: Readable.from([typeof input === 'string' ? Buffer.from(input) : input]),
    stdout: out.stream,
    stderr: err.stream,
  });
  return { stdout: out.text(), stderr: err.text().replace(PROGRESS, ''), exitCode };
}

/** @returns {{stream: Writable, text: () => string}} */
function collect() {
  /** @type {Buffer[]} */
  const chunks = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
