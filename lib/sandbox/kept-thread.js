// The thread that runs kept functions, one call at a time, while the calling thread waits. Runs foreign code only
// inside QuickJS.

import { workerData } from 'node:worker_threads';
import { loadEngine } from './engine.js';
import { FOREIGN_NOW, failure, HEAP_BYTES } from './limits.js';
import { FreshRealms } from './realms.js';
import { JobRun } from './run-job.js';
import { ownThreadId } from './thread-clock.js';

/** @import { MessagePort } from 'node:worker_threads' */
/** @import { CompiledEngine } from './compiled-engine.js' */
/** @import { SandboxError, SandboxLimits } from './limits.js' */

/** @typedef {{kind: 'map' | 'reduce', source: string, input: string, limits: SandboxLimits}} KeptCall `input`: JSON of the document, or of the arguments */
/** @typedef {{text: string} | {error: SandboxError, isLost?: true}} KeptReply `isLost`: the thread must be replaced */
/** @typedef {{port: MessagePort, signal: Int32Array, engine: CompiledEngine | undefined}} KeptData `signal` goes up with each reply */

/** The newest functions are kept; an engine for each. */
const MAX_KEPT = 16;

Date.now = () => FOREIGN_NOW;
Date.prototype.getTimezoneOffset = () => 0;

const { port, signal, engine } = /** @type {KeptData} */ (workerData);
const quickjs = await loadEngine(HEAP_BYTES, engine);
/** @type {Map<string, JobRun>} */
const kept = new Map();

port.on('message', (/** @type {KeptCall} */ call) => send(answer(call)));
send({ id: ownThreadId() });

/** @param {KeptReply | {id: number | undefined}} message */
function send(message) {
  port.postMessage(message);
  Atomics.add(signal, 0, 1);
  Atomics.notify(signal, 0);
}

/** @param {KeptCall} call @returns {KeptReply} */
function answer(call) {
  try {
    const reply = runOf(call).evaluate(call.input);
    if (!('error' in reply && reply.error.kind === 'memory') || kept.size === 1) return reply;
    // It may be others that hold the memory.
    closeAll();
    return runOf(call).evaluate(call.input);
  } catch (error) {
    return { ...failure('memory', `the JavaScript engine crashed: ${String(error).slice(0, 200)}`), isLost: true };
  }
}

/** @param {KeptCall} call @returns {JobRun} */
function runOf({ kind, source, limits: given }) {
  const name = `${kind} ${source}`;
  const known = kept.get(name);
  if (known) return known;
  const setup = JSON.stringify({ kind, source, libraries: null, answerCharacters: given.answerCharacters });
  // All calls of a function are one job.
  const limits = { ...given, jobSteps: given.functionSteps };
  const cpuMs = given.functionCpuMs;
  const run = new JobRun(new FreshRealms(quickjs), {
    kind,
    setup,
    inputs: [],
    limits,
    cpuMs,
    isFresh: false,
    goesOn: false,
  });
  kept.set(name, run);
  const [oldest] = kept;
  if (kept.size > MAX_KEPT && oldest) {
    kept.delete(oldest[0]);
    oldest[1].close();
  }
  return run;
}

function closeAll() {
  for (const run of kept.values()) run.close();
  kept.clear();
}
