// A thread that answers whole questions about functions: the search and its trials run in it, so that nothing crosses between threads but a question
// and its answer. What the engine of its sandbox cannot recover from it leaves unanswered.

import { parentPort, workerData } from 'node:worker_threads';
import { loadEngine } from '../../sandbox/engine.js';
import { DEFAULT_LIMITS, FOREIGN_NOW, HEAP_BYTES, RETIRE_BYTES } from '../../sandbox/limits.js';
import { WarmRealms } from '../../sandbox/realms.js';
import { runJob } from '../../sandbox/run-job.js';
import { Sandbox } from '../../sandbox/sandbox.js';
import { openOwnClock, ownThreadId } from '../../sandbox/thread-clock.js';
import { proveOne } from '../prove.js';
import { tryRows } from '../synthesis/try-rows.js';
import { findWitness } from './find-witness.js';

/** @import { Job } from '../../sandbox/run-job.js' */
/** @import { Done } from '../../sandbox/thread-pool.js' */
/** @import { Question } from './answer-threads.js' */

/** @type {Record<Question['kind'], (question: any, sandbox: Sandbox) => Promise<unknown>>} */
const ANSWERS = { proof: proveOne, rows: tryRows, witness: findWitness };

// As in the thread of the sandbox: QuickJS takes the time and the time zone from these.
Date.now = () => FOREIGN_NOW;
Date.prototype.getTimezoneOffset = () => 0;

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

/** Without waiting at the top level: the package has it as CommonJS, which shares files with the program. */
async function start() {
  const quickjs = await loadEngine(HEAP_BYTES, workerData.engine);
  const realms = new WarmRealms(quickjs);
  const clock = openOwnClock();
  let isSpent = false;
  /** Runs jobs where it is called. */
  const ownThread = {
    seats: [undefined],
    /** @param {Job} job @returns {Promise<Done>} @throws {Error} where the engine breaks down */
    run: async (job) => {
      if (isSpent) throw new Error('the engine is spent');
      const startMs = clock.read();
      const result = runJob(realms, job);
      isSpent = result.isSpent;
      return { ...result, cpuMs: clock.read() - startMs };
    },
    rest: () => {},
    close: async () => {},
  };
  const sandbox = new Sandbox(DEFAULT_LIMITS, ownThread, false);
  port.on('message', async (/** @type {Question} */ { kind, question }) => {
    try {
      const answer = await ANSWERS[kind](question, sandbox);
      port.postMessage({ answer, isSpent: isSpent || quickjs.getWasmMemory().buffer.byteLength > RETIRE_BYTES });
    } catch {
      port.postMessage({ isSpent: true });
    }
  });
  port.postMessage({ isReady: true, id: ownThreadId() });
}

void start();
