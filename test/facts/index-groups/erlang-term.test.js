// The encoder gives the bytes, and the order, that Erlang/OTP 25 gave for the same terms.

import { expect, test } from 'vitest';
import { compareTerms, encodeTerm } from '../../../lib/facts/index-groups/erlang-term.js';

/** @import { Term } from '../../../lib/facts/index-groups/erlang-term.js' */

/** @type {[string, Term, string][]} */
const ENCODED = [
  ['nought', 0n, '6100'],
  ['the largest byte', 255n, '61ff'],
  ['one more', 256n, '6200000100'],
  ['a negative number', -1n, '62ffffffff'],
  ['the largest of 32 bits', 2147483647n, '627fffffff'],
  ['one more', 2147483648n, '6e040000000080'],
  ['the smallest of 32 bits', -2147483648n, '6280000000'],
  ['one less', -2147483649n, '6e040101000080'],
  ['2 to the 40', 1n << 40n, '6e0600000000000001'],
  ['minus 2 to the 70', -(1n << 70n), '6e0901000000000000000040'],
  ['a float', 1.5, '463ff8000000000000'],
  ['minus nought', -0, '468000000000000000'],
  ['an empty list', [], '6a'],
  ['a list of bytes', [1n, 2n, 3n], '6b0003010203'],
  ['a list of numbers', [1n, 256n], '6c00000002610162000001006a'],
  ['one byte', [255n], '6b0001ff'],
  ['a list of a text', ['a'], '6c000000016d00000001616a'],
  ['an empty tuple', { tuple: [] }, '6800'],
  ['a tuple of atoms', { tuple: [{ atom: 'a' }, { atom: 'b' }] }, '68026400016164000162'],
  ['an empty text', '', '6d00000000'],
  ['a text beyond ASCII', 'ü€', '6d00000005c3bce282ac'],
  ['null', { atom: 'null' }, '6400046e756c6c'],
  ['an empty map', { map: [] }, '7400000000'],
  ['an object', { tuple: [[{ tuple: ['x', [[]]] }]] }, '68016c0000000168026d00000001786c000000016a6a6a'],
];

test.each(ENCODED)('writes %s', (_, term, hex) => {
  expect(Buffer.from(encodeTerm(term)).toString('hex')).toBe(`83${hex}`);
});

test('writes numbers of more than 255 bytes, and lists that are too long for a string', () => {
  expect(encodeTerm(1n << 3000n)).toHaveLength(383);
  const bytes = Array.from({ length: 65_536 }, () => 7n);
  expect(encodeTerm(bytes)).toHaveLength(131_079);
  expect(encodeTerm(bytes.slice(1))).toHaveLength(65_539);
});

test('orders terms as Erlang does', () => {
  const [a, b] = [{ atom: 'a' }, { atom: 'b' }];
  /** @type {Term[]} */
  const inOrder = [
    -1n,
    1n,
    1.5,
    2n,
    a,
    b,
    { atom: 'true' },
    { tuple: [1n] },
    { tuple: [1n, 2n] },
    { tuple: [2n, 1n] },
    { map: [] },
    [],
    [1n],
    [1n, 2n],
    [2n],
    ['a'],
    '',
    'a',
    'ab',
    'b',
    '\ufb00',
    '😀',
  ];
  expect(inOrder.toReversed().sort(compareTerms)).toEqual(inOrder);
  for (const term of inOrder) expect(compareTerms(term, term)).toBe(0);
});
