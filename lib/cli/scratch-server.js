// Opens the server that a command measures on, and keeps it clean from the options to the last database dropped: checked for signs of use, freed of
// what killed runs left. Also what every long command needs: interrupts and a line of progress.

import os from 'node:os';
import { dropLeftovers } from '../measure/servers/target.js';
import { oneLine, printable } from '../shared/printable.js';
import { UserError } from '../shared/user-error.js';
import { CLEAR_LINE } from './progress-line.js';

/** @import { Server } from '../measure/servers/server.js' */
/** @import { Surroundings } from './main.js' */

/** The width of a terminal that does not report its own. */
const USUAL_WIDTH = 80;
/** Between two lines of progress where no terminal reads. */
const LOG_SECONDS = 10;

/**
 * @param {Server} server
 * @param {{yes?: boolean}} options
 * @param {Surroundings['stderr']} stderr
 * @throws {UserError} where it looks as if people depended on it
 */
export async function checkServer(server, { yes = false }, stderr) {
  const signs = yes ? [] : await server.findSignsOfUse();
  if (signs.length > 0) {
    throw new UserError('server-in-use', `${server.origin} looks like a live server: ${signs.join(', ')}`, {
      hint: 'use another server, or add --yes if it may be put under load',
    });
  }
  const { dropped } = await dropLeftovers(server, { host: os.hostname(), isAlive });
  if (dropped.length > 0) stderr.write(`dropped databases that a killed run left: ${dropped.join(', ')}\n`);
}

/**
 * The first interrupt ends the round and cleans up; a second one ends the program at once.
 * @returns {{signal: AbortSignal, stop: () => void}}
 */
export function listenForInterrupts() {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  return { signal: controller.signal, stop: () => void process.off('SIGINT', abort).off('SIGTERM', abort) };
}

/**
 * @param {Surroundings['stderr']} stderr
 * @returns {{onProgress: (text: string) => void, end: () => void}} a line that is written over where a terminal reads, else one every ten seconds
 */
export function createProgress(stderr) {
  if (!stderr.isTTY) return createLog(stderr);
  return {
    // A line that wraps could not be cleared again.
    onProgress: (text) =>
      void stderr.write(`${CLEAR_LINE}${oneLine(printable(text), (stderr.columns ?? USUAL_WIDTH) - 1)}`),
    end: () => void stderr.write(CLEAR_LINE),
  };
}

/**
 * @param {Surroundings['stderr']} stderr
 * @returns {ReturnType<typeof createProgress>} for logs of CI: what is being done, with the seconds since the start
 */
function createLog(stderr) {
  let last = '';
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += LOG_SECONDS;
    if (last !== '') stderr.write(`${seconds} s: ${oneLine(printable(last), USUAL_WIDTH)}\n`);
  }, LOG_SECONDS * 1000);
  timer.unref();
  return {
    onProgress: (text) => {
      last = text;
    },
    end: () => clearInterval(timer),
  };
}

/** @param {number} pid @returns {boolean} whether a process of this machine has it */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
