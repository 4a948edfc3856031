import { describe, expect, test } from 'vitest';
import { digestText, hashText } from '../../lib/shared/hash-text.js';

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

describe('a digest', () => {
  test('is 32 hexadecimal digits, the same for the same text', () => {
    expect(digestText('orders')).toMatch(/^[0-9a-f]{32}$/);
    expect(digestText('orders')).toBe(digestText(['ord', 'ers'].join('')));
  });

  test('differs where one character does, wherever it is, and where the end does', () => {
    const text = 'stock of 12 shops, by day';
    const texts = new Set([text, `${text}\0`, `${text}\0\0`, text.slice(1), '', '\0']);
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      for (let bit = 0; bit < 16; bit += 1) {
        texts.add(`${text.slice(0, at)}${String.fromCharCode(code ^ (1 << bit))}${text.slice(at + 1)}`);
      }
    }
    expect(new Set([...texts].map(digestText)).size).toBe(texts.size);
  });

  test('turns about half of its bits with each bit of the text', () => {
    const bits = (/** @type {string} */ digest) => BigInt(`0x${digest}`).toString(2).padStart(128, '0');
    const before = bits(digestText('orders of the shop'));
    for (let bit = 0; bit < 16; bit += 1) {
      const after = bits(digestText(`order${String.fromCharCode('s'.charCodeAt(0) ^ (1 << bit))} of the shop`));
      const turned = [...before].filter((digit, at) => digit !== after[at]).length;
      expect(turned).toBeGreaterThan(36);
      expect(turned).toBeLessThan(92);
    }
  });
});
