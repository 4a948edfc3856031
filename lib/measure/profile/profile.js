// Defines the shape of a profile: what the functions of a view cost, by line, by function and by call. Times are in
// nanoseconds.

/** @import { SandboxErrorKind } from '../../sandbox/limits.js' */

/**
 * @typedef {object} Span The middle of the rounds, with the quartiles around it.
 * @property {number} middle
 * @property {number} low
 * @property {number} high
 */

/**
 * @typedef {object} Phases What one call takes.
 * @property {Span} parse JSON of the document, or of the arguments
 * @property {Span} freeze the document made unchangeable, as CouchDB does before a map
 * @property {Span} run the function
 * @property {Span} write JSON of its answer
 * @property {Span} total
 */

/**
 * @typedef {object} ProfiledLine
 * @property {number} source number of the source
 * @property {number} line from 1
 * @property {number} times how often the line was reached
 * @property {number} operations
 * @property {number | undefined} ns undefined where it was not timed
 */

/**
 * @typedef {object} FunctionCost
 * @property {string} name
 * @property {number} source
 * @property {number} line
 * @property {number} calls
 * @property {number} operations its own, without those of functions that it calls
 * @property {number | undefined} ownNs
 * @property {number | undefined} totalNs with the functions that it calls
 */

/**
 * @typedef {object} CallNode A function, called by way of its parents.
 * @property {string} name
 * @property {number} source
 * @property {number} line
 * @property {number} calls
 * @property {number} operations
 * @property {number | undefined} ns
 * @property {ProfiledLine[]} lines of it
 * @property {CallNode[]} callees
 */

/** @typedef {{name: string, lines: string[], place: {file: string, line: number} | undefined}} ProfiledSource `name`: `map`, or the path of a library */

/** @typedef {{input: string, kind: SandboxErrorKind, message: string}} Failure `input`: the id of the document, or which call */

/**
 * @typedef {object} EngineTimes What one engine took.
 * @property {'quickjs' | 'v8'} engine
 * @property {Phases} phases
 * @property {Phases} floor the same for a function without a body; what it has to read is read as fast
 * @property {number} rounds
 */

/**
 * @typedef {object} PipeTimes A process at the other end of a pipe.
 * @property {string} command
 * @property {Span} ns for each call, there and back
 * @property {Span} [floor] with a function without a body, where it runs functions
 */

/**
 * @typedef {object} FunctionProfile
 * @property {'map' | 'reduce'} role
 * @property {string} name `orders/by_customer map`
 * @property {ProfiledSource[]} sources the function first
 * @property {string} [fault] why nothing could be measured
 * @property {number} inputs documents, or calls of the reduce
 * @property {number} failed
 * @property {number} notRun after too many that did not end
 * @property {Failure[]} failures the first of them
 * @property {number} rows that a map emitted
 * @property {number} inputCharacters
 * @property {number} answerCharacters
 * @property {number} longestAnswer
 * @property {ProfiledLine[]} lines
 * @property {FunctionCost[]} functions the dearest first
 * @property {CallNode[]} calls
 * @property {number} operations of all calls
 * @property {EngineTimes[]} engines
 * @property {string[]} unmeasured what was requested and could not be measured, and why
 * @property {PipeTimes} [pipe] a process that only answers: the line protocol alone
 * @property {PipeTimes} [queryServer] one that runs the function
 */

/**
 * @typedef {object} ViewProfile
 * @property {string} name `orders/by_customer`
 * @property {number} documents that its map was run on
 * @property {string[]} notes what is to be known of them, a sentence each
 * @property {FunctionProfile} map
 * @property {FunctionProfile} [reduce]
 * @property {string} [builtin] the reduce, where it is built in and runs no JavaScript
 */

/**
 * @param {number[]} values
 * @returns {Span} all 0 for none
 */
export function spanOf(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (/** @type {number} */ share) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { middle: at(0.5), low: at(0.25), high: at(0.75) };
}
