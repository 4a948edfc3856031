// One job in, the answers of its calls out, as texts. Runs in the thread of the sandbox; knows no threads and no queue.

import { ENVIRONMENT } from './environment.js';
import { failure } from './limits.js';
import { Stopwatch } from './stopwatch.js';

/** @import { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten-core' */
/** @import { SandboxError, SandboxErrorKind, SandboxLimits } from './limits.js' */
/** @import { ProfileOrder } from './run-profile.js' */

/**
 * One call, as JSON, or a second pass over the answers of others.
 * @typedef {string | {parts: CallTree[]}} CallTree
 */

/**
 * @typedef {object} Job
 * @property {'reduce' | 'map' | 'filter'} kind
 * @property {string} setup what the environment is told, as JSON
 * @property {CallTree[]} inputs
 * @property {SandboxLimits} limits
 * @property {boolean} isFresh whether each call gets realms of its own
 * @property {boolean} goesOn whether a part that threw counts as null
 * @property {ProfileOrder} [profile] where the calls are to be measured; there is one answer then, for all inputs
 */

/** What one input gave: a list as JSON, or an error; and the calls that it took. @typedef {{text: string, calls: number} | {error: SandboxError, calls: number}} JobAnswer */

/** @typedef {{text: string} | {error: SandboxError}} Reply */

/** Answers nested deeper than this are refused: whoever looks at them calls itself for each level. */
const DEEPEST = 500;

/** What CouchDB gives its functions: no promises, proxies or typed arrays (couchjs.c add_cx_methods, 3.5.0). */
const INTRINSICS = { BaseObjects: true, Eval: true, JSON: true, RegExp: true, MapSet: true, Date: true };

/** After these the state of the foreign code is not to be trusted; CouchDB ends the process, here it gets new realms. */
const BREAKING = new Set(['timeout', 'memory', 'stack']);

/**
 * Runs one job in an engine of its own.
 * @param {QuickJSWASMModule} quickjs
 * @param {Job} job
 * @returns {{answers: JobAnswer[], isSpent: boolean}} one answer for each input, and whether the engine should not be used again
 * @throws {Error} where the engine itself breaks down; it must not be used again
 */
export function runJob(quickjs, job) {
  const run = new JobRun(quickjs, job);
  const answers = job.inputs.map((input) => run.answer(input));
  return { answers, isSpent: !run.close() };
}

export class JobRun {
  /** @param {QuickJSWASMModule} quickjs @param {Job} job */
  constructor(quickjs, job) {
    this.job = job;
    /** @type {QuickJSRuntime} */
    this.runtime = quickjs.newRuntime();
    this.runtime.setMemoryLimit(job.limits.memoryBytes);
    this.runtime.setMaxStackSize(job.limits.stackBytes);
    this.batch = new Stopwatch(job.limits.batchMs);
    this.current = this.batch;
    this.isLate = false;
    this.runtime.setInterruptHandler(() => {
      this.isLate ||= this.current.isOver() || this.batch.isOver();
      return this.isLate;
    });
    /** @type {Realms | undefined} */
    this.realms = undefined;
    /** The text makes no function: so say all calls. @type {SandboxError | undefined} */
    this.fault = undefined;
    this.calls = 0;
  }

  /** @param {CallTree} input @returns {JobAnswer} */
  answer(input) {
    this.calls = 0;
    const reply = this.evaluate(input);
    return { ...reply, calls: this.calls };
  }

  /** @param {CallTree} tree @returns {Reply} */
  evaluate(tree) {
    if (typeof tree === 'string') return this.call(tree);
    const values = [];
    for (const part of tree.parts) {
      const reply = this.evaluate(part);
      if ('error' in reply && !(this.job.goesOn && reply.error.kind === 'threw' && !this.fault)) return reply;
      // A list of one value, as JSON.
      values.push('error' in reply ? 'null' : reply.text.slice(1, -1));
    }
    return this.call(`[null,[${values.join(',')}],true]`);
  }

  /** @param {string} input @returns {Reply} */
  call(input) {
    if (this.fault) return { error: this.fault };
    const { batchMs, memoryBytes } = this.job.limits;
    if (this.batch.isOver()) return failure('timeout', `all calls together took longer than ${batchMs} ms`);
    if (input.length * 4 > memoryBytes) return failure('memory', 'the values are larger than the memory allowed');
    if (!this.realms) {
      const opened = this.open();
      if (opened) return opened;
    }
    this.calls += 1;
    const reply = this.ask('call', input);
    if (this.job.isFresh || ('error' in reply && BREAKING.has(reply.error.kind))) this.leave();
    return reply;
  }

