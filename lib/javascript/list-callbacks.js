// Determines what array methods pass to their callbacks, and what `reduce` makes of their return values.

import { whyNoSum } from './flow-operators.js';
import { isNumber, unknown } from './values.js';

/** @import { FlowWalk } from './flow-state.js' */
/** @import { Value } from './values.js' */

/** What an array method hands to its callback, given an element. @type {Map<string, (element: Value) => Value[]>} */
const CALLBACKS = new Map([
  ...['forEach', 'map', 'filter', 'some', 'every', 'find', 'findIndex', 'flatMap', 'findLast'].map(
    (name) =>
      /** @type {[string, (element: Value) => Value[]]} */ ([
        name,
        (element) => [element, { kind: 'typed', type: 'number' }, unknown('it is the array')],
      ]),
  ),
  ['sort', (element) => [element, element]],
]);

/**
 * @param {FlowWalk} walk
 * @param {string} name of the method
 * @param {Value[]} values what it is given
 * @returns {((element: Value) => Value[]) | undefined} what it hands to its callback; undefined where that is not known
 */
export function handedBy(walk, name, values) {
  return name === 'reduce' || name === 'reduceRight' ? carry(walk, values) : CALLBACKS.get(name);
}

/**
 * @param {FlowWalk} walk
 * @param {Value[]} values what `reduce` is given
 * @returns {(element: Value) => Value[]} what it hands to its callback. A number is taken to stay one as long as no walk
 *   has shown that it does not
 */
function carry(walk, [callback, first]) {
  const isSum =
    callback?.kind === 'function' && first && isNumber(first) && walk.trustsSums && !walk.noSums.has(callback.node);
  /** @type {Value} */
  const carriedAlong = isSum ? { kind: 'typed', type: 'number' } : unknown('it is the accumulator');
  return (element) => [carriedAlong, element, { kind: 'typed', type: 'number' }];
}

/**
 * @param {FlowWalk} walk
 * @param {Value[]} values what `reduce` is given
 * @param {Value[]} results of its callback
 * @returns {Value} what it gives
 */
export function carried(walk, [callback, first], results) {
  if (callback?.kind !== 'function' || !first || !isNumber(first)) return unknown('it comes from `reduce`');
  const reason = walk.trustsSums ? walk.noSums.get(callback.node) : 'it comes from `reduce`';
  if (reason !== undefined) return unknown(reason);
  if (results.every(isNumber)) return { kind: 'typed', type: 'number' };
  walk.noSums.set(callback.node, whyNoSum(results.filter((result) => !isNumber(result))));
  return unknown('it comes from `reduce`');
}
