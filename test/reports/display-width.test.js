import { expect, test } from 'vitest';
import { displayWidth, wrap } from '../../lib/reports/display-width.js';

test.each([
  ['orders', 6],
  ['', 0],
  ['在庫', 4],
  ['한국', 4],
  ['ｱ', 1],
  ['Ａ', 2],
  ['e\u0301', 1],
  ['🙂', 2],
  ['a\u200db', 2],
  ['…│', 2],
])('%j takes %i columns', (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});

test.each([
  ['short text is one line', 'one two', 20, ['one two']],
  ['lines break at spaces', 'one two three', 7, ['one two', 'three']],
  ['a long word has a line of its own', 'a verylongword b', 5, ['a', 'verylongword', 'b']],
  ['columns count, not characters', '在庫 在庫', 8, ['在庫', '在庫']],
  [
    'no line begins like a command of a CI runner',
    'stop ::error::x ##[group]y z',
    5,
    ['stop ::error::x ##[group]y', 'z'],
  ],
])('%s', (_, text, width, lines) => {
  expect(wrap(text, width)).toEqual(lines);
});
