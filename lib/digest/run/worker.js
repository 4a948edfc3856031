// A thread that takes tasks from a common list until none is left, and then returns its digest.

import { parentPort, workerData } from 'node:worker_threads';
import { Digest } from '../digest.js';
import { digestToJson } from '../digest-json.js';
import { TaskRunner } from './tasks.js';

/** @import { DigestOptions } from '../digest.js' */
/** @import { TwinTimes } from './har-twins.js' */
/** @import { Task, TaskError } from './tasks.js' */

/** @typedef {{tasks: Task[], options: DigestOptions, isForced: boolean, twins: TwinTimes, shared: SharedArrayBuffer}} WorkerInput */
/** @typedef {{digest: Record<string, unknown>, errors: [number, TaskError][]}} WorkerOutput */

const { tasks, options, isForced, twins, shared } = /** @type {WorkerInput} */ (workerData);
const counters = new BigInt64Array(shared);
const digest = new Digest(options);
const runner = new TaskRunner(digest, isForced, twins);
/** @type {[number, TaskError][]} */
const errors = [];
for (;;) {
  const number = Number(Atomics.add(counters, 0, 1n));
  const task = tasks[number];
  if (!task) break;
  const error = await runner.run(task, (bytes) => Atomics.add(counters, 1, BigInt(bytes)));
  if (error) errors.push([number, error]);
}
/** @type {WorkerOutput} */
const output = { digest: digestToJson(digest), errors };
parentPort?.postMessage(output);
