// Runs the calls of one job and returns their answers as text. Runs in the thread of the sandbox; knows no threads, no
// queue and no clock: what it stops, it stops after the same step on every machine.

import { errors } from 'quickjs-emscripten-core';
import { parseJson } from '../shared/parse-json.js';
import { OutOfEngineMemory } from './engine.js';
import { failure, MAX_INPUT_CHARACTERS, outOfSteps, STEPS_PER_INTERRUPT, TAMPERED, TOO_LARGE_INPUT } from './limits.js';

/** @import { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core' */
/** @import { ClockReads } from './foreign-clock.js' */
/** @import { SandboxError, SandboxLimits } from './limits.js' */
/** @import { RealmSource, Realms } from './realms.js' */
/** @import { ProfileOrder } from './run-profile.js' */

/**
 * One call, as JSON, or a second pass over the answers of others.
 * @typedef {string | {parts: CallTree[]}} CallTree
 */

/**
 * @typedef {object} Job
 * @property {'reduce' | 'map' | 'filter' | 'validate'} kind
 * @property {string} setup what the environment receives, as JSON
 * @property {CallTree[]} inputs
 * @property {SandboxLimits} limits
 * @property {number} cpuMs milliseconds of the processor that are left for it
 * @property {boolean} isFresh whether each call gets realms of its own
 * @property {boolean} goesOn whether a part that threw counts as null
 * @property {ProfileOrder} [profile] where the calls are to be measured; there is one answer then, for all inputs
 */

/** What one input gave: a list as JSON, or an error; and the calls that it took. @typedef {{text: string, calls: number} | {error: SandboxError, calls: number}} JobAnswer */

/** `steps` of all calls; `clockReads` by the calls, of the clock that they were given; `isSpent`: whether the engine should not be used again. @typedef {{answers: JobAnswer[], steps: number, clockReads: ClockReads, isSpent: boolean}} JobResult */

/** @typedef {{text: string} | {error: SandboxError}} Reply */

/** Answers nested deeper than this are refused: code that walks them calls itself for each level. */
const MAX_DEPTH = 500;
/** Each realm counts its steps to the next interrupt from 0: on average half of those are lost with it. */
const STEPS_PER_REALM = STEPS_PER_INTERRUPT / 2;
/** A look at the realms once their calls are over. */
const LOOK_STEPS = 1_000_000;

/** What the environment may say of a call that failed. */
const KNOWN_KINDS = new Set(['threw', 'memory', 'stack', 'notJson', 'tooLarge', 'tampered', 'notAFunction', 'syntax']);

/** After these the state of the foreign code cannot be trusted; CouchDB ends the process, here it gets new realms. */
const BREAKING = new Set(['steps', 'timeout', 'memory', 'stack', 'tampered']);

const OUT_OF_MEMORY = failure('memory', 'out of memory');

/**
 * Runs one job in realms of its own.
 * @param {RealmSource} source
 * @param {Job} job
 * @returns {JobResult} one answer for each input
 * @throws {Error} where the engine itself breaks down; it must not be used again
 */
export function runJob(source, job) {
  const run = new JobRun(source, job);
  const answers = job.inputs.map((input) => run.answer(input));
  const isSpent = !run.close();
  // What was changed in one call may have shaped the answers of others.
  const trusted = run.isTampered ? answers.map(({ calls }) => ({ ...TAMPERED, calls })) : answers;
  return { answers: trusted, steps: run.steps, clockReads: run.clockReads, isSpent: isSpent || run.ranOutOfMemory };
}

export class JobRun {
  /** @param {RealmSource} source @param {Job} job */
  constructor(source, job) {
    this.source = source;
    this.job = job;
    this.allowed = { call: job.limits.callSteps, job: job.limits.jobSteps };
    /** Of the job and of its latest call. */
    this.steps = 0;
    this.callSteps = 0;
    this.isLate = false;
    this.isTampered = false;
    this.clockReads = { now: false, zone: false };
    this.ranOutOfMemory = false;
    /** @type {Realms | undefined} */
    this.realms = undefined;
    /** The text makes no function: so say all calls. @type {SandboxError | undefined} */
    this.fault = undefined;
    this.calls = 0;
    /** Characters of all answers. */
    this.characters = 0;
  }

