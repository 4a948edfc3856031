import { afterAll, describe, expect, test } from 'vitest';
import { claimOf } from '../../lib/proof/claims.js';
import { runPass } from '../../lib/proof/run-pass.js';
import { emittedValues, openSandbox, parseFunction, proveReduce } from '../helpers/internals.js';
import { isLong, sample } from '../helpers/long.js';
import { mutantsOf } from '../helpers/mutants.js';
import { REDUCERS, TARGET } from './reducers/all.js';
import { allowed, isOnly } from './reducers/allowed.js';
import { STATES } from './reducers/states.js';

/** @import { ReducerRow } from './reducers/maps.js' */

const sandbox = openSandbox();
afterAll(() => sandbox.close());

/**
 * Mutants that behave as before for every value that meets the condition, each with its reason: the name of the row, the
 * change (with its place, in characters, where the same change elsewhere is no equivalent one).
 * @type {[RegExp, RegExp, string][]}
 */
const EQUIVALENT = [
  [/^both branches the same$/, /rereduce/, 'the branches are the same'],
  [/^a loop in one branch, sum\(\) in the other$/, /rereduce/, 'the branches do the same'],
  [/^nulls skipped$/, /null → 0/, 'a number that is 0 may be left out, and null does not meet the condition'],
  [/^falsy values skipped with continue$/, /< → <=/, 'the value too many is undefined, and is skipped'],
  [/^a harmless line in the log$/, /adding|totals|\+ → -/, 'only the log changes'],
  [/^an early return for what never comes/, /: 0 → 1/, 'there is always a value: the branch never runs'],
  [/^an early return for one value$/, /: 1 → 0/, 'there is always a value: the branch never runs'],
  [/^plus 0 behind the sum$/, /\+ → -/, 'minus 0 is plus 0'],
  [/^an exception for what is no number$/, /no number/, 'only the message changes'],
  [/^counting: the length if there is any$/, /> → >=/, 'there is always a value'],
  [/^(figures|extremes):/, /null → 0/, 'Math.min and Math.max do not look at `this`'],
  [/^figures: all five/, /(< → <=|> → >=)/, 'an equal value may take the place of the least or greatest'],
  [
    /^figures: all five(?!, with)/,
    /(44\d|46\d): (min → max|max → min)/,
    'the first answer is compared with the start as well',
  ],
];

/** @param {ReducerRow} row @param {string} reduce */
function prove({ map, target = TARGET }, reduce) {
  return proveReduce({ reduce: { source: reduce }, map: { source: map }, target }, { sandbox, seed: 20 });
}

/** @param {ReducerRow} row @param {string} reduce @returns {string | undefined} what is claimed of it by its code alone */
function claim({ map, target = TARGET }, reduce) {
  const tree = parseFunction(reduce);
  if (!tree.ok || !tree.fn) throw new Error(`no function: ${reduce}`);
  const { fn } = tree;
  const first = runPass(fn, false);
  if ('bailout' in first) return undefined;
  const found = claimOf(first, (answers) => runPass(fn, true, answers), emittedValues(map), target);
  return found && JSON.stringify([found.builtin, found.rewrite, found.condition]);
}

const EQUAL = REDUCERS.filter((row) => allowed(row, 'verdict')?.includes('equal'));

describe('one operator or constant changed', () => {
  test.each(sample(EQUAL, 3).map((row) => /** @type {[string, ReducerRow]} */ ([row.name, row])))(
    'ends the proof of %s',
    async (name, row) => {
      const proof = await prove(row, row.reduce);
      if (proof.verdict !== 'equal' || proof.basis !== 'proved') return;
      const survivors = [];
      for (const { text, change } of mutantsOf(row.reduce)) {
        if (EQUIVALENT.some(([of, changes]) => of.test(name) && changes.test(change))) continue;
        const mutant = await prove(row, text);
        if (mutant.verdict === 'equal' && mutant.builtin === proof.builtin) survivors.push(`${change} in ${text}`);
      }
      expect(survivors).toEqual([]);
    },
  );

  const states = STATES.filter((row) => isOnly(row, 'equalAfterRewrite'));
  test.each(states.map((row) => /** @type {[string, ReducerRow]} */ ([row.name, row])))(
    'ends the proof of %s, or changes the rewrite',
    (name, row) => {
      const whole = claim(row, row.reduce);
      expect(whole).toBeDefined();
      const survivors = [];
      for (const { text, change } of mutantsOf(row.reduce)) {
        if (EQUIVALENT.some(([of, changes]) => of.test(name) && changes.test(change))) continue;
        if (claim(row, text) === whole) survivors.push(`${change} in ${text}`);
      }
      expect(survivors).toEqual([]);
    },
  );

  test.runIf(isLong)('is tried on many proofs', async () => {
    let proved = 0;
    for (const row of EQUAL) {
      const { verdict, basis } = await prove(row, row.reduce);
      if (verdict === 'equal' && basis === 'proved') proved++;
    }
    expect(proved).toBeGreaterThan(30);
  });
});
