// Keeps functions of design documents ready for servers that index: they are called again and again by code that cannot wait for a promise. They run
// in a thread of the sandbox, within limits; the calling thread blocks until they answer.

import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { parseJson } from '../shared/parse-json.js';
import { compiledEngine } from './compiled-engine.js';
import {
  DEFAULT_LIMITS,
  failure,
  isCutOff,
  MAX_INPUT_CHARACTERS,
  outOfTime,
  TAMPERED,
  THREAD_OPTIONS,
  TOO_LARGE_INPUT,
} from './limits.js';
import { openThreadClock } from './thread-clock.js';

/** @import { MessagePort } from 'node:worker_threads' */
/** @import { SandboxError } from './limits.js' */
/** @import { KeptCall, KeptReply } from './kept-thread.js' */
/** @import { ThreadClock } from './thread-clock.js' */

/**
 * @typedef {object} KeptFunctions
 * @property {(source: string) => (doc: unknown) => [key: unknown, value: unknown][]} map nothing where it throws, as in CouchDB
 * @property {(source: string) => (keys: unknown, values: unknown, rereduce: boolean) => unknown} reduce throws where it does
 * @property {() => Promise<void>} close
 */

/** What a function used up so far; once there is a refusal it is not run again. @typedef {{cutOff: number, characters: number, cpuMs: number, refusal: SandboxError | undefined}} Kept */

/**
 * Thrown where a limit of the sandbox cut a function off, and not the function itself failed: what it would have answered is unknown.
 */
export class FunctionCutOff extends Error {}

const CALL_STEPS = 5_000_000;
const CALL_CPU_MS = 3000;
/** A map runs once for each document, while the index is built; a reduce with each request, as long as it is measured. */
const LIMITS = {
  map: { functionSteps: 100_000_000, functionCpuMs: 30_000 },
  reduce: { functionSteps: 1_000_000_000, functionCpuMs: 300_000 },
};
/** Calls that a limit cut off; after these the function is not run again. */
const MAX_CUT_OFF = 3;
/** All answers of a function, each row with what a database needs for it. */
const MAX_CHARACTERS = 128 * 1024 * 1024;
const ROW_CHARACTERS = 200;
/** How often the time of the thread is looked at, in milliseconds. */
const LOOK_MS = 100;
/** A thread that has not started by then never will, in milliseconds by the clock. */
const START_MS = 60_000;

/**
 * @param {{callCpuMs?: number}} [options] `callCpuMs`: milliseconds of the processor for one call
 * @returns {KeptFunctions}
 * @throws {Error} where the thread cannot be started
 */
export function keepFunctions({ callCpuMs = CALL_CPU_MS } = {}) {
  const thread = new KeptThread(callCpuMs);
  /** @type {Map<string, Kept>} */
  const functions = new Map();
  /**
   * @param {'map' | 'reduce'} kind
   * @param {string} source
   * @param {unknown} input
   * @returns {any} what it answers
   * @throws {FunctionCutOff | Error}
   */
  const call = (kind, source, input) => {
    const name = `${kind} ${source}`;
    const known = functions.get(name) ?? { cutOff: 0, characters: 0, cpuMs: 0, refusal: undefined };
    functions.set(name, known);
    if (known.refusal) throw new FunctionCutOff(`the ${kind} is no longer run: ${known.refusal.message}`);
    const limits = { ...DEFAULT_LIMITS, ...LIMITS[kind], callSteps: CALL_STEPS };
    const { reply, cpuMs } = thread.call({ kind, source, input: JSON.stringify(input) ?? 'null', limits });
    known.cpuMs += cpuMs;
    const value = 'text' in reply ? parseJson(reply.text) : undefined;
    const error = 'error' in reply ? reply.error : Array.isArray(value) ? undefined : TAMPERED.error;
    if (error && !isCutOff(error)) throw new Error(error.message);
    if (error) known.cutOff += 1;
    if (error && (known.cutOff >= MAX_CUT_OFF || 'isLost' in reply)) known.refusal = error;
    if ('text' in reply && Array.isArray(value)) {
      known.characters += reply.text.length + value.length * ROW_CHARACTERS;
    }
    if (known.cpuMs > limits.functionCpuMs) known.refusal ??= outOfTime(`the ${kind}`, limits.functionCpuMs).error;
    if (known.characters > MAX_CHARACTERS) {
      known.refusal ??= failure('tooLarge', `all its results together exceed ${MAX_CHARACTERS} characters`).error;
    }
    if (error) throw new FunctionCutOff(`the ${kind}: ${error.message}`);
    return value;
  };
  return {
    map: (source) => (doc) => {
      try {
        return call('map', source, doc);
      } catch (error) {
        if (error instanceof FunctionCutOff) throw error;
        return [];
      }
    },
    reduce: (source) => (keys, values, rereduce) => call('reduce', source, [keys, values, rereduce])[0],
    close: () => thread.close(),
  };
}

