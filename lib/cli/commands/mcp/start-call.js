// Runs a call of a tool in a process of its own, which can be stopped whatever it is doing and takes its memory along.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { PACKAGE_FOLDER } from '../../../package-folder.js';

/** @import { Call, Answer } from './answer-call.js' */

const PROGRAM = path.join(PACKAGE_FOLDER, 'bin/couch-advisor.js');
/** Clients give up after a minute unless they hear of progress; what takes longer than this is for the command line. */
const MAX_MS = 120_000;
const MAX_HEAP_MB = 1024;
/** Of an answer, which is short. */
const MAX_CHARACTERS = 4_000_000;

/**
 * @param {Call} call
 * @param {Record<string, string | undefined>} env
 * @returns {{answer: Promise<Answer>, stop: () => void}} `stop` ends the process; the answer then says that it was stopped
 */
export function startCall(call, env) {
  const child = spawn(process.execPath, [`--max-old-space-size=${MAX_HEAP_MB}`, PROGRAM, 'mcp', '--call'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env,
    windowsHide: true,
  });
  let text = '';
  let failure = 'the call used too much memory or ended unexpectedly; name fewer or smaller files';
  const stop = () => child.kill('SIGKILL');
  const timer = setTimeout(() => {
    failure = `stopped after ${MAX_MS / 1000} s; name fewer or smaller files, or use the command line`;
    stop();
  }, MAX_MS);
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
    if (text.length > MAX_CHARACTERS) stop();
  });
  // A process that has ended takes no input.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify({ ...call, server: process.pid }));
  /** @type {Promise<Answer>} */
  const answer = new Promise((resolve) => {
    child.once('error', (error) => resolve({ failure: `cannot start a process: ${error.message}` }));
    child.once('close', (exitCode) => {
      clearTimeout(timer);
      resolve(exitCode === 0 ? JSON.parse(text) : { failure });
    });
  });
  return { answer, stop };
}
