// Tests that the helper that checks every rule by its cases detects what it should.

import { describe, expect, test } from 'vitest';
import { caseFault } from '../../lib/engine/cases.js';
import { copyRule } from './hand-made-rule.js';
import { duplicateCases, isEquivalent, missingLimitCases, stepBeside, survivingMutants } from './strict-cases.js';

/** @import { Question } from '../../lib/engine/rule.js' */
/** @import { Case } from '../../lib/engine/cases.js' */
/** @import { Types } from './strict-cases.js' */

/** @type {Types} */
const types = new Map([
  ['view.emitsWholeDoc', { type: 'boolean' }],
  ['ddoc.wholeDocViewCount', { type: 'count' }],
  ['reduce.kind', { type: 'text' }],
]);

/** @type {Case[]} */
const enough = [
  { name: 'nothing is copied', facts: { 'view.emitsWholeDoc': false }, outcome: 'no-copy' },
  { name: 'not known', facts: { 'view.emitsWholeDoc': { unknown: 'why' } }, outcome: 'cannot-tell' },
  { name: 'one copy', facts: { 'view.emitsWholeDoc': true, 'ddoc.wholeDocViewCount': 1 }, outcome: 'few-copies' },
  { name: 'two copies', facts: { 'view.emitsWholeDoc': true, 'ddoc.wholeDocViewCount': 2 }, outcome: 'few-copies' },
  { name: 'three copies', facts: { 'view.emitsWholeDoc': true, 'ddoc.wholeDocViewCount': 3 }, outcome: 'many-copies' },
  {
    name: 'a number that is not known',
    facts: { 'view.emitsWholeDoc': true, 'ddoc.wholeDocViewCount': { unknown: 'why' } },
    outcome: 'few-copies',
  },
];

/**
 * @param {string} name
 * @returns {Case[]}
 */
const without = (name) => {
  const rest = enough.filter((row) => row.name !== name);
  expect(rest).toHaveLength(enough.length - 1);
  return rest;
};

test('cases that are enough pass everything', () => {
  expect(enough.map((row) => caseFault(copyRule(), row))).toEqual(enough.map(() => undefined));
  expect(duplicateCases(enough)).toEqual([]);
  expect(missingLimitCases(copyRule(), enough, types)).toEqual([]);
  expect(survivingMutants(copyRule(), enough, types)).toEqual([]);
});

describe('a case fails', () => {
  test.each([
    [
      'with another outcome',
      { 'view.emitsWholeDoc': false },
      'few-copies',
      'the outcome is `no-copy`, not `few-copies`',
    ],
    [
      'with a fact too few',
      { 'view.emitsWholeDoc': true },
      'few-copies',
      'the rule uses `ddoc.wholeDocViewCount`, which the case does not give',
    ],
    [
      'with a fact too many',
      { 'view.emitsWholeDoc': false, 'ddoc.wholeDocViewCount': 2 },
      'no-copy',
      'the rule does not use `ddoc.wholeDocViewCount` on this path',
    ],
  ])('%s', (_, facts, outcome, fault) => {
    expect(caseFault(copyRule(), { name: 'a case', facts, outcome })).toBe(fault);
  });
});

test.each([
  ['two copies', 'no case asks `copy-count` with `ddoc.wholeDocViewCount` at 2'],
  ['one copy', 'no case asks `copy-count` with `ddoc.wholeDocViewCount` just below 2'],
  ['three copies', 'no case asks `copy-count` with `ddoc.wholeDocViewCount` just above 2'],
])('a limit without "%s" is noticed', (name, fault) => {
  expect(missingLimitCases(copyRule(), without(name), types)).toEqual([fault]);
});

test.each([
  ['not known', ['copies: unknown taken for yes', 'copies: unknown taken for no']],
  ['two copies', ['copy-count: `above` made `atLeast`', 'copy-count: limit lowered to 1']],
  ['three copies', ['copy-count: limit raised to 3']],
  ['a number that is not known', ['copy-count: unknown taken for yes', 'copy-count: unknown made cannot-tell']],
])('a mistake in the tree survives without "%s"', (name, mutants) => {
  expect(survivingMutants(copyRule(), without(name), types)).toEqual(mutants);
});

test('a text that is left out of a choice is noticed', () => {
  const choice = { fact: 'reduce.kind', operator: /** @type {const} */ ('isOneOf'), value: ['custom', 'builtin'] };
  const rule = copyRule({
    questions: { copies: { ...choice, because: 'for tests', yes: 'few-copies', no: 'no-copy' } },
  });
  /** @type {Case[]} */
  const rows = [
    { name: 'custom', facts: { 'reduce.kind': 'custom' }, outcome: 'few-copies' },
    { name: 'none', facts: { 'reduce.kind': 'none' }, outcome: 'no-copy' },
    { name: 'not known', facts: { 'reduce.kind': { unknown: 'why' } }, outcome: 'cannot-tell' },
  ];
  expect(survivingMutants(rule, rows, types)).toEqual(['copies: `builtin` left out']);
});

test('duplicates are noticed by facts in any order, and by name', () => {
  const [first] = enough;
  const two = enough.slice(2, 3).map(({ facts, ...rest }) => ({
    ...rest,
    facts: Object.fromEntries(Object.entries(facts).reverse()),
    name: 'the same again',
  }));
  expect(duplicateCases([...enough, ...two])).toEqual(['"the same again" says the same as "one copy"']);
  const renamed = { .../** @type {Case} */ (first), facts: {} };
  expect(duplicateCases([...enough, renamed])).toEqual(['"nothing is copied" says the same as "nothing is copied"']);
});

test('trees that end alike for all facts are equal, and no others', () => {
  const rule = copyRule();
  const { copies, 'copy-count': count } = /** @type {Record<string, Question>} */ (rule.questions);
  const change = (/** @type {Partial<Question>} */ part) =>
    copyRule({
      questions: {
        copies: /** @type {Question} */ (copies),
        'copy-count': { .../** @type {Question} */ (count), ...part },
      },
    });
  expect(isEquivalent(rule, change({ operator: 'atLeast', value: 3 }), types)).toBe(true);
  expect(isEquivalent(rule, change({ operator: 'atLeast' }), types)).toBe(false);
  expect(isEquivalent(rule, change({ unknown: undefined }), types)).toBe(false);
});

test.each([
  ['a small count', 2, 'count', 1],
  ['a large count', 1000, 'count', 10],
  ['bytes', 1_000_000, 'bytes', 10_000],
  ['a share', 0.5, 'share', 0.005],
  ['a time', 50, 'ms', 1],
])('just beside %s means one unit, or one percent', (_, limit, type, expected) => {
  expect(stepBeside(limit, type)).toBeCloseTo(expected);
});
