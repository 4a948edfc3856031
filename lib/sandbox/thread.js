// The thread of the sandbox, which runs jobs and returns their answers. Runs foreign code only inside QuickJS.

import { parentPort, workerData } from 'node:worker_threads';
import { loadEngine } from './engine.js';
import { FOREIGN_NOW, HEAP_BYTES, RETIRE_BYTES } from './limits.js';
import { WarmRealms } from './realms.js';
import { runJob } from './run-job.js';
import { runProfile } from './run-profile.js';
import { ownThreadId } from './thread-clock.js';

/** @import { CompiledEngine } from './compiled-engine.js' */
/** @import { SandboxError } from './limits.js' */
/** @import { Job, JobResult } from './run-job.js' */

/** @typedef {{engine: CompiledEngine | undefined}} ThreadData */
/** @typedef {{isReady: true, id: number | undefined} | JobResult | {broken: SandboxError}} ThreadMessage `id` of the thread for the operating system */

// QuickJS takes the time, the seed of Math.random and the time zone from these two of its thread.
Date.now = () => FOREIGN_NOW;
Date.prototype.getTimezoneOffset = () => 0;

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
/** @type {(message: ThreadMessage) => void} */
const send = (message) => port.postMessage(message);

const quickjs = await loadEngine(HEAP_BYTES, /** @type {ThreadData} */ (workerData).engine);
const realms = new WarmRealms(quickjs);

port.on('message', (/** @type {Job} */ job) => {
  try {
    const result = job.profile ? runProfile(realms, job, job.profile) : runJob(realms, job);
    send({ ...result, isSpent: result.isSpent || quickjs.getWasmMemory().buffer.byteLength > RETIRE_BYTES });
  } catch (error) {
    send({ broken: describeBreakdown(error) });
  }
});
send({ isReady: true, id: ownThreadId() });

/**
 * The engine itself gave up: WebAssembly ran out of memory or of stack.
 * @param {unknown} error
 * @returns {SandboxError}
 */
function describeBreakdown(error) {
  const kind = error instanceof RangeError ? 'stack' : 'memory';
  return { kind, message: `the JavaScript engine crashed: ${String(error).slice(0, 200)}` };
}
