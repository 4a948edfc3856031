// What is known of a reduce function in the end. Plain data: proofs are kept between runs.

/** @import { Counterexample } from './counterexample.js' */
/** @import { Growth } from './trials-growth.js' */

/** Goes up with every change of the prover that may change an answer: proofs of other versions are not used. */
export const PROVER_VERSION = 2;

/**
 * @typedef {'equal' | 'equalAfterRewrite' | 'wrong' | 'grows' | 'custom' | 'unknown'} Verdict
 */

/**
 * @typedef {object} Proof
 * @property {Verdict} verdict
 * @property {'proved' | 'tried'} basis whether it follows from the code and is shown by an example, or rests on trials that
 *   found nothing against it
 * @property {string} [builtin] that gives the same answers, perhaps after the rewrite; for `custom` the nearest; for `wrong`
 *   the one that gives of all rows what the first pass returns of its own, perhaps after the rewrite
 * @property {{text: string}} [condition] on the emitted values, under which the built-in gives the same answers
 * @property {'always' | 'if' | 'not'} [conditionHolds] whether the values that the map emits meet it
 * @property {string} [field] what must be a number where it holds `if`
 * @property {Counterexample} [counterexample]
 * @property {Rewrite} [rewrite]
 * @property {Growth} [growth]
 * @property {number} trials groupings of rows that were compared
 * @property {string} [reason] why nothing is known
 * @property {string} [cutOff] which function a limit of the sandbox cut off, and which limit: such a proof is not kept
 * @property {string[]} steps the proof, to be checked by hand
 */

/**
 * @typedef {object} Rewrite
 * @property {string} map what the map emits then
 * @property {string} client what is left to who reads the answer; empty where nothing is
 * @property {boolean} changesShape whether clients read the answer in another form
 */
