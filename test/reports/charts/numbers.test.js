// Numbers and ticks as pictures show them.

import { expect, test } from 'vitest';
import { formatLogTick, formatNumber, formatTicks, formatWithUnit } from '../../../lib/reports/charts/numbers.js';
import { makeScale } from '../../../lib/reports/charts/scales.js';
import { shorten, textWidth, wrapText } from '../../../lib/reports/charts/text-size.js';

test.each([
  [0, '0'],
  [0.012345, '0.0123'],
  [12.345, '12.3'],
  [999.6, '1,000'],
  [1234.5, '1,235'],
  [-1234567, '-1,234,567'],
  [1.23e-7, '1.2e-7'],
  [2e21, '2e+21'],
  [Number.NaN, 'unknown'],
])('%d is written %s', (value, written) => {
  expect(formatNumber(value)).toBe(written);
});

test('a unit stands behind the number on the same line', () => {
  expect(formatWithUnit(3, 'ms')).toBe('3\u00a0ms');
  expect(formatWithUnit(3, '')).toBe('3');
});

test.each([
  [
    [0, 5000, 10_000],
    ['0', '5k', '10k'],
  ],
  [
    [0, 2500, 5000],
    ['0', '2,500', '5,000'],
  ],
  [
    [0, 0.25, 0.5],
    ['0', '0.25', '0.50'],
  ],
  [
    [0, 500_000, 1_000_000],
    ['0', '0.5M', '1.0M'],
  ],
  [
    [0, 1e-5, 2e-5],
    ['0', '0.00001', '0.00002'],
  ],
  [
    [0, 1e-7],
    ['0', '1e-7'],
  ],
  [[7], ['7']],
  [[], []],
])('ticks %j are written %j', (values, written) => {
  expect(formatTicks(values)).toEqual(written);
});

test.each([
  [0.001, '0.001'],
  [0.0001, '1e-4'],
  [1000, '1,000'],
  [20_000, '20k'],
  [1_500_000, '1.5M'],
])('the logarithmic tick %d is written %s', (value, written) => {
  expect(formatLogTick(value)).toBe(written);
});

test.each([
  ['linear', [0, 1]],
  ['linear', [-3, 1e6]],
  ['linear', [5, 5]],
  ['linear', []],
  ['log', [1, 1e12]],
  ['log', [0.0004, 0.0005]],
  ['log', [7, 7]],
  ['log', [20, 30]],
  ['log', [0, -1]],
])('a %s axis over %j has ticks apart, within its ends', (scale, values) => {
  for (const length of [60, 150, 400, 1100]) {
    const axis = { label: 'x', scale: /** @type {'linear' | 'log'} */ (scale) };
    const made = makeScale(axis, values, { from: 40, to: 40 + length, room: [0, length + 80] });
    expect(made.ticks.length).toBeGreaterThan(0);
    for (const [at, tick] of made.ticks.entries()) {
      expect(tick.at).toBeGreaterThanOrEqual(39.9);
      expect(tick.at).toBeLessThanOrEqual(40.1 + length);
      const before = made.ticks[at - 1];
      if (!before) continue;
      const gap = tick.labelAt - before.labelAt - (textWidth(tick.label, 11) + textWidth(before.label, 11)) / 2;
      expect(gap).toBeGreaterThan(0);
    }
    for (const value of values.filter((one) => made.shows(one))) {
      expect(made.at(value)).toBeGreaterThanOrEqual(39.9);
      expect(made.at(value)).toBeLessThanOrEqual(40.1 + length);
    }
  }
});

test('text is broken at spaces, and within words where it must be', () => {
  expect(wrapText('emit the whole document', 90, 12)).toEqual(['emit the whole', 'document']);
  expect(wrapText('', 90, 12)).toEqual([]);
  const lines = wrapText(`short ${'W'.repeat(40)}`, 90, 12, { lines: 3 });
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(textWidth(line, 12)).toBeLessThanOrEqual(90);
  expect(lines.at(-1)).toContain('…');
});

test('text is shortened in its middle', () => {
  expect(shorten('orders', 100, 12)).toBe('orders');
  const short = shorten('orders_by_customer_and_date', 100, 12);
  expect(short).toMatch(/^ord.*….*date$/);
  expect(textWidth(short, 12)).toBeLessThanOrEqual(100);
});

test('what cannot be printed counts as it is shown', () => {
  expect(textWidth('\u202e', 12)).toBe(textWidth('<U+202E>', 12));
});
