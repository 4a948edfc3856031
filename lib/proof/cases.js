// Rewrites what is computed from a row as one case for each string that a value is compared with: plain to read, and
// the same however the function was written.

import { assuming, comparisonOf } from './decide.js';
import { choose, operate } from './operate.js';
import { constant, holds, identity, isSame } from './symbols.js';

/** @import { Symbol_ } from './symbols.js' */

/** Values that are compared, one within the cases of another. */
const MAX_DEPTH = 3;

/**
 * @param {Symbol_} symbol
 * @param {number} [depth]
 * @returns {Symbol_}
 */
export function byCases(symbol, depth = 0) {
  const compared = comparisonsIn(symbol);
  const first = compared.find(({ isStrict }) => isStrict) ?? compared[0];
  if (!first || depth === MAX_DEPTH) return symbol;
  const { of, isStrict } = first;
  const own = compared.filter((other) => other.isStrict === isStrict && identity(other.of) === identity(of));
  const tests = [...new Set(own.map(({ name }) => name))].map((name) =>
    operate(isStrict ? '===' : '==', of, constant(name)),
  );
  const none = byCases(
    tests.reduce((rest, test) => assuming(rest, test, false), symbol),
    depth + 1,
  );
  /** @type {{tests: Symbol_[], result: Symbol_}[]} */
  const cases = [];
  for (const test of tests) {
    const result = byCases(assuming(symbol, test, true), depth + 1);
    if (isSame(result, none)) continue;
    const known = cases.find((other) => isSame(other.result, result));
    if (known) known.tests.push(test);
    else cases.push({ tests: [test], result });
  }
  return cases.reduceRight(
    (rest, { tests: some, result }) =>
      choose(
        some.reduceRight((or, test) => choose(test, test, or)),
        result,
        rest,
      ),
    none,
  );
}

/**
 * @param {Symbol_} symbol
 * @returns {import('./decide.js').Comparison[]} of values of the row at hand
 */
function comparisonsIn(symbol) {
  /** @type {import('./decide.js').Comparison[]} */
  const found = [];
  holds(symbol, (part) => {
    const comparison = comparisonOf(part);
    if (comparison?.of.kind === 'element') found.push(comparison);
    return false;
  });
  return found;
}
