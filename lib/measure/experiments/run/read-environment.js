// Reads what is known of this machine, for every result.

import os from 'node:os';
import process from 'node:process';

/** @import { Environment } from '../environment.js' */

/**
 * @param {{tool: string, server: Environment['server']}} known
 * @returns {Environment}
 */
export function readEnvironment({ tool, server }) {
  const processors = os.cpus();
  return {
    tool,
    node: process.versions.node,
    system: `${os.platform()} ${os.arch()} ${os.release().split('.').slice(0, 2).join('.')}`,
    processor: processors[0]?.model.trim() || 'unknown processor',
    processors: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    loadAverage: loadAverage(),
    server,
  };
}

/** @returns {number} of the last minute; 0 where the system reports none */
export function loadAverage() {
  return os.loadavg()[0] ?? 0;
}
