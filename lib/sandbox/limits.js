// What foreign code may cost: the limits of the sandbox and the errors that tell which was passed.

/**
 * Why a function gave no answer.
 * - `threw`: it, or the text around it, raised an error
 * - `timeout`: a call or its batch took too long
 * - `memory`, `stack`: it used more than it may
 * - `notJson`: its answer cannot be written as JSON
 * - `tooLarge`: its answer is longer than it may be, or nested deeper than 500 levels
 * - `notAFunction`, `syntax`: the text makes no function
 * @typedef {'threw' | 'timeout' | 'memory' | 'stack' | 'notJson' | 'tooLarge' | 'notAFunction' | 'syntax'} SandboxErrorKind
 */

/** @typedef {{kind: SandboxErrorKind, message: string}} SandboxError */

/**
 * @typedef {object} SandboxLimits
 * @property {number} callMs time of the processor for one call
 * @property {number} batchMs time for all calls of one job
 * @property {number} graceMs time beyond `batchMs` after which a thread that does not answer is ended
 * @property {number} memoryBytes memory of the JavaScript engine for one job
 * @property {number} stackBytes stack of the JavaScript engine
 * @property {number} answerCharacters length of one answer as JSON
 */

/** The moment at which all foreign code runs, so that answers can be had again: 1 January 2025. */
export const FOREIGN_NOW = Date.UTC(2025, 0, 1);

/**
 * A stack of 512 KiB lets runaway recursion overflow the stack of the thread below QuickJS, which ends the thread; up to
 * 384 KiB gave a clean error (measured; 256 KiB is also what quickjs-emscripten issue 269 advises).
 * @type {Readonly<SandboxLimits>}
 */
export const DEFAULT_LIMITS = Object.freeze({
  callMs: 100,
  batchMs: 2000,
  graceMs: 500,
  memoryBytes: 32 * 1024 * 1024,
  stackBytes: 256 * 1024,
  answerCharacters: 1024 * 1024,
});

/**
 * @param {SandboxErrorKind} kind
 * @param {string} message
 * @returns {{error: SandboxError}}
 */
export function failure(kind, message) {
  return { error: { kind, message } };
}