/**
 * @typedef {object} Thread
 * @property {Worker} worker
 * @property {MessagePort} port
 * @property {Int32Array<SharedArrayBuffer>} signal goes up with each of its messages
 * @property {ThreadClock | undefined} clock once it has started
 */

/** @returns {Thread} */
function startThread() {
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(new URL('./kept-thread.js', import.meta.url), {
    ...THREAD_OPTIONS,
    workerData: { port: port2, signal, engine: compiledEngine() },
    transferList: [port2],
  });
  // An error is noticed by its silence.
  worker.on('error', () => {});
  worker.unref();
  return { worker, port: port1, signal, clock: undefined };
}

/** One thread after another. */
class KeptThread {
  /** @param {number} callCpuMs */
  constructor(callCpuMs) {
    this.callCpuMs = callCpuMs;
    this.thread = startThread();
  }

  /**
   * @param {KeptCall} call
   * @returns {{reply: KeptReply, cpuMs: number}}
   * @throws {Error} where the thread does not start
   */
  call(call) {
    const clock = this.startedClock();
    // Values that the thread would refuse could end the process on their way there (MAX_JOB_CHARACTERS).
    if (call.input.length > MAX_INPUT_CHARACTERS) return { reply: TOO_LARGE_INPUT, cpuMs: 0 };
    const start = clock.read();
    this.thread.port.postMessage(call);
    const received = this.wait(this.callCpuMs, () => clock.read());
    const cpuMs = clock.read() - start;
    /** @type {KeptReply} */
    const reply =
      received && !('id' in received)
        ? received
        : { ...outOfTime(`a call of the ${call.kind}`, this.callCpuMs), isLost: true };
    if ('isLost' in reply) {
      void this.close();
      this.thread = startThread();
    }
    return { reply, cpuMs };
  }

  /**
   * @returns {ThreadClock} of a thread that has started
   * @throws {Error} where it does not
   */
  startedClock() {
    if (this.thread.clock) return this.thread.clock;
    const started = this.wait(START_MS, () => performance.now());
    if (!started || !('id' in started)) throw new Error('the sandbox thread did not start');
    this.thread.clock = openThreadClock(started.id);
    return this.thread.clock;
  }

  /**
   * @param {number} limitMs
   * @param {() => number} readMs
   * @returns {KeptReply | {id: number | undefined} | undefined} the next message; undefined where the limit passed
   */
  wait(limitMs, readMs) {
    const { port, signal } = this.thread;
    const start = readMs();
    for (;;) {
      const seen = Atomics.load(signal, 0);
      const received = receiveMessageOnPort(port);
      if (received) return received.message;
      if (readMs() - start > limitMs) return undefined;
      Atomics.wait(signal, 0, seen, LOOK_MS);
    }
  }

  /** @returns {Promise<void>} */
  async close() {
    const { worker, port, clock } = this.thread;
    clock?.close();
    port.close();
    await worker.terminate();
  }
}