  /** @param {CallTree} input @returns {JobAnswer} */
  answer(input) {
    this.calls = 0;
    const reply = this.evaluate(input);
    if ('text' in reply) {
      const { jobCharacters } = this.job.limits;
      this.characters += reply.text.length;
      if (this.characters > jobCharacters) {
        const message = `all results together exceed ${jobCharacters} characters`;
        return { ...failure('tooLarge', message), calls: this.calls };
      }
    }
    return { ...reply, calls: this.calls };
  }

  /** @param {CallTree} tree @returns {Reply} */
  evaluate(tree) {
    if (typeof tree === 'string') return this.call(tree);
    const values = [];
    let characters = 0;
    for (const part of tree.parts) {
      const reply = this.evaluate(part);
      if ('error' in reply && !(this.job.goesOn && reply.error.kind === 'threw' && !this.fault)) return reply;
      // A list of one value, as JSON.
      const value = 'error' in reply ? 'null' : reply.text.slice(1, -1);
      characters += value.length;
      if (characters > MAX_INPUT_CHARACTERS) return TOO_LARGE_INPUT;
      values.push(value);
    }
    return this.call(`[null,[${values.join(',')}],true]`);
  }

  /** @param {string} input @returns {Reply} */
  call(input) {
    if (this.fault) return { error: this.fault };
    if (this.steps > this.allowed.job) return this.outOfJobSteps();
    if (input.length > MAX_INPUT_CHARACTERS) return TOO_LARGE_INPUT;
    if (!this.realms) {
      const opened = this.open();
      if (opened) return opened;
    }
    this.calls += 1;
    const reply = this.ask('call', input);
    if (this.job.isFresh || ('error' in reply && BREAKING.has(reply.error.kind))) this.leave();
    return this.isTampered ? TAMPERED : reply;
  }

  /** @returns {{error: SandboxError}} */
  outOfJobSteps() {
    return outOfSteps('all calls together', this.allowed.job);
  }

  /** Starts the steps of a call. */
  begin() {
    this.callSteps = 0;
    this.isLate = false;
  }

  /** Makes the realms and reads the function. @returns {{error: SandboxError} | undefined} */
  open() {
    this.begin();
    this.steps += STEPS_PER_REALM;
    try {
      this.realms = this.source.open();
    } catch (error) {
      if (error instanceof OutOfEngineMemory || error instanceof errors.QuickJSUnwrapError) return this.noMemory();
      throw error;
    }
    this.source.runtime.setMaxStackSize(this.job.limits.stackBytes);
    this.source.isOver = () => {
      this.steps += STEPS_PER_INTERRUPT;
      this.callSteps += STEPS_PER_INTERRUPT;
      this.isLate ||= this.callSteps > this.allowed.call || this.steps > this.allowed.job;
      return this.isLate;
    };
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
    const reply = this.say(server, realms[name], text);
    if (typeof reply !== 'string') return reply;
    if (reply.startsWith('=')) {
      if (isDeep(reply)) return failure('tooLarge', `the result is nested more than ${MAX_DEPTH} levels deep`);
      return { text: reply.slice(1) };
    }
    if (!reply.startsWith('!')) return this.noMemory();
    const failed = readFailure(reply.slice(1));
    this.ranOutOfMemory ||= failed.error.kind === 'memory';
    return failed;
  }

  /**
   * @param {QuickJSContext} server
   * @param {QuickJSHandle} fn
   * @param {string} text
   * @returns {string | {error: SandboxError}}
   */
  say(server, fn, text) {
    try {
      const input = server.newString(text);
      if (server.typeof(input) !== 'string') return this.noMemory();
      const result = server.callFunction(fn, server.undefined, input);
      input.dispose();
      if (result.error) return this.fail(server, result.error);
      const reply = server.typeof(result.value) === 'string' ? server.getString(result.value) : '';
      result.value.dispose();
      return reply;
    } catch (error) {
      if (error instanceof OutOfEngineMemory) return this.noMemory();
      throw error;
    }
  }

