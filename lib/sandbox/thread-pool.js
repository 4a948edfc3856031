// Jobs in, their answers out, by threads that are started when needed and replaced when they hang or break down.

import { Worker } from 'node:worker_threads';
import { failure } from './limits.js';
import { Stopwatch } from './stopwatch.js';

/** @import { SandboxError } from './limits.js' */
/** @import { Job, JobAnswer } from './run-job.js' */
/** @import { ThreadMessage } from './thread.js' */

/** @typedef {{job: Job, resolve: (answers: JobAnswer[]) => void, reject: (error: Error) => void}} Waiting */

/** Memory of a thread for the texts of jobs, beside that of WebAssembly. */
const RESOURCES = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

export class ThreadPool {
  /** @param {number} size how many threads may run together */
  constructor(size) {
    /** @type {Waiting[]} */
    this.queue = [];
    this.isClosed = false;
    this.seats = Array.from({ length: Math.max(1, size) }, () => new Seat(() => this.next()));
  }

  /**
   * @param {Job} job
   * @returns {Promise<JobAnswer[]>}
   */
  run(job) {
    if (this.isClosed) return Promise.reject(new Error('the sandbox is closed'));
    return new Promise((resolve, reject) => {
      this.queue.push({ job, resolve, reject });
      this.next();
    });
  }

  /** Gives waiting jobs to seats that are free. */
  next() {
    for (const seat of this.seats) {
      if (seat.current) continue;
      const waiting = this.queue.shift();
      if (!waiting) return;
      seat.take(waiting);
    }
  }

  /** @returns {Promise<void>} */
  async close() {
    this.isClosed = true;
    const refused = this.queue.splice(0);
    for (const { reject } of refused) reject(new Error('the sandbox is closed'));
    await Promise.all(this.seats.map((seat) => seat.close()));
  }
}

/** One thread after another, and the job it works on. */
class Seat {
  /** @param {() => void} whenFree */
  constructor(whenFree) {
    this.whenFree = whenFree;
    /** @type {Waiting | undefined} */
    this.current = undefined;
    /** @type {Worker | undefined} */
    this.worker = undefined;
    this.isReady = false;
    /** @type {NodeJS.Timeout | undefined} */
    this.timer = undefined;
  }

  /** @param {Waiting} waiting */
  take(waiting) {
    this.current = waiting;
    this.worker ??= this.start();
    // Only a thread with a job keeps the process alive.
    this.worker.ref();
    if (this.isReady) this.send();
  }

  /** @returns {Worker} */
  start() {
    const worker = new Worker(new URL('./thread.js', import.meta.url), {
      // Nothing of this process is handed on; what the engine prints when it breaks down is not shown.
      env: {},
      argv: [],
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: RESOURCES,
    });
    worker.on('message', (/** @type {ThreadMessage} */ message) => this.hear(worker, message));
    worker.on('error', (error) => this.lose(worker, error));
    worker.on('exit', () => this.lose(worker, new Error('the thread of the sandbox ended')));
    return worker;
  }

  send() {
    const { job } = /** @type {Waiting} */ (this.current);
    this.watch(job, new Stopwatch(job.limits.batchMs + job.limits.graceMs));
    this.worker?.postMessage(job);
  }

  /** Ends the thread when it does not answer in time. @param {Job} job @param {Stopwatch} stopwatch */
  watch(job, stopwatch) {
    this.timer = setTimeout(
      () => {
        if (!stopwatch.isOver()) return this.watch(job, stopwatch);
        this.drop();
        const told = failure('timeout', `the engine did not stop after ${stopwatch.limitMs} ms`);
        this.settle(job.inputs.map(() => ({ ...told, calls: 0 })));
      },
      Math.max(1, stopwatch.restMs()),
    );
  }

  /** @param {Worker} worker @param {ThreadMessage} message */
  hear(worker, message) {
    if (worker !== this.worker) return;
    if ('isReady' in message) {
      this.isReady = true;
      if (this.current) this.send();
      return;
    }
    if ('broken' in message) {
      this.drop();
      this.settle(this.failAll(message.broken));
      return;
    }
    if (message.isSpent) this.drop();
    this.settle(message.answers);
  }

  /** The thread is gone by itself. @param {Worker} worker @param {Error} error */
  lose(worker, error) {
    if (worker !== this.worker) return;
    const wasReady = this.isReady;
    this.drop();
    if (wasReady) {
      this.settle(this.failAll(failure('memory', `the thread of the sandbox broke down: ${error.message}`).error));
      return;
    }
    const waiting = this.current;
    this.current = undefined;
    waiting?.reject(error);
    this.whenFree();
  }

  /** @param {SandboxError} error @returns {JobAnswer[]} */
  failAll(error) {
    return (this.current?.job.inputs ?? []).map(() => ({ error, calls: 0 }));
  }

  /** @param {JobAnswer[]} answers */
  settle(answers) {
    clearTimeout(this.timer);
    const waiting = this.current;
    this.current = undefined;
    this.worker?.unref();
    waiting?.resolve(answers);
    this.whenFree();
  }

  /** Ends the thread; the next job starts another. @returns {Promise<unknown>} */
  drop() {
    clearTimeout(this.timer);
    const worker = this.worker;
    this.worker = undefined;
    this.isReady = false;
    return worker ? worker.terminate() : Promise.resolve();
  }

  /** @returns {Promise<void>} */
  async close() {
    await this.drop();
    const waiting = this.current;
    this.current = undefined;
    waiting?.reject(new Error('the sandbox is closed'));
  }
}
