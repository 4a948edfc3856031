import { describe, expect, test } from 'vitest';
import { readDocument } from '../../helpers/facts-of.js';

/** @import { Proof } from '../../../lib/proof/proof.js' */

const MAP = 'function (doc) { emit(doc.day, 1); }';
const SUM = 'function (keys, values) { return sum(values); }';

/** @type {Proof} */
const SUMMED = {
  verdict: 'equal',
  basis: 'proved',
  builtin: '_sum',
  condition: { text: 'every value is a number' },
  conditionHolds: 'always',
  isFollowed: true,
  trials: 1,
  steps: [],
};
/** @type {Proof} */
const COUNTED = { ...SUMMED, builtin: '_count', condition: { text: 'any value' } };
/** @type {Proof} */
const OTHER = { verdict: 'custom', basis: 'tried', trials: 1, steps: [] };

/**
 * @param {{map: string, reduce?: string, proof?: Proof}[]} views the first is asked
 * @returns {unknown[]} its condition, whether it holds, and the doubt
 */
function conditionOf(views) {
  const written = Object.fromEntries(views.map(({ map, reduce }, at) => [`view${at}`, { map, reduce }]));
  const { subjects, ask } = readDocument({ views: written });
  const found = subjects.filter((subject) => subject.kind === 'view');
  for (const [at, view] of found.entries()) view.proof = views[at]?.proof;
  const [first] = found;
  if (!first) throw new Error('no view');
  return ['reduce.condition', 'reduce.conditionHolds'].map((id) => {
    const fact = ask(first, id);
    return 'unknown' in fact ? undefined : fact.value;
  });
}

describe('the condition of a built-in', () => {
  const first = { map: MAP, reduce: SUM, proof: SUMMED };
  test.each([
    ['alone', [first], 'every value is a number', 'always'],
    ['with a reduce that was followed', [first, first], 'every value is a number', 'always'],
    [
      'with one of another map',
      [first, { map: `${MAP} `, reduce: SUM, proof: OTHER }],
      'every value is a number',
      'always',
    ],
    ['with a built-in', [first, { map: MAP, reduce: '_count' }], 'every value is a number', 'always'],
    [
      'with one that may change the array',
      [first, { map: MAP, reduce: SUM, proof: OTHER }],
      'every value is a number, and the reduce of `view1` does not change the array of values',
      'if',
    ],
    [
      'of a count, with one that may shorten the array',
      [
        { ...first, proof: COUNTED },
        { map: MAP, reduce: SUM, proof: OTHER },
      ],
      'the reduce of `view1` does not change the array of values',
      'if',
    ],
  ])('%s', (_, views, condition, holds) => {
    expect(conditionOf(views)).toEqual([condition, holds]);
  });
});
