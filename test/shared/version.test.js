import { expect, test } from 'vitest';
import { compareVersions, isVersion, NEWEST_COUCHDB } from '../../lib/shared/version.js';

test.each([
  ['3.9', '3.10', -1],
  ['3.5.2', '3.5.1', 1],
  ['3', '3.0.0', 0],
  ['2.3.1', '3.0', -1],
])('%s against %s', (first, second, sign) => {
  expect(Math.sign(compareVersions(first, second))).toBe(sign);
  expect(Math.sign(compareVersions(second, first))).toBe(-sign || 0);
});

test.each([
  ['3', true],
  ['3.5', true],
  ['3.5.2', true],
  [NEWEST_COUCHDB, true],
  ['3.5.2.1', false],
  ['v3.5', false],
  ['3.x', false],
  ['', false],
])('whether "%s" is a version: %s', (text, expected) => {
  expect(isVersion(text)).toBe(expected);
});
