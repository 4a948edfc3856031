// Measures the processor time that a thread has used. Wall-clock time is no measure: on a busy machine a thread waits
// for most of it.

import { closeSync, openSync, readlinkSync, readSync } from 'node:fs';

const LINE_BYTES = 64;
/** Where a thread has no clock of its own, it is given this share of the time of the whole process: a thread that never ends is noticed all the same. */
const PROCESS_SHARE = 1 / 4;

/** `read`: milliseconds of the processor so far. @typedef {{read: () => number, close: () => void}} ThreadClock */

/** @returns {number | undefined} of the thread that calls this, as the operating system numbers it; undefined where that is not known */
export function ownThreadId() {
  try {
    const id = Number(/\d+$/.exec(readlinkSync('/proc/thread-self'))?.[0] ?? '');
    return id > 0 ? id : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {number | undefined} id of any thread of this process
 * @returns {ThreadClock}
 */
export function openThreadClock(id) {
  return openProcFile(id) ?? { read: () => processMs() * PROCESS_SHARE, close: () => {} };
}

/** @returns {ThreadClock} of the thread that calls this, or of the whole process where the system does not distinguish them */
export function openOwnClock() {
  return openProcFile(ownThreadId()) ?? { read: processMs, close: () => {} };
}

/**
 * @param {number | undefined} id
 * @returns {ThreadClock | undefined} undefined where the system has no such file
 */
function openProcFile(id) {
  if (id === undefined) return undefined;
  /** @type {number} */
  let file;
  try {
    file = openSync(`/proc/self/task/${id}/schedstat`, 'r');
  } catch {
    return undefined;
  }
  const line = Buffer.alloc(LINE_BYTES);
  let last = 0;
  return {
    read: () => {
      try {
        // The first number is nanoseconds on a processor (Documentation/scheduler/sched-stats.rst, Linux).
        last = Number.parseInt(line.toString('latin1', 0, readSync(file, line, 0, LINE_BYTES, 0)), 10) / 1e6;
      } catch {
        // The thread has ended.
      }
      return last;
    },
    close: () => closeSync(file),
  };
}

/** @returns {number} */
function processMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
