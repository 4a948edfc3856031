// Compares what the code of a reduce was read to compute with what it computes, in many splits of random rows.

import { claimOf } from '../../lib/proof/claims.js';
import { evaluateForm } from '../../lib/proof/evaluate-form.js';
import { runPass } from '../../lib/proof/run-pass.js';
import { splitsFor } from '../../lib/proof/splits.js';
import { drawRowLists } from '../../lib/proof/trial-values.js';
import { greatestNumber, isSameAnswer } from '../../lib/proof/trials-compare.js';
import { emittedValues, parseFunction, randomFrom } from './internals.js';
import { PLAIN_SANDBOX } from './plain-sandbox.js';

/** @import { Claim } from '../../lib/proof/claims.js' */

const LISTS = 6;

/** The evaluator that is tried: the program's, or a mutant. */
const OWN = { runPass, claimOf };

/**
 * @param {string} source of a reduce
 * @param {string} map
 * @param {string} target
 * @param {typeof OWN} [evaluator]
 * @returns {Claim | undefined} what its code shows
 */
export function readReduce(source, map, target, evaluator = OWN) {
  const tree = parseFunction(source);
  if (!tree.ok || !tree.fn) throw new Error(`no function: ${source}`);
  const { fn } = tree;
  const first = evaluator.runPass(fn, false);
  if ('bailout' in first) return undefined;
  return evaluator.claimOf(first, (answers) => evaluator.runPass(fn, true, answers), emittedValues(map), target);
}

/**
 * @param {string} source
 * @param {Claim} claim
 * @param {number} seed
 * @returns {Promise<string | undefined>} rows for which it answers something else
 */
export async function contradiction(source, { form, spec }, seed) {
  const random = randomFrom(seed);
  for (const rows of drawRowLists(spec, random, LISTS)) {
    const values = rows.map(({ value }) => value);
    const expected = { value: evaluateForm(form, values) };
    const trees = splitsFor(rows, random, true);
    const answers = await PLAIN_SANDBOX.reduce({ source, trees });
    const other = answers.find((answer) => {
      return !('value' in answer) || !isSameAnswer(answer, expected, greatestNumber(values));
    });
    if (other) return `${JSON.stringify(values)}: ${JSON.stringify(other)}, not ${JSON.stringify(expected)}`;
  }
  return undefined;
}
