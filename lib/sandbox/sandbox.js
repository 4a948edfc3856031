// Runs functions of design documents on JSON values. The one entry to foreign code: it runs in QuickJS, in a thread,
// within limits, and sees what CouchDB gives it. Values cross as JSON only; nothing foreign runs on this side.

import { availableParallelism } from 'node:os';
import { parseJson } from '../shared/parse-json.js';
import {
  DEFAULT_LIMITS,
  FOREIGN_NOW,
  failure,
  isCutOff,
  MAX_INPUT_CHARACTERS,
  MAX_JOB_CHARACTERS,
  outOfSteps,
  outOfTime,
  TAMPERED,
  TOO_LARGE_INPUT,
} from './limits.js';
import { ThreadPool } from './thread-pool.js';

/** @import { SandboxError, SandboxLimits } from './limits.js' */
/** @import { ForeignAnswers } from './foreign-answers.js' */
/** @import { ForeignClock } from './foreign-clock.js' */
/** @import { CallTree, Job, JobAnswer } from './run-job.js' */
/** @import { ProfileFigures, ProfileOrder } from './run-profile.js' */

/**
 * How an answer comes about: a first pass f([[key, id], …], values, false) over rows, or a second pass
 * f(null, answers, true) over the answers of the parts, in their order.
 * @typedef {{rows: {id: string, key: unknown, value: unknown}[]} | {parts: ReduceTree[]}} ReduceTree
 */

/**
 * What a reduce answers: the value as CouchDB would store it (undefined, NaN and Infinity are null), or the first error of
 * the calls it took. CouchDB itself goes on with null where a reduce throws (share/server/views.js runReduce, 3.5.0).
 * `calls` is there where it was requested.
 * @typedef {({value: unknown} | {error: SandboxError}) & {calls?: number}} ReduceAnswer
 */

/** What a map emits for one document; CouchDB goes on as if nothing was emitted where it throws. @typedef {{emits: {key: unknown, value: unknown}[]} | {error: SandboxError}} MapAnswer */

/** Whether a filter lets a document pass. @typedef {{passes: boolean} | {error: SandboxError}} FilterAnswer */

/**
 * @typedef {object} ReduceRequest
 * @property {string} source of the reduce
 * @property {Record<string, unknown>} [libraries] `views.lib`; a reduce cannot require it, CouchDB gives it no `require`
 *   (share/server/views.js runReduce compiles without a design document, 3.5.0)
 * @property {ReduceTree[]} trees
 * @property {Partial<SandboxLimits>} [limits] for this job
 * @property {boolean} [isFresh] gives each call a global object of its own, as CouchDB does; costs about 1 ms a call. Else
 *   calls of one job share it and what a function leaves there.
 * @property {boolean} [goesOn] goes on with null where the call for a part threw, as CouchDB does; the answer is an error
 *   then only where the last call threw
 * @property {ForeignAnswers} [foreign] answers of another engine
 * @property {boolean} [countsCalls] whether answers say how many calls they took
 */

/**
 * @typedef {object} MapRequest
 * @property {string} source of the function
 * @property {Record<string, unknown>} [libraries] `views.lib`
 * @property {unknown[]} docs
 * @property {ForeignClock} [clock] the moment and the time zone, where they are to be others
 * @property {ForeignAnswers} [foreign] answers of another engine
 * @property {boolean} [traces] whether errors say where they were thrown
 * @property {'clouseau' | 'nouveau'} [search] where it is the function of a search index: what it indexes are the rows
 * @property {Partial<SandboxLimits>} [limits] for this job
 */
/** @typedef {MapRequest & {req?: unknown, designDoc?: unknown}} FilterRequest `req` is the request, an empty object where left out; `designDoc` is seen by `require` and as `this` */
/** What a validation function is called with. @typedef {{doc: unknown, oldDoc: unknown, user: unknown, security: unknown}} Write */
/** @typedef {Omit<FilterRequest, 'docs' | 'req'> & {writes: Write[]}} ValidateRequest */
/** What it answers: `thrown` is what was thrown and is no error; CouchDB takes 1 and true for consent. @typedef {{thrown: unknown} | {error: SandboxError}} ValidateAnswer */

