// Sets what foreign code may cost: the limits of the sandbox and the errors that name the one that was exceeded.

/**
 * Why a function gave no answer.
 * - `threw`: it, or the text around it, raised an error
 * - `steps`: a call, its job or the function as a whole took more steps than it may
 * - `timeout`: likewise, more time of the processor
 * - `memory`, `stack`: it used more than it may
 * - `notJson`: its answer cannot be written as JSON
 * - `tooLarge`: its answers are longer than they may be, or nested deeper than 500 levels
 * - `tampered`: it changed built-in objects of the query server around it, so its answers may be forged
 * - `notAFunction`, `syntax`: the text makes no function
 * @typedef {'threw' | 'steps' | 'timeout' | 'memory' | 'stack' | 'notJson' | 'tooLarge' | 'tampered' | 'notAFunction' | 'syntax'} SandboxErrorKind
 */

/**
 * `frames` of what was thrown, where they were requested: lines and columns, from 1, in the text of the function or of a module, the innermost call first.
 * @typedef {{kind: SandboxErrorKind, message: string, frames?: {line: number, column: number}[]}} SandboxError
 */

/**
 * Steps are counted by QuickJS itself: jumps of its bytecode, of which each turn of a loop makes about two, calls, and attempts of a regular
 * expression (js_poll_interrupts, quickjs.c). They are the same on every machine, however busy it is. Time of the processor bounds what makes no steps, such as sorting a long array; it is never time by the clock.
 * @typedef {object} SandboxLimits
 * @property {number} callSteps of one call
 * @property {number} jobSteps of all calls of one job
 * @property {number} functionSteps of all jobs of one function
 * @property {number} functionCpuMs milliseconds of the processor for all jobs of one function; the thread that runs it is ended after that
 * @property {number} stackBytes stack of the JavaScript engine
 * @property {number} answerCharacters length of one answer as JSON
 * @property {number} jobCharacters length of all answers of one job
 */

/** The moment at which all foreign code runs, so that answers can be had again: 1 January 2025. */
export const FOREIGN_NOW = Date.UTC(2025, 0, 1);

/** QuickJS calls its interrupt handler after this many steps (JS_INTERRUPT_COUNTER_INIT, quickjs.c). */
export const STEPS_PER_INTERRUPT = 10_000;

/**
 * All memory of WebAssembly in one thread, of which the program itself takes about 1 MiB. QuickJS counts no bytes when it is compiled by Emscripten
 * (js_def_malloc_usable_size gives 0 there), so its own limit holds for single allocations only: 9,000 parts of one string took 2 GiB. This limit
 * is that of the memory, which cannot grow any further; the engine then says that it is out of memory.
 */
export const HEAP_BYTES = 64 * 1024 * 1024;

/** Memory of WebAssembly never shrinks: a thread that holds more than this is replaced. */
export const RETIRE_BYTES = HEAP_BYTES / 2;

/**
 * What a thread of the sandbox gets. Nothing of this process is handed on, and what the engine prints when it breaks down is not shown. The heap is for the texts of jobs, beside the memory of WebAssembly. The stack is so large that QuickJS always meets
 * its own limit (`stackBytes`) first, in code compiled in haste as in optimized code: with Node's 4 MiB, JSON nested as deeply as QuickJS allows
 * took more than 3 of them, and code nested as deeply broke the engine down.
 */
export const THREAD_OPTIONS = Object.freeze({
  env: {},
  argv: [],
  execArgv: [],
  stdout: true,
  stderr: true,
  resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8, stackSizeMb: 16 },
});

/** Of one call, as JSON. Values take several times as much memory in the engine as their JSON has characters. */
export const MAX_INPUT_CHARACTERS = HEAP_BYTES / 8;

/**
 * Of all calls of one job. V8 ends a thread that comes near the end of its heap, but the whole process where a single text does not fit: four
 * documents of 30 MB did that (Node 20).
 */
export const MAX_JOB_CHARACTERS = 40 * 1024 * 1024;

/**
 * A million steps take 30 to 100 ms of plain loops, and up to a second where each step makes objects or errors (measured).
 * 256 KiB of stack are what quickjs-emscripten issue 269 advises; the stack of the thread below is larger in turn (THREAD_OPTIONS).
 * @type {Readonly<SandboxLimits>}
 */
export const DEFAULT_LIMITS = Object.freeze({
  callSteps: 1_000_000,
  jobSteps: 20_000_000,
  functionSteps: 40_000_000,
  functionCpuMs: 10_000,
  stackBytes: 256 * 1024,
  answerCharacters: 1024 * 1024,
  jobCharacters: 4 * 1024 * 1024,
});

/** Errors of what was cut off by a limit: nobody knows what the answer would have been. @type {ReadonlySet<string>} */
const CUT_OFF = new Set(['steps', 'timeout', 'memory', 'stack', 'tooLarge']);

/**
 * @param {SandboxError} error
 * @returns {boolean} whether a limit of the sandbox is the reason, and not the function
 */
export function isCutOff({ kind }) {
  return CUT_OFF.has(kind);
}

/**
 * @param {SandboxError} error
 * @returns {boolean} whether a limit of steps or time is the reason
 */
export function isOverrun({ kind }) {
  return kind === 'steps' || kind === 'timeout';
}

/**
 * Steps are counted, so another run is cut off there too; time and memory depend on the machine.
 * @param {SandboxError} error of what was cut off
 * @returns {{mayDiffer?: true}} what is noted at an answer that another run may not give
 */
export function mayDifferAfter({ kind }) {
  return kind === 'steps' ? {} : { mayDiffer: true };
}

/**
 * @param {SandboxErrorKind} kind
 * @param {string} message
 * @returns {{error: SandboxError}}
 */
export function failure(kind, message) {
  return { error: { kind, message } };
}

/** @type {{error: SandboxError}} */
export const TOO_LARGE_INPUT = failure('memory', 'the values exceed the memory limit');

/** @type {{error: SandboxError}} */
export const TAMPERED = failure(
  'tampered',
  'it changes built-in objects of the query server, so its results may be forged',
);

/**
 * @param {string} what exceeded it: `the call`
 * @param {number} steps
 * @returns {{error: SandboxError}}
 */
export function outOfSteps(what, steps) {
  return failure('steps', `${what} took more than ${steps / 1e6} million steps`);
}

/**
 * @param {string} what exceeded it: `the reduce`
 * @param {number} ms
 * @returns {{error: SandboxError}}
 */
export function outOfTime(what, ms) {
  return failure('timeout', `${what} took more than ${ms / 1000} s of processor time; not determined on this run`);
}
