// Measures how much of this machine is used by anything except this program and the server it measures. Knows nothing
// where /proc is missing, or the server's processes are here and cannot be seen.

import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { cpuOfMachine, cpuOfTrees } from './server-processes.js';

/** @import { Server } from './server.js' */

/** @typedef {{at: number, machineMs: number, ownMs: number}} Reading */

/**
 * @typedef {object} MachineWatch
 * @property {() => Reading | undefined} read
 * @property {(since: Reading | undefined) => number | null} othersSince processors that others kept busy since then: 0.5 is half of one. Null
 *   where it cannot be known
 */

/**
 * @param {Pick<Server, 'processes'>} server
 * @returns {MachineWatch}
 */
export function watchMachine({ processes }) {
  const read = () => {
    const machineMs = cpuOfMachine();
    const ownMs = processes && cpuOfTrees([process.pid, ...processes]);
    return machineMs === undefined || ownMs === undefined ? undefined : { at: performance.now(), machineMs, ownMs };
  };
  return {
    read,
    othersSince: (since) => {
      const now = since && read();
      return now ? othersBetween(since, now) : null;
    },
  };
}

/**
 * @param {Reading} before
 * @param {Reading} after
 * @returns {number} at least 0
 */
function othersBetween(before, after) {
  const elapsed = Math.max(1, after.at - before.at);
  return Math.max(0, (after.machineMs - before.machineMs - (after.ownMs - before.ownMs)) / elapsed);
}
