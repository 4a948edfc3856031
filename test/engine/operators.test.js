import { expect, test } from 'vitest';
import { compare, OPERATORS_OF_TYPE } from '../../lib/engine/operators.js';
import { readRulesJson } from '../helpers/rule-folders.js';

const items = (/** @type {number} */ count) =>
  Array.from({ length: count }, (_, index) => ({ value: `line ${index}` }));

test.each([
  ['a boolean is true', true, 'is', true, true],
  ['a boolean is not true', false, 'is', true, false],
  ['a text is another', '_sum', 'is', '_count', false],
  ['a text is one of several', '_sum', 'isOneOf', ['_count', '_sum'], true],
  ['a text is none of several', '_stats', 'isOneOf', ['_count', '_sum'], false],
  ['a text contains a part', 'by_date', 'contains', '_d', true],
  ['a text contains no such part', 'by_date', 'contains', '_x', false],
  ['a text matches wildcards', 'by_date', 'matches', 'by_*', true],
  ['a text matches them as a whole', 'by_date', 'matches', 'by', false],
  ['a number at the limit is at least it', 2, 'atLeast', 2, true],
  ['a number below the limit is not at least it', 1.99, 'atLeast', 2, false],
  ['a number at the limit is not above it', 2, 'above', 2, false],
  ['a number above the limit is above it', 2.01, 'above', 2, true],
  ['a number at the limit is at most it', 2, 'atMost', 2, true],
  ['a number above the limit is not at most it', 3, 'atMost', 2, false],
  ['a number at the limit is not below it', 2, 'below', 2, false],
  ['a number below the limit is below it', 1, 'below', 2, true],
  ['a list is compared by its length', items(3), 'atLeast', 3, true],
  ['an empty list is not above 0', items(0), 'above', 0, false],
  ['versions are compared by their numbers', '3.10', 'above', '3.9', true],
  ['a missing number of a version counts as 0', '3.0.0', 'atLeast', '3.0', true],
  ['an older version is below', '2.3.1', 'below', '3.0', true],
  ['the same version is not below', '3.0', 'below', '3.0', false],
])('%s', (_, value, operator, operand, expected) => {
  expect(compare(value, /** @type {import('../../lib/engine/rule.js').Operator} */ (operator), operand)).toBe(expected);
});

test('booleans take only `is`, and every operator is of use to some type', () => {
  expect(OPERATORS_OF_TYPE.boolean).toEqual(['is']);
  const { properties } = /** @type {any} */ (readRulesJson('rule.schema.json')).definitions.question;
  expect(new Set(Object.values(OPERATORS_OF_TYPE).flat())).toEqual(new Set(properties.operator.enum));
});
