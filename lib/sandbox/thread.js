// The thread of the sandbox: jobs in, answers out. Runs foreign code only inside QuickJS.

import { parentPort } from 'node:worker_threads';

import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import { FOREIGN_NOW } from './limits.js';
import { runJob } from './run-job.js';
import { runProfile } from './run-profile.js';

/** @import { SandboxError } from './limits.js' */
/** @import { Job, JobAnswer } from './run-job.js' */

/** @typedef {{isReady: true} | {answers: JobAnswer[], isSpent: boolean} | {broken: SandboxError}} ThreadMessage */

/** Memory of WebAssembly never shrinks: a thread that holds more than this is replaced. */
const RETIRE_BYTES = 64 * 1024 * 1024;

// QuickJS takes the time, the seed of Math.random and the time zone from these two of its thread.
Date.now = () => FOREIGN_NOW;
Date.prototype.getTimezoneOffset = () => 0;

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
/** @type {(message: ThreadMessage) => void} */
const tell = (message) => port.postMessage(message);

const quickjs = await newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-wasmfile-release-sync'));

port.on('message', (/** @type {Job} */ job) => {
  try {
    const { answers, isSpent } = job.profile ? runProfile(quickjs, job, job.profile) : runJob(quickjs, job);
    tell({ answers, isSpent: isSpent || quickjs.getWasmMemory().buffer.byteLength > RETIRE_BYTES });
  } catch (error) {
    // The engine itself gave up: WebAssembly ran out of memory or of stack.
    const kind = error instanceof RangeError ? 'stack' : 'memory';
    tell({ broken: { kind, message: `the JavaScript engine broke down: ${String(error).slice(0, 200)}` } });
  }
});
tell({ isReady: true });
