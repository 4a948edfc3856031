import { expect, test } from 'vitest';
import { mutantsOf } from './mutants.js';

/** @param {string} source */
const textsOf = (source) => mutantsOf(source).map(({ text }) => text);

test.each([
  ['(k, v) => v[0] + 1', ['(k, v) => v[1] + 1', '(k, v) => v[0] - 1', '(k, v) => v[0] + 0', '(k, v) => v[0] + 2']],
  ['(k, v, r) => r ? 1 : v', ['(k, v, r) => (!r) ? 1 : v', '(k, v, r) => r ? 0 : v', '(k, v, r) => r ? 2 : v']],
  ['(k, v) => !v', ['(k, v) =>  v']],
  ["(k, v) => v === 'paid'", ["(k, v) => v !== 'paid'", "(k, v) => v === 'changed'"]],
  ['(k, v) => v', []],
])('one operator or constant of %s is changed', (source, expected) => {
  expect(textsOf(source)).toEqual(expected);
});

test('the place and the change are named', () => {
  expect(mutantsOf('(k, v) => v < 2')[0]?.change).toBe('12: < → <=');
});