/**
 * @typedef {object} ProfileRequest
 * @property {'map' | 'reduce'} kind
 * @property {string} source of the function, with probes where `prefix` is given
 * @property {Record<string, unknown>} [libraries] `views.lib`, with probes too
 * @property {string} [prefix] of the names that the probes call
 * @property {string[]} inputs JSON of each document, or of the arguments of each call of a reduce
 * @property {ProfileOrder} order
 * @property {boolean} [isFresh] as in a ReduceRequest
 * @property {Partial<SandboxLimits>} [limits] for this job
 */

/** Threads for a sandbox that has many functions to run. Each may take HEAP_BYTES and the heap of THREAD_OPTIONS. */
export const EVERY_CORE = Math.min(8, Math.max(2, availableParallelism()));

/** How maps and filters run. */
const PLAIN = { isFresh: false, goesOn: false };

/**
 * Opens a sandbox. Threads start with the first jobs and do not keep the process alive between jobs.
 * @param {Partial<SandboxLimits> & {workers?: number}} [options] limits of all jobs, and how many threads, 1 where left out
 * @returns {Sandbox}
 */
export function openSandbox({ workers = 1, ...limits } = {}) {
  return new Sandbox({ ...DEFAULT_LIMITS, ...limits }, new ThreadPool(workers), false);
}

export class Sandbox {
  /** What the functions of a view took so far. @type {Map<Job['kind'], {steps: number, cpuMs: number}> | undefined} */
  #used;

  /** @param {SandboxLimits} limits @param {Pick<ThreadPool, 'run' | 'rest' | 'close'> & {seats: unknown[]}} pool @param {boolean} isOfView whether all jobs are of one view */
  constructor(limits, pool, isOfView) {
    this.limits = limits;
    this.pool = pool;
    this.#used = isOfView ? new Map() : undefined;
    /** The first call that a limit cut off; one whose answer another run may give counts for more. @type {{role: Job['kind'], error: SandboxError} | undefined} */
    this.cutOff = undefined;
    /** Whether some answers may be forged. */
    this.isTampered = false;
    /** What the functions read of the clocks that they were given. */
    this.clockReads = { now: false, zone: false };
  }

  /** @returns {number} how many jobs can run at once */
  get threads() {
    return this.pool.seats.length;
  }

  /**
   * The same threads, for the functions of one view: all jobs of its map share `functionSteps` and `functionCpuMs`, and so do those of its reduce;
   * otherwise each job has them for itself. When they are used up, all further calls are refused. `cutOff` and `isTampered` are those of the view.
   * @param {Partial<SandboxLimits>} [limits]
   * @returns {Sandbox} it is closed with the one that it was made of
   */
  forView(limits) {
    return new Sandbox({ ...this.limits, ...limits }, this.pool, true);
  }

  /**
   * Runs a reduce over trees. The clock stands still and random numbers repeat, so the same question has the same answer.
   * @param {ReduceRequest} request
   * @returns {Promise<ReduceAnswer[]>} one answer for each tree
   * @throws {Error} where the sandbox is closed or its thread cannot be started
   */
  async reduce({ source, trees, limits, foreign, isFresh = false, goesOn = false, countsCalls = false }) {
    const inputs = trees.map((tree) => written(() => callsOf(tree)));
    const answers = await this.run('reduce', { source, foreign }, inputs, limits, { isFresh, goesOn });
    return answers.map((answer) => {
      const result = 'error' in answer ? { error: answer.error } : readValue(answer.text);
      return countsCalls ? { ...result, calls: answer.calls } : result;
    });
  }

  /**
   * Runs a map over documents, frozen as CouchDB 3.x freezes them (share/server/util.js deepFreeze, 3.5.0), one after
   * another in one global object. What is emitted is written down when the function is done.
   * @param {MapRequest} request
   * @returns {Promise<MapAnswer[]>} one answer for each document
   * @throws {Error} where the sandbox is closed or its thread cannot be started
   */
  async map({ source, libraries, docs, limits, clock, foreign, traces, search }) {
    const inputs = docs.map((doc) => written(() => JSON.stringify(doc)));
    const answers = await this.run(
      'map',
      { source, libraries: libraries ?? null, clock, foreign, traces, search },
      inputs,
      limits,
      PLAIN,
    );
    return answers.map((answer) => {
      return 'error' in answer ? { error: answer.error } : readRows(answer.text);
    });
  }