  /** Starts the time of a call. */
  begin() {
    this.current = new Stopwatch(this.job.limits.callMs);
    this.isLate = false;
  }

  /** Makes the realms and reads the function. @returns {{error: SandboxError} | undefined} */
  open() {
    this.begin();
    const server = this.runtime.newContext({ intrinsics: INTRINSICS });
    const foreign = this.runtime.newContext({ intrinsics: INTRINSICS });
    this.realms = { server, foreign, served: server.undefined, compile: server.undefined, call: server.undefined };
    const made = server.evalCode(ENVIRONMENT);
    if (made.error) return this.fail(server, made.error);
    const evaluate = foreign.getProp(foreign.global, 'eval');
    const served = server.callFunction(made.value, server.undefined, foreign.global, evaluate);
    evaluate.dispose();
    made.value.dispose();
    if (served.error) return this.fail(server, served.error);
    this.realms.compile = server.getProp(served.value, 'compile');
    this.realms.call = server.getProp(served.value, 'call');
    this.realms.served = served.value;
    const reply = this.ask('compile', this.job.setup);
    if (!('error' in reply)) return undefined;
    this.leave();
    this.fault = reply.error;
    return reply;
  }

  /**
   * @param {'compile' | 'call'} name
   * @param {string} text
   * @returns {Reply}
   */
  ask(name, text) {
    const realms = /** @type {Realms} */ (this.realms);
    const { server } = realms;
    this.begin();
    const input = server.newString(text);
    if (server.typeof(input) !== 'string') return failure('memory', 'out of memory');
    const result = server.callFunction(realms[name], server.undefined, input);
    input.dispose();
    if (result.error) return this.fail(server, result.error);
    const reply = server.getString(result.value);
    result.value.dispose();
    if (reply.startsWith('=')) {
      if (isDeep(reply)) return failure('tooLarge', `the answer is nested more than ${DEEPEST} levels deep`);
      return { text: reply.slice(1) };
    }
    if (!reply.startsWith('!')) return failure('memory', 'out of memory');
    const [kind, message] = /** @type {[SandboxErrorKind, string]} */ (JSON.parse(reply.slice(1)));
    return failure(kind, message);
  }

  /**
   * An error that the environment could not catch: a call that was stopped, or no memory left to tell it in.
   * @param {QuickJSContext} server
   * @param {QuickJSHandle} error
   * @returns {{error: SandboxError}}
   */
  fail(server, error) {
    if (this.isLate) {
      error.dispose();
      const { batchMs, callMs } = this.job.limits;
      if (this.batch.isOver()) return failure('timeout', `all calls together took longer than ${batchMs} ms`);
      return failure('timeout', `the call took longer than ${callMs} ms`);
    }
    let message = '';
    if (server.typeof(error) === 'object' && !server.eq(error, server.null)) {
      const handle = server.getProp(error, 'message');
      message = server.getString(handle);
      handle.dispose();
    }
    error.dispose();
    return message.includes('stack') ? failure('stack', 'stack overflow') : failure('memory', 'out of memory');
  }

  /** Gives up the realms. */
  leave() {
    if (!this.realms) return;
    const { server, foreign, served, compile, call } = this.realms;
    this.realms = undefined;
    compile.dispose();
    call.dispose();
    served.dispose();
    foreign.dispose();
    server.dispose();
  }

  /** @returns {boolean} whether all memory was given back */
  close() {
    try {
      this.leave();
      this.runtime.dispose();
      return true;
    } catch {
      return false;
    }
  }
}

/** @typedef {{server: QuickJSContext, foreign: QuickJSContext, served: QuickJSHandle, compile: QuickJSHandle, call: QuickJSHandle}} Realms */

/** @param {string} json @returns {boolean} whether it is nested deeper than DEEPEST */
function isDeep(json) {
  if (json.length <= 2 * DEEPEST) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const letter = json[at];
    if (letter === '\\') at += 1;
    else if (letter === '"') isText = !isText;
    else if (isText) continue;
    else if (letter === '[' || letter === '{') depth += 1;
    else if (letter === ']' || letter === '}') depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}
