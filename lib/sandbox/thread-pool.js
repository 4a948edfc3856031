// Runs jobs in threads that are started when needed and replaced when they hang or break down.

import { Worker } from 'node:worker_threads';
import { compiledEngine } from './compiled-engine.js';
import { failure, outOfTime, THREAD_OPTIONS } from './limits.js';
import { openThreadClock } from './thread-clock.js';

/** @import { SandboxError } from './limits.js' */
/** @import { WorkerOptions } from 'node:worker_threads' */
/** @import { Job, JobResult } from './run-job.js' */
/** @import { ThreadClock } from './thread-clock.js' */
/** @import { ThreadMessage } from './thread.js' */

/** What became of a job: `steps` and milliseconds of the processor that it took; `answer` to a question. @typedef {Omit<JobResult, 'isSpent'> & {cpuMs: number, answer?: unknown}} Done */
/** A job, or a question for threads that answer these. @typedef {Job | (Pick<Job, 'cpuMs' | 'limits' | 'inputs'> & {kind: string, question: unknown})} Work */
/** What the threads run. @typedef {{url: URL, options: WorkerOptions}} Program */
/** @typedef {{job: Work, resolve: (done: Done) => void, reject: (error: Error) => void}} Waiting */

/** How often the time of a thread is looked at, in milliseconds. */
const LOOK_MS = 100;

/** @type {Program} */
const SANDBOX = { url: new URL('./thread.js', import.meta.url), options: THREAD_OPTIONS };

export class ThreadPool {
  /** @param {number} size how many threads may run together @param {Program} [program] */
  constructor(size, program = SANDBOX) {
    /** @type {Waiting[]} */
    this.queue = [];
    this.isClosed = false;
    this.seats = Array.from({ length: Math.max(1, size) }, () => new Seat(program, () => this.next()));
  }

  /**
   * @param {Work} job
   * @returns {Promise<Done>}
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

  /** Ends threads that have nothing to do: others need the memory. */
  rest() {
    for (const seat of this.seats) if (!seat.current) void seat.drop();
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
  /** @param {Program} program @param {() => void} whenFree */
  constructor(program, whenFree) {
    this.program = program;
    this.whenFree = whenFree;
    /** @type {Waiting | undefined} */
    this.current = undefined;
    /** @type {Worker | undefined} */
    this.worker = undefined;
    this.isReady = false;
    /** @type {ThreadClock | undefined} */
    this.clock = undefined;
    this.startMs = 0;
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
    const { url, options } = this.program;
    const worker = new Worker(url, { ...options, workerData: { engine: compiledEngine() } });
    worker.on('message', (/** @type {ThreadMessage} */ message) => this.hear(worker, message));
    worker.on('error', (error) => this.lose(worker, error));
    worker.on('exit', () => this.lose(worker, new Error('the sandbox thread ended')));
    return worker;
  }

  send() {
    const { job } = /** @type {Waiting} */ (this.current);
    this.startMs = this.clock?.read() ?? 0;
    this.watch(job);
    this.worker?.postMessage(job);
  }

  /** @returns {number} milliseconds of the processor that the job has taken so far */
  get cpuMs() {
    return (this.clock?.read() ?? 0) - this.startMs;
  }

  /** Ends the thread when the engine does not come back: calls that work inside of one built-in function make no steps. @param {Work} job */
  watch(job) {
    this.timer = setTimeout(() => {
      if (this.cpuMs <= job.cpuMs) return this.watch(job);
      this.giveUp(outOfTime(`the ${job.kind}`, job.limits.functionCpuMs).error);
    }, LOOK_MS);
  }

  /** @param {Worker} worker @param {ThreadMessage} message */
  hear(worker, message) {
    if (worker !== this.worker) return;
    if ('isReady' in message) {
      this.isReady = true;
      this.clock = openThreadClock(message.id);
      if (this.current) this.send();
      return;
    }
    if ('broken' in message) {
      this.giveUp(message.broken);
      return;
    }
    const { isSpent, ...result } = message;
    const { cpuMs } = this;
    if (isSpent) this.drop();
    this.settle({ ...result, cpuMs });
  }

  /** The thread is gone by itself. @param {Worker} worker @param {Error} error */
  lose(worker, error) {
    if (worker !== this.worker) return;
    if (this.isReady) {
      this.giveUp(failure('memory', `the sandbox thread crashed: ${error.message}`).error);
      return;
    }
    this.drop();
    const waiting = this.current;
    this.current = undefined;
    waiting?.reject(error);
    this.whenFree();
  }

  /** Ends the thread: all calls of its job have this error. @param {SandboxError} error */
  giveUp(error) {
    const { cpuMs } = this;
    this.drop();
    const answers = (this.current?.job.inputs ?? []).map(() => ({ error, calls: 0 }));
    this.settle({ answers, steps: 0, clockReads: { now: true, zone: true }, cpuMs });
  }

  /** @param {Done} done */
  settle(done) {
    clearTimeout(this.timer);
    const waiting = this.current;
    this.current = undefined;
    this.worker?.unref();
    waiting?.resolve(done);
    this.whenFree();
  }

  /** Ends the thread; the next job starts another. @returns {Promise<unknown>} */
  drop() {
    clearTimeout(this.timer);
    const worker = this.worker;
    this.clock?.close();
    this.worker = undefined;
    this.clock = undefined;
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