  /**
   * Runs a filter function over documents.
   * @param {FilterRequest} request
   * @returns {Promise<FilterAnswer[]>} one answer for each document
   * @throws {Error} where the sandbox is closed or its thread cannot be started
   */
  async filter({ docs, limits, req = {}, ...setup }) {
    const inputs = docs.map((doc) => written(() => JSON.stringify(doc)));
    const answers = await this.run('filter', { libraries: null, ...setup, req }, inputs, limits, PLAIN);
    return answers.map((answer) => {
      const result = 'error' in answer ? { error: answer.error } : readValue(answer.text);
      return 'error' in result ? result : { passes: result.value === true };
    });
  }

  /**
   * Runs a validation function over writes.
   * @param {ValidateRequest} request
   * @returns {Promise<ValidateAnswer[]>} one answer for each write
   * @throws {Error} where the sandbox is closed or its thread cannot be started
   */
  async validate({ writes, limits, ...setup }) {
    const inputs = writes.map(({ doc, oldDoc, user, security }) =>
      written(() => JSON.stringify([doc, oldDoc, user, security])),
    );
    const answers = await this.run('validate', { libraries: null, ...setup }, inputs, limits, PLAIN);
    return answers.map((answer) => {
      const result = 'error' in answer ? { error: answer.error } : readValue(answer.text);
      return 'error' in result ? result : { thrown: result.value };
    });
  }

  /**
   * Runs a function over inputs and measures it.
   * @param {ProfileRequest} request
   * @returns {Promise<ProfileFigures | {error: SandboxError}>} an error where nothing could be measured at all
   * @throws {Error} where the sandbox is closed or its thread cannot be started
   */
  async profile({ kind, source, libraries, prefix, inputs, order, isFresh = false, limits: own }) {
    const limits = { ...this.limits, ...own };
    const profile = { prefix, ...(order.isTimed ? { now: FOREIGN_NOW } : {}) };
    const setup = { kind, source, libraries: libraries ?? null, profile, answerCharacters: limits.answerCharacters };
    const json = written(() => JSON.stringify(setup));
    if ('error' in json) return { error: json.error };
    const job = {
      kind,
      setup: /** @type {string} */ (json.input),
      inputs,
      limits,
      isFresh,
      goesOn: false,
      profile: order,
    };
    const [answer] = await this.execute(job);
    if (!answer) return failure('memory', 'the sandbox returned no result');
    // The figures are written by our side of the thread.
    return 'error' in answer ? { error: answer.error } : /** @type {ProfileFigures} */ (JSON.parse(answer.text));
  }

  /** Ends threads that have nothing to do. */
  rest() {
    this.pool.rest();
  }

  /** Ends all threads; jobs that are not done are refused. @returns {Promise<void>} */
  close() {
    return this.pool.close();
  }

  /**
   * @param {Omit<Job, 'cpuMs'>} job
   * @returns {Promise<JobAnswer[]>}
   */
  async execute(job) {
    const refused = this.#refusalOf(job.kind);
    const answers = refused ? job.inputs.map(() => ({ ...refused, calls: 0 })) : await this.#runInThread(job);
    for (const answer of answers) {
      if (!('error' in answer)) continue;
      if (
        isCutOff(answer.error) &&
        (!this.cutOff || (this.cutOff.error.kind === 'steps' && answer.error.kind !== 'steps'))
      )
        this.cutOff = { role: job.kind, error: answer.error };
      if (answer.error.kind === 'tampered') this.isTampered = true;
    }
    return answers;
  }

