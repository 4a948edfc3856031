// Shows the progress of reading logs, or of running functions, on one line of a terminal that is overwritten.

import { formatBytes, formatCount } from '../shared/units.js';

/** @import { Writable } from 'node:stream' */

/** What takes less is not worth a line. */
const QUIET_SECONDS = 0.3;
/** From here on the time left is shown in minutes. */
const MANY_SECONDS = 120;

/** Takes the line away. */
export const CLEAR_LINE = '\r\u001b[K';

/**
 * @param {Writable} stderr a terminal
 * @returns {(progress: {bytes: number, total: number | undefined}) => void} `total`: undefined where the end is not known
 */
export function progressLine(stderr) {
  const started = Date.now();
  return ({ bytes, total }) => {
    const seconds = (Date.now() - started) / 1000;
    if (seconds < QUIET_SECONDS || bytes === 0) return;
    const rate = `${formatBytes(Math.round(bytes / seconds))}/s`;
    if (total === undefined) {
      stderr.write(`${CLEAR_LINE}${formatBytes(bytes)}, ${rate}`);
      return;
    }
    const left = Math.max(0, Math.ceil(((total - bytes) * seconds) / bytes));
    const time = left < MANY_SECONDS ? `${left} s` : `${Math.round(left / 60)} min`;
    stderr.write(`${CLEAR_LINE}${formatBytes(bytes)} of ${formatBytes(total)}, ${rate}, ${time} left`);
  };
}

/**
 * @param {Writable} stderr a terminal
 * @returns {(progress: {done: number, total: number}) => void} the line goes away with the last
 */
export function countLine(stderr) {
  const started = Date.now();
  return ({ done, total }) => {
    if (done >= total) stderr.write(CLEAR_LINE);
    else if (Date.now() - started >= QUIET_SECONDS * 1000)
      stderr.write(`${CLEAR_LINE}${formatCount(done)} of ${formatCount(total)} functions run`);
  };
}
