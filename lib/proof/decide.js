// Implication between path conditions: derives from a test whose result is known what is known of other tests and symbols: comparisons of one value
// with strings, which exclude each other.

import { choose, operate, operateOne, truthOf } from './operate.js';
import { constant, isSame, rebuild } from './symbols.js';

/** @import { Symbol_ } from './symbols.js' */

/** A comparison of `of` with a string. @typedef {{of: Symbol_, name: string, isStrict: boolean, isNegated: boolean}} Comparison */

/** Strings that a number, a boolean or null is not equal to by `==`, nor is the string of one. */
const WORDS = new Set(['true', 'false', 'null', 'undefined', 'NaN']);

/**
 * @param {string} name
 * @returns {boolean} whether `x == name` for exactly the JSON values that select the member `name` of an object: both compare
 *   the string that the value becomes. A number equals a string that reads as one, so those are left out.
 */
export function isPlainName(name) {
  return Number.isNaN(Number(name)) && !WORDS.has(name);
}

/**
 * @param {Symbol_} of
 * @param {string} name a plain one
 * @returns {Symbol_} the test whether `of` selects the member `name`
 */
export function selects(of, name) {
  return operate('==', of, constant(name));
}

/**
 * @param {Symbol_} test
 * @returns {Comparison | undefined}
 */
export function comparisonOf(test) {
  if (test.kind !== 'binary' || !/^[!=]==?$/.test(test.op)) return undefined;
  const [of, other] = test.right.kind === 'constant' ? [test.left, test.right] : [test.right, test.left];
  if (other.kind !== 'constant' || typeof other.value !== 'string' || of.kind === 'constant') return undefined;
  const isStrict = test.op.length === 3;
  if (!isStrict && !isPlainName(other.value)) return undefined;
  return { of, name: other.value, isStrict, isNegated: test.op.startsWith('!') };
}

/**
 * @param {Symbol_} symbol
 * @param {Symbol_} known a test
 * @param {boolean} truth its result
 * @returns {Symbol_} the same symbol where that is so
 */
export function assuming(symbol, known, truth) {
  return rebuild(symbol, (part) => {
    if (part.kind === 'choice') return choose(part.test, part.yes, part.no);
    if (part.kind === 'unary' && part.op === '!') return operateOne('!', part.of);
    const decided = part.kind === 'binary' ? decide(part, known, truth) : undefined;
    return decided === undefined ? part : constant(decided);
  });
}

/**
 * @param {Symbol_} test
 * @param {Symbol_} known
 * @param {boolean} truth
 * @returns {boolean | undefined} undefined where it can be either
 */
function decide(test, known, truth) {
  if (isSame(test, known)) return truth;
  const [one, other] = [comparisonOf(test), comparisonOf(known)];
  if (!one || !other || !isSame(one.of, other.of)) return undefined;
  const isEqual = truth !== other.isNegated;
  if (one.name !== other.name) {
    const isExclusive = (one.isStrict && other.isStrict) || (isPlainName(one.name) && isPlainName(other.name));
    return isEqual && isExclusive ? one.isNegated : undefined;
  }
  // What is equal by `===` is so by `==`, not the other way round.
  if (one.isStrict === other.isStrict || one.isStrict !== isEqual) return isEqual !== one.isNegated;
  return undefined;
}

/** Tests on the way to where a function stands, each with what it came to. @typedef {readonly (readonly [Symbol_, boolean])[]} PathTests */

/**
 * @param {PathTests} path
 * @param {Symbol_} known
 * @param {boolean} truth
 * @returns {PathTests} what is left of it where the test has that result
 */
export function pathAssuming(path, known, truth) {
  return path.map(([test, holds]) => [assuming(test, known, truth), holds]);
}

/**
 * @param {PathTests} path
 * @returns {boolean} whether no value leads there
 */
export function isImpossible(path) {
  return path.some(([test, holds]) => {
    const found = truthOf(test);
    return found !== undefined && found !== holds;
  });
}
