import { expect, test } from 'vitest';
import { coversLine, isMuted } from '../../lib/engine/mute.js';

/** @import { Ignore } from '../../lib/facts/fact.js' */
/** @import { Finding } from '../../lib/engine/findings/finding.js' */

/**
 * @param {number} line
 * @param {number} column
 * @param {string} [rule]
 * @returns {Finding}
 */
const finding = (line, column, rule = 'view/emit-whole-doc') =>
  /** @type {Finding} */ ({ rule, place: { file: 'orders.json', line, column } });

/**
 * @param {string} rule
 * @returns {Ignore}
 */
const ignore = (rule) => ({
  rule,
  reason: 'a small database',
  origin: 'comment',
  place: { file: 'orders.json', line: 1, column: 1 },
  knownRule: true,
  nearestRule: undefined,
  silencedCount: 0,
});

// One line of a function inside a JSON string: from column 40 to column 80 of line 5.
const covers = coversLine({ file: 'orders.json', line: 5, column: 40, endLine: 5, endColumn: 80 });

test.each([
  ['begins in the line', finding(5, 45), true],
  ['begins where the line begins', finding(5, 40), true],
  ['stands before it', finding(5, 39), false],
  ['stands behind it', finding(5, 81), false],
  ['stands in another line', finding(6, 45), false],
  ['stands in another file', { ...finding(5, 45), place: { file: 'stock.json', line: 5, column: 45 } }, false],
])('a comment covers what %s: %#', (_, found, expected) => {
  expect(covers(/** @type {Finding} */ (found))).toBe(expected);
});

test('an ignore silences its own rule only, and counts', () => {
  const own = ignore('view/emit-whole-doc');
  const other = ignore('view/duplicate-index');
  const mutes = [own, other].map((item) => ({ ignore: item, covers }));
  expect([finding(5, 45), finding(5, 60), finding(9, 1)].map((item) => isMuted(item, mutes))).toEqual([
    true,
    true,
    false,
  ]);
  expect([own.silencedCount, other.silencedCount]).toEqual([2, 0]);
});

test('every ignore that covers a finding counts it', () => {
  const twice = [ignore('view/emit-whole-doc'), ignore('view/emit-whole-doc')];
  expect(
    isMuted(
      finding(5, 45),
      twice.map((item) => ({ ignore: item, covers })),
    ),
  ).toBe(true);
  expect(twice.map((item) => item.silencedCount)).toEqual([1, 1]);
});
