import { expect, test } from 'vitest';
import { matchesWildcards } from '../../lib/shared/wildcards.js';
import fc from '../helpers/property.js';

test.each([
  ['by_date', 'by_date', true],
  ['by_date', 'by_dates', false],
  ['by_*', 'by_', true],
  ['by_*', 'by_date', true],
  ['*_date', 'by_date', true],
  ['*_date', 'by_date_date', true],
  ['*a*b', 'xaxbxb', true],
  ['*a*b', 'xaxbxc', false],
  ['b?_date', 'by_date', true],
  ['b?', 'b', false],
  ['?', '😀', true],
  ['all|by_*', 'all', true],
  ['all|by_*', 'by_x', true],
  ['all|by_*', 'x', false],
  ['', '', true],
  ['', 'x', false],
  ['*', '', true],
  ['a\\*', 'a*', true],
  ['a\\*', 'ab', false],
  ['a\\|b', 'a|b', true],
  ['a\\\\', 'a\\', true],
  ['(a+)+', '(a+)+', true],
])('`%s` and `%s`: %s', (pattern, text, expected) => {
  expect(matchesWildcards(pattern, text)).toBe(expected);
});

test('says what the regular expression of the same meaning says', () => {
  const part = fc.constantFrom('a', 'b', '*', '?', '|');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.stringMatching(/^[ab]{0,8}$/), (parts, text) => {
      const pattern = parts.join('');
      const regular = new RegExp(`^(?:${pattern.replaceAll('?', '.').replaceAll('*', '.*')})$`, 's');
      expect(matchesWildcards(pattern, text)).toBe(regular.test(text));
    }),
  );
});

test('does not run away', () => {
  expect(matchesWildcards(`${'*a'.repeat(2000)}b`, 'a'.repeat(4000))).toBe(false);
});