  /** @returns {{error: SandboxError}} */
  noMemory() {
    this.ranOutOfMemory = true;
    return OUT_OF_MEMORY;
  }

  /**
   * An error that the environment could not catch: a call that was stopped, or no memory left to report it in.
   * @param {QuickJSContext} server
   * @param {QuickJSHandle} error
   * @returns {{error: SandboxError}}
   */
  fail(server, error) {
    if (this.isLate) {
      error.dispose();
      if (this.steps > this.allowed.job) return this.outOfJobSteps();
      return outOfSteps('the call', this.allowed.call);
    }
    let message = '';
    if (server.typeof(error) === 'object' && !server.eq(error, server.null)) {
      const handle = server.getProp(error, 'message');
      message = server.getString(handle);
      handle.dispose();
    }
    error.dispose();
    return message.includes('stack') ? failure('stack', 'stack overflow') : this.noMemory();
  }

  /** Gives up the realms. */
  leave() {
    if (!this.realms) return;
    // After a call that was stopped nobody knows what was read.
    const effects = this.read('effects') ?? 'now zone';
    this.isTampered ||= effects.includes('changed');
    this.clockReads.now ||= effects.includes('now');
    this.clockReads.zone ||= effects.includes('zone');
    this.source.leave(this.realms);
    this.realms = undefined;
  }

  /**
   * @param {'figures' | 'forget' | 'effects'} name
   * @returns {string | undefined} undefined where the environment did not answer, as after a call that was stopped
   */
  read(name) {
    const { server, served } = /** @type {Realms} */ (this.realms);
    const { steps, allowed } = this;
    this.begin();
    this.allowed = { call: LOOK_STEPS, job: Number.POSITIVE_INFINITY };
    const method = server.getProp(served, name);
    try {
      const result = server.callFunction(method, server.undefined);
      if (result.error) {
        result.error.dispose();
        return undefined;
      }
      const text = server.typeof(result.value) === 'string' ? server.getString(result.value) : undefined;
      result.value.dispose();
      return text;
    } finally {
      method.dispose();
      this.steps = steps;
      this.allowed = allowed;
      this.begin();
    }
  }

  /** @returns {boolean} whether all memory was given back */
  close() {
    try {
      this.leave();
    } catch {
      return false;
    }
    return this.source.close();
  }
}

/** @param {string} json @returns {{error: SandboxError}} */
function readFailure(json) {
  const parsed = parseJson(json);
  const [kind, message, stack] = Array.isArray(parsed) ? parsed : [];
  if (!KNOWN_KINDS.has(kind) || typeof message !== 'string') return TAMPERED;
  const frames = typeof stack === 'string' ? framesOf(stack) : [];
  return { error: { kind, message, ...(frames.length > 0 ? { frames } : {}) } };
}

/**
 * @param {string} stack as QuickJS writes it: `    at <anonymous> (<input>:4:17)`
 * @returns {{line: number, column: number}[]} where foreign code was, the innermost call first
 */
function framesOf(stack) {
  return Array.from(stack.matchAll(/\(<input>:(\d{1,6}):(\d{1,6})\)/g), ([, line, column]) => ({
    line: Number(line),
    column: Number(column),
  }));
}

/** @param {string} json @returns {boolean} whether it is nested deeper than MAX_DEPTH */
function isDeep(json) {
  if (json.length <= 2 * MAX_DEPTH) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const letter = json[at];
    if (letter === '\\') at += 1;
    else if (letter === '"') isText = !isText;
    else if (isText) continue;
    else if (letter === '[' || letter === '{') depth += 1;
    else if (letter === ']' || letter === '}') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
