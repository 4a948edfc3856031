// Defines a proof: what is known of a reduce function in the end. Plain data: proofs are kept between runs.

/** @import { Counterexample } from './counterexample.js' */
/** @import { Change } from './rewrite-map.js' */
/** @import { Growth } from './trials-growth.js' */

/** Goes up with every change of the prover that may change an answer: proofs of other versions are not used. */
export const PROVER_VERSION = 10;

/**
 * @typedef {'equal' | 'equalAfterRewrite' | 'wrong' | 'grows' | 'custom' | 'unknown'} ProofVerdict
 */

/**
 * @typedef {object} Proof
 * @property {ProofVerdict} verdict
 * @property {'proved' | 'tried'} basis whether it follows from the code and is shown by an example, or rests on trials that
 *   found nothing against it
 * @property {string} [builtin] that gives the same answers, perhaps after the rewrite; for `custom` the nearest; for `wrong`
 *   the one that gives of all rows what the first pass returns of its own, perhaps after the rewrite
 * @property {{text: string}} [condition] on the emitted values, under which the built-in gives the same answers
 * @property {'always' | 'if' | 'not'} [conditionHolds] whether the values that the map emits meet it
 * @property {string} [conditionOpen] why it could not be determined whether they do, where that is the reason for `if`
 * @property {string} [field] what must be a number where it holds `if`
 * @property {Counterexample} [counterexample]
 * @property {Rewrite} [rewrite]
 * @property {Growth} [growth]
 * @property {boolean} [growsWithRows] whether the answer grows with the number of rows alone, where that was measured
 * @property {boolean} [isFollowed] whether both passes were followed through the code: then they change nothing that they are given
 * @property {number} trials groupings of rows that were compared
 * @property {string} [reason] why nothing is known
 * @property {string} [cutOff] which function a limit of the sandbox cut off, and which limit
 * @property {string} [bailout] the limit that ended the reading of its code; what was tried holds all the same
 * @property {boolean} [mayDiffer] whether another run may not meet that limit: such a proof is not kept
 * @property {string[]} steps the proof, to be checked by hand
 */

/**
 * `states`: counts or sums under names that it lists, by a string of each row. `rounding`: adds, and rounds in each pass. `pick`: answers the
 * value of the row whose key ends with the greatest or the least element.
 * @typedef {'states' | 'rounding' | 'pick'} Pattern
 */

/**
 * @typedef {object} Rewrite
 * @property {string} [emitted] what the map emits then, an expression of `value`, which it emits now; absent where that may stay
 * @property {string} [answer] what the reduce answered, an expression of the built-in's `value`; absent where it is that
 * @property {string} text both in words
 * @property {boolean} changesShape whether clients read the answer in another form
 * @property {Pattern} [pattern] what the reduce does
 * @property {string} [outside] what both views answer of rows that do not meet the condition
 * @property {Change[]} [changes] of the text of the map, after which it emits that; they were tried on documents
 */

/** What each property must be, where it is there. @type {Record<string, (value: any) => boolean>} */
const SHAPE = {
  verdict: (value) => ['equal', 'equalAfterRewrite', 'wrong', 'grows', 'custom', 'unknown'].includes(value),
  basis: (value) => value === 'proved' || value === 'tried',
  trials: (value) => Number.isSafeInteger(value) && value >= 0,
  steps: isLines,
  builtin: isText,
  field: isText,
  reason: isText,
  cutOff: isText,
  bailout: isText,
  mayDiffer: (value) => typeof value === 'boolean',
  isFollowed: (value) => typeof value === 'boolean',
  condition: (value) => isText(value?.text),
  conditionOpen: isText,
  conditionHolds: (value) => ['always', 'if', 'not'].includes(value),
  counterexample: (value) => isText(value?.cause) && isLines(value.text),
  rewrite: isRewrite,
  growth: (value) => typeof value?.grows === 'boolean' && Array.isArray(value.sizes),
};
const NEEDED = ['verdict', 'basis', 'trials', 'steps'];

/**
 * @param {any} value of a file, which may hold anything
 * @returns {value is Proof} whether all that is read of a proof is what it should be
 */
export function isProof(value) {
  if (typeof value !== 'object' || value === null || !NEEDED.every((name) => Object.hasOwn(value, name))) return false;
  return Object.entries(SHAPE).every(([name, isRight]) => !Object.hasOwn(value, name) || isRight(value[name]));
}

/** @param {any} value @returns {boolean} */
function isRewrite(value) {
  const { text, changesShape, pattern = 'states', outside = '', changes = [] } = value ?? {};
  if (
    !isText(text) ||
    typeof changesShape !== 'boolean' ||
    !['states', 'rounding', 'pick'].includes(pattern) ||
    !isText(outside)
  )
    return false;
  const isChange = (/** @type {any} */ change) =>
    Number.isSafeInteger(change?.start) && Number.isSafeInteger(change.end) && isText(change.text);
  return Array.isArray(changes) && changes.every(isChange);
}

/** @param {unknown} value @returns {boolean} */
function isText(value) {
  return typeof value === 'string';
}

/** @param {unknown} value @returns {boolean} */
function isLines(value) {
  return Array.isArray(value) && value.every(isText);
}
