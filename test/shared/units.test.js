import { expect, test } from 'vitest';
import { formatBytes, formatMilliseconds, formatShare } from '../../lib/shared/units.js';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [25_300_000, '25.3 MB'],
  [4_200_000_000_000_000, '4200.0 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [0, '0 ms'],
  [0.12345, '0.123 ms'],
  [850, '850 ms'],
  [1340, '1.3 s'],
])('%d milliseconds are %s', (milliseconds, text) => {
  expect(formatMilliseconds(milliseconds)).toBe(text);
});

test.each([
  [0, '0 %'],
  [0.004, '0.4 %'],
  [0.375, '38 %'],
  [1, '100 %'],
])('the share %d is %s', (share, text) => {
  expect(formatShare(share)).toBe(text);
});
