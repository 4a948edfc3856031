import { expect, test } from 'vitest';
import { evaluateRule } from '../../lib/engine/evaluate.js';
import { copyRule } from '../helpers/hand-made-rule.js';

/** @import { Fact } from '../../lib/facts/fact.js' */

const place = { file: 'orders.json', line: 3, column: 5 };

/**
 * @param {Record<string, Fact>} facts
 * @param {string[]} [asked]
 */
const reader = (facts, asked = []) => {
  return (/** @type {string} */ id) => {
    asked.push(id);
    return /** @type {Fact} */ (facts[id]);
  };
};

test.each([
  ['a fact that ends the walk', { 'view.emitsWholeDoc': { value: false, basis: 'declared' } }, 'no-copy'],
  [
    'both branches of a number',
    {
      'view.emitsWholeDoc': { value: true, basis: 'declared' },
      'ddoc.wholeDocViewCount': { value: 3, basis: 'inferred' },
    },
    'many-copies',
  ],
  [
    'an unknown fact with a branch of its own',
    { 'view.emitsWholeDoc': { value: true, basis: 'declared' }, 'ddoc.wholeDocViewCount': { unknown: 'not read' } },
    'few-copies',
  ],
])('follows %s', (_, facts, outcome) => {
  expect(evaluateRule(copyRule(), reader(/** @type {Record<string, Fact>} */ (facts))).outcome).toBe(outcome);
});

test('ends in cannot-tell at an unknown fact without a branch, and names it', () => {
  const { outcome, missing, path } = evaluateRule(
    copyRule(),
    reader({ 'view.emitsWholeDoc': { unknown: 'the value comes from another function', place } }),
  );
  expect(outcome).toBe('cannot-tell');
  expect(missing).toEqual({ fact: 'view.emitsWholeDoc', reason: 'the value comes from another function' });
  expect(path).toMatchObject([{ value: null, basis: 'unknown', answer: 'unknown', place }]);
});

test('asks only for what is on the path', () => {
  /** @type {string[]} */
  const asked = [];
  evaluateRule(copyRule(), reader({ 'view.emitsWholeDoc': { value: false, basis: 'declared' } }, asked));
  expect(asked).toEqual(['view.emitsWholeDoc']);
});

test('keeps what each step saw', () => {
  const { path } = evaluateRule(
    copyRule({
      questions: {
        copies: {
          fact: 'view.unguardedReads',
          operator: 'above',
          value: 0,
          because: 'reads throw',
          yes: 'many-copies',
          no: 'no-copy',
        },
      },
    }),
    reader({ 'view.unguardedReads': { value: [{ value: 'doc.a.b', place }], basis: 'inferred' } }),
  );
  expect(path).toEqual([
    {
      question: 'copies',
      fact: 'view.unguardedReads',
      operator: 'above',
      operand: 0,
      because: 'reads throw',
      value: ['doc.a.b'],
      basis: 'inferred',
      answer: 'yes',
      place: undefined,
    },
  ]);
});
