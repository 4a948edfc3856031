import { expect, test } from 'vitest';
import { hashText } from '../../lib/shared/hash-text.js';

test('the same text has the same name, of 16 digits', () => {
  expect(hashText('function (doc) {}')).toBe(hashText('function (doc) {}'));
  for (const text of ['', 'a', 'ä', '\u{1f4e6}'.repeat(1000)]) expect(hashText(text)).toMatch(/^[0-9a-f]{16}$/);
});

test('100,000 texts that differ in little have 100,000 names', () => {
  const names = new Set();
  for (let index = 0; index < 50_000; index += 1) {
    names.add(hashText(`emit(doc.field${index}, null)`));
    names.add(hashText(`emit(doc.field, ${index})`));
  }
  expect(names.size).toBe(100_000);
});

test.each([
  ['a', 'b'],
  ['ab', 'ba'],
  ['\u0101', '\u0201'],
  ['a', 'a\0'],
])('%j and %j differ', (first, second) => {
  expect(hashText(first)).not.toBe(hashText(second));
});