  /**
   * @param {Job['kind']} kind
   * @returns {{error: SandboxError} | undefined} why a function of a view is not run any more
   */
  #refusalOf(kind) {
    const used = this.#used?.get(kind);
    if (!used) return undefined;
    if (this.isTampered) return TAMPERED;
    const { functionSteps, functionCpuMs } = this.limits;
    if (used.steps > functionSteps) return outOfSteps(`the ${kind}`, functionSteps);
    return used.cpuMs > functionCpuMs ? outOfTime(`the ${kind}`, functionCpuMs) : undefined;
  }

  /** @param {Omit<Job, 'cpuMs'>} job @returns {Promise<JobAnswer[]>} */
  async #runInThread(job) {
    const used = this.#used?.get(job.kind) ?? { steps: 0, cpuMs: 0 };
    this.#used?.set(job.kind, used);
    const { functionCpuMs } = this.limits;
    const { answers, steps, clockReads, cpuMs } = await this.pool.run({ ...job, cpuMs: functionCpuMs - used.cpuMs });
    this.clockReads.now ||= clockReads.now;
    this.clockReads.zone ||= clockReads.zone;
    used.steps += steps;
    used.cpuMs += cpuMs;
    return answers;
  }

  /**
   * @param {Job['kind']} kind
   * @param {Record<string, unknown>} setup
   * @param {({input: CallTree} | {error: SandboxError})[]} inputs
   * @param {Partial<SandboxLimits> | undefined} own limits of this job
   * @param {{isFresh: boolean, goesOn: boolean}} manner
   * @returns {Promise<JobAnswer[]>}
   */
  async run(kind, setup, inputs, own, manner) {
    const limits = { ...this.limits, ...own };
    const bounded = withinMemory(inputs);
    const calls = bounded.flatMap((entry) => ('input' in entry ? [entry.input] : []));
    const json = written(() => JSON.stringify({ ...setup, kind, answerCharacters: limits.answerCharacters }));
    if ('error' in json) return inputs.map(() => ({ error: json.error, calls: 0 }));
    /** @type {JobAnswer[]} */
    let answers = [];
    if (calls.length) {
      answers = await this.execute({
        kind,
        setup: /** @type {string} */ (json.input),
        inputs: calls,
        limits,
        ...manner,
      });
    }
    let next = 0;
    return bounded.map((entry) => {
      if ('error' in entry) return { error: entry.error, calls: 0 };
      return /** @type {JobAnswer} */ (answers[next++]);
    });
  }
}

/** @param {string} text of a list of one @returns {{value: unknown} | {error: SandboxError}} */
function readValue(text) {
  const list = parseJson(text);
  return Array.isArray(list) && list.length === 1 ? { value: list[0] } : TAMPERED;
}

/** @param {string} text of a list of rows @returns {MapAnswer} */
function readRows(text) {
  const rows = parseJson(text);
  if (!Array.isArray(rows) || !rows.every((row) => Array.isArray(row) && row.length === 2)) return TAMPERED;
  return { emits: rows.map(([key, value]) => ({ key, value })) };
}

/**
 * @param {({input: CallTree} | {error: SandboxError})[]} inputs of one job
 * @returns {({input: CallTree} | {error: SandboxError})[]} the same, with an error for each that the thread has no room for
 */
function withinMemory(inputs) {
  let characters = 0;
  return inputs.map((entry) => {
    if ('error' in entry) return entry;
    const { longest, all } = lengthsOf(entry.input);
    if (longest > MAX_INPUT_CHARACTERS || characters + all > MAX_JOB_CHARACTERS) return TOO_LARGE_INPUT;
    characters += all;
    return entry;
  });
}

/** @param {CallTree} tree @returns {{longest: number, all: number}} characters of the longest call, and of all */
function lengthsOf(tree) {
  if (typeof tree === 'string') return { longest: tree.length, all: tree.length };
  const parts = tree.parts.map(lengthsOf);
  return {
    longest: parts.reduce((most, part) => Math.max(most, part.longest), 0),
    all: parts.reduce((sum, part) => sum + part.all, 0),
  };
}

/** @param {ReduceTree} tree @returns {CallTree} */
function callsOf(tree) {
  if ('parts' in tree) return { parts: tree.parts.map(callsOf) };
  const keys = tree.rows.map((row) => [row.key, row.id]);
  const values = tree.rows.map((row) => row.value);
  return JSON.stringify([keys, values, false]);
}

/**
 * @param {() => CallTree | undefined} write
 * @returns {{input: CallTree} | {error: SandboxError}} an error where values are no JSON or nested too deeply
 */
function written(write) {
  try {
    return { input: write() ?? 'null' };
  } catch (error) {
    if (error instanceof RangeError) return failure('stack', 'the values are nested too deeply');
    return failure('notJson', 'the values cannot be serialized as JSON');
  }
}
